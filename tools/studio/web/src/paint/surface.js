// The body mesh for painting: adjacency, UVs, ray casts and closest-point queries.

import { BufferAttribute, BufferGeometry, DoubleSide, Ray, Triangle, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { getBytes } from '../net/api.js';

/** @typedef {import('./brush.js').Hit} Hit */

const RAY_EPSILON = 1e-7; // hits closer than this to the ray origin are ignored

/** @param {number} groom */
export async function loadSurface(groom) {
  return new Surface(await getBytes('/api/mesh', { groom }));
}

/** The surface of a body without hair. @param {number} body */
export async function loadBody(body) {
  return new Surface(await getBytes('/api/mesh', { body }));
}

export const emptySurface = () => new Surface(new ArrayBuffer(16));

export class Surface {
  /** Packet: vertex count, triangle count, has UVs, padding; positions, indices, corner normals, corner UVs, growth mask. @param {ArrayBuffer} bytes */
  constructor(bytes) {
    const [vertices, triangles, hasUv] = new Uint32Array(bytes, 0, 3);
    let at = 16;
    const floats = (/** @type {number} */ count) => {
      const array = new Float32Array(bytes, at, count);
      at += array.byteLength;
      return array;
    };
    this.triangles = triangles;
    this.positions = floats(3 * vertices);
    this.indices = new Uint32Array(bytes, at, 3 * triangles);
    at += this.indices.byteLength;
    this.normals = floats(9 * triangles); // per corner
    this.uvs = hasUv ? floats(6 * triangles) : null; // per corner
    this.growthMask = new Uint8Array(bytes, at, triangles); // 1: hair may grow on the triangle
    this.neighbours = this.buildAdjacency(vertices);
    this.isUvMirrored = this.uvs !== null && this.detectUvMirror();
    /** @type {MeshBVH | null} */ this.lazyBvh = null;
    /** @type {UvGrid | null} */ this.uvGrid = null;
  }

  /** Neighbouring triangle across each edge, by corner; -1 at borders. @param {number} vertices */
  buildAdjacency(vertices) {
    const { indices, triangles } = this;
    const neighbours = new Int32Array(3 * triangles).fill(-1);
    const edges = new Map();
    for (let corner = 0; corner < 3 * triangles; ++corner) {
      const a = indices[corner];
      const b = indices[corner % 3 === 2 ? corner - 2 : corner + 1];
      const key = a < b ? a * vertices + b : b * vertices + a;
      const other = edges.get(key);
      if (other === undefined) {
        edges.set(key, corner);
      } else {
        neighbours[corner] = Math.floor(other / 3);
        neighbours[other] = Math.floor(corner / 3);
      }
    }
    return neighbours;
  }

  // Whether the UVs of the two halves x < 0 and x > 0 mirror each other at u = 1/2. Symmetric strokes are then
  // bit-identical on both sides.
  detectUvMirror() {
    const uvs = /** @type {Float32Array} */ (this.uvs);
    const key = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => `${Math.round(x * 1e5)},${Math.round(y * 1e5)},${Math.round(z * 1e5)}`;
    /** @type {Map<string, number[][]>} */ const uvsByPosition = new Map();
    const corners = [];
    for (let t = 0; t < this.triangles; ++t) {
      for (let c = 3 * t; this.growthMask[t] && c < 3 * t + 3; ++c) {
        const [x, y, z] = this.positions.subarray(3 * this.indices[c], 3 * this.indices[c] + 3);
        corners.push([x, y, z, uvs[2 * c], uvs[2 * c + 1]]);
        const at = key(x, y, z);
        uvsByPosition.set(at, [...(uvsByPosition.get(at) ?? []), [uvs[2 * c], uvs[2 * c + 1]]]);
      }
    }
    let matches = 0;
    for (const [x, y, z, u, v] of corners) {
      const others = uvsByPosition.get(key(-x, y, z)) ?? [];
      matches += others.some(([p, q]) => Math.abs(p - (1 - u)) < 2e-5 && Math.abs(q - v) < 2e-5) ? 1 : 0;
    }
    return corners.length > 0 && matches > 0.99 * corners.length;
  }

  /** Per triangle: index of its UDIM square (-1 for none) and corner UVs in the map's atlas, 0 to 1. @param {import('./paint_map.js').PaintMap} map */
  atlasUvs(map) {
    const source = /** @type {Float32Array} */ (this.uvs);
    const udimIndices = new Int32Array(this.triangles);
    if (!map.isUdim) return { udimIndices, uvs: source };
    const uvs = new Float32Array(source.length);
    for (let t = 0; t < this.triangles; ++t) {
      const uv = source.subarray(6 * t, 6 * t + 6);
      udimIndices[t] = map.udimAt((uv[0] + uv[2] + uv[4]) / 3, (uv[1] + uv[3] + uv[5]) / 3);
      const udim = map.udims[udimIndices[t]];
      for (let i = 0; udim && i < 6; i += 2) {
        uvs[6 * t + i] = (udim.x + (uv[i] - udim.u) * map.udimWidth) / map.width;
        uvs[6 * t + i + 1] = 1 - (udim.y + (udim.v + 1 - uv[i + 1]) * map.udimHeight) / map.height;
      }
    }
    return { udimIndices, uvs };
  }

  /** @param {number} triangle @param {number} i */
  corner(triangle, i) {
    const v = 3 * this.indices[3 * triangle + i];
    return [this.positions[v], this.positions[v + 1], this.positions[v + 2]];
  }

  /** Geometric normal. @param {number} triangle */
  normal(triangle) {
    const [a, b, c] = [0, 1, 2].map((i) => this.corner(triangle, i));
    const [p, q] = [b.map((x, i) => x - a[i]), c.map((x, i) => x - a[i])];
    const n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    const length = Math.hypot(...n) || 1;
    return n.map((x) => x / length);
  }

  // Indirect: the index buffer keeps its order, so BVH face indices are triangle numbers.
  get bvh() {
    if (!this.lazyBvh) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(this.positions, 3));
      geometry.setIndex(new BufferAttribute(this.indices, 1));
      this.lazyBvh = new MeshBVH(geometry, { indirect: true });
    }
    return this.lazyBvh;
  }

  // The first hit of a ray within maxDistance, on either side of the surface.
  /** @param {number[]} origin @param {number[]} direction unit vector @param {number} maxDistance @returns {Hit & { distance: number } | null} */
  raycast([x, y, z], [dx, dy, dz], maxDistance = Infinity) {
    if (this.triangles === 0) return null;
    const ray = new Ray(new Vector3(x, y, z), new Vector3(dx, dy, dz));
    const hit = this.bvh.raycastFirst(ray, DoubleSide, RAY_EPSILON, maxDistance);
    if (!hit) return null;
    const triangle = /** @type {number} */ (hit.faceIndex);
    return { triangle, distance: hit.distance, normal: this.normal(triangle), point: hit.point.toArray() };
  }

  /** @param {number[]} point */
  closestTriangle([x, y, z]) {
    const found = /** @type {{ faceIndex: number, distance: number }} */ (this.bvh.closestPointToPoint(new Vector3(x, y, z)));
    return { triangle: found.faceIndex, distance: found.distance };
  }

  // Triangles that a dab may affect: within the radius, connected to the first triangle through such triangles, and
  // facing the same side as the brush.
  /** @param {number} first @param {number[]} point @param {number[]} normal @param {number} radius */
  trianglesInBrush(first, point, normal, radius) {
    const found = [];
    const visited = new Set([first]);
    const center = new Vector3().fromArray(point);
    const open = [first];
    while (open.length) {
      const t = /** @type {number} */ (open.pop());
      const shape = new Triangle(...[0, 1, 2].map((i) => new Vector3().fromArray(this.corner(t, i))));
      if (shape.closestPointToPoint(center, new Vector3()).distanceToSquared(center) > radius * radius) continue;
      const n = this.normal(t);
      if (t !== first && n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2] <= 0) continue;
      found.push(t);
      for (let e = 3 * t; e < 3 * t + 3; ++e) {
        const other = this.neighbours[e];
        if (other >= 0 && !visited.has(other)) {
          visited.add(other);
          open.push(other);
        }
      }
    }
    return found;
  }

  /** The surface point at (u, v) in the growth area, or null. @param {number} u @param {number} v @returns {Hit | null} */
  hitAtUv(u, v) {
    this.uvGrid ??= new UvGrid(this);
    return this.uvGrid.hitAt(u, v);
  }

  /** UV of a surface point; null without UVs or on degenerate triangles. @param {{ triangle: number, point: number[] }} hit */
  uvAtHit({ triangle, point }) {
    const corners = [0, 1, 2].map((i) => this.corner(triangle, i));
    // Barycentric coordinates in the axis plane with the largest projection of the triangle.
    const n = this.normal(triangle).map(Math.abs);
    const [a, b] = [0, 1, 2].filter((k) => k !== n.indexOf(Math.max(...n)));
    const weights = barycentric(Float64Array.from(corners.flatMap((p) => [p[a], p[b]])), 0, point[a], point[b]);
    const uv = this.uvs?.subarray(6 * triangle, 6 * triangle + 6);
    return weights && uv ? [0, 1].map((k) => weights.reduce((sum, w, i) => sum + w * uv[2 * i + k], 0)) : null;
  }
}

