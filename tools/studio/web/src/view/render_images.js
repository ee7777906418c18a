// Rendered images on display: the current one, a rendered region of it, and the previous one. Shown as the renderer
// wrote them, or re-exposed by the server from its linear HDR copy.

import { getBytes } from '../net/api.js';
import { serialize } from '../ui/dom.js';

/** @typedef {'current' | 'region' | 'previous'} Slot */

const objectUrl = (/** @type {ArrayBuffer} */ bytes) => URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));

export class RenderImages {
  /** @param {Record<Slot, HTMLImageElement[]>} elements */
  constructor(elements) {
    this.elements = elements;
    /** @type {Record<Slot, ArrayBuffer | null>} PNG files as written by the renderer */ this.files = { current: null, region: null, previous: null };
    this.stops = 0; // exposure
    this.denoised = false;
    /** @type {ArrayBuffer | null} an AOV displayed in place of the current image; exposure does not apply */ this.aov = null;
    this.shown = 0; // images displayed so far
    this.pending = 0; // requests in progress
    // By slot; a change during a request repeats it, so the last exposure is displayed.
    this.reload = Object.fromEntries(Object.keys(this.files).map((slot) => [slot, serialize(() => this.load(/** @type {Slot} */ (slot)))]));
  }

  // Everything received is displayed.
  get isIdle() {
    return this.pending === 0;
  }

  /** A new render starts: the current image becomes the previous one. @param {boolean} isRegion */
  begin(isRegion) {
    this.files.region = null;
    this.aov = null;
    if (!isRegion && this.files.current) {
      this.files.previous = this.files.current;
      this.files.current = null;
      this.refresh('previous');
    }
  }

  /** @param {Slot} slot @param {ArrayBuffer} bytes */
  async set(slot, bytes) {
    this.files[slot] = bytes;
    await this.refresh(slot);
    this.shown += 1;
  }

  /** Displays an AOV instead of the current image; null: the image again. @param {ArrayBuffer | null} bytes */
  async setAov(bytes) {
    this.aov = bytes;
    await this.refresh('current');
    this.shown += 1;
  }

  /** @param {number} stops */
  setExposure(stops) {
    this.stops = stops;
    return Promise.all(/** @type {Slot[]} */ (Object.keys(this.files)).map((slot) => this.refresh(slot)));
  }

  /** @param {boolean} denoised */
  setDenoised(denoised) {
    this.denoised = denoised;
    return this.setExposure(this.stops);
  }

  /** @param {Slot} slot */
  refresh(slot) {
    return this.track(this.reload[slot]());
  }

  /** Counts a request until it is done. @param {Promise<any>} request */
  track(request) {
    this.pending += 1;
    return request.finally(() => { this.pending -= 1; });
  }

  /** The query for a re-exposed image; null if the written file can be displayed. @param {Slot | 'composite'} slot */
  query(slot) {
    const needsServer = slot === 'composite' || (!(this.aov && slot === 'current') && (this.stops !== 0 || (this.denoised && slot !== 'previous')));
    return needsServer ? this.exposedQuery(slot) : null;
  }

  /** @param {Slot | 'composite'} slot */
  exposedQuery(slot) {
    return { which: slot, exposure: this.stops, denoised: this.denoised || slot === 'previous' ? 1 : 0 };
  }

  /** @param {Slot} slot */
  async load(slot) {
    const file = (slot === 'current' && this.aov) || this.files[slot];
    if (!file) return;
    const query = this.query(slot);
    const url = objectUrl(query ? await getBytes('/api/image', query) : file);
    for (const image of this.elements[slot]) {
      const old = image.src;
      image.src = url;
      if (old.startsWith('blob:') && !Object.values(this.elements).flat().some((each) => each.src === old)) URL.revokeObjectURL(old);
    }
  }
}
