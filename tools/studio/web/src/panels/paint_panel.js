// The Paint tab: maps of the groom, brush settings, display mode.

import { download, post, put } from '../net/api.js';
import { brush } from '../paint/brush.js';
import { checkCanPaint, paintTarget } from '../paint/painter.js';
import { initialValue, MAP_TARGETS } from '../state/map_targets.js';
import { regionNames, texelOfRegion } from '../state/regions.js';
import { edit, emit, groomMaps, on, selectedMap, selectGroom, selectMap, setState, state } from '../state/store.js';
import { button, element, keepFocus, promptDialog, toast, tryOrToast } from '../ui/dom.js';
import { GREYSCALE, HEAT_MAP, SHADED } from '../view/map_texture.js';
import { createRegionsPanel } from './regions_panel.js';

const NO_TARGET = 'nothing yet';
const RESOLUTIONS = [256, 512, 1024, 2048, 4096, 8192];

const shortNumber = (/** @type {number} */ value) => Number(value.toPrecision(4));

/**
 * @param {string} label
 * @param {string} title
 * @param {number} low
 * @param {number} high
 * @param {number} step
 * @param {() => number} read
 * @param {(value: number) => void} write
 */
function slider(label, title, low, high, step, read, write) {
  const range = element('input', { type: 'range', min: low, max: high, step, 'aria-label': label });
  const number = element('input', { type: 'number', min: low, max: high, step, 'aria-label': `${label}, number` });
  const refresh = () => { range.value = String(read()); number.value = String(shortNumber(read())); };
  const apply = (/** @type {HTMLInputElement} */ input) => {
    write(Math.min(Number(input.max), Math.max(Number(input.min), Number(input.value))));
    refresh();
  };
  range.addEventListener('input', () => apply(range));
  number.addEventListener('change', () => apply(number));
  on('brushChanged', refresh);
  refresh();
  return element('div', { className: 'row', title }, element('label', {}, label), range, number);
}

/** A slider over the range of the selected map. @param {string} label @param {string} title @param {() => number} read @param {(value: number) => void} write */
function valueSlider(label, title, read, write) {
  const row = slider(label, title, 0, 1, 0.01, read, write);
  on('mapChanged', () => {
    const { low, high } = paintTarget.map ?? { low: 0, high: 1 };
    for (const input of row.querySelectorAll('input')) Object.assign(input, { min: low, max: high, step: low === 0 && high === 1 ? 0.01 : 'any' });
    write(Math.min(high, Math.max(low, read())));
    emit('brushChanged');
  });
  return row;
}

function radiusSlider() {
  const row = slider('Radius, mm', 'Brush radius on the surface ([ and ])', 0.5, 100, 0.5, () => 1000 * brush.radius, (x) => Object.assign(brush, { radius: x / 1000, userSized: true }));
  on('surfaceLoaded', () => {
    row.querySelectorAll('input').forEach((input) => { input.max = String(Math.round(1000 * brush.maxRadius)); });
    emit('brushChanged');
  });
  return row;
}

/** Rows that do not apply to region maps. @param {HTMLElement} row */
const hiddenForRegions = (row) => {
  on('mapChanged', () => { row.hidden = paintTarget.isRegionMap; });
  return row;
};

/** @param {string} label @param {string} title @param {() => boolean} read @param {(value: boolean) => void} write */
const checkbox = (label, title, read, write) => {
  const box = element('input', { type: 'checkbox', checked: read(), onchange: () => write(box.checked) });
  return element('label', { title, className: 'check' }, box, label);
};

const uniqueName = (/** @type {string} */ stem, separator = '') => {
  const names = new Set(groomMaps().map((entry) => entry.name));
  let name = stem;
  for (let i = 2; names.has(name); ++i) name = `${stem}${separator}${i}`;
  return name;
};

