// outward: the triangles of a body such that whatever is seen of it is turned to the eye. Pieces without a border
// are turned outward, so that their far side, which is never seen from without, need not be drawn. Of others both
// sides may be seen: they are there twice, once for each.

// Which triangle lies across the edge that begins at a corner, if it runs along it the other way.
function across({ indices, neighbours }, corner) {
  const [from, to] = [indices[corner], indices[corner % 3 === 2 ? corner - 2 : corner + 1]];
  const other = 3 * neighbours[corner];
  for (let k = 0; k < 3 && other >= 0; ++k) {
    if (indices[other + k] === to && indices[other + ((k + 1) % 3)] === from) return other / 3;
  }
  return -1;
}

// Six times the room between a triangle and the origin: below zero where that lies before it.
function roomUnder({ indices, positions: p }, triangle) {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * triangle + k]);
  return p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) + p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2])
    + p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
}

// The triangles that hang together with one of them, whether they have a border and how much room is in them.
function pieceAt(surface, first, seen) {
  const triangles = [first];
  let [closed, room] = [true, 0];
  seen[first] = 1;
  for (let n = 0; n < triangles.length; ++n) {
    room += roomUnder(surface, triangles[n]);
    for (let corner = 3 * triangles[n]; corner < 3 * triangles[n] + 3; ++corner) {
      const other = across(surface, corner);
      if (other < 0) closed = false;
      else if (!seen[other]) {
        seen[other] = 1;
        triangles.push(other);
      }
    }
  }
  return { triangles, closed, room };
}

const AS_IT_IS = 1;
const TURNED = 2;

// Three vertices for each triangle, as of surface.indices and in their order.
export function turnOutward(surface) {
  const seen = new Uint8Array(surface.triangles);
  const ways = new Uint8Array(surface.triangles);
  for (let t = 0; t < surface.triangles; ++t) {
    if (seen[t]) continue;
    const { triangles, closed, room } = pieceAt(surface, t, seen);
    const way = closed ? (room > 0 ? AS_IT_IS : TURNED) : AS_IT_IS | TURNED;
    triangles.forEach((each) => { ways[each] = way; });
  }
  const out = [];
  for (let t = 0; t < surface.triangles; ++t) {
    const [a, b, c] = surface.indices.subarray(3 * t, 3 * t + 3);
    if (ways[t] & AS_IT_IS) out.push(a, b, c);
    if (ways[t] & TURNED) out.push(a, c, b);
  }
  return Uint32Array.from(out);
}
