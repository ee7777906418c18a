// 8-bit display texture of a map, subsampled if it is large. Both views draw it.

export const BACKGROUND = 0x373737;

// Dark blue, green, yellow; red, green, blue from 0 to 1, uniform steps in lightness.
export const HEAT = [[0.07, 0.05, 0.35], [0.13, 0.3, 0.55], [0.12, 0.56, 0.55], [0.4, 0.78, 0.38], [0.99, 0.9, 0.15]];

/** @param {number} value 0 to 1 */
export function heat(value) {
  const at = Math.min(0.9999, Math.max(0, value)) * (HEAT.length - 1);
  const i = Math.floor(at);
  return HEAT[i].map((x, k) => x + (at - i) * (HEAT[i + 1][k] - x));
}

// Display modes of the surface.
export const SHADED = 0;
export const HEAT_MAP = 1;
export const GREYSCALE = 2;
export const REGIONS = 3;

export class MapTexture {
  /** @param {import('../paint/paint_map.js').PaintMap} map @param {number} maxSize texels */
  constructor(map, maxSize = map.udims.length > 1 ? 4096 : 2048) {
    this.map = map;
    // A power of two, so that UDIM squares begin on a texel of the texture.
    this.step = 1;
    while (Math.max(map.width, map.height) > this.step * maxSize) this.step *= 2;
    this.width = Math.ceil(map.width / this.step);
    this.height = Math.ceil(map.height / this.step);
    this.bytes = new Uint8Array(this.width * this.height);
    this.update(map.tiles.keys());
  }

  /** @param {Iterable<number>} tiles */
  update(tiles) {
    const { map, step } = this;
    for (const number of tiles) {
      const x0 = (number % map.columns) * 64;
      const y0 = Math.floor(number / map.columns) * 64;
      const tile = map.tiles[number];
      if (!tile) continue;
      for (let y = Math.ceil(y0 / step) * step; y < Math.min(y0 + 64, map.height); y += step) {
        for (let x = Math.ceil(x0 / step) * step; x < Math.min(x0 + 64, map.width); x += step) {
          this.bytes[(y / step) * this.width + x / step] = tile[(y - y0) * 64 + x - x0] >> 8;
        }
      }
    }
  }
}