// Validation of map names. A new map is also named after its file, which restricts it further.
const validateName = (/** @type {string | undefined} */ current) => (/** @type {string} */ text) => {
  const name = text.trim();
  if (name === '') return 'The name must not be empty.';
  if (current === undefined && !/^\w[\w-]{0,59}$/.test(name)) return 'Use up to 60 letters, digits, _ and -: the name is also a file name.';
  // eslint-disable-next-line no-control-regex
  if (/^\.|[/\\:<>\x00-\x1f]/.test(name)) return 'The name must not contain / \\ : < > or begin with a dot.';
  return name !== current && groomMaps().some((entry) => entry.name === name) ? `A map named ${name} already exists.` : '';
};

async function newMap() {
  if (!paintTarget.surface.uvs) {
    checkCanPaint();
    return;
  }
  const names = new Set(groomMaps().map((entry) => entry.name));
  const target = Object.keys(MAP_TARGETS).find((each) => !names.has(each)) ?? NO_TARGET;
  const nameFor = (/** @type {string} */ value) => uniqueName(MAP_TARGETS[value] ? value : 'map');
  const answer = await promptDialog('New map', [
    { name: 'target', label: 'Drives', value: target, choices: [...Object.keys(MAP_TARGETS), NO_TARGET], changed: (value, inputs) => {
      inputs.name.value = nameFor(value);
      inputs.value.value = initialValue(value);
    } },
    { name: 'name', label: 'Name', value: nameFor(target), validate: validateName(undefined) },
    { name: 'side', label: 'Resolution', value: 1024, choices: RESOLUTIONS },
    { name: 'value', label: 'Initial value', value: initialValue(target), type: 'number', validate: (value) => (Number(value) >= 0 && Number(value) <= 1 ? '' : 'The value must be between 0 and 1.') },
  ], 'Create');
  if (answer) await createMap(answer.name, { side: answer.side, value: Math.round(65535 * Math.min(1, Math.max(0, Number(answer.value)))) }, answer.target);
}

/** Creates a map, connects it to its target and selects it. @param {string} name @param {import('../net/api.js').Query} query @param {string} [target] */
export async function createMap(name, query, target) {
  setState(await post('/api/layers', { groom: state.groom, name, ...query }));
  await connectMap(name, target);
}

/** @param {string} name @param {string} [target] */
async function connectMap(name, target = NO_TARGET) {
  const edits = MAP_TARGETS[target]?.(name) ?? [];
  if (edits.length) {
    await edit(edits);
    if (edits.some(({ path }) => path.endsWith('/modifiers/-'))) toast(`Added a ${edits[0].value.plugin} modifier; its parameters are in the Scene tab.`);
  }
  selectMap(groomMaps().findIndex((entry) => entry.name === name));
}

// skin.1002.png is UDIM tile 1002 of skin.
const UDIM = /[._](1\d{3})\.[^.]*$/;

/** Imports one image, or all UDIM tiles of a map. @param {File[]} files */
export async function importFiles(files) {
  const tiles = files.map((file) => /** @type {[number, File]} */ ([Number(UDIM.exec(file.name)?.[1] ?? 0), file])).sort(([a], [b]) => a - b);
  const isUdim = tiles.every(([number]) => number > 0);
  if (files.length > 1 && !isUdim) {
    toast('Several files are only imported together as UDIM tiles, such as skin.1001.png and skin.1002.png. Import other files one by one.', { bad: true });
    return;
  }
  const [[, first]] = tiles;
  const stem = first.name.replace(isUdim ? UDIM : /\.[^.]*$/, '').replace(/[^A-Za-z0-9_-]/g, '_');
  const name = uniqueName(stem);
  /** @type {import('../net/api.js').Query} */ const query = { groom: state.groom, name, file: first.name };
  if (isUdim) Object.assign(query, { udims: tiles.map(([number]) => number).join(), sizes: tiles.map(([, file]) => file.size).join() });
  setState(await put('/api/layers', query, isUdim ? new Blob(tiles.map(([, file]) => file)) : first));
  await connectMap(name, stem);
  const info = state.layers[state.layer];
  if (info && (info.low < 0 || info.high > 1)) {
    toast(`The map has values from ${shortNumber(info.low)} to ${shortNumber(info.high)}. They are kept; painted values are quantised to 65,536 steps of that range.`);
  }
}

