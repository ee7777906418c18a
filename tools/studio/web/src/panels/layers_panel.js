// The layers of the selected map: order, visibility, opacity, blend mode, and which one is painted.

import { post } from '../net/api.js';
import { BLEND_MODES } from '../paint/map_stack.js';
import { nextStrokeId, paintTarget } from '../paint/painter.js';
import { undo } from '../state/history.js';
import { edit, on, selectedMap, selectLayer, setState, state } from '../state/store.js';
import { button, element, keepFocus, promptDialog, toast, tryOrToast } from '../ui/dom.js';
import { smallIconButton } from '../ui/icon_button.js';
import { drawThumbnail } from './thumbnail.js';

const layersPath = () => `/grooms/${state.groom}/maps/${state.map}/layers`;
/** @returns {any[]} */
const entries = () => state.scene.grooms?.[state.groom]?.maps?.[state.map]?.layers ?? [];
/** Of a layer, from the bottom. @param {number} index @param {string} key @param {any} value @param {string} [stroke] */
const setValue = (index, key, value, stroke) => edit([{ path: `${layersPath()}/${index}/${key}`, value }], stroke);

/** @param {string} stem */
function uniqueName(stem) {
  const names = new Set(entries().map((entry) => entry.name));
  let name = stem;
  for (let i = 2; names.has(name); ++i) name = `${stem} ${i}`;
  return name;
}

/** @param {string} [current] */
const validateName = (current) => (/** @type {string} */ text) => {
  const name = text.trim();
  if (name === '') return 'The name must not be empty.';
  if (name.length > 60) return 'Use at most 60 characters.';
  if (/^\.|[/\\:<>]/.test(name)) return 'The name must not contain / \\ : < > or begin with a dot.';
  return name !== current && entries().some((entry) => entry.name === name) ? `A layer named ${name} already exists.` : '';
};

/** Adds a layer on top of the selected map. @param {string} name @param {number} [copy] layer to start from */
export async function addLayer(name, copy) {
  setState(await post('/api/map_layers', { groom: state.groom, map: state.map, name, copy, stroke: nextStrokeId() }));
  selectLayer(entries().length - 1);
}

/** @param {number} from @param {number} to */
export async function moveLayer(from, to) {
  if (from === to || to < 0 || to >= entries().length) return;
  const next = [...entries()];
  next.splice(to, 0, ...next.splice(from, 1));
  await edit([{ path: layersPath(), value: next }]);
  selectLayer(to);
}

/** @param {number} index */
async function deleteLayer(index) {
  const { name } = entries()[index];
  await edit([entries().length === 1 ? { path: layersPath() } : { path: `${layersPath()}/${index}` }]);
  selectLayer(Math.max(0, index - 1));
  toast(`Layer ${name} deleted.`, { action: undo, label: 'Undo' });
}

async function flatten() {
  await edit([{ path: layersPath() }]);
  toast('Layers flattened into the map.', { action: undo, label: 'Undo' });
}

