// other_grooms: hair of the grooms that are not chosen, as it grew, beside that of the chosen one: what a hairline
// looks like is seen with the fringe over it. It goes with the head where that moves.

import { getBytes } from '../net/api.js';
import { CarriedHair } from './attached_hair.js';
import { state } from '../state/store.js';
import { radiusOf, strandsFor } from './strand_budget.js';
import { decodeStrands, StrandLines } from './strand_mesh.js';

const MOST = 8000; // strands of each
const MOVING = 2000; // on a head that moves where the processor draws

const bodyOf = (groom) => state.scene.grooms?.[groom]?.body;

export class OtherGrooms {
  constructor(view3d) {
    this.view3d = view3d;
    this.lines = new Map(); // by the number of the groom
    this.hair = new Map(); // the same: CarriedHair
    this.key = '';
    this.body = null; // as it stands, null: at rest
    this.version = 0; // of how they look
    view3d.others = this;
  }

  // Grown anew only when the scene has changed.
  async show(visible) {
    this.visible = visible; // may be another when hair has grown
    if (visible) {
      const key = `${state.sceneRevision} ${state.groom}`;
      if (key !== this.key) {
        this.key = key;
        await this.grow();
      }
    }
    this.version += 1;
    this.lay();
    this.view3d.draw();
  }

  seen() {
    return [...this.lines.keys()].filter((groom) => this.visible && groom !== state.groom && groom < state.grooms.length);
  }

  async grow() {
    for (let groom = 0; groom < state.grooms.length; ++groom) {
      if (groom === state.groom) continue;
      const limit = strandsFor(groom, MOST);
      const data = decodeStrands(await getBytes('/api/strands', { groom, limit }));
      if (!this.lines.has(groom)) {
        this.lines.set(groom, new StrandLines());
        this.view3d.scene.add(this.lines.get(groom).lines);
      }
      if (data) this.hair.set(groom, Object.assign(new CarriedHair(data, this.view3d.surface), { limit }));
    }
  }

  // The body on which the chosen groom grows has moved.
  carry(body) {
    if (body === this.body) return;
    this.body = body;
    this.version += 1;
    if (this.visible) this.lay();
  }

  // On another body they stay where they are.
  bodyUnder(groom) {
    return bodyOf(groom) === bodyOf(state.groom) ? this.body : null;
  }

  // Into what the graphics card draws from; soft_view takes them by itself.
  lay() {
    const seen = this.seen();
    this.lines.forEach((each, groom) => {
      const hair = this.hair.get(groom);
      each.lines.visible = !this.soft && seen.includes(groom) && hair !== undefined;
      if (each.lines.visible) each.show(hair.on(this.bodyUnder(groom)), radiusOf(groom, hair.limit));
    });
  }

  setSoft(soft) {
    if (soft !== this.soft) {
      this.soft = soft;
      this.version += 1;
      this.lay();
    }
  }

  // As soft_view draws them: fewer, and wider by as much.
  list() {
    return this.seen().filter((groom) => this.hair.has(groom)).map((groom) => {
      const hair = this.hair.get(groom);
      const whole = Boolean(state.scene.grooms[groom].file); // of a file the first are not as evenly spread as all
      const strands = whole ? hair.data.strands : Math.min(hair.data.strands, strandsFor(groom, MOVING));
      const data = hair.on(this.bodyUnder(groom), strands);
      const lines = this.lines.get(groom);
      lines.take(hair.data);
      return { ...data, lengths: data.lengths.subarray(0, strands), tints: lines.tints, radius: radiusOf(groom, strands) };
    });
  }
}
