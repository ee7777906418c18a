// prints: pictures as they are shown: the newest, a region of it, the one before. As the renderer wrote them, or
// exposed anew by the program, which has kept their light: what was white comes back.

import { getBytes } from '../net/api.js';
import { attempt } from '../ui/dom.js';

const addressOf = (bytes) => URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));

export class Prints {
  // Images by what they show, {now, part, before}: a list each.
  constructor(images) {
    this.images = images;
    this.plain = { now: null, part: null, before: null }; // bytes as they were written
    this.stops = 0;
    this.denoised = false; // the newest is shown without noise
    this.layer = null; // bytes of a layer that is shown in place of the newest; no exposure suits it
    this.shown = 0; // pictures so far
    this.fetching = false; // a picture is on its way
    this.asked = new Map();
  }

  // Whether all that has come is shown.
  get settled() {
    return !this.fetching && this.asked.size === 0;
  }

  // A new picture; the one that is there is the one before.
  begin(inPart) {
    this.plain.part = null;
    this.layer = null;
    if (!inPart && this.plain.now) {
      this.plain.before = this.plain.now;
      this.plain.now = null;
      this.lay('before');
    }
  }

  // Bytes that the renderer has written.
  async set(which, bytes) {
    this.plain[which] = bytes;
    await this.lay(which);
    this.shown += 1;
  }

  // A layer of it instead; null: the newest itself, which has stayed.
  async setLayer(bytes) {
    this.layer = bytes;
    await this.lay('now');
    this.shown += 1;
  }

  expose(stops) {
    this.stops = stops;
    return Promise.all(Object.keys(this.plain).map((which) => this.lay(which)));
  }

  setDenoised(denoised) {
    this.denoised = denoised;
    return this.expose(this.stops);
  }

  // One request at a time for each; the last exposure asked for is the one that is seen.
  lay(which) {
    const before = this.asked.get(which);
    if (before) {
      before.again = true;
      return before.done;
    }
    const now = { again: true };
    this.asked.set(which, now);
    now.done = attempt(async () => {
      while (now.again) {
        now.again = false;
        await this.put(which);
      }
    }).finally(() => this.asked.delete(which));
    return now.done;
  }

  // What to ask the program for to have it as it is seen; null: as it was written.
  query(which) {
    const anew = !(this.layer && which === 'now') && (this.stops !== 0 || (this.denoised && which !== 'before'));
    return anew ? { which, exposure: this.stops } : null;
  }

  async put(which) {
    const plain = (which === 'now' && this.layer) || this.plain[which];
    if (!plain) return;
    const query = this.query(which);
    const address = addressOf(query ? await getBytes('/api/picture', query) : plain);
    for (const image of this.images[which]) {
      const old = image.src;
      image.src = address;
      if (old.startsWith('blob:') && !Object.values(this.images).flat().some((each) => each.src === old)) URL.revokeObjectURL(old);
    }
  }
}
