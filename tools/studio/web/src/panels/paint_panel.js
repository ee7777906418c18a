// layers_pane: the painted maps of a groom, and the brush.

import { download, post, put } from '../net/api.js';
import { ask, attempt, button, element, keepFocus, toast } from '../ui/dom.js';
import { brush } from '../paint/brush.js';
import { canPaint, canvas } from '../paint/painter.js';
import { regionNames, wordOfRegion } from '../state/regions.js';
import { regionsPane } from './regions_panel.js';
import { firstValue, USES } from '../state/map_targets.js';
import { chooseGroom, chooseMap, chosenMap, edit, layersOfGroom, on, state, takeState, tell } from '../state/store.js';

function slider(label, title, low, high, step, read, write) {
  const range = element('input', { type: 'range', min: low, max: high, step, 'aria-label': label });
  const number = element('input', { type: 'number', min: low, max: high, step, 'aria-label': `${label}, number` });
  const refresh = () => { range.value = read(); number.value = short(read()); };
  const take = (input) => {
    write(Math.min(Number(input.max), Math.max(Number(input.min), Number(input.value))));
    refresh();
  };
  range.addEventListener('input', () => take(range));
  number.addEventListener('change', () => take(number));
  on('brush', refresh);
  refresh();
  return element('div', { className: 'row', title }, element('label', {}, label), range, number);
}

// A slider over what the chosen layer can hold.
function valueSlider(label, title, read, write) {
  const row = slider(label, title, 0, 1, 0.01, read, write);
  on('shown', () => {
    const { low, high } = canvas.layer ?? { low: 0, high: 1 };
    for (const input of row.querySelectorAll('input')) {
      Object.assign(input, { min: low, max: high, step: low === 0 && high === 1 ? 0.01 : 'any' });
    }
    write(Math.min(high, Math.max(low, read())));
    tell('brush');
  });
  return row;
}

// As wide as the ground allows.
function radiusSlider() {
  const row = slider('Radius, mm', 'on the surface; [ and ]', 0.5, 100, 0.5, () => 1000 * brush.radius, (x) => Object.assign(brush, { radius: x / 1000, chosen: true }));
  on('surface', () => {
    row.querySelectorAll('input').forEach((input) => { input.max = Math.round(1000 * brush.most); });
    tell('brush');
  });
  return row;
}

const short = (value) => Number(value.toPrecision(4));

// What makes no sense on a map of regions is left out there.
const shades = (row) => {
  on('shown', () => { row.hidden = canvas.numbers; });
  return row;
};

const check = (label, title, read, write) => {
  const box = element('input', { type: 'checkbox', checked: read(), onchange: () => write(box.checked) });
  return element('label', { title, className: 'check' }, box, label);
};

const freeName = (wanted) => {
  const names = new Set(layersOfGroom().map((entry) => entry.name));
  let name = wanted;
  for (let i = 2; names.has(name); ++i) name = `${wanted}${i}`;
  return name;
};

// What is wrong with a name; a new layer's is that of a file too.
const checkName = (own) => (name) => {
  const word = name.trim();
  if (word === '') return 'A layer needs a name.';
  if (own === undefined && !/^\w[\w-]{0,59}$/.test(word)) return 'Up to 60 letters, digits, _ and -, please: it is the name of a file too.';
  if (/^\.|[/\\:<>\x00-\x1f]/.test(word)) return 'A name has no / \\ : < > in it and does not begin with a dot.';
  return word !== own && layersOfGroom().some((entry) => entry.name === word) ? `There is a layer ${word} already.` : '';
};

