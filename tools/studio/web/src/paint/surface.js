// surface: the mesh as the brush sees it: triangles that know their neighbours, their place in the
// map and what lies near a point.

import { getBytes } from '../net/api.js';

export async function loadSurface(groom) {
  return new Surface(await getBytes('/api/mesh', { groom }));
}

export class Surface {
  constructor(bytes) {
    const [vertices, triangles, hasUv] = new Uint32Array(bytes, 0, 3);
    let at = 16;
    const take = (Type, count) => {
      const array = new Type(bytes, at, count);
      at += array.byteLength;
      return array;
    };
    this.triangles = triangles;
    this.positions = take(Float32Array, 3 * vertices);
    this.indices = take(Uint32Array, 3 * triangles);
    this.normals = take(Float32Array, 9 * triangles);
    this.uvs = hasUv ? take(Float32Array, 6 * triangles) : null;
    this.ground = take(Uint8Array, triangles);
    this.findNeighbours(vertices);
    this.mirrored = this.uvs !== null && this.findMirror();
  }

  // Across each edge; -1 at borders. Edges are told apart by their two vertices.
  findNeighbours(vertices) {
    const { indices, triangles } = this;
    this.neighbours = new Int32Array(3 * triangles).fill(-1);
    const edges = new Map();
    for (let corner = 0; corner < 3 * triangles; ++corner) {
      const a = indices[corner];
      const b = indices[corner % 3 === 2 ? corner - 2 : corner + 1];
      const key = a < b ? a * vertices + b : b * vertices + a;
      const other = edges.get(key);
      if (other === undefined) {
        edges.set(key, corner);
      } else {
        this.neighbours[corner] = Math.floor(other / 3);
        this.neighbours[other] = Math.floor(corner / 3);
      }
    }
  }

  // Whether the map of the right half is the left half's turned over at u = 1/2: then a symmetric
  // stroke can be made the same to the last bit on both sides.
  findMirror() {
    const key = (x, y, z) => `${Math.round(x * 1e5)},${Math.round(y * 1e5)},${Math.round(z * 1e5)}`;
    const places = new Map();
    const corners = [];
    for (let t = 0; t < this.triangles; ++t) {
      for (let c = 3 * t; this.ground[t] && c < 3 * t + 3; ++c) {
        const [x, y, z] = this.positions.subarray(3 * this.indices[c], 3 * this.indices[c] + 3);
        corners.push([x, y, z, this.uvs[2 * c], this.uvs[2 * c + 1]]);
        const at = key(x, y, z);
        places.set(at, [...(places.get(at) ?? []), [this.uvs[2 * c], this.uvs[2 * c + 1]]]);
      }
    }
    let fits = 0;
    for (const [x, y, z, u, v] of corners) {
      const others = places.get(key(-x, y, z)) ?? [];
      fits += others.some(([p, q]) => Math.abs(p - (1 - u)) < 2e-5 && Math.abs(q - v) < 2e-5);
    }
    return corners.length > 0 && fits > 0.99 * corners.length;
  }

  // The texture plane as the sheet of a layer has it: which square each triangle lies in, -1 for none,
  // and its corners in the sheet, from 0 to 1.
  inSheet(layer) {
    const squares = new Int32Array(this.triangles);
    if (!layer.tiled) {
      return { squares, uvs: this.uvs };
    }
    const uvs = new Float32Array(this.uvs.length);
    for (let t = 0; t < this.triangles; ++t) {
      const uv = this.uvs.subarray(6 * t, 6 * t + 6);
      squares[t] = layer.squareAt((uv[0] + uv[2] + uv[4]) / 3, (uv[1] + uv[3] + uv[5]) / 3);
      const square = layer.squares[squares[t]];
      for (let i = 0; square && i < 6; i += 2) {
        uvs[6 * t + i] = (square.x + (uv[i] - square.u) * layer.squareWidth) / layer.width;
        uvs[6 * t + i + 1] = 1 - (square.y + (square.v + 1 - uv[i + 1]) * layer.squareHeight) / layer.height;
      }
    }
    return { squares, uvs };
  }

  corner(triangle, i) {
    const v = 3 * this.indices[3 * triangle + i];
    return [this.positions[v], this.positions[v + 1], this.positions[v + 2]];
  }

  // Of the flat triangle.
  normal(triangle) {
    const [a, b, c] = [0, 1, 2].map((i) => this.corner(triangle, i));
    const [p, q] = [b.map((x, i) => x - a[i]), c.map((x, i) => x - a[i])];
    const n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    const length = Math.hypot(...n) || 1;
    return n.map((x) => x / length);
  }

  // Square of the distance from a point to a triangle (Ericson, Real-Time Collision Detection, 5.1.5).
  distance2(triangle, p) {
    const [a, b, c] = [0, 1, 2].map((i) => this.corner(triangle, i));
    return distanceToTriangle2(p, a, b, c);
  }

