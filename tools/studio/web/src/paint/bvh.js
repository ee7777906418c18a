// bvh: which triangle a ray meets first. Boxes in a binary tree, split at the middle triangle.

const LEAF = 4;

export class Bvh {
  constructor(surface) {
    this.surface = surface;
    const count = surface.triangles;
    this.order = Uint32Array.from({ length: count }, (_, i) => i);
    this.low = new Float32Array(3 * count);
    this.high = new Float32Array(3 * count);
    for (let t = 0; t < count; ++t) {
      const corners = [0, 1, 2].map((i) => surface.corner(t, i));
      for (let k = 0; k < 3; ++k) {
        this.low[3 * t + k] = Math.min(corners[0][k], corners[1][k], corners[2][k]);
        this.high[3 * t + k] = Math.max(corners[0][k], corners[1][k], corners[2][k]);
      }
    }
    this.nodes = [];
    this.build(0, count);
  }

  build(begin, end) {
    const node = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity], begin, end, left: -1, right: -1 };
    for (let i = begin; i < end; ++i) {
      for (let k = 0; k < 3; ++k) {
        node.low[k] = Math.min(node.low[k], this.low[3 * this.order[i] + k]);
        node.high[k] = Math.max(node.high[k], this.high[3 * this.order[i] + k]);
      }
    }
    const index = this.nodes.push(node) - 1;
    if (end - begin > LEAF) {
      const extent = node.high.map((x, k) => x - node.low[k]);
      const axis = extent.indexOf(Math.max(...extent));
      const middle = (t) => this.low[3 * t + axis] + this.high[3 * t + axis];
      this.order.subarray(begin, end).sort((a, b) => middle(a) - middle(b));
      const half = (begin + end) >> 1;
      node.left = this.build(begin, half);
      node.right = this.build(half, end);
    }
    return index;
  }

  // {triangle, point, normal, distance} of the first hit within reach, or null.
  cast(origin, direction, reach = Infinity) {
    // Never infinite: a box that begins exactly at the origin would give no number.
    const inverse = direction.map((x) => 1 / (Math.abs(x) > 1e-12 ? x : 1e-12));
    let best = null;
    let nearest = reach;
    const stack = [0];
    while (stack.length) {
      const node = this.nodes[stack.pop()];
      if (!meetsBox(node, origin, inverse, nearest)) {
        continue;
      }
      if (node.left >= 0) {
        stack.push(node.left, node.right);
        continue;
      }
      for (let i = node.begin; i < node.end; ++i) {
        const t = this.order[i];
        const distance = meetTriangle(this.surface, t, origin, direction);
        if (distance < nearest) {
          nearest = distance;
          best = t;
        }
      }
    }
    return best === null ? null : {
      triangle: best, distance: nearest, normal: this.surface.normal(best),
      point: origin.map((x, k) => x + nearest * direction[k]),
    };
  }
}

function meetsBox(node, origin, inverse, nearest) {
  let enter = 0;
  let leave = nearest;
  for (let k = 0; k < 3; ++k) {
    const a = (node.low[k] - origin[k]) * inverse[k];
    const b = (node.high[k] - origin[k]) * inverse[k];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter <= leave;
}

// Moeller and Trumbore 1997; Infinity when it misses.
function meetTriangle(surface, t, o, d) {
  const p = surface.positions;
  const [a, b, c] = [0, 1, 2].map((i) => 3 * surface.indices[3 * t + i]);
  const e1x = p[b] - p[a], e1y = p[b + 1] - p[a + 1], e1z = p[b + 2] - p[a + 2];
  const e2x = p[c] - p[a], e2y = p[c + 1] - p[a + 1], e2z = p[c + 2] - p[a + 2];
  const hx = d[1] * e2z - d[2] * e2y, hy = d[2] * e2x - d[0] * e2z, hz = d[0] * e2y - d[1] * e2x;
  const det = e1x * hx + e1y * hy + e1z * hz;
  if (Math.abs(det) < 1e-20) return Infinity;
  const sx = o[0] - p[a], sy = o[1] - p[a + 1], sz = o[2] - p[a + 2];
  const u = (sx * hx + sy * hy + sz * hz) / det;
  if (u < 0 || u > 1) return Infinity;
  const qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
  const v = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
  if (v < 0 || u + v > 1) return Infinity;
  const distance = (e2x * qx + e2y * qy + e2z * qz) / det;
  return distance > 1e-7 ? distance : Infinity;
}
