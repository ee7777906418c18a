// Number and width of displayed strands.

import { valueAtFrame } from '../state/keyframes.js';
import { state } from '../state/store.js';
import { time } from '../ui/timeline.js';

const REFERENCE_POINTS = 32; // per strand, for which budgets are given
const MAX_RADIUS = 3e-4; // metres

/** A groom parameter at the current frame; of a map or ramp its base value. @param {number} groom @param {string} key @returns {number} */
function parameterOf(groom, key) {
  const given = valueAtFrame(state.scene.grooms?.[groom]?.[key], time.frame);
  const plain = typeof given === 'object' ? given?.value ?? given?.range?.[1] : given;
  return typeof plain === 'number' ? plain : state.schema.properties.grooms.items.properties[key].default;
}

/** Short strands are cheap and cover little, so more of them are displayed. @param {number} groom @param {number} budget strands of REFERENCE_POINTS points */
export function strandBudget(groom, budget) {
  const factor = REFERENCE_POINTS / Math.max(4, parameterOf(groom, 'points'));
  return Math.round(budget * Math.max(1, factor));
}

/** Display radius when a subset of the strands is drawn: half the width that would preserve coverage. @param {number} groom @param {number} displayed strands */
export function displayRadius(groom, displayed) {
  const radius = parameterOf(groom, 'radius');
  const growing = groom === state.groom ? state.growingFraction : 1;
  const total = state.scene.grooms?.[groom]?.file ? 0 : growing * (state.grooms[groom]?.roots ?? 0);
  return Math.min(Math.max(radius, MAX_RADIUS), radius * Math.max(1, (0.5 * total) / displayed));
}
