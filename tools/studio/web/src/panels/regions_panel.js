// regions_pane: the regions of a map of numbers, one to choose, each with its colour and its name.

import { canvas } from '../paint/painter.js';
import { ask, attempt, button, element, keepFocus, toast } from '../ui/dom.js';
import { brush } from '../paint/brush.js';
import { commentWithNames, MOST_REGION, regionNames, regionsIn, regionStyle } from '../state/regions.js';
import { chosenMap, edit, on, state, tell } from '../state/store.js';

const regionMap = () => {
  const entry = chosenMap();
  return entry?.region ? { ...state.scene.grooms[state.groom].maps[entry.index], index: entry.index } : null;
};

function setName(map, id, name) {
  const names = regionNames(map.comment);
  if (name) names.set(id, name); else names.delete(id);
  return edit([{ place: `/grooms/${state.groom}/maps/${map.index}/comment`, value: commentWithNames(map.comment, names) }]);
}

const askName = (id, name) => ask(`Region ${id}`, [{ name: 'name', label: 'Name', value: name, check: (text) => (/[,;]/.test(text) ? 'A region’s name has no , and no ; in it.' : '') }], 'Name it');

async function addRegion(map, known) {
  const id = Array.from({ length: MOST_REGION }, (_, k) => k + 1).find((k) => !known.has(k));
  if (id === undefined) {
    toast(`There are ${MOST_REGION} regions already; paint with one of them.`, { bad: true });
    return;
  }
  const answer = await askName(id, `region ${id}`);
  if (answer) {
    brush.region = id;
    await setName(map, id, answer.name);
    tell('brush');
  }
}

export function regionsPane() {
  const list = element('ul', { className: 'layers regions', role: 'listbox', 'aria-label': 'Regions' });
  const pane = element('div', { hidden: true }, element('h2', {}, 'Regions'), list);
  let known = new Set([0]);
  let [scanned, painted] = [null, new Set()]; // a large layer is looked through once

  const show = () => {
    const map = regionMap();
    pane.hidden = map === null;
    if (!map) return;
    const names = regionNames(map.comment);
    if (scanned !== canvas.layer) {
      [scanned, painted] = [canvas.layer, regionsIn(canvas.layer)];
    }
    known = new Set([0, ...names.keys(), ...painted]);
    keepFocus(list, () => list.replaceChildren(...[...known].sort((a, b) => a - b).map((id) => {
      const choose = () => { brush.region = id; tell('brush'); };
      const row = element('li', {
        role: 'option', tabIndex: 0, 'aria-selected': String(brush.region === id), onclick: choose,
        onkeydown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(); } },
        title: `paint region ${id}`,
      }, element('span', { className: 'swatch' }), `${id} ${names.get(id) ?? (id === 0 ? 'none' : '')}`);
      row.querySelector('.swatch').style.background = regionStyle(id);
      row.dataset.region = id;
      return row;
    })));
  };
  pane.append(element('div', { className: 'buttons' },
    button('+ Region', 'a new region with a name', () => attempt(() => addRegion(regionMap(), known)), { id: 'new-region' }),
    button('Name', 'name the chosen region', () => attempt(async () => {
      const map = regionMap();
      const answer = await askName(brush.region, regionNames(map.comment).get(brush.region) ?? '');
      if (answer) await setName(map, brush.region, answer.name);
    }))));
  for (const event of ['scene', 'shown', 'brush']) on(event, show);
  return pane;
}
