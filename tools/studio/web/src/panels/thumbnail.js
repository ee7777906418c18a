// Small pictures of maps and layers, drawn from what the server has. Uncovered parts of a layer show a checkerboard.

import { getBytes } from '../net/api.js';
import { state } from '../state/store.js';

const CHECKER = 4; // pixels

/** @type {Map<string, Promise<Uint8Array>>} by layer and revision */ const known = new Map();

/** @param {number} layer of the server @param {number} size */
function texelsOf(layer, size) {
  const key = `${layer}@${state.layers[layer].revision}x${size}`;
  let found = known.get(key);
  if (!found) {
    for (const old of known.keys()) if (old.startsWith(`${layer}@`)) known.delete(old);
    found = getBytes('/api/thumbnail', { layer, size }).then((bytes) => new Uint8Array(bytes));
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
