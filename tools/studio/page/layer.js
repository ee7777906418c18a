// layer: the texels of one painted map, in tiles of 64 x 64 numbers from 0 to 65535.

import { getBytes, put } from './api.js';

export const SIDE = 64;
const TEXELS = SIDE * SIDE;

export class Layer {
  constructor(id) {
    this.id = id;
    this.width = 0;
    this.height = 0;
    this.revision = 0;
    this.tiles = [];
    this.sending = Promise.resolve();
    this.holders = 0; // strokes whose texels the program does not have yet
    this.strokes = 0; // that were ever begun
    this.missed = false; // an update that came meanwhile
  }

  // While a stroke is under way nothing that comes from the program may lie over it.
  hold() {
    this.holders += 1;
    this.strokes += 1;
  }

  // Returns whether an update was put off.
  release() {
    this.holders -= 1;
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
    }
    this.revision = Number(view.getBigUint64(8, true));
    const changed = [];
    for (let at = 16; at < bytes.byteLength;) {
      const number = view.getUint16(at + 2, true) * this.columns + view.getUint16(at, true);
      const even = view.getUint16(at + 4, true) === 1;
      this.tiles[number] = even ? new Uint16Array(TEXELS).fill(view.getUint16(at + 6, true))
        : new Uint16Array(bytes.slice(at + 8, at + 8 + 2 * TEXELS));
      at += even ? 8 : 8 + 2 * TEXELS;
      changed.push(number);
    }
    return changed;
  }

  at(x, y) {
    const tile = this.tiles[(y >> 6) * this.columns + (x >> 6)];
    return tile[(y & 63) * SIDE + (x & 63)];
  }

  // Sends tiles as a piece of a stroke, one piece after the other; a program that was away for a
  // while gets them when it is back.
  send(numbers, stroke) {
    const parts = [];
    for (const number of numbers) {
      const texels = this.tiles[number].slice();
      parts.push(new Uint16Array([number % this.columns, Math.floor(number / this.columns), 0, texels[0]]), texels);
    }
    const body = new Blob(parts);
    this.sending = this.sending.then(() => this.deliver(body, stroke));
    return this.sending;
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
