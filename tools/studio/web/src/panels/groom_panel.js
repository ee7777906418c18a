// The Groom tab: settings of the hair tools, and the edits of the groom.

import { brush } from '../paint/brush.js';
import { edit, on, selectGroom, state } from '../state/store.js';
import { activeTool, selectTool, tools } from '../state/tools.js';
import { button, element, tryOrToast } from '../ui/dom.js';
import { checkbox, createMaskRow, createMirrorControls, radiusSlider } from './brush_settings.js';
import { numberSlider } from './number_slider.js';

const MOST_STRANDS = 100000;

/**
 * @param {object} parts
 * @param {import('../hair/brushed_strands.js').BrushedStrands} parts.brushed
 * @param {(layer: number) => Promise<import('../paint/paint_map.js').PaintMap>} parts.loadMaskMap
 * @param {{ rest: number }} parts.budgets displayed strands
 * @param {() => void} parts.showRest
 */
export function createGroomPanel({ brushed, loadMaskMap, budgets, showRest }) {
  const groom = element('select', { 'aria-label': 'Groom to brush', onchange: () => selectGroom(Number(groom.value)) });
  const help = element('p', { className: 'note' });
  const edits = element('output', {});
  const removeEdits = button('Remove edits', 'Takes all strokes of the hair tools off this groom. Undo brings them back.', () => tryOrToast(() => edit([{ path: `/grooms/${state.groom}/edits` }])));
  const strands = element('input', { type: 'number', min: 100, max: MOST_STRANDS, step: 'any', 'aria-label': 'Displayed strands', value: budgets.rest });
  strands.addEventListener('change', () => {
    if (Number.isFinite(strands.valueAsNumber)) budgets.rest = Math.min(MOST_STRANDS, Math.max(100, Math.round(strands.valueAsNumber)));
    strands.value = String(budgets.rest);
    showRest();
  });

  const refresh = () => {
    groom.replaceChildren(...state.grooms.map((/** @type {any} */ each, /** @type {number} */ i) => element('option', { value: i, selected: i === state.groom }, each.name)));
    const file = state.scene.grooms?.[state.groom]?.edits;
    edits.textContent = file ? `${file}${brushed.guideCount ? `, ${brushed.guideCount.toLocaleString('en')} guides` : ''}` : 'No strokes yet.';
    removeEdits.disabled = !file;
    strands.value = String(budgets.rest);
  };
  for (const event of ['stateChanged', 'groomSelected', 'hairChanged']) on(event, refresh);
  on('toolChanged', (tool) => { help.textContent = tool.group === 'hair' ? tool.help : 'Choose a tool on the left.'; });

  const slider = (/** @type {string} */ label, /** @type {string} */ text, /** @type {() => number} */ read, /** @type {(x: number) => void} */ write) =>
    numberSlider(label, text, { low: 0, high: label === 'Hardness' ? 0.99 : 1, step: 0.01 }, read, write).row;
  const panel = element('div', {},
    element('h2', {}, 'Groom'), groom, help,
    element('h2', {}, 'Brush'),
    radiusSlider(),
    slider('Strength', 'How far a tool moves hair; of Cut, how much of what is beyond the brush is cut off.', () => brush.strength, (x) => { brush.strength = x; }),
    slider('Hardness', 'How far full strength reaches from the centre.', () => brush.hardness, (x) => { brush.hardness = x; }),
    element('div', { className: 'buttons' }, createMirrorControls(),
      checkbox('Strength by pressure', 'Pen pressure scales the strength.', () => brush.pressure, (x) => { brush.pressure = x; }),
      checkbox('Paint with touch', 'One finger brushes; two fingers, or one on the background, navigate.', () => brush.paintWithTouch, (x) => { brush.paintWithTouch = x; })),
    createMaskRow(loadMaskMap, 'Groom: '),
    element('h2', {}, 'Edits'),
    element('p', { className: 'note' }, edits),
    element('div', { className: 'buttons' }, removeEdits),
    element('div', { className: 'row', title: 'Number of strands in the view. All strands of the groom follow the brushes when it is saved, simulated or rendered.' }, element('label', {}, 'Display strands'), strands));

  // The tab and the group of tools go together.
  let lastHairTool = 'comb', lastMapTool = 'set';
  on('toolChanged', (tool) => {
    if (tool.group === 'hair') lastHairTool = tool.id;
    if (tool.group === 'map') lastMapTool = tool.id;
    if (tool.group === 'hair' && !document.getElementById('panel-paint')?.hidden) document.getElementById('tab-groom')?.click();
    if (tool.group === 'map' && panel.id && !panel.hidden) document.getElementById('tab-paint')?.click();
  });
  on('tabChanged', (id) => {
    if (!tools.has(lastHairTool) || !document.getElementById('tools')?.childElementCount) return; // the page is being made
    if (id === 'groom' && activeTool().group !== 'hair') selectTool(lastHairTool);
    if (id === 'paint' && activeTool().group === 'hair') selectTool(lastMapTool);
  });
  return { id: 'groom', title: 'Groom', element: panel };
}