async function newLayer() {
  if (!canvas.surface.uvs) {
    canPaint();
    return;
  }
  const names = new Set(layersOfGroom().map((entry) => entry.name));
  const use = Object.keys(USES).find((each) => !names.has(each)) ?? 'nothing yet';
  const answer = await ask('New layer', [
    { name: 'use', label: 'For', value: use, choices: [...Object.keys(USES), 'nothing yet'], changed: (value, inputs) => {
      inputs.name.value = freeName(USES[value] ? value : 'layer');
      inputs.value.value = firstValue(value);
    } },
    { name: 'name', label: 'Name', value: freeName(USES[use] ? use : 'layer'), check: checkName() },
    { name: 'side', label: 'Resolution', value: 1024, choices: [256, 512, 1024, 2048, 4096, 8192] },
    { name: 'value', label: 'Begin with', value: firstValue(use), type: 'number', check: (value) => (Number(value) >= 0 && Number(value) <= 1 ? '' : 'From 0 to 1, please.') },
  ], 'Make');
  if (answer) {
    await makeLayer(answer.name, { side: answer.side, value: Math.round(65535 * Math.min(1, Math.max(0, Number(answer.value)))) }, answer.use);
  }
}

// Makes the layer, puts it to use and chooses it.
export async function makeLayer(name, query, use) {
  takeState(await post('/api/layers', { groom: state.groom, name, ...query }));
  await useLayer(name, use);
}

async function useLayer(name, use) {
  const edits = USES[use]?.(name) ?? [];
  if (edits.length) {
    await edit(edits);
    if (edits.some(({ place }) => place.endsWith('/modifiers/-'))) {
      toast(`A modifier ${edits[0].value.plugin} was added for it; its settings are under Scene.`);
    }
  }
  chooseMap(layersOfGroom().findIndex((l) => l.name === name));
}

// skin.1002.png is the tile 1002 of skin.
const UDIM = /[._](1\d{3})\.[^.]*$/;

// One file, or all tiles of a map.
export async function importFiles(files) {
  const tiles = files.map((file) => [Number(UDIM.exec(file.name)?.[1] ?? 0), file]).sort(([a], [b]) => a - b);
  const tiled = tiles.every(([number]) => number > 0);
  if (files.length > 1 && !tiled) {
    toast('Several files are one map only when they are tiles with their numbers in their names, as skin.1001.png, skin.1002.png. Import others one by one.', { bad: true });
    return;
  }
  const [[, first]] = tiles;
  const stem = first.name.replace(tiled ? UDIM : /\.[^.]*$/, '').replace(/[^A-Za-z0-9_-]/g, '_');
  const name = freeName(stem);
  const query = { groom: state.groom, name, file: first.name };
  if (tiled) {
    Object.assign(query, { squares: tiles.map(([number]) => number).join(), sizes: tiles.map(([, file]) => file.size).join() });
  }
  takeState(await put('/api/layers', query, tiled ? new Blob(tiles.map(([, file]) => file)) : first));
  await useLayer(name, stem);
  const info = state.layers[state.layer];
  if (info && (info.low < 0 || info.high > 1)) {
    toast(`Its values go from ${short(info.low)} to ${short(info.high)} and are kept. What you paint is in that range too, in 65,536 steps.`);
  }
}

function importLayer() {
  const input = element('input', { type: 'file', accept: '.png,.exr,.tif,.tiff', multiple: true });
  input.addEventListener('change', () => attempt(() => importFiles([...input.files])));
  input.click();
}

// As files: one, or one for each tile.
async function exportLayer(format) {
  const info = state.layers[state.layer];
  if (!info) return;
  if (format !== 'exr' && (info.low < 0 || info.high > 1)) {
    toast(`${format.toUpperCase()} files hold 0 to 1: what lies beyond is cut off. EXR keeps it.`, { bad: true });
  }
  for (const square of info.squares.length ? info.squares : [undefined]) {
    await download('/api/layers', { layer: state.layer, format, square });
  }
}

// Every place of the scene below a value that names a map, with the object that does and its word for it:
// a parameter comes from a map, a map lies over another.
function usesOf(value, place, name, found = []) {
  if (value && typeof value === 'object') {
    for (const word of ['map', 'base']) {
      if (value[word] === name) found.push([place, value, word]);
    }
    for (const [key, child] of Object.entries(value)) usesOf(child, `${place}/${key}`, name, found);
  }
  return found;
}

async function renameLayer(entry) {
  const answer = await ask('Rename layer', [{ name: 'name', label: 'Name', value: entry.name, check: checkName(entry.name) }], 'Rename');
  if (answer && answer.name !== entry.name) {
    const groom = `/grooms/${state.groom}`;
    const uses = usesOf(state.scene.grooms[state.groom], groom, entry.name);
    await edit([
      { place: `${groom}/maps/${entry.index}/name`, value: answer.name },
      ...uses.map(([place, , word]) => ({ place: `${place}/${word}`, value: answer.name })),
    ]);
  }
}

