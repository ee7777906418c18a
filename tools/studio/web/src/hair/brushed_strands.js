// The displayed strands of a groom while brushes act on its guides: the server deforms them and sends those that
// changed.

import { decodeStrandPacket } from './strand_packet.js';

const HEADER_BYTES = 32;
export const DAB_BYTES = 76;
export const [DELETED, PINNED, DRAWN] = [1, 2, 4]; // flags of a strand

// Order of the wire format.
export const HAIR_TOOLS = ['comb', 'smooth', 'puff', 'clump', 'twist', 'part', 'lengthen', 'cut', 'delete', 'pin', 'draw'];

/**
 * @typedef {object} HairDab lengths in metres, in the space of the body at rest
 * @property {string} tool
 * @property {number[]} position
 * @property {number[]} [view] direction away from the viewer: the brush is a cylinder along it; none: a ball
 * @property {number} [front] of the cylinder before the position
 * @property {number[]} [drag]
 * @property {number[]} [normal]
 * @property {number} radius
 * @property {number} strength
 * @property {number} hardness
 * @property {boolean} [invert]
 * @property {number} [mirror] axis, -1: none
 */

/** @param {HairDab[]} dabs */
export function encodeDabs(dabs) {
  const bytes = new ArrayBuffer(DAB_BYTES * dabs.length);
  const view = new DataView(bytes);
  const none = [0, 0, 0];
  dabs.forEach((dab, i) => {
    let at = DAB_BYTES * i;
    const mirror = dab.mirror ?? -1;
    view.setUint32(at, HAIR_TOOLS.indexOf(dab.tool), true);
    view.setUint32(at + 4, (dab.invert ? 1 : 0) | (mirror >= 0 ? 2 | (mirror << 2) : 0), true);
    at += 8;
    const values = [...dab.position, ...(dab.view ?? none), dab.front ?? 0, ...(dab.drag ?? none), ...(dab.normal ?? none), dab.radius, dab.strength, dab.hardness, 0];
    for (const value of values) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  });
  return bytes;
}

/** @typedef {import('./strand_packet.js').StrandPacket} StrandPacket */
/** @typedef {{ all: boolean, indices: Uint32Array, flags: Uint8Array }} Change */

/** Index of the first point of each strand. @param {Uint16Array} lengths */
function offsetsOf(lengths) {
  const offsets = new Uint32Array(lengths.length + 1);
  for (let s = 0; s < lengths.length; ++s) offsets[s + 1] = offsets[s] + lengths[s];
  return offsets;
}

export class BrushedStrands {
  constructor() {
    this.session = 0;
    this.revision = 0;
    this.guideCount = 0; // 0: the groom has no edits
    this.pending = 0; // strands that the server has not deformed yet: they come with the replies that follow
    /** @type {StrandPacket | null} */ this.packet = null;
    this.flags = new Uint8Array(0); // per strand
    this.offsets = new Uint32Array(1);
    /** @type {(change: Change) => void} after every reply */ this.onChange = () => {};
    this.bytesReceived = 0;
    this.strokes = 0; // under way: their replies bring what changes
    this.isStale = false; // something else changed meanwhile
    this.onSettled = () => {}; // after the last stroke when it did
  }

  beginStroke() {
    this.strokes += 1;
  }

  endStroke() {
    this.strokes -= 1;
    if (this.strokes > 0 || !this.isStale) return;
    this.isStale = false;
    this.onSettled();
  }

  /** Query parameters of a request. @param {number} groom @param {number} limit */
  query(groom, limit) {
    return { groom, limit, session: this.session, since: this.revision };
  }

  /** Takes a reply of the server. @param {ArrayBuffer} bytes */
  apply(bytes) {
    const view = new DataView(bytes);
    this.bytesReceived += bytes.byteLength;
    const [, session, low, high, all, count, guides, pending] = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i, true));
    this.session = session;
    this.revision = low + high * 2 ** 32;
    this.guideCount = guides;
    this.pending = pending;
    let at = HEADER_BYTES;
    const padded = count + ((4 - (count % 4)) % 4);
    /** @type {Change} */ let change;
    if (all) {
      this.flags = new Uint8Array(bytes, at, count).slice();
      this.packet = decodeStrandPacket(bytes.slice(at + padded));
      this.offsets = offsetsOf(this.packet?.lengths ?? new Uint16Array(0));
      change = { all: true, indices: new Uint32Array(0), flags: this.flags };
    } else {
      const indices = new Uint32Array(bytes, at, count);
      at += 4 * count;
      const flags = new Uint8Array(bytes, at, count);
      at += padded;
      this.take(indices, flags, new Uint16Array(bytes, at));
      change = { all: false, indices, flags };
    }
    this.onChange(change);
    return change;
  }

  /** @param {Uint32Array} indices @param {Uint8Array} flags @param {Uint16Array} values positions of these strands */
  take(indices, flags, values) {
    const positions = /** @type {StrandPacket} */ (this.packet).positions;
    let at = 0;
    indices.forEach((strand, i) => {
      this.flags[strand] = flags[i];
      const first = 3 * this.offsets[strand];
      const count = 3 * this.offsets[strand + 1] - first;
      positions.set(values.subarray(at, at + count), first);
      at += count;
    });
  }

  /** Position of a point in metres. @param {number} point */
  pointAt(point) {
    const { positions, origin, step } = /** @type {StrandPacket} */ (this.packet);
    return [0, 1, 2].map((k) => origin[k] + step[k] * positions[3 * point + k]);
  }

  /**
   * The strand point nearest to the viewer among those within a cone around a ray, and the direction of its strand.
   * @param {{ origin: number[], direction: number[] }} ray
   * @param {number} slope radius of the cone at distance 1
   * @param {number} limit distance beyond which points are hidden
   * @param {number} most strands that are tested
   */
  pick({ origin: o, direction: d }, slope, limit, most = 4000) {
    if (!this.packet) return null;
    const { positions, origin, step, strandCount } = this.packet;
    const stride = Math.max(1, Math.ceil(strandCount / most));
    let [best, found] = [limit, -1];
    for (let s = 0; s < strandCount; s += stride) {
      if (this.flags[s] & DELETED) continue;
      for (let p = this.offsets[s] + 1; p < this.offsets[s + 1]; ++p) {
        const x = origin[0] + step[0] * positions[3 * p] - o[0];
        const y = origin[1] + step[1] * positions[3 * p + 1] - o[1];
        const z = origin[2] + step[2] * positions[3 * p + 2] - o[2];
        const along = x * d[0] + y * d[1] + z * d[2];
        if (along <= 0 || along >= best) continue;
        const across2 = x * x + y * y + z * z - along * along;
        if (across2 < (slope * along) ** 2) [best, found] = [along, p];
      }
    }
    if (found < 0) return null;
    const [a, b] = [this.pointAt(found - 1), this.pointAt(found)];
    const direction = b.map((value, k) => value - a[k]);
    const length = Math.hypot(...direction) || 1;
    return { distance: best, direction: direction.map((value) => value / length) };
  }
}
