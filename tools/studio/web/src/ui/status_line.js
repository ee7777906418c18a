// The status line: what each mouse button and modifier does now.

import { element } from './dom.js';

/**
 * What inputs do, in words: {left: 'Paint', 'shift+left': 'Straight line', right: 'Pan', wheel: 'Zoom'}. Inputs are
 * left, middle, right, wheel, drag and keys, after any of the modifiers shift, ctrl and alt.
 * @typedef {Record<string, string>} InputHelp
 */

const WORDS = /** @type {Record<string, string>} */ ({ left: 'Left', middle: 'Middle', right: 'Right', wheel: 'Wheel', drag: 'Drag', shift: 'Shift', ctrl: 'Ctrl', alt: 'Alt' });
const MODIFIERS = ['shift', 'ctrl', 'alt'];

/** @type {InputHelp} */ let general = {}; // where no element has help of its own
/** @type {(() => InputHelp) | null} */ let hovered = null;
let held = ''; // modifiers
/** @type {HTMLElement | null} */ let line = null;

const modifiersOf = (/** @type {string} */ input) => input.split('+').filter((part) => MODIFIERS.includes(part)).join('+');

function refresh() {
  const entries = Object.entries(hovered?.() ?? general);
  const text = JSON.stringify([entries, held]);
  if (!line || line.dataset.shown === text) return;
  line.dataset.shown = text;
  line.replaceChildren(...entries.map(([input, action]) => element('span', { className: held !== '' && modifiersOf(input) === held ? 'held' : '' },
    element('kbd', {}, input.split('+').map((part) => WORDS[part] ?? part).join('-')), ` ${action}`)));
}

/** Sets the help shown where no element has its own. @param {InputHelp} help */
export function setStatus(help) {
  general = help;
  refresh();
}

/** Shows help while the pointer is over an element. @param {HTMLElement} target @param {() => InputHelp} help */
export function setStatusOf(target, help) {
  target.addEventListener('pointerenter', () => { hovered = help; refresh(); });
  target.addEventListener('pointerleave', () => { if (hovered === help) hovered = null; refresh(); });
}

/** Call when the help of the element under the pointer may have changed. */
export const refreshStatus = refresh;

/** @param {HTMLElement} container */
export function createStatusLine(container) {
  line = container;
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const now = [event.shiftKey && 'shift', event.ctrlKey && 'ctrl', event.altKey && 'alt'].filter(Boolean).join('+');
    if (now === held) return;
    held = now;
    refresh();
  };
  document.addEventListener('keydown', onKey, { capture: true });
  document.addEventListener('keyup', onKey, { capture: true });
  addEventListener('blur', () => { held = ''; refresh(); });
  refresh();
}
