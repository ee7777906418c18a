// Writing the texels of a flow map: the direction of the stroke on the surface, in two channels of an image. Red and green
// hold the parts along u and v of the tangent frame, as groom.comb reads them: the middle is no direction.

import { FlatTexels } from './flat_texels.js';

const cross = (/** @type {number[]} */ a, /** @type {number[]} */ b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const normalize = (/** @type {number[]} */ a) => { const l = Math.hypot(...a) || 1; return a.map((x) => x / l); };

/** Tangent along u and bitangent of a triangle. @param {import('./surface.js').Surface} surface @param {number} triangle */
export function tangentFrame(surface, triangle) {
  const [a, b, c] = [0, 1, 2].map((i) => surface.corner(triangle, i));
  const uv = /** @type {Float32Array} */ (surface.uvs).subarray(6 * triangle, 6 * triangle + 6);
  const [e1, e2] = [b, c].map((p) => p.map((x, k) => x - a[k]));
  const [du1, dv1, du2, dv2] = [uv[2] - uv[0], uv[3] - uv[1], uv[4] - uv[0], uv[5] - uv[1]];
  const sign = Math.sign(du1 * dv2 - du2 * dv1);
  const normal = surface.normal(triangle);
  const along = e1.map((x, k) => sign * (x * dv2 - e2[k] * dv1));
  const tangent = normalize(along.map((x, k) => x - dot(along, normal) * normal[k]));
  return { tangent, bitangent: cross(normal, tangent) };
}

/** @typedef {import('./flat_texels.js').TexelTarget} TexelTarget */

/** @implements {TexelTarget} */
export class FlowTexels extends FlatTexels {
  /** @param {import('./paint_map.js').PaintMap} red @param {import('./paint_map.js').PaintMap} green @param {import('./texel_positions.js').TexelPositions} texels */
  constructor(red, green, texels) {
    super(red);
    this.green = green;
    this.texels = texels;
    this.direction = [0, 0, 0];
    /** @type {Map<number, ReturnType<typeof tangentFrame>>} by triangle */ this.frames = new Map();
  }

  /** Whether the dab has a direction: the first of a stroke has none. @param {import('./brush.js').Hit} hit @param {import('./brush.js').Hit | null} previous @param {string} tool */
  beginDab(hit, previous, tool) {
    this.direction = previous ? hit.point.map((x, k) => x - previous.point[k]) : [0, 0, 0];
    return tool === 'erase' || Math.hypot(...this.direction) > 0;
  }

  /** @param {number} number */
  snapshot(number) {
    return { effective: this.map.tiles[number].slice(), value: this.green.tiles[number].slice() };
  }

  /** @param {number} number @param {number} i @param {import('./flat_texels.js').TileSnapshot} before @param {number} red @param {number} green 0 to 1 @param {number} amount */
  blend(number, i, before, red, green, amount) {
    const mix = (/** @type {import('./paint_map.js').PaintMap} */ map, /** @type {number} */ from, /** @type {number} */ to) => {
      const texel = Math.max(0, Math.min(65535, Math.round(from + (map.quantize(to) - from) * amount)));
      if (map.tiles[number][i] === texel) return false;
      map.writableTile(number)[i] = texel;
      return true;
    };
    const changed = mix(this.map, before.effective[i], red);
    return mix(this.green, /** @type {Uint16Array} */ (before.value)[i], green) || changed;
  }

  /** @param {number} number @param {number} i @param {import('./flat_texels.js').TileSnapshot} before @param {number} _texel @param {number} amount */
  over(number, i, before, _texel, amount) {
    const triangle = this.texels.tile(number)?.triangle[i] ?? -1;
    if (triangle < 0) return false;
    let frame = this.frames.get(triangle);
    if (!frame) this.frames.set(triangle, frame = tangentFrame(this.texels.surface, triangle));
    const [u, v] = [dot(this.direction, frame.tangent), dot(this.direction, frame.bitangent)];
    const length = Math.hypot(u, v);
    return length > 0 && this.blend(number, i, before, 0.5 + (0.5 * u) / length, 0.5 + (0.5 * v) / length, amount);
  }

  /** @param {number} number @param {number} i @param {import('./flat_texels.js').TileSnapshot} before @param {number} amount */
  erase(number, i, before, amount) {
    return this.blend(number, i, before, 128 / 255, 128 / 255, amount);
  }

  mapTile() {
    return false;
  }

  storedMaps() {
    return [this.map, this.green];
  }

  /** @param {number} number */
  revert(number) {
    for (const map of this.storedMaps()) map.revertTile(number);
  }
}
