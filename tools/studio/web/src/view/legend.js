// legend: what the colours on the head mean, and the value under the brush.

import { element } from '../ui/dom.js';
import { canvas } from '../paint/painter.js';
import { regionNames, regionOfWord } from '../state/regions.js';
import { HEAT } from './map_texture.js';
import { chosenMap, on, state } from '../state/store.js';

const percent = (color) => `rgb(${color.map((x) => `${Math.round(100 * x)}%`).join(' ')})`;
const short = (value) => String(Number(value.toPrecision(3)));

// The number of the layer at a hit; null where it has none.
function wordAt(hit) {
  const { surface, layer } = canvas;
  const uv = layer && surface?.ground[hit.triangle] ? surface.uvOf(hit) : null;
  return uv && layer.atUv(...uv);
}

export function makeLegend(section) {
  const name = element('b', {});
  const [low, high] = [element('span', {}), element('span', {})];
  const ramp = element('span', { className: 'ramp' });
  const value = element('output', {});
  const box = element('div', { className: 'badge legend', hidden: true }, name, low, ramp, high, value);
  section.append(box);

  const show = (mode) => {
    const { layer, numbers } = canvas;
    box.hidden = !layer || mode === 0;
    if (box.hidden) return;
    name.textContent = chosenMap()?.name ?? '';
    [low, ramp, high].forEach((each) => { each.hidden = numbers; });
    low.textContent = short(layer.low);
    high.textContent = short(layer.high);
    const colors = mode === 2 ? [[0, 0, 0], [1, 1, 1]] : HEAT;
    ramp.style.background = `linear-gradient(to right, ${colors.map(percent).join(', ')})`;
    value.textContent = '';
  };
  const point = (hit) => {
    const word = hit ? wordAt(hit) : null;
    if (word === null) {
      value.textContent = '';
    } else if (canvas.numbers) {
      const id = regionOfWord(word);
      const names = regionNames(state.scene.grooms[state.groom].maps[chosenMap()?.index]?.comment);
      value.textContent = `${id} ${names.get(id) ?? (id === 0 ? 'none' : '')}`;
    } else {
      const { low: least, high: most } = canvas.layer;
      value.textContent = `here ${(least + (word / 65535) * (most - least)).toFixed(2)}`;
    }
  };
  on('mode', show);
  return { point };
}
