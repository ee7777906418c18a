// The surface as it is drawn on a posed body. Maps are painted on the rest pose: a triangle and its barycentric
// coordinates lead from one to the other.

import { Vector3, Triangle } from 'three';

/** @typedef {import('./surface.js').Surface} Surface */
/** @typedef {import('./brush.js').Hit} Hit */

/** @type {WeakMap<Surface, { shown: Surface, pose: Float32Array }>} */ const cache = new WeakMap();

/** The surface with its vertices at `pose`; its BVH is refitted when the pose changes. @param {Surface} surface @param {Float32Array} pose @returns {Surface} */
export function posedSurface(surface, pose) {
  const entry = cache.get(surface);
  if (entry?.pose === pose) return entry.shown;
  const shown = entry?.shown ?? Object.assign(Object.create(surface), { positions: new Float32Array(surface.positions.length), lazyBvh: null });
  shown.positions.set(pose.subarray(0, shown.positions.length));
  shown.lazyBvh?.refit();
  cache.set(surface, { shown, pose });
  return shown;
}

const corners = (/** @type {Surface} */ surface, /** @type {number} */ t) => [0, 1, 2].map((i) => new Vector3().fromArray(surface.corner(t, i)));

/** A point of a triangle of one surface, on the same triangle of another. @param {Surface} from @param {Surface} to @param {number} triangle @param {number[]} point */
export function carryPoint(from, to, triangle, point) {
  if (from === to) return point;
  const [a, b, c] = corners(from, triangle);
  const weights = Triangle.getBarycoord(new Vector3().fromArray(point), a, b, c, new Vector3());
  if (!weights) return to.corner(triangle, 0);
  const [p, q, r] = corners(to, triangle);
  return p.multiplyScalar(weights.x).addScaledVector(q, weights.y).addScaledVector(r, weights.z).toArray();
}

/** @template {Hit | null} T @param {Surface} from @param {Surface} to @param {T} hit @returns {T} */
export function carryHit(from, to, hit) {
  if (from === to || !hit) return hit;
  return { ...hit, point: carryPoint(from, to, hit.triangle, hit.point), normal: to.normal(hit.triangle) };
}
