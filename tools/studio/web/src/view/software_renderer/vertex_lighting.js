// Headlight shading of the vertices of a deforming body. Summing face normals every frame would take longer than
// rasterising, so the rest normal of each vertex is expressed in the frame of one adjacent triangle: exact for rigid
// motion, and close to the sum where the body bends.

/** @param {Float32Array} p @param {number} i @param {number} j */
const edge = (p, i, j) => [p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]];
/** @param {number[]} a @param {number[]} b */
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {number[] | Float32Array} a @param {number[] | Float32Array} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export class VertexLighting {
  /** @param {{ positions: Float32Array, indices: Uint32Array }} surface rest pose */
  constructor({ positions, indices }) {
    this.triangles = new Uint32Array(positions.length); // per vertex: offsets of the corners of its triangle
    this.weights = new Float32Array(positions.length); // of its edges a, b and of a x b
    const normals = this.sumNormals(positions, indices);
    for (let v = 0; v < positions.length; v += 3) this.bindNormal(v, positions, normals.subarray(v, v + 3));
  }

  /** Area-weighted vertex normals, not normalised. Each vertex is bound to its best-shaped triangle. @param {Float32Array} positions @param {Uint32Array} indices */
  sumNormals(positions, indices) {
    const normals = new Float32Array(positions.length);
    const bestQuality = new Float32Array(positions.length / 3);
    for (let c = 0; c < indices.length; c += 3) {
      const corners = indices.subarray(c, c + 3);
      const [i, j, k] = corners;
      const [a, b] = [edge(positions, 3 * j, 3 * i), edge(positions, 3 * k, 3 * i)];
      const n = cross(a, b);
      const quality = dot(n, n) / (dot(a, a) + dot(b, b)) ** 2;
      for (const v of corners) {
        for (let axis = 0; axis < 3; ++axis) normals[3 * v + axis] += n[axis];
        if (quality > bestQuality[v]) {
          bestQuality[v] = quality;
          this.triangles.set([3 * i, 3 * j, 3 * k], 3 * v);
        }
      }
    }
    return normals;
  }

  /** Solves normal = p a + q b + r (a x b) for the edges a, b of the triangle. @param {number} v @param {Float32Array} positions @param {Float32Array} normal */
  bindNormal(v, positions, normal) {
    const [i, j, k] = this.triangles.subarray(v, v + 3);
    const [a, b] = [edge(positions, j, i), edge(positions, k, i)];
    const n = cross(a, b);
    const [aa, ab, bb, nn] = [dot(a, a), dot(a, b), dot(b, b), dot(n, n)]; // nn = aa bb - ab ab
    const [an, bn] = [dot(a, normal), dot(b, normal)];
    if (nn > 0) this.weights.set([(an * bb - bn * ab) / nn, (bn * aa - an * ab) / nn, dot(n, normal) / nn], v);
  }

  // Headlight shading of both sides: dark edge-on, bright facing the camera.
  /** @param {Float32Array} out per vertex @param {Float32Array} positions @param {number[]} eye @param {number} dark @param {number} bright */
  shade(out, positions, [x, y, z], dark, bright) {
    const { triangles, weights } = this;
    for (let v = 0, at = 0; at < out.length; v += 3, ++at) {
      const i = triangles[v], j = triangles[v + 1], k = triangles[v + 2];
      const ax = positions[j] - positions[i], ay = positions[j + 1] - positions[i + 1], az = positions[j + 2] - positions[i + 2];
      const bx = positions[k] - positions[i], by = positions[k + 1] - positions[i + 1], bz = positions[k + 2] - positions[i + 2];
      const p = weights[v], q = weights[v + 1], r = weights[v + 2];
      const nx = p * ax + q * bx + r * (ay * bz - az * by);
      const ny = p * ay + q * by + r * (az * bx - ax * bz), nz = p * az + q * bz + r * (ax * by - ay * bx);
      const ex = x - positions[v], ey = y - positions[v + 1], ez = z - positions[v + 2];
      const lengths = (nx * nx + ny * ny + nz * nz) * (ex * ex + ey * ey + ez * ez);
      out[at] = dark + ((bright - dark) * Math.abs(nx * ex + ny * ey + nz * ez)) / Math.sqrt(lengths + 1e-30);
    }
  }
}
