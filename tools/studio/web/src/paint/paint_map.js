// layer: the texels of one painted map, in tiles of 64 x 64 numbers from 0 to 65535.
//
// A map in UDIM tiles is several squares of the texture plane, which lie side by side in a sheet; a
// map in one file is a sheet of one square. Tiles that are all one number share one array until they
// are painted.

import { getBytes, put } from '../net/api.js';
import { state } from '../state/store.js';

export const SIDE = 64;
const TEXELS = SIDE * SIDE;

export class Layer {
  constructor(id) {
    this.id = id;
    this.width = 0;
    this.height = 0;
    this.revision = 0;
    this.tiles = [];
    this.evens = new Map(); // by their number
    this.sending = Promise.resolve();
    this.holders = 0; // strokes whose texels the program does not have yet
    this.strokes = 0; // that were ever begun
    this.missed = false; // an update that came meanwhile
    this.theirs = new Map(); // tiles that are held, as the program has them
  }

  // While a stroke is under way nothing that comes from the program may lie over it.
  hold() {
    this.holders += 1;
    this.strokes += 1;
  }

  // Returns whether an update was put off.
  release() {
    this.holders -= 1;
    if (this.holders === 0) this.theirs.clear();
    const late = this.holders === 0 && this.missed;
    this.missed &&= !late;
    return late;
  }

  // Fetches the tiles that changed since the last time; returns their numbers.
  async update() {
    const { strokes } = this;
    const bytes = this.holders ? null : await getBytes('/api/tiles', { layer: this.id, since: this.revision });
    if (this.holders) {
      this.missed = true;
      return [];
    }
    if (strokes !== this.strokes) {
      return this.update(); // one came and went: these bytes are older than it
    }
    const view = new DataView(bytes);
    const [width, height] = [view.getUint32(0, true), view.getUint32(4, true)];
    if (width !== this.width || height !== this.height) {
      this.width = width;
      this.height = height;
      this.columns = Math.ceil(width / SIDE);
      this.rows = Math.ceil(height / SIDE);
      this.tiles = new Array(this.columns * this.rows);
      this.layOut(state.layers[this.id]);
    }
    this.revision = Number(view.getBigUint64(8, true));
    const changed = [];
    for (let at = 16; at < bytes.byteLength;) {
      const number = view.getUint16(at + 2, true) * this.columns + view.getUint16(at, true);
      const even = view.getUint16(at + 4, true) === 1;
      this.tiles[number] = even ? this.even(view.getUint16(at + 6, true)) : new Uint16Array(bytes.slice(at + 8, at + 8 + 2 * TEXELS));
      at += even ? 8 : 8 + 2 * TEXELS;
      changed.push(number);
    }
    return changed;
  }

  // Where each square lies in the sheet, in texels, and in the texture plane.
  layOut({ width, height, squares, across, low, high }) {
    Object.assign(this, { low, high, squareWidth: width, squareHeight: height, tiled: squares.length > 0 });
    const stride = squares.length > 1 ? [SIDE * Math.ceil(width / SIDE), SIDE * Math.ceil(height / SIDE)] : [width, height];
    this.stride = stride;
    this.across = across;
    this.squares = (squares.length ? squares : [1001]).map((number, i) => ({
      number, u: (number - 1001) % 10, v: Math.floor((number - 1001) / 10),
      x: (i % across) * stride[0], y: Math.floor(i / across) * stride[1],
    }));
  }

  // The square that holds a place of the texture plane, or -1. A map in one file goes on beyond its border.
  squareAt(u, v) {
    if (!this.tiled) return 0;
    return this.squares.findIndex((square) => square.u === Math.floor(u) && square.v === Math.floor(v));
  }

  // The square of a texel of the sheet.
  squareOf(x, y) {
    return this.squares[Math.floor(y / this.stride[1]) * this.across + Math.floor(x / this.stride[0])];
  }

  // The place of a tile's texel in the texture plane.
  uvOf(number, i) {
    const [x, y] = this.texel(number, i);
    const square = this.squareOf(x, y);
    return [square.u + (x - square.x + 0.5) / this.squareWidth, square.v + 1 - (y - square.y + 0.5) / this.squareHeight];
  }