function openImportDialog() {
  const input = element('input', { type: 'file', accept: '.png,.exr,.tif,.tiff', multiple: true });
  input.addEventListener('change', () => tryOrToast(() => importFiles([...input.files ?? []])));
  input.click();
}

/** One file, or one per UDIM tile. @param {string} format */
async function exportMap(format) {
  const info = state.layers[state.layer];
  if (!info) return;
  if (format !== 'exr' && (info.low < 0 || info.high > 1)) {
    toast(`${format.toUpperCase()} files hold values from 0 to 1; others are clipped. Use EXR to keep them.`, { bad: true });
  }
  for (const udim of info.udims.length ? info.udims : [undefined]) await download('/api/layers', { layer: state.layer, format, udim });
}

// All references to a map below a scene value: parameters bound to it ("map") and maps blended with it ("base").
/** @param {any} value @param {string} path @param {string} name @param {{ path: string, value: any, key: string }[]} found */
function referencesTo(value, path, name, found = []) {
  if (value && typeof value === 'object') {
    for (const key of ['map', 'base']) {
      if (value[key] === name) found.push({ path, value, key });
    }
    for (const [key, child] of Object.entries(value)) referencesTo(child, `${path}/${key}`, name, found);
  }
  return found;
}

/** @typedef {import('../state/store.js').GroomMap} GroomMap */

/** @param {GroomMap} entry */
async function renameMap(entry) {
  const answer = await promptDialog('Rename map', [{ name: 'name', label: 'Name', value: entry.name, validate: validateName(entry.name) }], 'Rename');
  if (answer && answer.name !== entry.name) {
    const groom = `/grooms/${state.groom}`;
    const references = referencesTo(state.scene.grooms[state.groom], groom, entry.name);
    await edit([
      { path: `${groom}/maps/${entry.index}/name`, value: answer.name },
      ...references.map(({ path, key }) => ({ path: `${path}/${key}`, value: answer.name })),
    ]);
  }
}

/** Parameters bound to the map fall back to the map it multiplied; without one they become constants, the value at 1. @param {GroomMap} entry */
async function removeMap(entry) {
  const groom = `/grooms/${state.groom}`;
  const below = state.scene.grooms[state.groom].maps[entry.index].base;
  const references = referencesTo(state.scene.grooms[state.groom], groom, entry.name);
  await edit([
    ...references.map(({ path, value, key }) => {
      if (below || key === 'base') return { path: `${path}/${key}`, value: below };
      if (path === `${groom}/region`) return { path }; // region ids have no constant value
      return { path, value: value.range?.[1] ?? 1 };
    }),
    { path: `${groom}/maps/${entry.index}` },
  ]);
  toast(`Removed ${entry.name} from the scene. Undo with Ctrl-Z.`);
}

const duplicateMap = (/** @type {GroomMap} */ entry) => createMap(uniqueName(`${entry.name}_copy`), { copy: entry.layer });

/** @param {any} info @param {GroomMap} entry */
function describe({ width, height, udims, low, high }, { channel, invert }) {
  const range = low < 0 || high > 1 ? `${shortNumber(low)} to ${shortNumber(high)}` : '';
  return [`${width} × ${height}${udims.length > 1 ? ` × ${udims.length} tiles` : ''}`, range, channel, invert ? 'inverted' : ''].filter(Boolean).join(', ');
}

