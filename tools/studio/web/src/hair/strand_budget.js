// strand_share: how many strands of a groom are shown, and how wide.

import { valueAt } from '../state/keyframes.js';
import { state } from '../state/store.js';
import { time } from '../ui/timeline.js';

const POINTS = 32; // of a strand, for which a number of strands is meant
const WIDEST = 3e-4; // metres: wider ones would be ropes

// A number of the groom at this frame; of a map or a ramp what it begins with.
function numberOf(groom, key) {
  const given = valueAt(state.scene.grooms?.[groom]?.[key], time.frame);
  const plain = typeof given === 'object' ? given?.value ?? given?.range?.[1] : given;
  return typeof plain === 'number' ? plain : state.schema.properties.grooms.items.properties[key].default;
}

// Short strands are cheap and cover little: there may be more of them.
export function strandsFor(groom, strands) {
  const more = POINTS / Math.max(4, numberOf(groom, 'points'));
  return Math.round(strands * Math.max(1, more));
}

// Half the width of strands when so many of a groom's are asked for: half as wide as they would have to be
// to cover what all of them cover.
export function radiusOf(groom, asked) {
  const radius = numberOf(groom, 'radius');
  const all = state.scene.grooms?.[groom]?.file ? 0 : state.grooms[groom]?.roots ?? 0;
  return Math.min(Math.max(radius, WIDEST), radius * Math.max(1, (0.5 * all) / asked));
}