// Values that came from the map come from the one it lay over, as before it was made; without one they
// become what the map meant at 1.
async function removeLayer(entry) {
  const groom = `/grooms/${state.groom}`;
  const below = state.scene.grooms[state.groom].maps[entry.index].over;
  const uses = usesOf(state.scene.grooms[state.groom], groom, entry.name);
  await edit([
    ...uses.map(([place, value, word]) => {
      if (below || word === 'base') return { place: `${place}/${word}`, value: below };
      // Numbers of regions mean nothing without their map.
      if (place === `${groom}/region`) return { place };
      return { place, value: value.range?.[1] ?? 1 };
    }),
    { place: `${groom}/maps/${entry.index}` },
  ]);
  toast(`${entry.name} is out of the scene. Ctrl-Z brings it back.`);
}

async function duplicateLayer(entry) {
  const names = new Set(layersOfGroom().map((l) => l.name));
  let name = `${entry.name}_copy`;
  for (let i = 2; names.has(name); ++i) name = `${entry.name}_copy${i}`;
  await makeLayer(name, { copy: entry.layer });
}

function sizeOf({ width, height, squares, low, high }, { channel, invert }) {
  const range = low < 0 || high > 1 ? `${short(low)} to ${short(high)}` : '';
  return [`${width} × ${height}${squares.length > 1 ? ` × ${squares.length} tiles` : ''}`, range, channel, invert ? 'inverted' : ''].filter(Boolean).join(', ');
}

