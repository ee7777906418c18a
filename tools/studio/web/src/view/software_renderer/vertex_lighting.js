// skin_light: how a lamp at the eye lights the vertices of a body that moves. To sum their normals up from all triangles
// for every picture would take longer than drawing some of them, so each is found once, at rest, and glued to a triangle
// at its vertex: where the body turns in one piece that is as exact as the sum, and close to it where it bends.

const sub = (p, i, j) => [p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export class SkinLight {
  // Surface: as it is at rest.
  constructor({ positions, indices }) {
    this.triangles = new Uint32Array(positions.length); // of each vertex: three others, or itself among them
    this.weights = new Float32Array(positions.length); // of two sides of that and of what is square to them
    const normals = this.sumNormals(positions, indices);
    for (let v = 0; v < positions.length; v += 3) this.glue(v, positions, normals.subarray(v, v + 3));
  }

  // From the faces around each vertex, not unit. The roundest of those is the one to glue it to.
  sumNormals(positions, indices) {
    const normals = new Float32Array(positions.length);
    const roundest = new Float32Array(positions.length / 3);
    for (let c = 0; c < indices.length; c += 3) {
      const corners = indices.subarray(c, c + 3);
      const [i, j, k] = corners;
      const [a, b] = [sub(positions, 3 * j, 3 * i), sub(positions, 3 * k, 3 * i)];
      const n = cross(a, b);
      const round = dot(n, n) / (dot(a, a) + dot(b, b)) ** 2;
      for (const v of corners) {
        for (let axis = 0; axis < 3; ++axis) normals[3 * v + axis] += n[axis];
        if (round > roundest[v]) {
          roundest[v] = round;
          this.triangles.set([3 * i, 3 * j, 3 * k], 3 * v);
        }
      }
    }
    return normals;
  }

  // Normal = p a + q b + r (a x b) of the sides a and b.
  glue(v, positions, normal) {
    const [i, j, k] = this.triangles.subarray(v, v + 3);
    const [a, b] = [sub(positions, j, i), sub(positions, k, i)];
    const n = cross(a, b);
    const [aa, ab, bb, nn] = [dot(a, a), dot(a, b), dot(b, b), dot(n, n)]; // nn = aa bb - ab ab
    const [an, bn] = [dot(a, normal), dot(b, normal)];
    if (nn > 0) this.weights.set([(an * bb - bn * ab) / nn, (bn * aa - an * ab) / nn, dot(n, normal) / nn], v);
  }

  // Of every vertex: dark where skin is seen edge on, bright where it is turned to the eye, on either side.
  shine(out, positions, [x, y, z], dark, bright) {
    const { triangles, weights } = this;
    for (let v = 0, at = 0; at < out.length; v += 3, ++at) {
      const i = triangles[v];
      const j = triangles[v + 1];
      const k = triangles[v + 2];
      const ax = positions[j] - positions[i];
      const ay = positions[j + 1] - positions[i + 1];
      const az = positions[j + 2] - positions[i + 2];
      const bx = positions[k] - positions[i];
      const by = positions[k + 1] - positions[i + 1];
      const bz = positions[k + 2] - positions[i + 2];
      const p = weights[v];
      const q = weights[v + 1];
      const r = weights[v + 2];
      const nx = p * ax + q * bx + r * (ay * bz - az * by);
      const ny = p * ay + q * by + r * (az * bx - ax * bz);
      const nz = p * az + q * bz + r * (ax * by - ay * bx);
      const ex = x - positions[v];
      const ey = y - positions[v + 1];
      const ez = z - positions[v + 2];
      const lengths = (nx * nx + ny * ny + nz * nz) * (ex * ex + ey * ey + ez * ez);
      out[at] = dark + ((bright - dark) * Math.abs(nx * ex + ny * ey + nz * ez)) / Math.sqrt(lengths + 1e-30);
    }
  }
}
