// Client copy of a painted map: 16-bit texels in tiles of 64 x 64.
//
// A UDIM map consists of several unit squares of the UV plane; they are packed side by side into one atlas. A map in
// a single file is an atlas of one square. Uniform tiles share one array per value until they are edited.

import { getBytes, put } from '../net/api.js';
import { state } from '../state/store.js';

export const TILE_SIZE = 64;
const TILE_TEXELS = TILE_SIZE * TILE_SIZE;

// Tile record kinds, as tools/studio encodes them.
const RAW = 0;
const UNIFORM = 1;
const MASKED = 2;

/**
 * @typedef {object} Udim
 * @property {number} number 1001 + u + 10 v
 * @property {number} u lower left corner in the UV plane
 * @property {number} v
 * @property {number} x upper left texel in the atlas
 * @property {number} y
 */

export class PaintMap {
  /** @param {number} id server layer */
  constructor(id) {
    this.id = id;
    this.width = 0;
    this.height = 0;
    this.columns = 0; // tiles
    this.rows = 0;
    this.revision = 0;
    /** @type {Uint16Array<ArrayBuffer>[]} */ this.tiles = [];
    /** @type {Map<number, Uint16Array<ArrayBuffer>>} shared tiles by value */ this.uniformTiles = new Map();
    /** @type {Promise<any>} */ this.sending = Promise.resolve();
    /** @type {Promise<any>} */ this.updating = Promise.resolve(); // the last update
    this.activeEdits = 0; // edits not yet acknowledged by the server
    this.editCount = 0; // edits ever begun
    this.updateDeferred = false; // texels differ from the server's: an update arrived during an edit or a stroke was rejected
    /** @type {Map<number, Uint16Array<ArrayBuffer>>} edited tiles as the server has them */ this.serverTiles = new Map();
    // Layout, see layoutUdims.
    this.low = 0;
    this.high = 1;
    this.udimWidth = 0;
    this.udimHeight = 0;
    this.isUdim = false;
    this.stride = [0, 0];
    this.atlasColumns = 1;
    /** @type {Udim[]} */ this.udims = [];
  }

  // Server updates are deferred during an edit, or they would overwrite it.
  beginEdit() {
    this.activeEdits += 1;
    this.editCount += 1;
  }

  // Returns whether a deferred update is due.
  endEdit() {
    this.activeEdits -= 1;
    if (this.activeEdits === 0) this.serverTiles.clear();
    return this.activeEdits === 0 && this.updateDeferred;
  }

  /** Fetches the tiles that changed since the last revision; returns their numbers. @returns {Promise<number[]>} */
  update() {
    // One after the other: the reply to an earlier request must not replace that to a later one.
    const before = this.updating;
    const now = before.then(() => this.fetchChanges(), () => this.fetchChanges());
    this.updating = now;
    return now;
  }

  /** @returns {Promise<number[]>} */
  async fetchChanges() {
    const { editCount } = this;
    const bytes = this.activeEdits ? null : await getBytes('/api/tiles', { layer: this.id, since: this.revision });
    if (!bytes || this.activeEdits) {
      this.updateDeferred = true;
      return [];
    }
    if (editCount !== this.editCount) {
      return this.fetchChanges(); // an edit came and went: these bytes are older than it
    }
    this.updateDeferred = false;
    return this.decode(bytes, state.layers[this.id]);
  }

  /** Applies a tile packet: width, height, revision, then one record per changed tile. @param {ArrayBuffer} bytes @param {any} layerInfo */
  decode(bytes, layerInfo) {
    const view = new DataView(bytes);
    const [width, height] = [view.getUint32(0, true), view.getUint32(4, true)];
    if (width !== this.width || height !== this.height) {
      this.width = width;
      this.height = height;
      this.columns = Math.ceil(width / TILE_SIZE);
      this.rows = Math.ceil(height / TILE_SIZE);
      this.tiles = new Array(this.columns * this.rows);
      this.layoutUdims(layerInfo);
    }
    this.revision = Number(view.getBigUint64(8, true));
    const changed = [];
    for (let at = 16; at < bytes.byteLength;) {
      const number = view.getUint16(at + 2, true) * this.columns + view.getUint16(at, true);
      const isUniform = view.getUint16(at + 4, true) === UNIFORM;
      this.tiles[number] = isUniform ? this.uniformTile(view.getUint16(at + 6, true)) : new Uint16Array(bytes.slice(at + 8, at + 8 + 2 * TILE_TEXELS));
      at += isUniform ? 8 : 8 + 2 * TILE_TEXELS;
      changed.push(number);
    }
    return changed;
  }

