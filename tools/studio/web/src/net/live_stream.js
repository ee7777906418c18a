// live_stream: frames of hair that moves, one after the other in an answer that goes on. A request for each of them
// would cost the browser more than drawing it.

import { openStream } from './api.js';

const AGAIN = 1000; // milliseconds, after it broke off

const SPARE = 2; // buffers: one is shown while the next is filled

// Pieces as they come, put together to records: their size, then as many bytes. Spare: buffers to be used again,
// because new ones of this size cost more than filling them.
export class Records {
  constructor(heard, spare = []) {
    Object.assign(this, { heard, spare });
    this.size = new Uint8Array(4);
    this.filled = 0; // of size or of bytes
    this.bytes = null;
  }

  take(piece) {
    for (let at = 0; at < piece.length;) {
      const into = this.bytes ?? this.size;
      const count = Math.min(piece.length - at, into.length - this.filled);
      into.set(piece.subarray(at, at + count), this.filled);
      at += count;
      this.filled += count;
      if (this.filled < into.length) return;
      this.filled = 0;
      if (this.bytes) {
        const { buffer } = this.bytes;
        this.bytes = null;
        this.heard(buffer);
      } else {
        this.bytes = this.room(new DataView(this.size.buffer).getUint32(0, true));
      }
    }
  }

  room(size) {
    const found = this.spare.findIndex((buffer) => buffer.byteLength === size);
    return new Uint8Array(found < 0 ? size : this.spare.splice(found, 1)[0]);
  }
}

export class LiveStream {
  // Heard: called with the bytes of each frame. Thrifty: the processors that draw are those that solve.
  constructor(heard, thrifty) {
    Object.assign(this, { heard, thrifty, stop: null, spare: [] });
  }

  // The bytes of a frame that nobody looks at any more.
  giveBack(buffer) {
    this.spare.push(buffer);
    if (this.spare.length > SPARE) this.spare.shift();
  }

  // Opened and closed as often as one likes.
  set(open) {
    if (open === (this.stop !== null)) return;
    this.stop?.abort();
    this.stop = open ? new AbortController() : null;
    if (open) this.read(this.stop);
  }

  async read(stop) {
    while (this.stop === stop) {
      try {
        const records = new Records(this.heard, this.spare);
        const reader = (await openStream('/api/live', { stream: 1, thrifty: this.thrifty ? 1 : 0 }, stop.signal)).getReader();
        for (;;) {
          const { done, value } = await reader.read();
          if (done || this.stop !== stop) break;
          records.take(value);
        }
      } catch { /* the page says itself when the program is gone */ }
      if (this.stop === stop) await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
    }
  }
}
