// What can be done with maps: create, import, export, connect, rename, duplicate, delete.

import { download, post, put } from '../net/api.js';
import { checkCanPaint, nextStrokeId, paintTarget } from '../paint/painter.js';
import { undo } from '../state/history.js';
import { initialValue, MAP_TARGETS } from '../state/map_targets.js';
import { usesOfMap } from '../state/map_uses.js';
import { edit, groomMaps, selectedMap, selectMap, setState, state } from '../state/store.js';
import { element, promptDialog, toast, tryOrToast } from '../ui/dom.js';

const NO_TARGET = 'nothing yet';
const RESOLUTIONS = [256, 512, 1024, 2048, 4096, 8192];

const shortNumber = (/** @type {number} */ value) => Number(value.toPrecision(4));

const uniqueName = (/** @type {string} */ stem, separator = '') => {
  const names = new Set(groomMaps().map((entry) => entry.name));
  let name = stem;
  for (let i = 2; names.has(name); ++i) name = `${stem}${separator}${i}`;
  return name;
};

/** @param {string} [current] */
const validateName = (current) => (/** @type {string} */ text) => {
  const name = text.trim();
  if (name === '') return 'The name must not be empty.';
  if (name.length > 60) return 'Use at most 60 characters.';
  // eslint-disable-next-line no-control-regex
  if (/^\.|[/\\:<>\x00-\x1f]/.test(name)) return 'The name must not contain / \\ : < > or begin with a dot.';
  return name !== current && groomMaps().some((entry) => entry.name === name) ? `A map named ${name} already exists.` : '';
};

function checkHasUvs() {
  if (state.grooms.length === 0) {
    toast('This scene has no groom yet. Add a body and a groom first.', { bad: true });
    return false;
  }
  return Boolean(paintTarget.surface.uvs) || (checkCanPaint(), false);
}

export async function newMap() {
  if (!checkHasUvs()) return;
  const names = new Set(groomMaps().map((entry) => entry.name));
  const target = Object.keys(MAP_TARGETS).find((each) => !names.has(each)) ?? NO_TARGET;
  const nameFor = (/** @type {string} */ value) => uniqueName(MAP_TARGETS[value] ? value : 'map');
  const answer = await promptDialog('New map', [
    { name: 'target', label: 'Drives', value: target, choices: [...Object.keys(MAP_TARGETS), NO_TARGET], changed: (value, inputs) => {
      inputs.name.value = nameFor(value);
      inputs.value.value = initialValue(value);
    } },
    { name: 'name', label: 'Name', value: nameFor(target), validate: validateName() },
    { name: 'side', label: 'Resolution', value: 1024, choices: RESOLUTIONS },
    { name: 'value', label: 'Initial value, 0 to 1', value: initialValue(target), type: 'number', validate: (value) => (Number(value) >= 0 && Number(value) <= 1 ? '' : 'The value must be between 0 and 1.') },
  ], 'Create');
  if (answer) await createMap(answer.name, { side: answer.side, value: Math.round(65535 * Math.min(1, Math.max(0, Number(answer.value)))) }, answer.target);
}

/** Creates a map, connects it to its target and selects it. @param {string} name @param {import('../net/api.js').Query} query @param {string} [target] */
export async function createMap(name, query, target) {
  const stroke = nextStrokeId();
  setState(await post('/api/layers', { groom: state.groom, name, stroke, ...query }));
  await connectMap(name, target, stroke);
}

