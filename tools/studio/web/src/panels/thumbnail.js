// Small pictures of maps and layers, drawn from what the server has. Uncovered parts of a layer show a checkerboard.

import { getBytes } from '../net/api.js';
import { paintTarget } from '../paint/painter.js';
import { state } from '../state/store.js';

const CHECKER = 4; // pixels

/** @typedef {{ left: number, top: number, width: number, height: number } | {}} Part of a map, in thousandths; {}: all of it */

/** @type {WeakMap<object, Part>} by surface */ const parts = new WeakMap();

// The part of the UV square that hair grows on, with a margin; all of it for bodies with several UDIM tiles.
/** @returns {Part} */
function shownPart() {
  const { surface } = paintTarget;
  if (!surface?.uvs) return {};
  const found = parts.get(surface);
  if (found) return found;
  const [low, high] = [[Infinity, Infinity], [-Infinity, -Infinity]];
  for (let c = 0; c < 3 * surface.triangles; ++c) {
    if (!surface.growthMask[Math.floor(c / 3)]) continue;
    for (let k = 0; k < 2; ++k) {
      low[k] = Math.min(low[k], surface.uvs[2 * c + k]);
      high[k] = Math.max(high[k], surface.uvs[2 * c + k]);
    }
  }
  const isInSquare = Math.min(...low) >= 0 && Math.max(...high) <= 1;
  const side = Math.min(1, 1.05 * Math.max(high[0] - low[0], high[1] - low[1]));
  const [left, top] = [0.5 * (low[0] + high[0]), 1 - 0.5 * (low[1] + high[1])].map((middle) => Math.floor(1000 * Math.max(0, Math.min(1 - side, middle - 0.5 * side))));
  /** @type {Part} */ const part = isInSquare && side > 0.001 ? { left, top, width: Math.floor(1000 * side), height: Math.floor(1000 * side) } : {};
  parts.set(surface, part);
  return part;
}

/** @type {Map<string, Promise<Uint8Array>>} by layer and revision */ const known = new Map();

/** @param {number} layer of the server @param {number} size */
function texelsOf(layer, size) {
  const part = state.layers[layer].udims.length > 1 ? {} : shownPart();
  const key = `${layer}@${state.layers[layer].revision}x${size} ${Object.values(part)}`;
  let found = known.get(key);
  if (!found) {
    for (const old of known.keys()) if (old.startsWith(`${layer}@`)) known.delete(old);
    found = getBytes('/api/thumbnail', { layer, size, ...part }).then((bytes) => new Uint8Array(bytes));
    found.catch(() => known.delete(key));
    known.set(key, found);
  }
  return found;
}

/** @param {HTMLCanvasElement} canvas square @param {number} image layer of the server @param {number} mask -1: none */
export async function drawThumbnail(canvas, image, mask = -1) {
  const size = canvas.width;
  if (!state.layers[image]) return;
  try {
    const [values, coverage] = await Promise.all([texelsOf(image, size), mask < 0 ? null : texelsOf(mask, size)]);
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const pixels = context.createImageData(size, size);
    for (let i = 0; i < size * size; ++i) {
      const checker = ((Math.floor(i / size / CHECKER) + Math.floor((i % size) / CHECKER)) & 1) ? 70 : 100;
      const covered = coverage ? coverage[i] / 255 : 1;
      pixels.data.fill(checker + covered * (values[i] - checker), 4 * i, 4 * i + 3);
      pixels.data[4 * i + 3] = 255;
    }
    context.putImageData(pixels, 0, 0);
  } catch { /* the layer is gone, or the studio: the picture stays empty */ }
}
