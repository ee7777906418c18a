// The settings of the brush in the Paint tab.

import { brush } from '../paint/brush.js';
import { paintTarget } from '../paint/painter.js';
import { scaleOfMap } from '../state/map_uses.js';
import { regionNames, regionOfTexel, texelOfRegion } from '../state/regions.js';
import { emit, groomMaps, on, selectedMap, state } from '../state/store.js';
import { element, tryOrToast } from '../ui/dom.js';
import { numberSlider } from './number_slider.js';

// Tools to which a setting applies; every setting of brushes applies to tools that dab.
const [DABS, FEATHERED] = [['set', 'add', 'subtract', 'smooth', 'smear', 'erase'], ['lasso', 'gradient']];

/** A slider over the range of the selected map, in the unit of what it drives. @param {string} label @param {string} help @param {() => number} read @param {(value: number) => void} write */
function valueSlider(label, help, read, write) {
  let scale = scaleOfMap(undefined);
  const slider = numberSlider(label, help, { low: 0, high: 1, step: 0.01 }, () => scale.show(read()), (shown) => write(scale.read(shown)));
  const update = () => {
    const { low, high } = paintTarget.map ?? { low: 0, high: 1 };
    scale = scaleOfMap(selectedMap());
    const ends = [scale.show(low), scale.show(high)].sort((a, b) => a - b);
    write(Math.min(high, Math.max(low, read())));
    slider.setLimits({ low: ends[0], high: ends[1], step: ends[0] === 0 && ends[1] === 1 ? 0.01 : 'any', label: scale.unit ? `${label}, ${scale.unit}` : label });
  };
  on('mapChanged', update);
  on('mapChanged', () => emit('brushChanged'));
  return slider.row;
}

export function radiusSlider() {
  const slider = numberSlider('Radius, mm', 'Radius of the brush on the surface. [ and ] change it; Ctrl-drag with the right button changes radius and strength.',
    { low: 0.5, high: 100, step: 0.5 }, () => 1000 * brush.radius, (x) => Object.assign(brush, { radius: x / 1000, userSized: true }));
  on('surfaceLoaded', () => {
    slider.setLimits({ low: 0.5, high: Math.round(1000 * brush.maxRadius), step: 0.5 });
    emit('brushChanged');
  });
  return slider.row;
}

/** Shows a row only where it applies. @param {HTMLElement} row @param {{ tools?: string[], regions?: boolean }} where */
function shownFor(row, { tools, regions = true }) {
  const update = () => { row.hidden = (!regions && paintTarget.isRegionMap) || (tools !== undefined && !tools.includes(brush.tool)); };
  for (const event of ['mapChanged', 'toolChanged']) on(event, update);
  return row;
}

/** @param {string} label @param {string} help @param {() => boolean} read @param {(value: boolean) => void} write */
export function checkbox(label, help, read, write) {
  const box = element('input', { type: 'checkbox', checked: read(), onchange: () => { write(box.checked); emit('brushChanged'); } });
  on('brushChanged', () => { box.checked = read(); });
  return element('label', { title: help, className: 'check' }, box, label);
}

// Mirror, and the plane at which it mirrors.
export function createMirrorControls() {
  const axis = element('select', { 'aria-label': 'Mirror axis', title: 'The axis at which the brush mirrors; x mirrors left and right.', onchange: () => { brush.axis = Number(axis.value); emit('brushChanged'); } },
    ...['x', 'y', 'z'].map((name, value) => element('option', { value }, name)));
  const update = () => {
    axis.value = String(brush.axis);
    axis.disabled = !brush.symmetric;
  };
  on('brushChanged', update);
  update();
  return element('span', { className: 'mirror' }, checkbox('Mirror', 'Paints both sides of the head.', () => brush.symmetric, (x) => { brush.symmetric = x; }), axis);
}

