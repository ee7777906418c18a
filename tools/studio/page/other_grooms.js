// other_grooms: hair of the grooms that are not chosen, at rest beside that of the chosen one: what a
// hairline looks like is seen with the fringe over it.

import { getBytes } from './api.js';
import { state } from './store.js';
import { radiusOf, strandsFor } from './strand_share.js';
import { decodeStrands, StrandLines } from './strands.js';

const MOST = 8000; // strands of each

export class OtherGrooms {
  constructor(view3d) {
    this.view3d = view3d;
    this.lines = new Map(); // by the number of the groom
    this.key = '';
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
    this.lines.forEach((each, groom) => { each.lines.visible = this.visible && groom !== state.groom && groom < state.grooms.length; });
    this.view3d.draw();
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
      if (data) this.lines.get(groom).show(data, radiusOf(groom, limit));
    }
  }
}
