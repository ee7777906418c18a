// wires: the triangles of a body in one square of the texture plane, as pictures to be laid over a map:
// where ground is, its outlines, and all edges. Drawn here pixel by pixel: a canvas takes a minute for
// what a large mesh has.

// Marks the pixels whose middles lie in a triangle, corners in pixels.
function fillTriangle(mask, side, x, y) {
  const top = Math.max(0, Math.ceil(Math.min(...y) - 0.5));
  const bottom = Math.min(side - 1, Math.floor(Math.max(...y) - 0.5));
  for (let row = top; row <= bottom; ++row) {
    let [left, right] = [Infinity, -Infinity];
    for (let i = 0; i < 3; ++i) {
      const k = (i + 1) % 3;
      const share = (row + 0.5 - y[i]) / (y[k] - y[i]);
      if (share >= 0 && share <= 1) {
        const at = x[i] + share * (x[k] - x[i]);
        [left, right] = [Math.min(left, at), Math.max(right, at)];
      }
    }
    const end = Math.min(side - 1, Math.floor(right - 0.5));
    for (let column = Math.max(0, Math.ceil(left - 0.5)); column <= end; ++column) {
      mask[row * side + column] = 255;
    }
  }
}

// A line one pixel wide, shared by the two pixels that it runs between.
function drawLine(picture, side, x0, y0, x1, y1) {
  const flat = Math.abs(x1 - x0) >= Math.abs(y1 - y0);
  const [a0, b0, a1, b1] = flat ? [x0, y0, x1, y1] : [y0, x0, y1, x1];
  const slope = a1 === a0 ? 0 : (b1 - b0) / (a1 - a0);
  const end = Math.min(side - 1, Math.floor(Math.max(a0, a1)));
  for (let a = Math.max(0, Math.floor(Math.min(a0, a1))); a <= end; ++a) {
    const b = b0 + slope * (Math.min(Math.max(a + 0.5, Math.min(a0, a1)), Math.max(a0, a1)) - a0) - 0.5;
    const low = Math.floor(b);
    for (let k = 0; k < 2; ++k) {
      const at = flat ? (low + k) * side + a : a * side + low + k;
      const cover = Math.round(255 * (k ? b - low : 1 - b + low));
      if (low + k >= 0 && low + k < side && cover > picture[at]) {
        picture[at] = cover;
      }
    }
  }
}

// Whether the map is cut at an edge of a triangle, from corner i to the next.
function isCut({ indices, neighbours, ground, uvs }, triangle, i) {
  const other = neighbours[3 * triangle + i];
  if (other < 0 || !ground[other]) {
    return true;
  }
  return [3 * triangle + i, 3 * triangle + ((i + 1) % 3)].some((corner) => {
    const same = [0, 1, 2].map((k) => 3 * other + k).find((k) => indices[k] === indices[corner]);
    return same === undefined || Math.abs(uvs[2 * same] - uvs[2 * corner]) + Math.abs(uvs[2 * same + 1] - uvs[2 * corner + 1]) > 1e-6;
  });
}

// Pixels by their coverage; white, or with a shadow, which is seen on light colours.
function pictureOf(side, pixelAt) {
  const image = new ImageData(side, side);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; ++i) {
    pixels[i] = pixelAt(i);
  }
  const canvas = new OffscreenCanvas(side, side);
  canvas.getContext('2d').putImageData(image, 0, 0);
  return canvas;
}

// {outlines, edges}: outlines of the ground, darker where there is none, and all edges; with the usual
// length of an edge, as a share of the square.
export function makeWires(surface, { u, v }, side) {
  const mask = new Uint8Array(side * side);
  const cuts = new Uint8Array(side * side);
  const edges = new Uint8Array(side * side);
  let [length, count] = [0, 0];
  for (let t = 0; t < surface.triangles; ++t) {
    if (!surface.ground[t]) continue;
    const uv = surface.uvs.subarray(6 * t, 6 * t + 6);
    const x = [0, 2, 4].map((k) => (uv[k] - u) * side);
    const y = [1, 3, 5].map((k) => (1 + v - uv[k]) * side);
    if (Math.max(...x) < 0 || Math.min(...x) > side || Math.max(...y) < 0 || Math.min(...y) > side) continue;
    fillTriangle(mask, side, x, y);
    for (let i = 0; i < 3; ++i) {
      const k = (i + 1) % 3;
      drawLine(isCut(surface, t, i) ? cuts : edges, side, x[i], y[i], x[k], y[k]);
      length += Math.hypot(x[k] - x[i], y[k] - y[i]);
      ++count;
    }
  }
  const line = (cover, most) => ((Math.round((cover * most) / 255) << 24) | 0xffffff) >>> 0;
  return {
    outlines: pictureOf(side, (i) => (cuts[i] > 0 ? line(cuts[i], 190) : mask[i] ? 0 : 0xb01c1c1c)),
    edges: pictureOf(side, (i) => (edges[i] > 0 ? line(edges[i], 120) : edges[i - side - 1] > 127 ? 0x50000000 : 0)),
    length: count ? length / count / side : 1,
  };
}