// The mask: only texels of one region are painted; a region by name, or a number in any other map.
/** @param {(layer: number) => Promise<import('../paint/paint_map.js').PaintMap>} loadMaskMap @param {string} [prefix] of labels */
export function createMaskRow(loadMaskMap, prefix = '') {
  const mapSelect = element('select', { 'aria-label': `${prefix}Mask map` });
  const regionSelect = element('select', { 'aria-label': `${prefix}Region`, hidden: true });
  const regionNumber = element('input', { type: 'number', min: 0, max: 255, value: 1, 'aria-label': `${prefix}Region number`, hidden: true });
  const setMask = () => tryOrToast(async () => {
    if (regionNumber.value === '') regionNumber.value = '1'; // no number
    const layer = Number(mapSelect.value);
    const id = Number(regionSelect.hidden ? regionNumber.value : regionSelect.value);
    brush.mask = layer < 0 ? null : { map: await loadMaskMap(layer), texel: texelOfRegion(id) };
    emit('brushChanged');
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
    mapSelect.replaceChildren(element('option', { value: -1 }, 'No mask'),
      ...groomMaps().filter((entry) => entry.layer >= 0).map((entry) => element('option', { value: entry.layer, selected: String(entry.layer) === before }, `Mask: ${entry.name}`)));
    refresh();
    if (brush.mask && mapSelect.value !== before) setMask(); // its map is gone
  });
  // The same mask may be chosen elsewhere.
  on('brushChanged', () => {
    const { map, texel } = brush.mask ?? { map: { id: -1 }, texel: 0 };
    const region = String(regionOfTexel(texel));
    if (mapSelect.value === String(map.id) && (map.id < 0 || (regionSelect.hidden ? regionNumber : regionSelect).value === region)) return;
    mapSelect.value = String(map.id);
    refresh();
    if (map.id >= 0) (regionSelect.hidden ? regionNumber : regionSelect).value = region;
  });
  return element('div', { className: 'row mask', title: 'Paint only where a region map holds this id.' }, element('label', {}, 'Mask'), mapSelect, regionSelect, regionNumber);
}

/** @param {(layer: number) => Promise<import('../paint/paint_map.js').PaintMap>} loadMaskMap */
export function createBrushSettings(loadMaskMap) {
  const slider = (/** @type {string} */ label, /** @type {string} */ help, /** @type {number[]} */ [low, high, step], /** @type {() => number} */ read, /** @type {(x: number) => void} */ write) =>
    numberSlider(label, help, { low, high, step }, read, write).row;
  return element('div', {},
    element('h2', {}, 'Brush'),
    shownFor(radiusSlider(), { tools: DABS }),
    shownFor(slider('Strength', 'How much of the value one stroke, lasso or gradient applies.', [0, 1, 0.01], () => brush.strength, (x) => { brush.strength = x; }), { regions: false }),
    shownFor(slider('Hardness', 'How far full strength reaches from the centre.', [0, 0.99, 0.01], () => brush.hardness, (x) => { brush.hardness = x; }), { regions: false, tools: DABS }),
    shownFor(slider('Feather, px', 'Width of the soft edge of a lasso, in pixels of the view. Above 0 a gradient eases in and out.', [0, 100, 1], () => brush.feather, (x) => { brush.feather = x; }), { regions: false, tools: FEATHERED }),
    shownFor(valueSlider('Value', 'What Paint, Fill and Lasso paint. X swaps it with the second value; hold I and click to pick it.', () => brush.value, (x) => { brush.value = x; }), { regions: false }),
    shownFor(valueSlider('Second value', 'The value after X, of the eraser end of a pen, and at the end of a gradient.', () => brush.secondaryValue, (x) => { brush.secondaryValue = x; }), { regions: false }),
    shownFor(slider('Spacing', 'Distance between dabs, in radii.', [0.02, 1, 0.01], () => brush.spacing, (x) => { brush.spacing = x; }), { tools: DABS }),
    shownFor(slider('Stabilizer, px', 'Length of the string by which the pointer pulls the brush: longer draws calmer lines.', [0, 100, 1], () => brush.stabilizer, (x) => { brush.stabilizer = x; }), { tools: DABS }),
    element('div', { className: 'buttons' },
      createMirrorControls(),
      checkbox('Strength by pressure', 'Pen pressure scales the strength.', () => brush.pressure, (x) => { brush.pressure = x; }),
      checkbox('Size by pressure', 'Pen pressure scales the radius.', () => brush.sizePressure, (x) => { brush.sizePressure = x; }),
      checkbox('Paint with touch', 'One finger paints; two fingers, or one on the background, navigate.', () => brush.paintWithTouch, (x) => { brush.paintWithTouch = x; })),
    createMaskRow(loadMaskMap));
}