// Uniform grid over the UV plane for hitAtUv.
class UvGrid {
  /** @param {Surface} surface */
  constructor(surface) {
    this.surface = surface;
    this.side = 128; // cells per unit
    /** @type {Map<number, number[]>} */ this.cells = new Map();
    for (let t = 0; t < surface.triangles; ++t) {
      if (surface.growthMask[t]) this.insert(t);
    }
  }

  /** @param {number} t */
  insert(t) {
    const uv = /** @type {Float32Array} */ (this.surface.uvs).subarray(6 * t, 6 * t + 6);
    const cell = (/** @type {number} */ x) => Math.floor(x * this.side);
    for (let y = cell(Math.min(uv[1], uv[3], uv[5])); y <= cell(Math.max(uv[1], uv[3], uv[5])); ++y) {
      for (let x = cell(Math.min(uv[0], uv[2], uv[4])); x <= cell(Math.max(uv[0], uv[2], uv[4])); ++x) {
        const key = y * 65536 + x;
        const list = this.cells.get(key);
        if (list) list.push(t); else this.cells.set(key, [t]);
      }
    }
  }

  /** @param {number} u @param {number} v */
  hitAt(u, v) {
    const { surface } = this;
    for (const t of this.cells.get(Math.floor(v * this.side) * 65536 + Math.floor(u * this.side)) ?? []) {
      const b = barycentric(/** @type {Float32Array} */ (surface.uvs), 6 * t, u, v);
      if (b && b[0] >= -1e-6 && b[1] >= -1e-6 && b[2] >= -1e-6) {
        const [p, q, r] = [0, 1, 2].map((i) => surface.corner(t, i));
        return { triangle: t, point: p.map((x, i) => b[0] * x + b[1] * q[i] + b[2] * r[i]), normal: surface.normal(t) };
      }
    }
    return null;
  }
}

// Barycentric coordinates of (u, v) in a 2-D triangle; null if it is degenerate.
/** @param {Float32Array | Float64Array} uvs @param {number} at offset of the first corner @param {number} u @param {number} v */
export function barycentric(uvs, at, u, v) {
  const [u0, v0, u1, v1, u2, v2] = uvs.subarray(at, at + 6);
  const area = (u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0);
  if (area === 0) return null;
  const b1 = ((u - u0) * (v2 - v0) - (u2 - u0) * (v - v0)) / area, b2 = ((u1 - u0) * (v - v0) - (u - u0) * (v1 - v0)) / area;
  return [1 - b1 - b2, b1, b2];
}
