// Legend of the displayed map, and the value under the pointer.

import { paintTarget } from '../paint/painter.js';
import { regionNames, regionOfTexel } from '../state/regions.js';
import { scaleOfMap } from '../state/map_uses.js';
import { on, selectedMap, state } from '../state/store.js';
import { element } from '../ui/dom.js';
import { GREYSCALE, HEAT, SHADED } from './map_texture.js';

const cssColor = (/** @type {number[]} */ color) => `rgb(${color.map((x) => `${Math.round(100 * x)}%`).join(' ')})`;
const shortNumber = (/** @type {number} */ value) => String(Number(value.toPrecision(3)));

/** The texel at a hit; null outside the map. @param {import('../paint/brush.js').Hit} hit */
function texelAt(hit) {
  const { surface, map } = paintTarget;
  const uv = map && surface?.growthMask[hit.triangle] ? surface.uvAtHit(hit) : null;
  return uv && map.texelAtUv(...uv);
}

/** @param {HTMLElement} section */
export function createLegend(section) {
  const name = element('b', {});
  const [low, high] = [element('span', {}), element('span', {})];
  const ramp = element('span', { className: 'ramp' });
  const value = element('output', {});
  const box = element('div', { className: 'badge legend', hidden: true }, name, low, ramp, high, value);
  section.append(box);

  on('displayModeChanged', (mode) => {
    const { map, isRegionMap } = paintTarget;
    box.hidden = !map || mode === SHADED;
    if (box.hidden) return;
    name.textContent = selectedMap()?.name ?? '';
    [low, ramp, high].forEach((each) => { each.hidden = isRegionMap; });
    const { show, unit } = scaleOfMap(selectedMap());
    low.textContent = shortNumber(show(map.low));
    high.textContent = `${shortNumber(show(map.high))}${unit ? ` ${unit}` : ''}`;
    const colors = mode === GREYSCALE ? [[0, 0, 0], [1, 1, 1]] : HEAT;
    ramp.style.background = `linear-gradient(to right, ${colors.map(cssColor).join(', ')})`;
    value.textContent = '';
  });

  return {
    /** @param {import('../paint/brush.js').Hit | null} hit */
    showValueAt(hit) {
      const texel = hit ? texelAt(hit) : null;
      if (texel === null) {
        value.textContent = '';
      } else if (paintTarget.isRegionMap) {
        const id = regionOfTexel(texel);
        const names = regionNames(state.scene.grooms[state.groom].maps[selectedMap()?.index ?? -1]?.comment);
        value.textContent = `${id} ${names.get(id) ?? (id === 0 ? 'none' : '')}`;
      } else {
        const { low: minimum, high: maximum } = paintTarget.map;
        const { show, unit, label } = scaleOfMap(selectedMap());
        const shown = show(minimum + (texel / 65535) * (maximum - minimum));
        value.textContent = unit ? `${label} ${shortNumber(shown)} ${unit}` : `value ${shown.toFixed(2)}`;
      }
    },
  };
}
