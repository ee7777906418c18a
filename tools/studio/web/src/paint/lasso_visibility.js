// seer: what of the ground a view shows where, for deeds that ask for every texel.
//
// A seer has at(place, tile, texel): pixels; touches(triangle, box, turned): whether it may lie in a box
// of pixels; sees(place, triangle, pixels, turned): whether nothing is before it. Turned asks for the
// mirror image of a triangle. Turns: it can be asked for that.

import * as THREE from 'three';
import { canvas } from './painter.js';

const meets = (points, box) => {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return Math.max(...xs) >= box.left && Math.min(...xs) <= box.right && Math.max(...ys) >= box.top && Math.min(...ys) <= box.bottom;
};

// In 3-D: what is turned to the eye, and with nothing before it. What is nearest is asked once per pixel.
export function seer3d(view3d) {
  const { camera, surface, section } = view3d;
  const { clientWidth: width, clientHeight: height } = section;
  camera.updateMatrixWorld(); // it may have been moved since the last picture
  const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  const eye = camera.position.toArray();
  const pixel = (2 * Math.tan((Math.PI * camera.fov) / 360)) / height;
  const nearest = new Float32Array(width * height).fill(-1);
  const planes = new Map(); // normals by triangle
  const turn = (p, turned) => (turned ? [-p[0], p[1], p[2]] : p);
  const normalOf = (triangle) => {
    if (!planes.has(triangle)) planes.set(triangle, surface.normal(triangle));
    return planes.get(triangle);
  };
  const pixels = [0, 0];
  const at = ([x, y, z]) => {
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    pixels[0] = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) * 0.5 * width;
    pixels[1] = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) * 0.5 * height;
    return pixels;
  };
  const cosineAt = (place, triangle, turned) => {
    const [nx, ny, nz] = normalOf(triangle);
    const [x, y, z] = [eye[0] - place[0], eye[1] - place[1], eye[2] - place[2]];
    return ((turned ? -nx : nx) * x + ny * y + nz * z) / Math.hypot(x, y, z);
  };
  const touches = (triangle, box, turned) => {
    const corners = [0, 1, 2].map((i) => turn(surface.corner(triangle, i), turned));
    return cosineAt(corners[0], triangle, turned) > -1e-3 && meets(corners.map((p) => [...at(p)]), box);
  };
  const sees = (place, triangle, [x, y], turned) => {
    const cosine = cosineAt(place, triangle, turned);
    const [px, py] = [Math.round(x), Math.round(y)];
    if (cosine <= 0 || px < 0 || py < 0 || px >= width || py >= height) return false;
    const i = py * width + px;
    if (nearest[i] < 0) nearest[i] = view3d.hit(px, py)?.distance ?? Infinity;
    const distance = Math.hypot(eye[0] - place[0], eye[1] - place[1], eye[2] - place[2]);
    // A pixel sees a slanting surface at many depths.
    return distance <= nearest[i] + 1e-4 + (2 * pixel * distance) / Math.max(0.05, cosine);
  };
  return { at, touches, sees, turns: true };
}

// In the map nothing lies before anything.
export function seerUv(viewuv) {
  const { surface, layer } = canvas;
  return {
    at: (place, number, i) => viewuv.pixel(...layer.uvOf(number, i)),
    // Texels beside a triangle are painted along with it.
    touches: (triangle, box) => {
      const uv = surface.uvs.subarray(6 * triangle, 6 * triangle + 6);
      const edge = (2 * viewuv.scale()) / Math.min(layer.squareWidth, layer.squareHeight);
      return meets([0, 2, 4].map((k) => viewuv.pixel(uv[k], uv[k + 1])),
        { left: box.left - edge, right: box.right + edge, top: box.top - edge, bottom: box.bottom + edge });
    },
    sees: () => true,
    turns: false,
  };
}