/** Creates a flow map that the comb modifier of the groom follows, adding one if there is none. */
export async function newFlowMap() {
  if (!checkHasUvs()) return;
  const groom = state.scene.grooms[state.groom];
  const comb = (groom.modifiers ?? []).findIndex((/** @type {any} */ modifier) => modifier.plugin === 'groom.comb');
  if (groom.modifiers?.[comb]?.flow_map) {
    const existing = groomMaps().find((entry) => groom.maps?.[entry.index]?.path === groom.modifiers[comb].flow_map && entry.channel !== 'green');
    if (existing) selectMap(existing.index);
    else toast('The comb modifier of this groom follows a flow map that is no map of the groom: add density.texture maps of its red and green channels to paint it.', { bad: true });
    return;
  }
  const [side, stroke, name] = [1024, nextStrokeId(), uniqueName('flow')];
  const canvas = new OffscreenCanvas(side, side);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.fillStyle = 'rgb(128, 128, 0)'; // no direction
  context.fillRect(0, 0, side, side);
  setState(await put('/api/layers', { groom: state.groom, name, stroke, file: 'flow.png' }, await canvas.convertToBlob({ type: 'image/png' })));
  const path = `/grooms/${state.groom}`;
  const red = state.scene.grooms[state.groom].maps.find((/** @type {any} */ map) => map.name === name);
  const modifier = { plugin: 'groom.comb', flow_map: red.path };
  await edit([
    { path: `${path}/maps/-`, value: { name: `${name}_green`, plugin: red.plugin, path: red.path, channel: 'green' } },
    comb >= 0 ? { path: `${path}/modifiers/${comb}/flow_map`, value: red.path } : groom.modifiers ? { path: `${path}/modifiers/-`, value: modifier } : { path: `${path}/modifiers`, value: [modifier] },
  ], stroke);
  selectMap(groomMaps().findIndex((entry) => entry.name === name));
  toast(comb >= 0 ? 'Paint along the hair: the comb modifier follows the strokes.' : 'Paint along the hair. Added a groom.comb modifier that follows the strokes; elsewhere it combs in its own direction.');
}

/** @param {string} name @param {string} target @param {string} [stroke] edits of the same step of undo */
export async function connectMap(name, target = NO_TARGET, stroke = '') {
  const edits = MAP_TARGETS[target]?.(name) ?? [];
  if (edits.length) {
    await edit(edits, stroke);
    if (edits.some(({ path }) => path.endsWith('/modifiers/-'))) toast(`Added a ${edits[0].value.plugin} modifier; its parameters are in the Scene tab.`);
  }
  selectMap(groomMaps().findIndex((entry) => entry.name === name));
}

// skin.1002.png is UDIM tile 1002 of skin.
const UDIM = /[._](1\d{3})\.[^.]*$/;

/** Imports one image, or all UDIM tiles of a map, and connects it to what `ask` answers. @param {File[]} files @param {(stem: string) => Promise<{ target: string, name: string } | null>} ask */
export async function importFiles(files, ask = async (stem) => ({ target: NO_TARGET, name: uniqueName(stem) })) {
  const tiles = files.map((file) => /** @type {[number, File]} */ ([Number(UDIM.exec(file.name)?.[1] ?? 0), file])).sort(([a], [b]) => a - b);
  const isUdim = tiles.every(([number]) => number > 0);
  if (files.length > 1 && !isUdim) {
    toast('Several files are only imported together as UDIM tiles, such as skin.1001.png and skin.1002.png. Import other files one by one.', { bad: true });
    return;
  }
  const [[, first]] = tiles;
  const stem = first.name.replace(isUdim ? UDIM : /\.[^.]*$/, '').replace(/[/\\:<>]|^\./g, '_').slice(0, 60);
  const answer = await ask(stem);
  if (!answer) return;
  const { target, name } = answer;
  const stroke = nextStrokeId();
  /** @type {import('../net/api.js').Query} */ const query = { groom: state.groom, name, stroke, file: first.name };
  if (isUdim) Object.assign(query, { udims: tiles.map(([number]) => number).join(), sizes: tiles.map(([, file]) => file.size).join() });
  setState(await put('/api/layers', query, isUdim ? new Blob(tiles.map(([, file]) => file)) : first));
  await connectMap(name, target, stroke);
  const info = state.layers[state.layer];
  if (info && (info.low < 0 || info.high > 1)) {
    toast(`The map has values from ${shortNumber(info.low)} to ${shortNumber(info.high)}. They are kept; painted values are quantised to 65,536 steps of that range.`);
  }
}