  /** Position of every UDIM square in the atlas (texels) and in the UV plane. @param {any} layerInfo */
  layoutUdims({ width, height, udims, atlas_columns: atlasColumns, low, high }) {
    this.low = low;
    this.high = high;
    this.udimWidth = width;
    this.udimHeight = height;
    this.isUdim = udims.length > 0;
    this.stride = udims.length > 1 ? [TILE_SIZE * Math.ceil(width / TILE_SIZE), TILE_SIZE * Math.ceil(height / TILE_SIZE)] : [width, height];
    this.atlasColumns = atlasColumns;
    this.udims = (udims.length ? udims : [1001]).map((/** @type {number} */ number, /** @type {number} */ i) => ({
      number, u: (number - 1001) % 10, v: Math.floor((number - 1001) / 10),
      x: (i % atlasColumns) * this.stride[0], y: Math.floor(i / atlasColumns) * this.stride[1],
    }));
  }

  /** Index of the UDIM square that contains (u, v), or -1. A map in one file is clamped beyond its border. @param {number} u @param {number} v */
  udimAt(u, v) {
    if (!this.isUdim) return 0;
    return this.udims.findIndex((udim) => udim.u === Math.floor(u) && udim.v === Math.floor(v));
  }

  /** The UDIM square of an atlas texel. @param {number} x @param {number} y */
  udimOfTexel(x, y) {
    return this.udims[Math.floor(y / this.stride[1]) * this.atlasColumns + Math.floor(x / this.stride[0])];
  }

  /** UV of the centre of texel i of a tile. @param {number} number @param {number} i */
  uvOfTexel(number, i) {
    const [x, y] = this.atlasTexel(number, i);
    const udim = this.udimOfTexel(x, y);
    return [udim.u + (x - udim.x + 0.5) / this.udimWidth, udim.v + 1 - (y - udim.y + 0.5) / this.udimHeight];
  }

  /** Atlas coordinates of texel i of a tile. @param {number} number @param {number} i */
  atlasTexel(number, i) {
    return [(number % this.columns) * TILE_SIZE + (i & 63), Math.floor(number / this.columns) * TILE_SIZE + (i >> 6)];
  }

  /** The texel at (u, v); 0 outside all squares. @param {number} u @param {number} v */
  texelAtUv(u, v) {
    const udim = this.udims[this.udimAt(u, v)];
    if (!udim) return 0;
    const clamp = (/** @type {number} */ x, /** @type {number} */ size) => Math.max(0, Math.min(size - 1, Math.floor(x)));
    return this.texelAt(udim.x + clamp((u - udim.u) * this.udimWidth, this.udimWidth),
      udim.y + clamp((udim.v + 1 - v) * this.udimHeight, this.udimHeight));
  }

  /** Tile and texel mirrored at the middle column of the UDIM square. @param {number} number @param {number} i @returns {[number, number]} */
  mirroredTexel(number, i) {
    const [x, y] = this.atlasTexel(number, i);
    const udim = this.udimOfTexel(x, y);
    const other = udim.x + this.udimWidth - 1 - (x - udim.x);
    return [(y >> 6) * this.columns + (other >> 6), (y & 63) * TILE_SIZE + (other & 63)];
  }

  /** @param {number} x @param {number} y */
  texelAt(x, y) {
    const tile = this.tiles[(y >> 6) * this.columns + (x >> 6)];
    return tile[(y & 63) * TILE_SIZE + (x & 63)];
  }