export function createLayersPanel() {
  const list = element('ul', { className: 'maps layers', role: 'listbox', 'aria-label': 'Layers' });
  const opacity = element('input', { type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': 'Layer opacity' });
  const blendMode = element('select', { 'aria-label': 'Layer blend mode', onchange: () => tryOrToast(() => setValue(paintTarget.layer, 'blend_mode', blendMode.value)) },
    ...BLEND_MODES.map((mode) => element('option', { value: mode }, mode)));
  const shownOpacity = element('output', {});
  let dragId = '';
  opacity.addEventListener('input', () => {
    dragId ||= nextStrokeId(); // one step of undo per drag
    shownOpacity.textContent = Number(opacity.value).toFixed(2);
    tryOrToast(() => setValue(paintTarget.layer, 'opacity', Number(opacity.value), dragId));
  });
  opacity.addEventListener('change', () => { dragId = ''; });

  const layerButton = (/** @type {string} */ text, /** @type {string} */ title, /** @type {(index: number) => any} */ action) => button(text, title, () => {
    if (paintTarget.layer >= 0) tryOrToast(() => action(paintTarget.layer));
  });
  const promptNew = (/** @type {number | undefined} */ copy = undefined) => tryOrToast(async () => {
    const name = uniqueName(copy === undefined ? 'layer' : entries()[copy].name);
    const answer = await promptDialog('New layer', [{ name: 'name', label: 'Name', value: name, validate: validateName() }], 'Create');
    if (answer) await addLayer(answer.name, copy);
  });
  const rename = async (/** @type {number} */ index) => {
    const { name } = entries()[index];
    const answer = await promptDialog('Rename layer', [{ name: 'name', label: 'Name', value: name, validate: validateName(name) }], 'Rename');
    if (answer && answer.name !== name) await setValue(index, 'name', answer.name);
  };
  const newLayer = button('+ Layer', 'Add a layer on top. Paint on it leaves the layers below as they are.', () => promptNew(), { id: 'new-layer' });
  const actions = [
    layerButton('Duplicate', 'Copy the selected layer', promptNew), layerButton('Rename', 'Rename the selected layer', rename),
    layerButton('Up', 'Move the selected layer up (Alt-Up)', (index) => moveLayer(index, index + 1)),
    layerButton('Down', 'Move the selected layer down (Alt-Down)', (index) => moveLayer(index, index - 1)),
    layerButton('Delete', 'Delete the selected layer', deleteLayer), layerButton('Flatten', 'Merge all layers into the map. The map keeps its values.', flatten)];
  const note = element('p', { className: 'note' }, 'One image. Add a layer to keep changes apart from it.');
  const settings = element('div', {},
    element('div', { className: 'row', title: 'Opacity of the selected layer' }, element('label', {}, 'Opacity'), opacity, shownOpacity),
    element('div', { className: 'row wide', title: 'How the selected layer combines with those below' }, element('label', {}, 'Blend mode'), blendMode));
  const panel = element('div', { hidden: true }, element('h2', {}, 'Layers'), list, note, settings, element('div', { className: 'buttons' }, newLayer, ...actions));

  /** @param {any} entry @param {number} index from the bottom */
  function createRow(entry, index) {
    const isVisible = entry.visible ?? true;
    const eye = smallIconButton(isVisible ? 'eye' : 'eye-off', { name: isVisible ? `Hide ${entry.name}` : `Show ${entry.name}` },
      () => tryOrToast(() => setValue(index, 'visible', !isVisible)), { 'aria-pressed': String(isVisible) });
    const thumbnail = element('canvas', { className: 'thumbnail', width: 32, height: 32, 'aria-hidden': 'true' });
    const [image, mask] = state.grooms[state.groom]?.stacks?.[state.map]?.[index] ?? [-1, -1];
    drawThumbnail(thumbnail, image, mask);
    const details = [entry.blend_mode && entry.blend_mode !== 'normal' ? entry.blend_mode : '', (entry.opacity ?? 1) < 1 ? `${Math.round(100 * entry.opacity)} %` : ''].filter(Boolean).join(', ');
    const select = () => selectLayer(index);
    const row = element('li', {
      role: 'option', tabIndex: 0, 'aria-selected': String(index === paintTarget.layer), draggable: true, title: 'Paint this layer. Drag to change the order.',
      onclick: (/** @type {MouseEvent} */ event) => { if (!(/** @type {Element} */ (event.target)).closest('button')) select(); },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.target !== row) return;
        if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); select(); }
        if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
          event.preventDefault();
          tryOrToast(() => moveLayer(index, index + (event.key === 'ArrowUp' ? 1 : -1)));
        }
      },
      ondragstart: (/** @type {DragEvent} */ event) => event.dataTransfer?.setData('text/x-coif-layer', String(index)),
      ondragover: (/** @type {DragEvent} */ event) => { if (event.dataTransfer?.types.includes('text/x-coif-layer')) event.preventDefault(); },
      ondrop: (/** @type {DragEvent} */ event) => {
        const from = event.dataTransfer?.getData('text/x-coif-layer');
        if (!from) return;
        event.preventDefault();
        tryOrToast(() => moveLayer(Number(from), index));
      },
    }, eye, thumbnail, element('span', { className: 'name' }, entry.name), element('span', { className: 'size' }, details));
    row.dataset.path = `${layersPath()}/${entry.name}`;
    row.classList.toggle('hidden-layer', !isVisible);
    return row;
  }

  const refresh = () => {
    const entry = selectedMap();
    panel.hidden = !entry || entry.anonymous || entry.region || Boolean(paintTarget.flow); // ids and directions cannot be blended
    const all = entries();
    const hasLayers = all.length > 0;
    const selected = all[paintTarget.layer];
    keepFocus(list, () => list.replaceChildren(...all.map(createRow).reverse()));
    note.hidden = hasLayers;
    for (const each of [list, settings, ...actions]) each.hidden = !hasLayers;
    if (selected && document.activeElement !== opacity) opacity.value = String(selected.opacity ?? 1);
    if (selected) {
      blendMode.value = selected.blend_mode ?? 'normal';
      shownOpacity.textContent = Number(selected.opacity ?? 1).toFixed(2);
    }
  };
  for (const event of ['stateChanged', 'mapSelected', 'layersChanged', 'mapChanged']) on(event, refresh);
  return panel;
}
