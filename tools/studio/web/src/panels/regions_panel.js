// List of the regions of a region map: select, add, rename, colour.

import { brush } from '../paint/brush.js';
import { clearRegion, nextStrokeId, paintTarget } from '../paint/painter.js';
import { undo } from '../state/history.js';
import { commentWithNames, MAX_REGION, regionColors, regionHexColor, regionNames, regionsInMap } from '../state/regions.js';
import { edit, emit, on, selectedMap, state } from '../state/store.js';
import { button, element, keepFocus, promptDialog, toast, tryOrToast } from '../ui/dom.js';

const selectedRegionMap = () => {
  const entry = selectedMap();
  return entry?.region ? { ...state.scene.grooms[state.groom].maps[entry.index], index: entry.index } : null;
};

/** @param {any} map @param {number} id @param {string} name @param {string} [stroke] */
function setName(map, id, name, stroke) {
  const [names, colors] = [regionNames(map.comment), regionColors(map.comment)];
  if (name) names.set(id, name);
  else for (const each of [names, colors]) each.delete(id);
  return edit([{ path: `/grooms/${state.groom}/maps/${map.index}/comment`, value: commentWithNames(map.comment, names, colors) }], stroke);
}

/** @param {any} map @param {number} id @param {string} color */
function setColor(map, id, color) {
  const colors = regionColors(map.comment);
  colors.set(id, color);
  return edit([{ path: `/grooms/${state.groom}/maps/${map.index}/comment`, value: commentWithNames(map.comment, regionNames(map.comment), colors) }]);
}

const promptName = (/** @type {number} */ id, /** @type {string} */ name) => promptDialog(`Region ${id}`, [
  { name: 'name', label: 'Name', value: name, validate: (text) => (/[,;]/.test(text) ? 'Region names must not contain , or ;' : '') }], 'Rename');

/** @param {any} map @param {Set<number>} known */
async function addRegion(map, known) {
  const id = Array.from({ length: MAX_REGION }, (_, k) => k + 1).find((k) => !known.has(k));
  if (id === undefined) {
    toast(`All ${MAX_REGION} regions are in use.`, { bad: true });
    return;
  }
  const answer = await promptName(id, `region ${id}`);
  if (answer) {
    brush.region = id;
    await setName(map, id, answer.name);
    emit('brushChanged');
  }
}

// Its texels belong to no region afterwards.
async function removeRegion() {
  const [id, stroke] = [brush.region, nextStrokeId()];
  if (id === 0) {
    toast('Region 0 is where no region is painted.', { bad: true });
    return;
  }
  const map = selectedRegionMap();
  const name = regionNames(map.comment).get(id) ?? String(id);
  await clearRegion(id, stroke);
  if (regionNames(map.comment).has(id) || regionColors(map.comment).has(id)) await setName(map, id, '', stroke);
  brush.region = 0;
  emit('brushChanged');
  toast(`Region ${name} removed.`, { action: undo, label: 'Undo' });
}

export function createRegionsPanel() {
  const list = element('ul', { className: 'maps regions', role: 'listbox', 'aria-label': 'Regions' });
  const panel = element('div', { hidden: true }, element('h2', {}, 'Regions'), list);
  let known = new Set([0]);
  /** @type {[any, Set<number>]} regions painted in the map; large maps are scanned once */ let [scannedMap, paintedRegions] = [null, new Set()];

  let isStale = false; // regions may have come or gone on the server
  const show = () => {
    const map = selectedRegionMap();
    panel.hidden = map === null;
    if (!map) return;
    const names = regionNames(map.comment);
    if (scannedMap !== paintTarget.map || isStale) [scannedMap, paintedRegions] = [paintTarget.map, regionsInMap(paintTarget.map)];
    isStale = false;
    known = new Set([0, ...names.keys(), ...paintedRegions]);
    keepFocus(list, () => list.replaceChildren(...[...known].sort((a, b) => a - b).map((id) => {
      const select = () => { brush.region = id; emit('brushChanged'); };
      const swatch = element('span', { className: 'swatch' });
      swatch.style.background = regionHexColor(id, regionColors(map.comment));
      const row = element('li', {
        role: 'option', tabIndex: 0, 'aria-selected': String(brush.region === id), onclick: select,
        onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); select(); } },
        title: `Paint region ${id}`,
      }, swatch, `${id} ${names.get(id) ?? (id === 0 ? 'none' : '')}`);
      row.dataset.region = String(id);
      return row;
    })));
    color.value = regionHexColor(brush.region, regionColors(map.comment));
  };
  const color = element('input', { type: 'color', 'aria-label': 'Colour of the selected region', title: 'Colour of the selected region in the views', onchange: () => tryOrToast(() => setColor(selectedRegionMap(), brush.region, color.value)) });
  panel.append(element('div', { className: 'buttons' },
    button('+ Region', 'Add a named region', () => tryOrToast(() => addRegion(selectedRegionMap(), known)), { id: 'new-region' }),
    button('Rename', 'Rename the selected region', () => tryOrToast(async () => {
      const map = selectedRegionMap();
      const answer = await promptName(brush.region, regionNames(map.comment).get(brush.region) ?? '');
      if (answer) await setName(map, brush.region, answer.name);
    }), { id: 'rename-region' }),
    color,
    button('Remove', 'Remove the selected region: what it covers belongs to no region afterwards', () => tryOrToast(removeRegion), { id: 'remove-region' })));
  on('mapsChangedOnServer', () => { isStale = true; });
  for (const event of ['sceneChanged', 'mapChanged', 'brushChanged']) on(event, show);
  return panel;
}
