// Writing texels of a map without layers. Layers have the same interface, see layer_texels.js.

import { mapTile } from './layer_texels.js';

/** @typedef {{ effective: Uint16Array, value?: Uint16Array, coverage?: Uint16Array }} TileSnapshot texels of a tile before an edit */

/**
 * @typedef {object} TexelTarget
 * @property {(number: number) => Uint16Array} effective texels of a tile as add, blur and the like read them
 * @property {(number: number) => TileSnapshot} snapshot
 * @property {(number: number, i: number, before: TileSnapshot, texel: number, amount: number) => boolean} over blends a texel over the one before; whether it changed
 * @property {(number: number, i: number, before: TileSnapshot, amount: number) => boolean} erase
 * @property {(number: number, i: number, texel: number) => boolean} replace
 * @property {(number: number, valueOf: (texel: number) => number, keepsCoverage: boolean) => boolean} mapTile replaces all texels of a tile
 * @property {() => import('./paint_map.js').PaintMap[]} storedMaps the maps that are sent to the server
 * @property {(hit: import('./brush.js').Hit, previous: import('./brush.js').Hit | null, tool: string) => boolean} [beginDab] of targets to which the direction of the stroke matters: false skips the dab
 * @property {(numbers: number[]) => void} refresh brings the displayed map up to date
 * @property {(number: number) => void} revert to the texels of the server
 */

/** @implements {TexelTarget} */
export class FlatTexels {
  /** @param {import('./paint_map.js').PaintMap} map @param {number} background what erasing leaves */
  constructor(map, background = 0) {
    this.map = map;
    this.background = background;
  }

  /** @param {number} number */
  effective(number) {
    return this.map.tiles[number];
  }

  /** @param {number} number @returns {TileSnapshot} */
  snapshot(number) {
    return { effective: this.map.tiles[number].slice() };
  }

  /** @param {number} number @param {number} i @param {TileSnapshot} before @param {number} texel @param {number} amount */
  over(number, i, before, texel, amount) {
    const from = before.effective[i];
    return this.replace(number, i, Math.max(0, Math.min(65535, Math.round(from + (texel - from) * amount))));
  }

  /** @param {number} number @param {number} i @param {TileSnapshot} before @param {number} amount */
  erase(number, i, before, amount) {
    return this.over(number, i, before, this.background, amount);
  }

  /** @param {number} number @param {number} i @param {number} texel */
  replace(number, i, texel) {
    if (this.map.tiles[number][i] === texel) return false;
    this.map.writableTile(number)[i] = texel;
    return true;
  }

  /** @param {number} number @param {(texel: number) => number} valueOf */
  mapTile(number, valueOf) {
    return mapTile(this.map, number, valueOf);
  }

  storedMaps() {
    return [this.map];
  }

  refresh() {}

  /** @param {number} number */
  revert(number) {
    this.map.revertTile(number);
  }
}
