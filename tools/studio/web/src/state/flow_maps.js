// Flow maps: two channels of one image that a groom.comb modifier follows.

import { groomMaps, state } from './store.js';

const followsImage = (/** @type {any} */ groom, /** @type {string | undefined} */ path) => Boolean(path) && (groom?.modifiers ?? []).some((/** @type {any} */ modifier) => modifier.plugin === 'groom.comb' && modifier.flow_map === path);

/** Whether a map of the selected groom is a channel of a flow map. @param {number} index */
export function isFlowChannel(index) {
  const groom = state.scene.grooms?.[state.groom];
  return followsImage(groom, groom?.maps?.[index]?.path);
}

/** The layer of the green channel when the selected map is the red channel of a flow map, else -1. */
export function flowPartner() {
  const groom = state.scene.grooms?.[state.groom];
  const selected = groom?.maps?.[state.map];
  const isRed = (/** @type {any} */ map) => (map.channel ?? 'red') === 'red';
  if (!selected || !isRed(selected) || !followsImage(groom, selected.path)) return -1;
  return groomMaps().find((entry) => entry.channel === 'green' && groom.maps[entry.index]?.path === selected.path)?.layer ?? -1;
}
