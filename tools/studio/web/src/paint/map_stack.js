// Layers of the selected map, and their composition, as document/map_stack.c of the server computes it.

import { TILE_SIZE } from './paint_map.js';

const TILE_TEXELS = TILE_SIZE * TILE_SIZE;
export const BLEND_MODES = ['normal', 'multiply', 'max', 'min', 'add', 'subtract'];

/** @typedef {import('./paint_map.js').PaintMap} PaintMap */

/**
 * @typedef {object} StackLayer
 * @property {PaintMap} image
 * @property {PaintMap | null} mask null: the layer covers everything
 * @property {string} name
 * @property {number} opacity
 * @property {string} blendMode
 * @property {boolean} visible
 */

/** @type {Record<string, (base: number, value: number) => number>} */ const BLEND = {
  normal: (base, value) => value,
  multiply: (base, value) => base * value,
  max: (base, value) => Math.max(base, value),
  min: (base, value) => Math.min(base, value),
  add: (base, value) => base + value,
  subtract: (base, value) => base - value,
};

/** @param {PaintMap} map @param {number} texel */
export const valueOf = (map, texel) => map.low + (texel / 65535) * (map.high - map.low);

/** @param {any} entry of "layers" in the scene @param {PaintMap} image @param {PaintMap | null} mask @returns {StackLayer} */
export const stackLayer = (entry, image, mask) => ({
  image, mask, name: entry.name, opacity: entry.opacity ?? 1, blendMode: entry.blend_mode ?? 'normal', visible: entry.visible ?? true,
});

export class MapStack {
  /** @param {PaintMap} map holds the composition @param {StackLayer[]} layers from the bottom */
  constructor(map, layers) {
    this.map = map;
    this.layers = layers;
  }

  /** @param {number} number @param {number} count of the lowest layers @param {Float64Array} values */
  blendTile(number, count, values) {
    values.fill(0);
    for (const { image, mask, opacity, blendMode, visible } of this.layers.slice(0, count)) {
      if (!visible || opacity === 0) continue;
      const blend = BLEND[blendMode];
      const [texels, coverage] = [image.tiles[number], mask?.tiles[number]];
      for (let i = 0; i < values.length; ++i) {
        const amount = mask && coverage ? opacity * valueOf(mask, coverage[i]) : opacity;
        const own = blend(values[i], valueOf(image, texels[i]));
        values[i] = amount >= 1 ? own : values[i] + amount * (own - values[i]);
      }
    }
    return values;
  }

  /** Texels of a tile in the range of the map: of all layers, or of the lowest ones. @param {number} number @param {number} [count] */
  compose(number, count = this.layers.length) {
    const isUniform = this.layers.slice(0, count).every(({ image, mask }) => image.isUniform(number) && (!mask || mask.isUniform(number)));
    const values = this.blendTile(number, count, new Float64Array(isUniform ? 1 : TILE_TEXELS));
    if (isUniform) return this.map.uniformTile(this.map.quantize(values[0]));
    const made = new Uint16Array(TILE_TEXELS);
    for (let i = 0; i < TILE_TEXELS; ++i) made[i] = this.map.quantize(values[i]);
    return made;
  }
}
