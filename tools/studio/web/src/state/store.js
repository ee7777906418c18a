// store: what the page knows of the scene. One object, changed only here; parts of the page listen.

import { getJson, post } from '../net/api.js';
import { isRegionMap } from './regions.js';

const listeners = new Map();

export const state = {
  path: '', text: '', scene: {}, schema: null, revision: -1, sceneRevision: -1,
  undo: 0, redo: 0, dirty: false, grooms: [], layers: [],
  cache: false, replayed: 0, aside: false, // whether there are frames to play back; steps that a crash had left; some that do not suit
  groom: 0, map: -1, layer: -1, // chosen in the page; several maps may be of one layer
};

export function on(name, handler) {
  listeners.set(name, [...(listeners.get(name) ?? []), handler]);
}

export function tell(name, value) {
  for (const handler of listeners.get(name) ?? []) {
    handler(value);
  }
}

function take(answer) {
  const textChanged = answer.scene !== state.sceneRevision;
  Object.assign(state, {
    path: answer.path, text: answer.text, revision: answer.revision, sceneRevision: answer.scene,
    undo: answer.undo, redo: answer.redo, dirty: answer.dirty, grooms: answer.grooms,
    layers: answer.layers, scene: JSON.parse(answer.text), cache: answer.cache, replayed: answer.replayed, aside: answer.aside,
  });
  if (state.groom >= state.grooms.length) {
    state.groom = 0;
  }
  const mine = layersOfGroom();
  if (state.layer < 0 || mine[state.map]?.layer !== state.layer) {
    const next = mine.find((entry) => entry.layer >= 0 && entry.layer === state.layer) ?? mine.find((entry) => entry.layer >= 0);
    const other = (next?.layer ?? -1) !== state.layer;
    Object.assign(state, { map: next?.index ?? -1, layer: next?.layer ?? -1 });
    if (other) tell('layer');
  }
  tell('state');
  if (textChanged) {
    tell('scene');
  }
}

// The maps of the chosen groom: name, which layer, place in the scene, whether it is one of regions.
export function layersOfGroom() {
  const maps = state.scene.grooms?.[state.groom]?.maps ?? [];
  return maps.map((map, index) => {
    const layer = state.grooms[state.groom]?.maps[index] ?? -1;
    const refusal = state.layers[layer]?.refusal;
    return {
      name: map.name, plugin: map.plugin, index, refusal, layer: refusal ? -1 : layer,
      channel: map.channel, invert: map.invert,
      region: isRegionMap(state.scene.grooms[state.groom], map.name),
    };
  });
}

// The chosen one; undefined when there is none.
export function chosenMap() {
  return layersOfGroom().find((entry) => entry.index === state.map && entry.layer >= 0);
}

export async function refresh() {
  take(await getJson('/api/state'));
}

export async function start() {
  state.schema = await getJson('/api/schema');
  await refresh();
}

// What an event said: only what changed is fetched. An answer may be older than an event that came while it was on
// its way: the event holds.
let newest = null;
export async function hear(event) {
  newest = event;
  const note = () => Object.assign(state, { undo: newest.undo, redo: newest.redo, dirty: newest.dirty });
  note();
  if (event.scene !== state.sceneRevision) {
    await refresh();
    note();
  }
  tell('state');
  if (event.revision !== state.revision) {
    state.revision = event.revision;
    tell('painted');
  }
}

// Edits: [{place, value}], a missing value takes out. Those of one stroke are one step of undo.
export async function edit(edits, stroke = '') {
  take(await post('/api/edit', {}, { edits, stroke }));
}

// By its place among the maps of the groom.
export function chooseMap(index) {
  const entry = layersOfGroom()[index];
  Object.assign(state, { map: entry?.layer >= 0 ? index : -1, layer: entry?.layer ?? -1 });
  tell('layer');
}

export function chooseGroom(groom) {
  state.groom = groom;
  const first = layersOfGroom().find((entry) => entry.layer >= 0);
  Object.assign(state, { map: first?.index ?? -1, layer: first?.layer ?? -1 });
  tell('groom');
  tell('layer');
}

export { take as takeState };
