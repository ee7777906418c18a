// Screen-space visibility tests for the lasso.

import * as THREE from 'three';
import { paintTarget } from './painter.js';

/** @typedef {import('./polygon_mask.js').Box} Box */

/**
 * @typedef {object} VisibilityTest
 * @property {(position: number[], tile: number, texel: number) => number[]} toPixels valid until the next call
 * @property {(triangle: number, box: Box, mirrored: boolean) => boolean} overlapsBox conservative
 * @property {(position: number[], triangle: number, pixel: number[], mirrored: boolean) => boolean} isVisible
 * @property {boolean} supportsMirroring whether mirrored may be true: the mirror image of the triangle at x = 0
 */

const boxesOverlap = (/** @type {number[][]} */ points, /** @type {Box} */ box) => {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return Math.max(...xs) >= box.left && Math.min(...xs) <= box.right && Math.max(...ys) >= box.top && Math.min(...ys) <= box.bottom;
};

// In the 3-D view: front-facing and not occluded. Occlusion is one ray cast per pixel, cached.
/** @param {import('../view/view3d.js').View3d} view3d @returns {VisibilityTest} */
export function createVisibilityTest3d(view3d) {
  const { camera, surface, section } = view3d;
  const { clientWidth: width, clientHeight: height } = section;
  camera.updateMatrixWorld(); // the camera may have moved since the last draw
  const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  const eye = camera.position.toArray();
  const pixelAngle = (2 * Math.tan((Math.PI * camera.fov) / 360)) / height;
  const depths = new Float32Array(width * height).fill(-1); // -1: not cast yet
  const normals = new Map();
  const mirror = (/** @type {number[]} */ p, /** @type {boolean} */ mirrored) => (mirrored ? [-p[0], p[1], p[2]] : p);
  const normalOf = (/** @type {number} */ triangle) => {
    if (!normals.has(triangle)) normals.set(triangle, surface.normal(triangle));
    return normals.get(triangle);
  };
  const pixel = [0, 0];
  const toPixels = (/** @type {number[]} */ [x, y, z]) => {
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    pixel[0] = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) * 0.5 * width;
    pixel[1] = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) * 0.5 * height;
    return pixel;
  };
  const cosineAt = (/** @type {number[]} */ position, /** @type {number} */ triangle, /** @type {boolean} */ mirrored) => {
    const [nx, ny, nz] = normalOf(triangle);
    const [x, y, z] = [eye[0] - position[0], eye[1] - position[1], eye[2] - position[2]];
    return ((mirrored ? -nx : nx) * x + ny * y + nz * z) / Math.hypot(x, y, z);
  };
  return {
    toPixels,
    overlapsBox: (triangle, box, mirrored) => {
      const corners = [0, 1, 2].map((i) => mirror(surface.corner(triangle, i), mirrored));
      return cosineAt(corners[0], triangle, mirrored) > -1e-3 && boxesOverlap(corners.map((p) => [...toPixels(p)]), box);
    },
    isVisible: (position, triangle, [x, y], mirrored) => {
      const cosine = cosineAt(position, triangle, mirrored);
      const [px, py] = [Math.round(x), Math.round(y)];
      if (cosine <= 0 || px < 0 || py < 0 || px >= width || py >= height) return false;
      const i = py * width + px;
      if (depths[i] < 0) depths[i] = view3d.hit(px, py)?.distance ?? Infinity;
      const distance = Math.hypot(eye[0] - position[0], eye[1] - position[1], eye[2] - position[2]);
      // Depth varies within a pixel, more so at grazing angles.
      return distance <= depths[i] + 1e-4 + (2 * pixelAngle * distance) / Math.max(0.05, cosine);
    },
    supportsMirroring: true,
  };
}

/** In the UV view nothing is occluded. @param {import('../view/uv_view.js').UvView} uvView @returns {VisibilityTest} */
export function createVisibilityTestUv(uvView) {
  const { surface, map } = /** @type {Required<import('./painter.js').PaintTarget>} */ (paintTarget);
  return {
    toPixels: (_position, number, i) => {
      const [u, v] = map.uvOfTexel(number, i);
      return uvView.toPixels(u, v);
    },
    // Texels within one texel of the triangle belong to it, see TexelPositions.
    overlapsBox: (triangle, box) => {
      const uv = surface.uvs.subarray(6 * triangle, 6 * triangle + 6);
      const margin = (2 * uvView.scale()) / Math.min(map.udimWidth, map.udimHeight);
      return boxesOverlap([0, 2, 4].map((k) => uvView.toPixels(uv[k], uv[k + 1])),
        { left: box.left - margin, right: box.right + margin, top: box.top - margin, bottom: box.bottom + margin });
    },
    isVisible: () => true,
    supportsMirroring: false,
  };
}
