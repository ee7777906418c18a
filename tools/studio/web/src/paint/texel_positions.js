// Surface position and triangle of every texel of a map. Tiles are computed on first use, so that large maps only
// cost what is painted.

import { TILE_SIZE } from './paint_map.js';

const MAX_TILES = 4096; // cache size, 64 KiB per tile

/**
 * @typedef {object} TexelTile
 * @property {Int32Array} triangle per texel, -1 outside the growth area
 * @property {Float32Array} position three floats per texel
 * @property {number[]} center of a sphere around the positions
 * @property {number} reach its radius
 */

export class TexelPositions {
  /** @param {import('./surface.js').Surface} surface with UVs @param {import('./paint_map.js').PaintMap} map */
  constructor(surface, map) {
    this.surface = surface;
    this.map = map;
    this.width = map.width;
    this.height = map.height;
    const { udimIndices, uvs } = surface.atlasUvs(map);
    this.udimIndices = udimIndices;
    this.uvs = uvs;
    this.columns = Math.ceil(map.width / TILE_SIZE);
    this.rows = Math.ceil(map.height / TILE_SIZE);
    /** @type {Map<number, TexelTile>} in order of creation */ this.tiles = new Map();
    /** @type {(number[] | undefined)[]} */ this.trianglesOfTile = new Array(this.columns * this.rows);
    for (let t = 0; t < surface.triangles; ++t) {
      if (surface.growthMask[t] && this.udimIndices[t] >= 0) this.forEachTileOf(t, (number) => (this.trianglesOfTile[number] ??= []).push(t));
    }
  }

  // Texel bounds of a triangle, dilated by one texel so that bilinear filtering at UV borders never reads an
  // unpainted texel. Clamped to the triangle's UDIM square.
  /** @param {number} triangle */
  boundsOf(triangle) {
    const uv = this.uvs.subarray(6 * triangle, 6 * triangle + 6);
    const { width, height, map } = this;
    const { x, y } = map.udims[this.udimIndices[triangle]];
    const [right, bottom] = [x + map.udimWidth - 1, y + map.udimHeight - 1];
    const clamp = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) => Math.max(low, Math.min(high, value));
    return {
      left: clamp(Math.floor(Math.min(uv[0], uv[2], uv[4]) * width - 1.5), x, right),
      right: clamp(Math.ceil(Math.max(uv[0], uv[2], uv[4]) * width + 0.5), x, right),
      top: clamp(Math.floor((1 - Math.max(uv[1], uv[3], uv[5])) * height - 1.5), y, bottom),
      bottom: clamp(Math.ceil((1 - Math.min(uv[1], uv[3], uv[5])) * height + 0.5), y, bottom),
    };
  }

  /** @param {number} triangle @param {(tile: number) => void} visit */
  forEachTileOf(triangle, visit) {
    if (this.udimIndices[triangle] < 0) return;
    const { left, right, top, bottom } = this.boundsOf(triangle);
    for (let row = top >> 6; row <= bottom >> 6; ++row) {
      for (let column = left >> 6; column <= right >> 6; ++column) visit(row * this.columns + column);
    }
  }

  /** null for tiles outside the growth area. @param {number} number */
  tile(number) {
    const triangles = this.trianglesOfTile[number];
    if (triangles === undefined) return null;
    let tile = this.tiles.get(number);
    if (!tile) {
      if (this.tiles.size >= MAX_TILES) this.tiles.delete(/** @type {number} */ (this.tiles.keys().next().value));
      tile = this.computeTile(number, triangles);
      this.tiles.set(number, tile);
    }
    return tile;
  }

  /** @param {number} number @param {number[]} triangles @returns {TexelTile} */
  computeTile(number, triangles) {
    const tile = {
      triangle: new Int32Array(TILE_SIZE * TILE_SIZE).fill(-1),
      position: new Float32Array(3 * TILE_SIZE * TILE_SIZE),
      center: [0, 0, 0],
      reach: 0,
    };
    const depths = new Float32Array(TILE_SIZE * TILE_SIZE).fill(-Infinity);
    for (const t of triangles) this.rasterize(tile, depths, number, t);
    boundPositions(tile);
    return tile;
  }

  // A texel belongs to the triangle in which it lies deepest, or least outside. Depth is the distance to the nearest
  // edge in texels, negative outside.
  /** @param {TexelTile} tile @param {Float32Array} depths @param {number} number @param {number} t */
  rasterize(tile, depths, number, t) {
    const { surface, width, height } = this;
    const uv = this.uvs.subarray(6 * t, 6 * t + 6);
    const x0 = (number % this.columns) * TILE_SIZE;
    const y0 = Math.floor(number / this.columns) * TILE_SIZE;
    const bounds = this.boundsOf(t);
    const area = Math.abs((uv[2] - uv[0]) * (uv[5] - uv[1]) - (uv[4] - uv[0]) * (uv[3] - uv[1])) * width * height;
    if (area === 0) return;
    // Gradient of a barycentric coordinate per texel: length of the opposite edge over twice the area.
    const slope = [[2, 4], [4, 0], [0, 2]].map(([a, b]) =>
      Math.hypot((uv[a] - uv[b]) * width, (uv[a + 1] - uv[b + 1]) * height) / area);
    const [p, q, r] = [0, 1, 2].map((i) => surface.corner(t, i));
    const [u0, v0, u1, v1, u2, v2] = uv;
    const signedArea = (u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0);
    for (let y = Math.max(y0, bounds.top); y <= Math.min(y0 + TILE_SIZE - 1, bounds.bottom); ++y) {
      const v = 1 - (y + 0.5) / height;
      for (let x = Math.max(x0, bounds.left); x <= Math.min(x0 + TILE_SIZE - 1, bounds.right); ++x) {
        // Barycentric coordinates, inlined from surface.js.
        const u = (x + 0.5) / width;
        const b1 = ((u - u0) * (v2 - v0) - (u2 - u0) * (v - v0)) / signedArea, b2 = ((u1 - u0) * (v - v0) - (u - u0) * (v1 - v0)) / signedArea;
        const b0 = 1 - b1 - b2;
        const depth = Math.min(b0 / slope[0], b1 / slope[1], b2 / slope[2]);
        const at = (y - y0) * TILE_SIZE + x - x0;
        if (depth >= -1 && depth > depths[at]) {
          depths[at] = depth;
          tile.triangle[at] = t;
          const [c0, c1, c2] = [Math.max(0, b0), Math.max(0, b1), Math.max(0, b2)];
          const sum = c0 + c1 + c2;
          for (let i = 0; i < 3; ++i) tile.position[3 * at + i] = (c0 * p[i] + c1 * q[i] + c2 * r[i]) / sum;
        }
      }
    }
  }

  // Numbers of all tiles that overlap the growth area.
  tileNumbers() {
    return [...this.trianglesOfTile.keys()].filter((number) => this.trianglesOfTile[number] !== undefined);
  }
}

/** @param {TexelTile} tile */
function boundPositions(tile) {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let i = 0; i < TILE_SIZE * TILE_SIZE; ++i) {
    for (let k = 0; tile.triangle[i] >= 0 && k < 3; ++k) {
      const x = tile.position[3 * i + k];
      if (x < low[k]) low[k] = x;
      if (x > high[k]) high[k] = x;
    }
  }
  if (high[0] < low[0]) return; // no texel
  tile.center = low.map((x, k) => (x + high[k]) / 2);
  tile.reach = 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) * (1 + 1e-6);
}