  // The triangles that a dab may touch: within radius of the point, joined to the first one through
  // such triangles, and turned the way the brush looks from.
  patch(first, point, normal, radius) {
    const found = [];
    const seen = new Set([first]);
    const open = [first];
    while (open.length) {
      const t = open.pop();
      if (this.distance2(t, point) > radius * radius) {
        continue;
      }
      const n = this.normal(t);
      if (t !== first && n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2] <= 0) {
        continue;
      }
      found.push(t);
      for (let e = 3 * t; e < 3 * t + 3; ++e) {
        const other = this.neighbours[e];
        if (other >= 0 && !seen.has(other)) {
          seen.add(other);
          open.push(other);
        }
      }
    }
    return found;
  }

  // The ground triangle whose map holds (u, v), with the point there; null when there is none.
  atUv(u, v) {
    this.uvGrid ??= new UvGrid(this);
    return this.uvGrid.find(u, v);
  }

  // Where a place on a triangle lies in the texture plane; null when nothing is known of that.
  uvOf({ triangle, point }) {
    const corners = [0, 1, 2].map((i) => this.corner(triangle, i));
    // Weights are found in the plane of space that the triangle faces most.
    const n = this.normal(triangle).map(Math.abs);
    const [a, b] = [0, 1, 2].filter((k) => k !== n.indexOf(Math.max(...n)));
    const weights = barycentric(Float64Array.from(corners.flatMap((p) => [p[a], p[b]])), 0, point[a], point[b]);
    const uv = this.uvs?.subarray(6 * triangle, 6 * triangle + 6);
    return weights && uv ? [0, 1].map((k) => weights.reduce((sum, w, i) => sum + w * uv[2 * i + k], 0)) : null;
  }

  // The point and normal nearest to a mirrored hit, on ground triangles.
  nearest(point) {
    let best = -1;
    let least = Infinity;
    for (let t = 0; t < this.triangles; ++t) {
      const d = this.distance2(t, point);
      if (d < least) {
        [best, least] = [t, d];
      }
    }
    return { triangle: best, distance: Math.sqrt(least) };
  }
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const mad = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];

function distanceToTriangle2(p, a, b, c) {
  const ab = sub(b, a), ac = sub(c, a), ap = sub(p, a);
  const to = (q) => { const d = sub(p, q); return dot(d, d); };
  const d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return to(a);
  const bp = sub(p, b), d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return to(b);
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return to(mad(a, d1 / (d1 - d3), ab));
  const cp = sub(p, c), d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return to(c);
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return to(mad(a, d2 / (d2 - d6), ac));
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return to(mad(b, (d4 - d3) / (d4 - d3 + d5 - d6), sub(c, b)));
  const whole = va + vb + vc;
  return to(mad(mad(a, vb / whole, ab), vc / whole, ac));
}

// Ground triangles by where they lie in the map.
class UvGrid {
  constructor(surface) {
    this.surface = surface;
    this.side = 128;
    this.cells = new Map();
    for (let t = 0; t < surface.triangles; ++t) {
      if (surface.ground[t]) {
        this.add(t);
      }
    }
  }

  add(t) {
    const uv = this.surface.uvs.subarray(6 * t, 6 * t + 6);
    const cell = (x) => Math.floor(x * this.side);
    for (let y = cell(Math.min(uv[1], uv[3], uv[5])); y <= cell(Math.max(uv[1], uv[3], uv[5])); ++y) {
      for (let x = cell(Math.min(uv[0], uv[2], uv[4])); x <= cell(Math.max(uv[0], uv[2], uv[4])); ++x) {
        const key = y * 65536 + x;
        const list = this.cells.get(key);
        if (list) list.push(t); else this.cells.set(key, [t]);
      }
    }
  }

  find(u, v) {
    const { surface } = this;
    for (const t of this.cells.get(Math.floor(v * this.side) * 65536 + Math.floor(u * this.side)) ?? []) {
      const b = barycentric(surface.uvs, 6 * t, u, v);
      if (b && b[0] >= -1e-6 && b[1] >= -1e-6 && b[2] >= -1e-6) {
        const [p, q, r] = [0, 1, 2].map((i) => surface.corner(t, i));
        return { triangle: t, point: p.map((x, i) => b[0] * x + b[1] * q[i] + b[2] * r[i]), normal: surface.normal(t) };
      }
    }
    return null;
  }
}

// Weights of the corners of a triangle in the map at (u, v); null when it has no area.
export function barycentric(uvs, at, u, v) {
  const [u0, v0, u1, v1, u2, v2] = uvs.subarray(at, at + 6);
  const area = (u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0);
  if (area === 0) return null;
  const b1 = ((u - u0) * (v2 - v0) - (u2 - u0) * (v - v0)) / area;
  const b2 = ((u1 - u0) * (v - v0) - (u - u0) * (v1 - v0)) / area;
  return [1 - b1 - b2, b1, b2];
}