// The mask: only texels of one region are painted; a region by name, or a number in any other map.
/** @param {(layer: number) => Promise<import('../paint/paint_map.js').PaintMap>} loadMaskMap */
function createMaskRow(loadMaskMap) {
  const mapSelect = element('select', { 'aria-label': 'Mask map' });
  const regionSelect = element('select', { 'aria-label': 'Region', hidden: true });
  const regionNumber = element('input', { type: 'number', min: 0, max: 255, value: 1, 'aria-label': 'Region number', hidden: true });
  const setMask = () => tryOrToast(async () => {
    const layer = Number(mapSelect.value);
    const id = Number(regionSelect.hidden ? regionNumber.value : regionSelect.value);
    brush.mask = layer < 0 ? null : { map: await loadMaskMap(layer), texel: texelOfRegion(id) };
  });
  const refresh = () => {
    const entry = groomMaps().find((each) => String(each.layer) === mapSelect.value);
    const names = entry?.region ? regionNames(state.scene.grooms[state.groom].maps[entry.index].comment) : new Map();
    const before = regionSelect.value;
    regionSelect.replaceChildren(...[[0, 'none'], ...names].map(([id, name]) => element('option', { value: id, selected: String(id) === before }, `${id} ${name}`)));
    regionSelect.hidden = names.size === 0;
    regionNumber.hidden = names.size > 0 || mapSelect.value === '-1' || mapSelect.value === '';
  };
  mapSelect.addEventListener('change', () => { refresh(); setMask(); });
  regionSelect.addEventListener('change', setMask);
  regionNumber.addEventListener('change', setMask);
  on('stateChanged', () => {
    const before = mapSelect.value;
    mapSelect.replaceChildren(element('option', { value: -1 }, 'no mask'),
      ...groomMaps().filter((entry) => entry.layer >= 0).map((entry) => element('option', { value: entry.layer, selected: String(entry.layer) === before }, `region in ${entry.name}`)));
    refresh();
    if (brush.mask) setMask();
  });
  return element('div', { className: 'row mask', title: 'Paint only where a region map holds this id' }, element('label', {}, 'Mask'), mapSelect, regionSelect, regionNumber);
}

/**
 * @param {object} parts
 * @param {(mode: number) => void} parts.setDisplayMode
 * @param {{ mode: number, roots: boolean }} parts.display
 * @param {(visible: boolean) => void} parts.setRootsVisible
 * @param {(layer: number) => Promise<import('../paint/paint_map.js').PaintMap>} parts.loadMaskMap
 * @param {() => Promise<void>} parts.bakeRootMap
 */
