// The Paint tab: maps of the groom, their uses, brush settings, display mode.

import { isFlowChannel } from '../state/flow_maps.js';
import { MAP_TARGETS } from '../state/map_targets.js';
import { usesOfMap } from '../state/map_uses.js';
import { groomMaps, on, selectedMap, selectGroom, selectMap, state } from '../state/store.js';
import { button, element, keepFocus, tryOrToast } from '../ui/dom.js';
import { GREYSCALE, HEAT_MAP, SHADED } from '../view/map_texture.js';
import { checkbox, createBrushSettings } from './brush_settings.js';
import { connectMap, describe, disconnectMap, duplicateMap, exportMap, newFlowMap, newMap, openImportDialog, removeMap, renameMap } from './map_actions.js';
import { createLayersPanel } from './layers_panel.js';
import { createRegionsPanel } from './regions_panel.js';
import { drawThumbnail } from './thumbnail.js';

/** @typedef {import('../state/store.js').GroomMap} GroomMap */

const usesText = (/** @type {GroomMap} */ entry) => {
  if (entry.anonymous) return '';
  const labels = [...new Set([...usesOfMap(entry.name).map((use) => use.label), ...(isFlowChannel(entry.index) ? ['comb flow map'] : [])])];
  return labels.length ? labels.join(', ') : 'not used';
};

// What the selected map drives, with a menu to connect and disconnect it.
function createUsesRow() {
  const menu = element('select', { 'aria-label': 'Drives', onchange: () => {
    const entry = selectedMap();
    const [action, what] = menu.value.split(':');
    if (!entry || !what) return;
    const use = usesOfMap(entry.name)[Number(what)];
    tryOrToast(() => (action === 'connect' ? connectMap(entry.name, what) : disconnectMap(use)));
    menu.value = '';
  } });
  const row = element('div', { className: 'row wide', title: 'The parameters that read the selected map. Connect it to more, or take it off.' }, element('label', {}, 'Drives'), menu);
  const refresh = () => {
    const entry = selectedMap();
    row.hidden = !entry || entry.anonymous;
    if (!entry) return;
    const uses = usesOfMap(entry.name);
    const group = (/** @type {string} */ label, /** @type {[string, string][]} */ options) => element('optgroup', { label }, ...options.map(([value, text]) => element('option', { value }, text)));
    keepFocus(row, () => menu.replaceChildren(element('option', { value: '' }, usesText(entry)),
      group('Connect to', Object.keys(MAP_TARGETS).map((target) => [`connect:${target}`, target])),
      ...(uses.length ? [group('Disconnect from', uses.map((use, i) => [`disconnect:${i}`, use.label]))] : [])));
  };
  for (const event of ['stateChanged', 'mapSelected', 'groomSelected']) on(event, refresh);
  return row;
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
    button('+ Flow map', 'Create a flow map: strokes on it give the direction in which the comb modifier combs', () => tryOrToast(newFlowMap), { id: 'new-flow-map' }),
    mapButton('Duplicate', 'Copy the selected map', duplicateMap),
    mapButton('Rename', 'Rename the selected map', renameMap, true),
    mapButton('Delete', 'Remove the selected map from the scene', removeMap, true),
    button('Import', 'Import a PNG, EXR or TIFF file', openImportDialog),
    button('New map from current roots', 'Creates a map that is white where roots grow now, without regard to the mask.', () => tryOrToast(bakeRootMap)));
  const exports = element('div', { className: 'buttons' }, ...['png', 'exr', 'tif'].map((format) =>
    mapButton(`Export ${format.toUpperCase()}`, `Download the selected map as ${format.toUpperCase()}`, () => exportMap(format))));

  const refresh = () => {
    groom.replaceChildren(...state.grooms.map((/** @type {any} */ g, /** @type {number} */ i) => element('option', { value: i, selected: i === state.groom }, g.name)));
    const entries = groomMaps();
    keepFocus(list, () => list.replaceChildren(...entries.map((entry) => {
      const info = state.layers[entry.layer];
      const select = () => info && selectMap(entry.index);
      const thumbnail = element('canvas', { className: 'thumbnail', width: 32, height: 32, 'aria-hidden': 'true' });
      if (info) drawThumbnail(thumbnail, entry.layer);
      return element('li', {
        role: 'option', tabIndex: info ? 0 : -1, 'aria-selected': String(entry.index === state.map && info !== undefined),
        onclick: select, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); select(); } },
        title: info ? 'Paint this map' : entry.readOnlyReason ? `Read-only: ${entry.readOnlyReason}` : 'Procedural map: edit its parameters in the Scene tab',
      }, ...(info ? [thumbnail] : []), element('span', { className: 'name' }, entry.name), element('span', { className: 'size' }, info ? describe(info, entry) : entry.readOnlyReason ? 'read-only' : entry.plugin),
        element('span', { className: usesText(entry) === 'not used' ? 'uses unused' : 'uses' }, usesText(entry)));
    })));
    if (entries.length === 0) {
      list.append(element('li', { className: 'note' }, 'No maps yet. A density map controls where hair grows: white is full density, black is none.'));
    }
  };
  for (const event of ['stateChanged', 'mapSelected', 'groomSelected', 'layersChanged']) on(event, refresh);

  const rootsBox = checkbox('Roots', 'Show growing roots (H)', () => display.roots, setRootsVisible);
  on('rootsVisible', (visible) => { /** @type {HTMLInputElement} */ (rootsBox.querySelector('input')).checked = visible; });
  const modes = /** @type {[string, string, number][]} */ ([['Heat map', 'Show the map in false colours', HEAT_MAP], ['Greyscale', 'Show the map in grey', GREYSCALE], ['No map', 'Show the surface without a map', SHADED]])
    .map(([label, title, mode]) => button(label, title, (event) => {
      setDisplayMode(mode);
      modes.forEach((each) => each.setAttribute('aria-pressed', String(each === event.currentTarget)));
    }, { 'aria-pressed': String(mode === display.mode) }));

  panel.append(
    element('h2', {}, 'Groom'), groom,
    element('h2', {}, 'Maps'), list, createUsesRow(), actions, exports, createLayersPanel(), createRegionsPanel(),
    createBrushSettings(loadMaskMap),
    element('h2', {}, 'Display'),
    element('div', { className: 'buttons' }, ...modes, rootsBox));
  return { id: 'paint', title: 'Paint', element: panel };
}
