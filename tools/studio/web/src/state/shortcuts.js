// Keys of the page. Modules register theirs with what they do; the help dialog lists them.

import { isTextInput } from '../ui/dom.js';

/**
 * @typedef {object} Shortcut
 * @property {string} key in lower case: one character, a name such as ' ' or 'delete', or a code of the numeric keypad such as 'numpad1'
 * @property {string} section heading in the help dialog; '': not listed
 * @property {string} help what the key does
 * @property {string} [label] keys as displayed; by default derived from key
 * @property {boolean} [ctrl]
 * @property {boolean} [shift] undefined: with or without
 * @property {(event: KeyboardEvent) => void} [action] absent: handled elsewhere, listed only
 * @property {(target: Element) => boolean} [ignores] elements that need the key themselves
 */

/** @type {Shortcut[]} */ const shortcuts = [];

/** @param {Shortcut[]} list */
export function registerShortcuts(list) {
  shortcuts.push(...list);
}

/** @param {Shortcut} shortcut */
export const shortcutLabel = ({ label, key, ctrl, shift }) => label ?? `${ctrl ? 'Ctrl-' : ''}${shift ? 'Shift-' : ''}${key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key}`;

/** All shortcuts by section. @returns {Map<string, Shortcut[]>} */
export function shortcutSections() {
  /** @type {Map<string, Shortcut[]>} */ const sections = new Map();
  for (const shortcut of shortcuts.filter((each) => each.section)) sections.set(shortcut.section, [...sections.get(shortcut.section) ?? [], shortcut]);
  return sections;
}

/** Whether the browser's own undo applies: a text field with unsaved input. @param {EventTarget | null} target */
const hasUnsavedText = (target) => (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
  && target.matches('textarea, input:not([type=range]):not([type=checkbox])') && target.value !== target.defaultValue;

export function listenToShortcuts() {
  // Disabled while a dialog is open.
  window.addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]')) {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') event.preventDefault();
      event.stopPropagation();
    }
  }, { capture: true });

  document.addEventListener('keydown', (event) => {
    if (event.altKey || !(event.target instanceof Element)) return;
    const target = event.target;
    const ctrl = event.ctrlKey || event.metaKey;
    const code = event.code.toLowerCase();
    const key = shortcuts.some((each) => each.key === code) ? code : event.key.toLowerCase();
    if (ctrl ? key !== 's' && hasUnsavedText(target) : isTextInput(target)) return;
    const found = shortcuts.find((each) => each.action && each.key === key && Boolean(each.ctrl) === ctrl && (each.shift === undefined || each.shift === event.shiftKey) && !each.ignores?.(target));
    if (found) {
      event.preventDefault();
      found.action?.(event);
    }
  });
}