  texel(number, i) {
    return [(number % this.columns) * SIDE + (i & 63), Math.floor(number / this.columns) * SIDE + (i >> 6)];
  }

  // The number at a place of the texture plane; 0 where the map has none.
  atUv(u, v) {
    const square = this.squares[this.squareAt(u, v)];
    if (!square) return 0;
    const inside = (x, most) => Math.max(0, Math.min(most - 1, Math.floor(x)));
    return this.at(square.x + inside((u - square.u) * this.squareWidth, this.squareWidth),
      square.y + inside((square.v + 1 - v) * this.squareHeight, this.squareHeight));
  }

  // The texel on the other side of a square that is turned over at its middle.
  opposite(number, i) {
    const [x, y] = this.texel(number, i);
    const square = this.squareOf(x, y);
    const other = square.x + this.squareWidth - 1 - (x - square.x);
    return [(y >> 6) * this.columns + (other >> 6), (y & 63) * SIDE + (other & 63)];
  }

  at(x, y) {
    const tile = this.tiles[(y >> 6) * this.columns + (x >> 6)];
    return tile[(y & 63) * SIDE + (x & 63)];
  }

  // The number that stands for a value.
  word(value) {
    return Math.max(0, Math.min(65535, Math.round((65535 * (value - this.low)) / (this.high - this.low))));
  }

  even(word) {
    if (!this.evens.has(word)) {
      this.evens.set(word, new Uint16Array(TEXELS).fill(word));
    }
    return this.evens.get(word);
  }

  isEven(number) {
    const tile = this.tiles[number];
    return this.evens.get(tile[0]) === tile;
  }

  // A tile that may be written into.
  own(number) {
    const tile = this.tiles[number];
    if (this.theirs.has(number)) {
      if (this.isEven(number)) this.tiles[number] = tile.slice();
    } else {
      // What nobody writes into need not be copied.
      this.theirs.set(number, this.isEven(number) ? tile : tile.slice());
      if (this.isEven(number)) this.tiles[number] = tile.slice();
    }
    return this.tiles[number];
  }

  // Other texels in place of all of a tile's.
  replace(number, tile) {
    if (!this.theirs.has(number)) this.theirs.set(number, this.tiles[number]);
    this.tiles[number] = tile;
  }

  // The record of a tile with what was changed in it, as layer.h has it: others may have painted beside
  // it meanwhile. An empty list when nothing was.
  record(number) {
    const texels = this.tiles[number];
    const before = this.theirs.get(number);
    const head = (kind, value) => new Uint16Array([number % this.columns, Math.floor(number / this.columns), kind, value]);
    if (this.isEven(number) && before && this.evens.get(before[0]) === before) {
      return texels === before ? [] : [head(1, texels[0])];
    }
    const mask = new Uint8Array(TEXELS / 8);
    const words = new Uint16Array(TEXELS);
    let count = 0;
    for (let i = 0; i < TEXELS; ++i) {
      if (!before || texels[i] !== before[i]) {
        mask[i >> 3] |= 1 << (i & 7);
        words[count++] = texels[i];
      }
    }
    if (count === 0) return [];
    if (count < TEXELS) return [head(2, count), mask, words.slice(0, count)];
    return this.isEven(number) ? [head(1, texels[0])] : [head(0, texels[0]), words];
  }

  // Sends tiles as a piece of a stroke, one piece after the other; a program that was away for a
  // while gets them when it is back. What it refuses is taken back: all is asked for anew.
  send(numbers, stroke) {
    const parts = numbers.flatMap((number) => {
      const record = this.record(number);
      if (this.holders) this.theirs.set(number, this.isEven(number) ? this.tiles[number] : this.tiles[number].slice());
      return record;
    });
    const body = new Blob(parts);
    const done = this.sending.then(() => (body.size ? this.deliver(body, stroke) : null));
    this.sending = done.catch(() => {
      this.revision = 0;
      this.missed = true;
    });
    return done;
  }

  async deliver(body, stroke) {
    for (let wait = 200; ; wait = Math.min(2 * wait, 5000)) {
      try {
        return await put('/api/tiles', { layer: this.id, stroke }, body);
      } catch (error) {
        if (error.status !== undefined) {
          throw error; // refused, which trying again does not change
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
}