// Asks what the map is for; a file named like a parameter preselects it.
const askForTarget = (/** @type {string} */ stem) => /** @type {Promise<{ target: string, name: string } | null>} */ (promptDialog('Import map', [
  { name: 'target', label: 'Drives', value: Object.keys(MAP_TARGETS).find((target) => stem.toLowerCase().endsWith(target)) ?? NO_TARGET, choices: [...Object.keys(MAP_TARGETS), NO_TARGET] },
  { name: 'name', label: 'Name', value: uniqueName(stem), validate: validateName() },
], 'Import'));

export function openImportDialog() {
  const input = element('input', { type: 'file', accept: '.png,.exr,.tif,.tiff', multiple: true });
  input.addEventListener('change', () => tryOrToast(() => importFiles([...input.files ?? []], askForTarget)));
  input.click();
}

/** One file, or one per UDIM tile. @param {string} format */
export async function exportMap(format) {
  const info = state.layers[state.layer];
  const entry = selectedMap();
  if (!info || !entry) return;
  if (format !== 'exr' && (info.low < 0 || info.high > 1)) {
    toast(`${format.toUpperCase()} files hold values from 0 to 1; others are clipped. Use EXR to keep them.`, { bad: true });
  }
  for (const udim of info.udims.length ? info.udims : [undefined]) await download('/api/layers', { layer: state.layer, format, udim, name: entry.anonymous ? undefined : entry.name });
}

/** @typedef {import('../state/store.js').GroomMap} GroomMap */

/** @param {GroomMap} entry */
export async function renameMap(entry) {
  const answer = await promptDialog('Rename map', [{ name: 'name', label: 'Name', value: entry.name, validate: validateName(entry.name) }], 'Rename');
  if (answer && answer.name !== entry.name) {
    const groom = `/grooms/${state.groom}`;
    const references = usesOfMap(entry.name);
    await edit([
      { path: `${groom}/maps/${entry.index}/name`, value: answer.name },
      ...references.map(({ path, key }) => ({ path: `${path}/${key}`, value: answer.name })),
    ]);
  }
}

/** The edit that makes a bound parameter constant: its value where the map is 1. @param {import('../state/map_uses.js').MapUse} use */
const unbound = ({ path, value }) => (path.endsWith('/region') ? { path } : { path, value: value.range?.[1] ?? 1 }); // region ids have no constant value

/** @param {import('../state/map_uses.js').MapUse} use */
export const disconnectMap = (use) => edit([use.key === 'base' ? { path: `${use.path}/base` } : unbound(use)]);

/** Parameters bound to the map fall back to the map it multiplied; without one they become constants, the value at 1. @param {GroomMap} entry */
export async function removeMap(entry) {
  const groom = `/grooms/${state.groom}`;
  const below = state.scene.grooms[state.groom].maps[entry.index].base;
  const references = usesOfMap(entry.name);
  await edit([
    ...references.map((use) => (below || use.key === 'base' ? { path: `${use.path}/${use.key}`, value: below } : unbound(use))),
    { path: `${groom}/maps/${entry.index}` },
  ]);
  toast(`Map ${entry.name} deleted.`, { label: 'Undo', action: undo });
}

export const duplicateMap = (/** @type {GroomMap} */ entry) => createMap(uniqueName(`${entry.name}_copy`), { copy: entry.layer });

/** @param {any} info @param {GroomMap} entry */
export function describe({ width, height, udims, low, high }, { channel, invert }) {
  const range = low < 0 || high > 1 ? `${shortNumber(low)} to ${shortNumber(high)}` : '';
  return [`${width} × ${height}${udims.length > 1 ? ` × ${udims.length} tiles` : ''}`, range, channel, invert ? 'inverted' : ''].filter(Boolean).join(', ');
}