export function layersPane({ setMode, view, showRootsToo, maskLayer, bakeRoots }) {
  const pane = element('div');
  const groom = element('select', { 'aria-label': 'Groom', onchange: () => chooseGroom(Number(groom.value)) });
  const list = element('ul', { className: 'layers', role: 'listbox', 'aria-label': 'Layers' });
  // Of the chosen layer: nothing to press where there is none.
  const ofLayer = (text, title, work) => {
    const made = button(text, title, () => chosenMap() && attempt(() => work(chosenMap())));
    for (const event of ['state', 'layer', 'groom']) on(event, () => { made.disabled = !chosenMap(); });
    return made;
  };
  const actions = element('div', { className: 'buttons' },
    button('+ New', 'New layer', () => attempt(newLayer), { id: 'new-layer', className: 'primary' }),
    ofLayer('Duplicate', 'Copy the chosen layer', duplicateLayer),
    ofLayer('Rename', 'Rename the chosen layer', renameLayer),
    ofLayer('Delete', 'Take the chosen layer out of the scene', removeLayer),
    button('Import', 'PNG, EXR or TIFF', importLayer),
    button('Bake roots', 'a new layer that is white where roots grow now', () => attempt(bakeRoots)));
  const exports = element('div', { className: 'buttons' }, ...['png', 'exr', 'tif'].map((format) =>
    ofLayer(`Export ${format.toUpperCase()}`, `Download the chosen layer as ${format}`, () => exportLayer(format))));

  const show = () => {
    groom.replaceChildren(...state.grooms.map((g, i) => element('option', { value: i, selected: i === state.groom }, g.name)));
    const entries = layersOfGroom();
    keepFocus(list, () => list.replaceChildren(...entries.map((entry) => {
      const info = state.layers[entry.layer];
      const choose = () => info && chooseMap(entry.index);
      return element('li', {
        role: 'option', tabIndex: info ? 0 : -1, 'aria-selected': String(entry.index === state.map && info !== undefined),
        onclick: choose, onkeydown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(); } },
        title: info ? 'Paint this map' : entry.refusal ? `Used, but not painted here: ${entry.refusal}` : 'A procedural map: set it under Scene',
      }, entry.name, element('span', { className: 'size' }, info ? sizeOf(info, entry) : entry.refusal ? 'not painted here' : entry.plugin));
    })));
    if (entries.length === 0) {
      list.append(element('li', { className: 'note' }, 'No maps yet. A density layer says where hair grows: white grows, black does not.'));
    }
  };
  on('state', show);
  on('layer', show);
  on('groom', show);

  // Mask: a region by its name, or a number in any other layer.
  const maskChoice = element('select', { 'aria-label': 'Mask layer' });
  const maskRegion = element('select', { 'aria-label': 'Region', hidden: true });
  const maskValue = element('input', { type: 'number', min: 0, max: 255, value: 1, 'aria-label': 'Region number', hidden: true });
  const setMask = () => attempt(async () => {
    const id = Number(maskChoice.value);
    const named = !maskRegion.hidden;
    brush.mask = id < 0 ? null : { layer: await maskLayer(id), value: wordOfRegion(Number(named ? maskRegion.value : maskValue.value)) };
  });
  const showMask = () => {
    const entry = layersOfGroom().find((each) => String(each.layer) === maskChoice.value);
    const names = entry?.region ? regionNames(state.scene.grooms[state.groom].maps[entry.index].comment) : new Map();
    const before = maskRegion.value;
    maskRegion.replaceChildren(...[[0, 'none'], ...names].map(([id, name]) => element('option', { value: id, selected: String(id) === before }, `${id} ${name}`)));
    maskRegion.hidden = names.size === 0;
    maskValue.hidden = names.size > 0 || maskChoice.value === '-1' || maskChoice.value === '';
  };
  maskChoice.addEventListener('change', () => { showMask(); setMask(); });
  maskRegion.addEventListener('change', setMask);
  maskValue.addEventListener('change', setMask);
  on('state', () => {
    const before = maskChoice.value;
    maskChoice.replaceChildren(element('option', { value: -1 }, 'no mask'),
      ...layersOfGroom().filter((l) => l.layer >= 0).map((l) => element('option', { value: l.layer, selected: String(l.layer) === before }, `region in ${l.name}`)));
    showMask();
    if (brush.mask) setMask();
  });

  const rootsBox = check('Roots', 'roots that grow (H)', () => view.roots, showRootsToo);
  on('rootsShown', (visible) => { rootsBox.querySelector('input').checked = visible; });
  const modes = [['Heat', 'layer as a heat map', 1], ['Grey', 'layer as grey', 2], ['Clay', 'no layer', 0]].map(([label, title, mode]) =>
    button(label, title, (event) => {
      setMode(mode);
      modes.forEach((each) => each.setAttribute('aria-pressed', String(each === event.currentTarget)));
    }, { 'aria-pressed': String(mode === view.mode) }));

  pane.append(
    element('h2', {}, 'Groom'), groom,
    element('h2', {}, 'Layers'), list, actions, exports, regionsPane(),
    element('h2', {}, 'Brush'),
    radiusSlider(),
    shades(slider('Strength', 'how much one stroke does', 0, 1, 0.01, () => brush.strength, (x) => { brush.strength = x; })),
    shades(slider('Hardness', 'share of the radius that is even', 0, 0.99, 0.01, () => brush.hardness, (x) => { brush.hardness = x; })),
    shades(valueSlider('Value', 'what Set and Fill put there; X swaps', () => brush.value, (x) => { brush.value = x; })),
    shades(valueSlider('Other value', 'what X swaps to, and the end of a gradient', () => brush.other, (x) => { brush.other = x; })),
    slider('Spacing', 'between dabs, in radii', 0.02, 1, 0.01, () => brush.spacing, (x) => { brush.spacing = x; }),
    element('div', { className: 'buttons' },
      check('Mirror', 'paint both sides of the head', () => brush.symmetric, (x) => { brush.symmetric = x; }),
      check('Pressure', 'a pen pressed harder paints more', () => brush.pressure, (x) => { brush.pressure = x; }),
      check('Finger', 'a finger on the head paints; two, or one beside it, turn the view', () => brush.touch, (x) => { brush.touch = x; })),
    element('div', { className: 'row mask', title: 'paint only where a region map holds this number' }, element('label', {}, 'Mask'), maskChoice, maskRegion, maskValue),
    element('h2', {}, 'Show'),
    element('div', { className: 'buttons' },
      ...modes,
      rootsBox));
  return { title: 'Paint', element: pane };
}
