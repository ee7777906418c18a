// Writing texels of a layer: its image, and its coverage. Texels given and returned are in the range of the composed map.

import { valueOf } from './map_stack.js';

const FULL = 65535;
const NEUTRAL = /** @type {Record<string, number>} */ ({ multiply: 1, min: 1, max: 0, add: 0, subtract: 0 });

/** @typedef {import('./flat_texels.js').TexelTarget} TexelTarget */
/** @typedef {import('./flat_texels.js').TileSnapshot} TileSnapshot */
/** @typedef {import('./paint_map.js').PaintMap} PaintMap */

/** @implements {TexelTarget} */
export class LayerTexels {
  /** @param {import('./map_stack.js').MapStack} stack @param {number} index of the layer @param {number} background texel that erasing leaves on a layer without mask */
  constructor(stack, index, background) {
    this.stack = stack;
    this.index = index;
    this.map = stack.map;
    this.layer = stack.layers[index];
    this.background = background;
    /** @type {Map<number, Uint16Array>} what the layer shows over those below */ this.shown = new Map();
  }

  /** @param {number} texel of the composed map */
  toImage(texel) {
    const { image } = this.layer;
    return image.low === this.map.low && image.high === this.map.high ? texel : image.quantize(valueOf(this.map, texel));
  }

  /** @param {number} texel of the image */
  fromImage(texel) {
    const { image } = this.layer;
    return image.low === this.map.low && image.high === this.map.high ? texel : this.map.quantize(valueOf(image, texel));
  }

  // What tools that read values work on: the layer over those below, or over the value that its blend mode ignores.
  /** @param {number} number */
  effective(number) {
    const { image, mask, blendMode } = this.layer;
    let texels = this.shown.get(number);
    if (!texels) {
      const own = image.tiles[number];
      texels = Uint16Array.from(own, (texel) => this.fromImage(texel));
      const coverage = mask?.tiles[number];
      if (coverage) {
        const below = blendMode === 'normal' ? this.stack.compose(number, this.index) : null;
        const neutral = this.map.quantize(NEUTRAL[blendMode] ?? 0);
        for (let i = 0; i < texels.length; ++i) {
          const base = below ? below[i] : neutral;
          texels[i] = Math.round(base + (texels[i] - base) * (coverage[i] / FULL));
        }
      }
      this.shown.set(number, texels);
    }
    return texels;
  }

  /** @param {number} number @returns {TileSnapshot} */
  snapshot(number) {
    const { image, mask } = this.layer;
    return { effective: this.effective(number).slice(), value: image.tiles[number].slice(), coverage: mask?.tiles[number].slice() };
  }

  /** @param {PaintMap} map @param {number} number @param {number} i @param {number} texel */
  static write(map, number, i, texel) {
    if (map.tiles[number][i] === texel) return false;
    map.writableTile(number)[i] = texel;
    return true;
  }

  /** @param {number} number @param {number} i @param {number} texel of the composed map @param {number} coverage */
  put(number, i, texel, coverage) {
    const { image, mask } = this.layer;
    const isChanged = LayerTexels.write(image, number, i, this.toImage(texel));
    const isCovered = mask ? LayerTexels.write(mask, number, i, coverage) : false;
    const shown = this.shown.get(number);
    if (shown && coverage === FULL) shown[i] = texel;
    else if (isChanged || isCovered) this.shown.delete(number);
    return isChanged || isCovered;
  }

  /** Paint with opacity over paint with opacity (Porter and Duff 1984). @param {number} number @param {number} i @param {TileSnapshot} before @param {number} texel @param {number} amount */
  over(number, i, before, texel, amount) {
    const value = this.fromImage(/** @type {Uint16Array} */ (before.value)[i]);
    if (!before.coverage) return this.put(number, i, Math.round(value + (texel - value) * amount), FULL);
    const rest = (before.coverage[i] / FULL) * (1 - amount);
    const coverage = amount + rest;
    return coverage > 0 && this.put(number, i, Math.round((texel * amount + value * rest) / coverage), Math.round(coverage * FULL));
  }

  /** @param {number} number @param {number} i @param {TileSnapshot} before @param {number} amount */
  erase(number, i, before, amount) {
    if (!before.coverage) return this.over(number, i, before, this.background, amount);
    return this.put(number, i, this.fromImage(/** @type {Uint16Array} */ (before.value)[i]), Math.round(before.coverage[i] * (1 - amount)));
  }

  /** @param {number} number @param {number} i @param {number} texel */
  replace(number, i, texel) {
    return this.put(number, i, texel, FULL);
  }

  /** @param {number} number @param {(texel: number) => number} valueOfTexel @param {boolean} keepsCoverage */
  mapTile(number, valueOfTexel, keepsCoverage) {
    const { image, mask } = this.layer;
    this.shown.delete(number);
    const convert = (/** @type {number} */ texel) => this.toImage(valueOfTexel(this.fromImage(texel)));
    const isChanged = mapTile(image, number, convert);
    return (mask && !keepsCoverage ? mapTile(mask, number, () => FULL) : false) || isChanged;
  }

  storedMaps() {
    const { image, mask } = this.layer;
    return mask ? [image, mask] : [image];
  }

  /** @param {number[]} numbers */
  refresh(numbers) {
    for (const number of numbers) this.map.replaceTile(number, this.stack.compose(number));
  }

  /** @param {number} number */
  revert(number) {
    for (const map of this.storedMaps()) map.revertTile(number);
    this.shown.delete(number);
    this.refresh([number]);
  }
}

/** Replaces the texels of a tile; uniform tiles stay uniform. @param {PaintMap} map @param {number} number @param {(texel: number) => number} valueOfTexel */
export function mapTile(map, number, valueOfTexel) {
  const tile = map.tiles[number];
  if (map.isUniform(number)) {
    const made = map.uniformTile(valueOfTexel(tile[0]));
    if (made === tile) return false;
    map.replaceTile(number, made);
    return true;
  }
  const made = tile.map(valueOfTexel);
  if (made.every((texel, i) => texel === tile[i])) return false;
  map.replaceTile(number, made.every((texel) => texel === made[0]) ? map.uniformTile(made[0]) : made);
  return true;
}
