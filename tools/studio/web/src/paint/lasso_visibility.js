// Screen-space visibility tests for the lasso.

import * as THREE from 'three';
import { paintTarget } from './painter.js';

/** @typedef {import('./polygon_mask.js').Box} Box */

/**
 * @typedef {object} VisibilityTest
 * @property {(position: number[], triangle: number, tile: number, texel: number, mirrored: boolean) => number[]} toPixels valid until the next call
 * @property {(triangle: number, box: Box, mirrored: boolean) => boolean} overlapsBox conservative
 * @property {(position: number[], triangle: number, pixel: number[], mirrored: boolean) => boolean} isVisible
 * @property {boolean} supportsMirroring whether mirrored may be true: the mirror image of the triangle
 */

const boxesOverlap = (/** @type {number[][]} */ points, /** @type {Box} */ box) => {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return Math.max(...xs) >= box.left && Math.min(...xs) <= box.right && Math.max(...ys) >= box.top && Math.min(...ys) <= box.bottom;
};

const frameOf = (/** @type {import('./surface.js').Surface} */ surface, /** @type {number} */ triangle) => {
  const [a, b, c] = [0, 1, 2].map((i) => new THREE.Vector3().fromArray(surface.corner(triangle, i)));
  const n = new THREE.Vector3().fromArray(surface.normal(triangle));
  return new THREE.Matrix4().makeBasis(b.sub(a), c.sub(a), n).setPosition(a);
};

// Carries points of triangles from the rest pose to the body as it is drawn. A mirrored point moves with the triangle that
// is closest to the mirror image of its own.
/** @param {import('./surface.js').Surface} surface @param {import('./surface.js').Surface} shown @param {(point: number[]) => number[]} mirror */
function createCarrier(surface, shown, mirror) {
  /** @type {Map<number, { triangle: number, matrix: THREE.Matrix4 }>[]} */ const cache = [new Map(), new Map()];
  const entryOf = (/** @type {number} */ t, /** @type {boolean} */ mirrored) => {
    let entry = cache[Number(mirrored)].get(t);
    if (!entry) {
      const centre = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, i) => sum + surface.corner(t, i)[k] / 3, 0));
      const triangle = mirrored ? surface.closestTriangle(mirror(centre)).triangle : t;
      entry = { triangle, matrix: frameOf(shown, triangle).multiply(frameOf(surface, triangle).invert()) };
      cache[Number(mirrored)].set(t, entry);
    }
    return entry;
  };
  const at = new THREE.Vector3();
  return {
    triangleOf: (/** @type {number} */ t, /** @type {boolean} */ mirrored) => entryOf(t, mirrored).triangle,
    carry: (/** @type {number[]} */ point, /** @type {number} */ t, /** @type {boolean} */ mirrored) => at.fromArray(point).applyMatrix4(entryOf(t, mirrored).matrix).toArray(),
  };
}

// In the 3-D view as it is now: front-facing and not occluded. Occlusion is one ray cast per pixel, cached.
/** @param {import('../view/view3d.js').View3d} view3d @param {number} axis of the mirror plane @returns {VisibilityTest} */
export function createVisibilityTest3d(view3d, axis = 0) {
  const { camera, surface, section, pose } = view3d;
  const { clientWidth: width, clientHeight: height } = section;
  const mirror = (/** @type {number[]} */ p) => p.map((x, k) => (k === axis ? -x : x));
  const shown = pose ? Object.assign(Object.create(surface), { positions: pose.slice(), lazyBvh: null }) : surface;
  const carrier = pose ? createCarrier(surface, shown, mirror) : null;
  camera.updateMatrixWorld(); // the camera may have moved since the last draw
  const projection = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const unprojection = projection.clone().invert();
  const m = projection.elements;
  const eye = camera.position.toArray();
  const pixelAngle = (2 * Math.tan((Math.PI * camera.fov) / 360)) / height;
  const depths = new Float32Array(width * height).fill(-1); // -1: not cast yet
  const depthAt = (/** @type {number} */ x, /** @type {number} */ y) => {
    const through = new THREE.Vector3((2 * x) / width - 1, 1 - (2 * y) / height, 0.5).applyMatrix4(unprojection);
    return shown.raycast(eye, through.sub(new THREE.Vector3().fromArray(eye)).normalize().toArray())?.distance ?? Infinity;
  };
  /** @type {Map<number, number[]>} by triangle and side */ const normals = new Map();
  const normalOf = (/** @type {number} */ triangle, /** @type {boolean} */ mirrored) => {
    const key = 2 * triangle + Number(mirrored);
    /** @type {number[]} */ const normal = normals.get(key)
      ?? (carrier ? shown.normal(carrier.triangleOf(triangle, mirrored)) : mirrored ? mirror(surface.normal(triangle)) : surface.normal(triangle));
    normals.set(key, normal);
    return normal;
  };
  const shownPoint = (/** @type {number[]} */ position, /** @type {number} */ triangle, /** @type {boolean} */ mirrored) => (carrier ? carrier.carry(position, triangle, mirrored) : position);
  const pixel = [0, 0];
  const project = (/** @type {number[]} */ [x, y, z]) => {
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    pixel[0] = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) * 0.5 * width;
    pixel[1] = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) * 0.5 * height;
    return pixel;
  };
  const cosineAt = (/** @type {number[]} */ point, /** @type {number} */ triangle, /** @type {boolean} */ mirrored) => {
    const [nx, ny, nz] = normalOf(triangle, mirrored);
    const [x, y, z] = [eye[0] - point[0], eye[1] - point[1], eye[2] - point[2]];
    return (nx * x + ny * y + nz * z) / Math.hypot(x, y, z);
  };
  return {
    toPixels: (position, triangle, _number, _i, mirrored) => project(shownPoint(position, triangle, mirrored)),
    overlapsBox: (triangle, box, mirrored) => {
      const corners = [0, 1, 2].map((i) => {
        const corner = surface.corner(triangle, i);
        return shownPoint(mirrored ? mirror(corner) : corner, triangle, mirrored);
      });
      return cosineAt(corners[0], triangle, mirrored) > -1e-3 && boxesOverlap(corners.map((p) => [...project(p)]), box);
    },
    isVisible: (position, triangle, [x, y], mirrored) => {
      const point = shownPoint(position, triangle, mirrored);
      const cosine = cosineAt(point, triangle, mirrored);
      const [px, py] = [Math.round(x), Math.round(y)];
      if (cosine <= 0 || px < 0 || py < 0 || px >= width || py >= height) return false;
      const i = py * width + px;
      if (depths[i] < 0) depths[i] = depthAt(px, py);
      const distance = Math.hypot(eye[0] - point[0], eye[1] - point[1], eye[2] - point[2]);
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
    toPixels: (_position, _triangle, number, i) => {
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