  /** 16-bit texel of a value in low..high. @param {number} value */
  quantize(value) {
    return Math.max(0, Math.min(65535, Math.round((65535 * (value - this.low)) / (this.high - this.low))));
  }

  /** @param {number} texel */
  uniformTile(texel) {
    let tile = this.uniformTiles.get(texel);
    if (!tile) {
      tile = new Uint16Array(TILE_TEXELS).fill(texel);
      this.uniformTiles.set(texel, tile);
    }
    return tile;
  }

  /** @param {number} number */
  isUniform(number) {
    const tile = this.tiles[number];
    return this.uniformTiles.get(tile[0]) === tile;
  }

  /** The tile for writing: shared tiles are copied, and the server's version is remembered. @param {number} number */
  writableTile(number) {
    const tile = this.tiles[number];
    const isUniform = this.isUniform(number);
    if (!this.serverTiles.has(number)) this.serverTiles.set(number, isUniform ? tile : tile.slice());
    if (isUniform) this.tiles[number] = tile.slice();
    return this.tiles[number];
  }

  /** Replaces a whole tile. @param {number} number @param {Uint16Array<ArrayBuffer>} tile */
  replaceTile(number, tile) {
    if (!this.serverTiles.has(number)) this.serverTiles.set(number, this.tiles[number]);
    this.tiles[number] = tile;
  }

  /** Back to the texels of the server. @param {number} number */
  revertTile(number) {
    const tile = this.serverTiles.get(number);
    if (tile) this.tiles[number] = tile;
  }

  // The delta record of a tile: only texels that differ from the server's, so that concurrent strokes of another
  // page in the same tile survive. Empty if nothing differs.
  /** @param {number} number @returns {(Uint16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>)[]} */
  encodeTileDelta(number) {
    const texels = this.tiles[number];
    const before = this.serverTiles.get(number);
    const header = (/** @type {number} */ kind, /** @type {number} */ value) => new Uint16Array([number % this.columns, Math.floor(number / this.columns), kind, value]);
    if (this.isUniform(number) && before && this.uniformTiles.get(before[0]) === before) return texels === before ? [] : [header(UNIFORM, texels[0])];
    const mask = new Uint8Array(TILE_TEXELS / 8);
    const changed = new Uint16Array(TILE_TEXELS);
    let count = 0;
    for (let i = 0; i < TILE_TEXELS; ++i) {
      if (!before || texels[i] !== before[i]) {
        mask[i >> 3] |= 1 << (i & 7);
        changed[count++] = texels[i];
      }
    }
    if (count === 0) return [];
    if (count < TILE_TEXELS) return [header(MASKED, count), mask, changed.slice(0, count)];
    return this.isUniform(number) ? [header(UNIFORM, texels[0])] : [header(RAW, texels[0]), changed];
  }

  /** Queues tiles as part of a stroke. After a rejection the whole map is fetched again. @param {number[]} numbers @param {string} stroke */
  sendTiles(numbers, stroke) {
    const parts = numbers.flatMap((number) => {
      const record = this.encodeTileDelta(number);
      if (this.activeEdits) this.serverTiles.set(number, this.isUniform(number) ? this.tiles[number] : this.tiles[number].slice());
      return record;
    });
    const body = new Blob(parts);
    const done = this.sending.then(() => (body.size ? this.upload(body, stroke) : null));
    this.sending = done.catch(() => {
      this.revision = 0;
      this.updateDeferred = true;
    });
    return done;
  }

  /** Retries with exponential backoff while the server is unreachable. @param {Blob} body @param {string} stroke */
  async upload(body, stroke) {
    for (let wait = 200; ; wait = Math.min(2 * wait, 5000)) {
      try {
        return await put('/api/tiles', { layer: this.id, stroke }, body);
      } catch (error) {
        if (/** @type {any} */ (error).status !== undefined) {
          throw error; // rejected by the server: retrying would not help
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
}
