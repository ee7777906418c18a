// Borders between panels that can be dragged, and moved with arrow keys. Sizes are CSS variables of the page, kept in
// the preferences; a double click restores the default.

import { preference, setPreference } from '../state/preferences.js';
import { element } from './dom.js';
import { setTip } from './tooltip.js';

const KEY_STEP = 16; // pixels

/**
 * @param {object} split
 * @param {string} split.id of the preference; the CSS variable is --ID
 * @param {string} split.label
 * @param {HTMLElement} split.parent the border is placed in it
 * @param {'x' | 'y'} split.axis of the size
 * @param {() => number} split.read current size in pixels of the panel right of or below the border
 * @param {() => [number, number]} split.limits
 */
export function createSplit({ id, label, parent, axis, read, limits }) {
  const root = document.documentElement;
  const set = (/** @type {number} */ size) => {
    const [low, high] = limits();
    const bounded = Math.round(Math.max(low, Math.min(high, size)));
    root.style.setProperty(`--${id}`, `${bounded}px`);
    setPreference(id, bounded);
    describe(bounded);
  };
  const border = setTip(element('div', {
    className: `split ${axis}`, role: 'separator', tabIndex: 0, 'aria-label': label, 'aria-orientation': axis === 'x' ? 'vertical' : 'horizontal',
    ondblclick: () => {
      root.style.removeProperty(`--${id}`);
      setPreference(id, 0);
      describe(read());
    },
  }), { help: `${label}: drag, or use the arrow keys; double click restores it.` });
  const describe = (/** @type {number} */ size) => {
    const [low, high] = limits();
    for (const [name, value] of Object.entries({ valuenow: size, valuemin: low, valuemax: high })) border.setAttribute(`aria-${name}`, String(Math.round(value)));
  };
  let grabbed = 0; // pointer position minus size
  const at = (/** @type {PointerEvent} */ event) => (axis === 'x' ? event.clientX : event.clientY);
  border.addEventListener('pointerdown', (event) => {
    border.setPointerCapture(event.pointerId);
    grabbed = at(event) + read();
    event.preventDefault();
  });
  border.addEventListener('pointermove', (event) => {
    if (border.hasPointerCapture(event.pointerId)) set(grabbed - at(event));
  });
  border.addEventListener('keydown', (event) => {
    const step = /** @type {Record<string, number>} */ ({ ArrowLeft: KEY_STEP, ArrowUp: KEY_STEP, ArrowRight: -KEY_STEP, ArrowDown: -KEY_STEP })[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    set(read() + step);
  });
  border.addEventListener('focus', () => describe(read()));
  const kept = preference(id, 0);
  if (kept > 0) root.style.setProperty(`--${id}`, `${kept}px`);
  describe(kept);
  parent.append(border);
  return border;
}
