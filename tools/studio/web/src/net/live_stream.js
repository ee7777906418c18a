// Live simulation frames, streamed as length-prefixed records in one chunked response. One request per frame would
// cost the browser more than drawing it.

import { openStream } from './api.js';

const RETRY_MS = 1000;
const MAX_SPARE_BUFFERS = 2; // double buffering: one is displayed while the next is filled

// Splits a byte stream into records: uint32 size, then as many bytes. Spare buffers are reused, because allocating
// buffers of this size costs more than filling them.
export class RecordReader {
  /** @param {(bytes: ArrayBuffer) => void} onRecord @param {ArrayBuffer[]} spare */
  constructor(onRecord, spare = []) {
    this.onRecord = onRecord;
    this.spare = spare;
    this.size = new Uint8Array(4);
    this.filled = 0; // bytes of size, or of record
    /** @type {Uint8Array<ArrayBuffer> | null} */ this.record = null;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    for (let at = 0; at < chunk.length;) {
      const into = this.record ?? this.size;
      const count = Math.min(chunk.length - at, into.length - this.filled);
      into.set(chunk.subarray(at, at + count), this.filled);
      at += count;
      this.filled += count;
      if (this.filled < into.length) return;
      this.filled = 0;
      if (this.record) {
        const { buffer } = this.record;
        this.record = null;
        this.onRecord(buffer);
      } else {
        this.record = this.allocate(new DataView(this.size.buffer).getUint32(0, true));
      }
    }
  }

  /** @param {number} size */
  allocate(size) {
    const found = this.spare.findIndex((buffer) => buffer.byteLength === size);
    return new Uint8Array(found < 0 ? new ArrayBuffer(size) : this.spare.splice(found, 1)[0]);
  }
}

export class LiveStream {
  // cpuRendering: the page draws on the CPU, so drawing and solving compete for the same cores.
  /** @param {(bytes: ArrayBuffer) => void} onFrame @param {boolean} cpuRendering */
  constructor(onFrame, cpuRendering) {
    this.onFrame = onFrame;
    this.cpuRendering = cpuRendering;
    /** @type {AbortController | null} */ this.abort = null;
    /** @type {ArrayBuffer[]} */ this.spare = [];
  }

  /** Returns the buffer of a frame that is no longer displayed. @param {ArrayBuffer} buffer */
  recycle(buffer) {
    this.spare.push(buffer);
    if (this.spare.length > MAX_SPARE_BUFFERS) this.spare.shift();
  }

  /** Idempotent. @param {boolean} open */
  setOpen(open) {
    if (open === (this.abort !== null)) return;
    this.abort?.abort();
    this.abort = open ? new AbortController() : null;
    if (this.abort) this.read(this.abort);
  }

  /** @param {AbortController} abort */
  async read(abort) {
    while (this.abort === abort) {
      try {
        const records = new RecordReader(this.onFrame, this.spare);
        const body = await openStream('/api/live', { stream: 1, cpu_rendering: this.cpuRendering ? 1 : 0 }, abort.signal);
        const reader = /** @type {ReadableStream<Uint8Array>} */ (body).getReader();
        for (;;) {
          const { done, value } = await reader.read();
          if (done || this.abort !== abort) break;
          records.push(value);
        }
      } catch { /* connection_banner reports a lost connection */ }
      if (this.abort === abort) await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
    }
  }
}