export function createPaintPanel({ setDisplayMode, display, setRootsVisible, loadMaskMap, bakeRootMap }) {
  const panel = element('div');
  const groom = element('select', { 'aria-label': 'Groom', onchange: () => selectGroom(Number(groom.value)) });
  const list = element('ul', { className: 'maps', role: 'listbox', 'aria-label': 'Maps' });
  // A button that acts on the selected map, disabled without one. The map of a texture has no name in the scene.
  const mapButton = (/** @type {string} */ text, /** @type {string} */ title, /** @type {(entry: GroomMap) => Promise<any>} */ action, needsName = false) => {
    const made = button(text, title, () => {
      const entry = selectedMap();
      if (entry) tryOrToast(() => action(entry));
    });
    for (const event of ['stateChanged', 'mapSelected', 'groomSelected']) on(event, () => { made.disabled = !selectedMap() || (needsName && Boolean(selectedMap()?.anonymous)); });
    return made;
  };
  const actions = element('div', { className: 'buttons' },
    button('+ New', 'Create a map', () => tryOrToast(newMap), { id: 'new-map', className: 'primary' }),
    mapButton('Duplicate', 'Copy the selected map', duplicateMap),
    mapButton('Rename', 'Rename the selected map', renameMap, true),
    mapButton('Delete', 'Remove the selected map from the scene', removeMap, true),
    button('Import', 'Import a PNG, EXR or TIFF file', openImportDialog),
    button('Bake roots', 'Create a map that is white where roots grow now', () => tryOrToast(bakeRootMap)));
  const exports = element('div', { className: 'buttons' }, ...['png', 'exr', 'tif'].map((format) =>
    mapButton(`Export ${format.toUpperCase()}`, `Download the selected map as ${format.toUpperCase()}`, () => exportMap(format))));

  const refresh = () => {
    groom.replaceChildren(...state.grooms.map((/** @type {any} */ g, /** @type {number} */ i) => element('option', { value: i, selected: i === state.groom }, g.name)));
    const entries = groomMaps();
    keepFocus(list, () => list.replaceChildren(...entries.map((entry) => {
      const info = state.layers[entry.layer];
      const select = () => info && selectMap(entry.index);
      return element('li', {
        role: 'option', tabIndex: info ? 0 : -1, 'aria-selected': String(entry.index === state.map && info !== undefined),
        onclick: select, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); select(); } },
        title: info ? 'Paint this map' : entry.readOnlyReason ? `Read-only: ${entry.readOnlyReason}` : 'Procedural map: edit its parameters in the Scene tab',
      }, entry.name, element('span', { className: 'size' }, info ? describe(info, entry) : entry.readOnlyReason ? 'read-only' : entry.plugin));
    })));
    if (entries.length === 0) {
      list.append(element('li', { className: 'note' }, 'No maps yet. A density map controls where hair grows: white is full density, black is none.'));
    }
  };
  for (const event of ['stateChanged', 'mapSelected', 'groomSelected']) on(event, refresh);

  const rootsBox = checkbox('Roots', 'Show growing roots (H)', () => display.roots, setRootsVisible);
  on('rootsVisible', (visible) => { /** @type {HTMLInputElement} */ (rootsBox.querySelector('input')).checked = visible; });
  const modes = /** @type {[string, string, number][]} */ ([['Heat map', 'Show the map in false colours', HEAT_MAP], ['Greyscale', 'Show the map in grey', GREYSCALE], ['Shaded', 'Show the surface without a map', SHADED]])
    .map(([label, title, mode]) => button(label, title, (event) => {
      setDisplayMode(mode);
      modes.forEach((each) => each.setAttribute('aria-pressed', String(each === event.currentTarget)));
    }, { 'aria-pressed': String(mode === display.mode) }));

  panel.append(
    element('h2', {}, 'Groom'), groom,
    element('h2', {}, 'Maps'), list, actions, exports, createRegionsPanel(),
    element('h2', {}, 'Brush'),
    radiusSlider(),
    hiddenForRegions(slider('Strength', 'Opacity of one stroke', 0, 1, 0.01, () => brush.strength, (x) => { brush.strength = x; })),
    hiddenForRegions(slider('Hardness', 'Fraction of the radius with full strength', 0, 0.99, 0.01, () => brush.hardness, (x) => { brush.hardness = x; })),
    hiddenForRegions(valueSlider('Value', 'Value of Set, Fill and Lasso; X swaps it with the other value', () => brush.value, (x) => { brush.value = x; })),
    hiddenForRegions(valueSlider('Other value', 'Value after X, of a pen eraser, and at the end of a gradient', () => brush.secondaryValue, (x) => { brush.secondaryValue = x; })),
    slider('Spacing', 'Distance between dabs, in radii', 0.02, 1, 0.01, () => brush.spacing, (x) => { brush.spacing = x; }),
    element('div', { className: 'buttons' },
      checkbox('Mirror', 'Paint both sides of the head', () => brush.symmetric, (x) => { brush.symmetric = x; }),
      checkbox('Pressure', 'Scale the strength with pen pressure', () => brush.pressure, (x) => { brush.pressure = x; }),
      checkbox('Paint with touch', 'One finger paints; two fingers, or one on the background, navigate', () => brush.paintWithTouch, (x) => { brush.paintWithTouch = x; })),
    createMaskRow(loadMaskMap),
    element('h2', {}, 'Display'),
    element('div', { className: 'buttons' }, ...modes, rootsBox));
  return { id: 'paint', title: 'Paint', element: panel };
}
