// Triangle orientation for back-face culling. Closed components are oriented outwards; of open components both sides may
// be visible, so their triangles are emitted in both orientations.

/** @typedef {import('../../paint/surface.js').Surface} Surface */

/** The neighbour across the edge that starts at a corner, if it has consistent winding; -1 otherwise. @param {Surface} surface @param {number} corner */
function consistentNeighbour({ indices, neighbours }, corner) {
  const [from, to] = [indices[corner], indices[corner % 3 === 2 ? corner - 2 : corner + 1]];
  const other = 3 * neighbours[corner];
  for (let k = 0; k < 3 && other >= 0; ++k) {
    if (indices[other + k] === to && indices[other + ((k + 1) % 3)] === from) return other / 3;
  }
  return -1;
}

/** Six times the signed volume of the tetrahedron of a triangle and the origin. @param {Surface} surface @param {number} triangle */
function signedVolume({ indices, positions: p }, triangle) {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * triangle + k]);
  return p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) + p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2])
    + p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
}

/** Connected component of a triangle, whether it is closed, and its signed volume. @param {Surface} surface @param {number} first @param {Uint8Array} visited */
function componentOf(surface, first, visited) {
  const triangles = [first];
  let [isClosed, volume] = [true, 0];
  visited[first] = 1;
  for (let n = 0; n < triangles.length; ++n) {
    volume += signedVolume(surface, triangles[n]);
    for (let corner = 3 * triangles[n]; corner < 3 * triangles[n] + 3; ++corner) {
      const other = consistentNeighbour(surface, corner);
      if (other < 0) isClosed = false;
      else if (!visited[other]) {
        visited[other] = 1;
        triangles.push(other);
      }
    }
  }
  return { triangles, isClosed, volume };
}

const KEEP = 1;
const FLIP = 2;

/** Index buffer with outward winding. @param {Surface} surface */
export function orientForCulling(surface) {
  const visited = new Uint8Array(surface.triangles);
  const orientations = new Uint8Array(surface.triangles);
  for (let t = 0; t < surface.triangles; ++t) {
    if (visited[t]) continue;
    const { triangles, isClosed, volume } = componentOf(surface, t, visited);
    const orientation = isClosed ? (volume > 0 ? KEEP : FLIP) : KEEP | FLIP;
    triangles.forEach((each) => { orientations[each] = orientation; });
  }
  const out = [];
  for (let t = 0; t < surface.triangles; ++t) {
    const [a, b, c] = surface.indices.subarray(3 * t, 3 * t + 3);
    if (orientations[t] & KEEP) out.push(a, b, c);
    if (orientations[t] & FLIP) out.push(a, c, b);
  }
  return Uint32Array.from(out);
}
