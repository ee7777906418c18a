// Client copy of the document state, and the event bus of the page. Only this module writes `state`.

import { getJson, post } from '../net/api.js';
import { isRegionMap } from './regions.js';

/** @type {Record<string, ((value?: any) => void)[]>} */ const listeners = {
  stateChanged: [], // anything in `state`
  sceneChanged: [], // scene text
  groomSelected: [],
  mapSelected: [],
  mapChanged: [], // selected map loaded, or replaced
  layerSelected: [],
  layersChanged: [], // layers of the selected map loaded, selected or edited
  texelsChanged: [], // tile numbers edited on this page
  mapsChangedOnServer: [], // texels edited elsewhere: another page, undo, a restarted server
  surfaceLoaded: [],
  toolChanged: [], // with the tool
  tabChanged: [], // with the id of the panel
  brushChanged: [],
  hairChanged: [], // strands under the hair tools
  displayModeChanged: [],
  rootsVisible: [],
  strandsVisible: [],
  frameChanged: [], // timeline
  loopChanged: [], // frames that playback repeats
  saving: [], // SaveProgress, null when it has ended
  liveFrame: [], // live simulation advanced, started or stopped
};

/** @type {any} */ export const state = {
  path: '', text: '', scene: {}, schema: null, aovs: [], revision: -1, sceneRevision: -1,
  undo: 0, redo: 0, dirty: false, grooms: [], layers: [],
  bodies: [], // groups and materials of each
  cache: false, // frames to play back exist
  restoredSteps: 0, // unsaved changes restored from the journal
  journalQuarantined: false, // unsaved changes that could not be restored
  growingFraction: 1, // of the candidates of the selected groom
  // Selection. layer is the server's image behind the map; several maps may share one.
  groom: 0, map: -1, layer: -1,
  stackLayer: -1, // among the layers of the map, from the bottom; beyond the last: the top one
};

/** @param {string} name @param {(value?: any) => void} handler */
export function on(name, handler) {
  listeners[name].push(handler);
}

/** @param {string} name @param {any} [value] */
export function emit(name, value) {
  for (const handler of listeners[name]) handler(value);
}

/** Applies a full state reply of the server. @param {any} reply */
export function setState(reply) {
  const textChanged = reply.scene !== state.sceneRevision;
  Object.assign(state, {
    path: reply.path, text: reply.text, revision: reply.revision, sceneRevision: reply.scene,
    undo: reply.undo, redo: reply.redo, dirty: reply.dirty, grooms: reply.grooms, layers: reply.layers, bodies: reply.bodies,
    scene: JSON.parse(reply.text), cache: reply.cache, restoredSteps: reply.restored_steps, journalQuarantined: reply.journal_quarantined,
  });
  if (state.groom >= state.grooms.length) state.groom = 0;
  const maps = groomMaps();
  if (state.layer < 0 || maps[state.map]?.layer !== state.layer) {
    const next = maps.find((entry) => entry.layer >= 0 && entry.layer === state.layer) ?? maps.find((entry) => entry.layer >= 0);
    const changed = (next?.layer ?? -1) !== state.layer;
    Object.assign(state, { map: next?.index ?? -1, layer: next?.layer ?? -1 });
    if (changed) emit('mapSelected');
  }
  emit('stateChanged');
  if (textChanged) emit('sceneChanged');
}

/**
 * @typedef {object} GroomMap
 * @property {string} name
 * @property {string} plugin
 * @property {number} index among the groom's maps
 * @property {number} layer server layer, -1 for maps that cannot be painted
 * @property {string} [readOnlyReason]
 * @property {string} [channel]
 * @property {boolean} [invert]
 * @property {boolean} region holds region ids
 * @property {boolean} anonymous of a {"texture": ...} value: can be painted, but is no entry of the scene's maps
 */

/** The maps of the selected groom; those of textures last. @returns {GroomMap[]} */
export function groomMaps() {
  const groom = state.scene.grooms?.[state.groom];
  const named = (groom?.maps ?? []).map((/** @type {any} */ map) => ({ ...map, region: isRegionMap(groom, map.name), anonymous: false }));
  const textures = (state.grooms[state.groom]?.textures ?? []).map((/** @type {string} */ file) => ({
    name: file, plugin: 'density.texture', region: false, anonymous: true, isRegionTexture: groom?.region?.texture === file,
  }));
  return [...named, ...textures].map((map, index) => {
    const layer = state.grooms[state.groom]?.maps[index] ?? -1;
    const readOnlyReason = map.isRegionTexture ? 'region numbers are painted in a map with a name' : state.layers[layer]?.read_only_reason;
    return {
      name: map.name, plugin: map.plugin, index, readOnlyReason, layer: readOnlyReason ? -1 : layer,
      channel: map.channel, invert: map.invert, region: map.region, anonymous: map.anonymous,
    };
  });
}

// The selected map; undefined if there is none.
export function selectedMap() {
  return groomMaps().find((entry) => entry.index === state.map && entry.layer >= 0);
}

export async function refresh() {
  setState(await getJson('/api/state'));
}

export async function loadDocument() {
  const [schema, aovs, reply] = await Promise.all(['/api/schema', '/api/aovs', '/api/state'].map((path) => getJson(path)));
  Object.assign(state, { schema, aovs });
  setState(reply);
}

// Applies a "state" event and fetches the scene if it changed. A reply may be older than an event that arrived while
// the request was in flight; the newest event wins.
/** @type {any} */ let newestEvent = null;
/** @param {any} event */
export async function applyServerEvent(event) {
  newestEvent = event;
  const applyHistory = () => Object.assign(state, { undo: newestEvent.undo, redo: newestEvent.redo, dirty: newestEvent.dirty });
  applyHistory();
  if (event.scene !== state.sceneRevision) {
    do {
      await refresh();
      applyHistory();
    } while (newestEvent.scene > state.sceneRevision);
  }
  emit('stateChanged');
  if (event.revision !== state.revision) {
    state.revision = event.revision;
    emit('mapsChangedOnServer');
  }
}

// Edits the scene; an edit without a value removes the entry. Edits with the same stroke id are one undo step.
/** @param {{ path: string, value?: any }[]} edits path: JSON pointer @param {string} stroke */
export async function edit(edits, stroke = '') {
  setState(await post('/api/edit', {}, { edits, stroke }));
}

/** By index among the groom's maps. @param {number} index */
export function selectMap(index) {
  const entry = groomMaps()[index];
  Object.assign(state, { map: entry?.layer >= 0 ? index : -1, layer: entry?.layer ?? -1 });
  emit('mapSelected');
}

/** @param {number} index of a layer of the selected map, from the bottom */
export function selectLayer(index) {
  state.stackLayer = index;
  emit('layerSelected');
}

/** Texels of a layer of the server have changed. @param {number} layer @param {number} revision */
export function noteRevision(layer, revision) {
  if (state.layers[layer]) state.layers[layer].revision = Math.max(state.layers[layer].revision, revision);
}

/** @param {number} groom */
export function selectGroom(groom) {
  state.groom = groom;
  const first = groomMaps().find((entry) => entry.layer >= 0);
  Object.assign(state, { map: first?.index ?? -1, layer: first?.layer ?? -1 });
  emit('groomSelected');
  emit('mapSelected');
}
