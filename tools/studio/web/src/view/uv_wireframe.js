// Wireframe of the triangles in one UDIM square, as images to overlay on a map. Rasterised here: a 2-D canvas takes
// about a minute for a large mesh.

/** Fills the pixels whose centres lie in a triangle; corners in pixels. @param {Uint8Array} mask @param {number} side @param {number[]} x @param {number[]} y */
function fillTriangle(mask, side, x, y) {
  const top = Math.max(0, Math.ceil(Math.min(...y) - 0.5));
  const bottom = Math.min(side - 1, Math.floor(Math.max(...y) - 0.5));
  for (let row = top; row <= bottom; ++row) {
    let [left, right] = [Infinity, -Infinity];
    for (let i = 0; i < 3; ++i) {
      const k = (i + 1) % 3;
      const t = (row + 0.5 - y[i]) / (y[k] - y[i]);
      if (t >= 0 && t <= 1) {
        const at = x[i] + t * (x[k] - x[i]);
        [left, right] = [Math.min(left, at), Math.max(right, at)];
      }
    }
    const end = Math.min(side - 1, Math.floor(right - 0.5));
    for (let column = Math.max(0, Math.ceil(left - 0.5)); column <= end; ++column) mask[row * side + column] = 255;
  }
}

// Antialiased line of one pixel: coverage is split between two adjacent pixels.
/** @param {Uint8Array} coverage @param {number} side @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
function drawLine(coverage, side, x0, y0, x1, y1) {
  const isFlat = Math.abs(x1 - x0) >= Math.abs(y1 - y0);
  const [a0, b0, a1, b1] = isFlat ? [x0, y0, x1, y1] : [y0, x0, y1, x1];
  const slope = a1 === a0 ? 0 : (b1 - b0) / (a1 - a0);
  const end = Math.min(side - 1, Math.floor(Math.max(a0, a1)));
  for (let a = Math.max(0, Math.floor(Math.min(a0, a1))); a <= end; ++a) {
    const b = b0 + slope * (Math.min(Math.max(a + 0.5, Math.min(a0, a1)), Math.max(a0, a1)) - a0) - 0.5;
    const low = Math.floor(b);
    for (let k = 0; k < 2; ++k) {
      const at = isFlat ? (low + k) * side + a : a * side + low + k;
      const value = Math.round(255 * (k ? b - low : 1 - b + low));
      if (low + k >= 0 && low + k < side && value > coverage[at]) coverage[at] = value;
    }
  }
}

// Whether the edge from corner i to the next is a UV seam or a border of the growth area.
/** @param {import('../paint/surface.js').Surface} surface @param {number} triangle @param {number} i */
function isSeam({ indices, neighbours, growthMask, uvs }, triangle, i) {
  const other = neighbours[3 * triangle + i];
  if (other < 0 || !growthMask[other] || !uvs) return true;
  return [3 * triangle + i, 3 * triangle + ((i + 1) % 3)].some((corner) => {
    const same = [0, 1, 2].map((k) => 3 * other + k).find((k) => indices[k] === indices[corner]);
    return same === undefined || Math.abs(uvs[2 * same] - uvs[2 * corner]) + Math.abs(uvs[2 * same + 1] - uvs[2 * corner + 1]) > 1e-6;
  });
}

/** @param {number} side @param {(i: number) => number} pixelAt ABGR */
function createImage(side, pixelAt) {
  const image = new ImageData(side, side);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; ++i) pixels[i] = pixelAt(i);
  const canvas = new OffscreenCanvas(side, side);
  /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d')).putImageData(image, 0, 0);
  return canvas;
}

// seams: seam lines, darkened outside the growth area; edges: all other edges, with a drop shadow that is visible on
// light colours; edgeLength: mean length as a fraction of the square.
/** @param {import('../paint/surface.js').Surface} surface @param {{ u: number, v: number }} udim @param {number} side of the images, pixels */
export function createUvWireframe(surface, { u, v }, side) {
  const mask = new Uint8Array(side * side);
  const seams = new Uint8Array(side * side);
  const edges = new Uint8Array(side * side);
  let [length, count] = [0, 0];
  for (let t = 0; t < surface.triangles; ++t) {
    if (!surface.growthMask[t]) continue;
    const uv = /** @type {Float32Array} */ (surface.uvs).subarray(6 * t, 6 * t + 6);
    const x = [0, 2, 4].map((k) => (uv[k] - u) * side);
    const y = [1, 3, 5].map((k) => (1 + v - uv[k]) * side);
    if (Math.max(...x) < 0 || Math.min(...x) > side || Math.max(...y) < 0 || Math.min(...y) > side) continue;
    fillTriangle(mask, side, x, y);
    for (let i = 0; i < 3; ++i) {
      const k = (i + 1) % 3;
      drawLine(isSeam(surface, t, i) ? seams : edges, side, x[i], y[i], x[k], y[k]);
      length += Math.hypot(x[k] - x[i], y[k] - y[i]);
      ++count;
    }
  }
  const white = (/** @type {number} */ coverage, /** @type {number} */ alpha) => ((Math.round((coverage * alpha) / 255) << 24) | 0xffffff) >>> 0;
  return {
    seams: createImage(side, (i) => (seams[i] > 0 ? white(seams[i], 190) : mask[i] ? 0 : 0xb01c1c1c)),
    edges: createImage(side, (i) => (edges[i] > 0 ? white(edges[i], 120) : edges[i - side - 1] > 127 ? 0x50000000 : 0)),
    edgeLength: count ? length / count / side : 1,
  };
}
