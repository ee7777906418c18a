// DOM helpers, toasts and dialogs.

import { explainError } from '../state/field_errors.js';
import { labelAt } from '../state/labels.js';

// element('button', {type: 'button', onclick: f}, 'Save', ...)
/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} attributes properties, attributes, listeners as on..., and title, the sentence of the tooltip
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  /** @type {any} */ const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      made.addEventListener(name.slice(2), value);
    } else if (name === 'title') {
      if (value) made.dataset.tip = value; // see tooltip.js
    } else if (name in made && name !== 'list' && name !== 'role') {
      made[name] = value;
      if (name === 'value' && tag === 'input') {
        made.defaultValue = value; // undo shortcuts compare with it to detect typing
      }
    } else if (value !== undefined && value !== false) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children);
  return made;
}

/** @param {string} text @param {string} title @param {(event: MouseEvent) => void} onclick @param {Record<string, any>} attributes */
export const button = (text, title, onclick, attributes = {}) =>
  element('button', { type: 'button', title, onclick, ...attributes }, text);

/** Whether key presses at this element are text input; sliders, checkboxes and colour inputs take none. @param {EventTarget | null} target */
export const isTextInput = (target) => target instanceof Element
  && target.matches('textarea, select, input:not([type=range]):not([type=checkbox]):not([type=color])');

// A message in the corner, removed after a timeout or by its button. The same message is shown only once.
/** @param {string} text @param {{ bad?: boolean, action?: () => void, label?: string, actions?: { label: string, action: () => void }[], stays?: boolean }} options actions: more than one; stays: until it is answered */
export function toast(text, { bad = false, action, label = '', actions = action ? [{ label, action }] : [], stays = false } = {}) {
  for (const old of document.querySelectorAll('.toast')) if (old.firstChild?.textContent === text) old.remove();
  const box = element('div', { className: bad ? 'toast bad' : 'toast', role: bad ? 'alert' : 'status' }, text);
  const close = () => box.remove();
  for (const each of actions) box.append(button(each.label, each.label, () => { close(); each.action(); }));
  box.append(button('×', 'Dismiss', close));
  document.getElementById('toasts')?.append(box);
  if (!stays) setTimeout(close, bad ? 15000 : 5000);
  return box;
}

/** Runs an async operation; errors become toasts and give undefined. @template T @param {() => Promise<T> | T} operation @returns {Promise<T | undefined>} */
export async function tryOrToast(operation) {
  try {
    return await operation();
  } catch (error) {
    toast(explainError(/** @type {Error} */ (error).message, labelAt).text, { bad: true });
    return undefined;
  }
}

/** A function that runs an operation once at a time and again if it was called meanwhile; errors become toasts. @param {() => any} operation */
export function serialize(operation) {
  let again = false;
  /** @type {Promise<void> | null} */ let running = null;
  const run = async () => {
    while (again) {
      again = false;
      await tryOrToast(operation);
    }
    running = null;
  };
  return () => {
    again = true;
    return (running ??= run());
  };
}

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {string | number} [value]
 * @property {string} [type]
 * @property {(string | number | { value: string, label: string })[]} [choices]
 * @property {(value: string) => string} [validate] error message, '' if valid
 * @property {(value: string, inputs: Record<string, any>) => void} [changed]
 */

// A modal form; resolves to the values by field name, or null if cancelled.
/** @param {string} title @param {Field[]} fields @param {string} confirm @returns {Promise<Record<string, string> | null>} */
export function promptDialog(title, fields, confirm = 'OK') {
  return new Promise((resolve) => {
    const inputs = fields.map((field) => (field.choices
      ? element('select', { name: field.name }, ...field.choices.map((c) => (typeof c === 'object' ? c : { value: String(c), label: String(c) })).map(({ value, label }) => element('option', { value, selected: value === String(field.value) }, label)))
      : element('input', { name: field.name, type: field.type ?? 'text', value: field.value ?? '', required: true, step: 'any' })));
    const byName = Object.fromEntries(inputs.map((input) => [input.name, input]));
    const validate = () => fields.forEach((field, i) => field.validate && inputs[i].setCustomValidity(field.validate(inputs[i].value)));
    inputs.forEach((input) => input.addEventListener('input', validate));
    fields.forEach((field, i) => field.changed && inputs[i].addEventListener('change', () => { field.changed?.(inputs[i].value, byName); validate(); }));
    const dialog = element('dialog', { 'aria-label': title },
      element('form', { method: 'dialog' },
        element('h2', {}, title),
        ...fields.map((field, i) => element('div', { className: 'row wide' }, element('label', { htmlFor: inputs[i].id = `dialog-${field.name}` }, field.label), inputs[i])),
        element('div', { className: 'buttons' },
          element('button', { value: 'yes', className: 'primary' }, confirm),
          element('button', { value: 'no', formNoValidate: true }, 'Cancel'))));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes' ? Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()])) : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Rebuilds a part of the page and restores the focus to the same control of the same parameter row. @param {HTMLElement} container @param {() => void} build */
export function keepFocus(container, build) {
  const controls = (/** @type {HTMLElement} */ within) => /** @type {HTMLElement[]} */ ([...within.querySelectorAll('input, select, button, summary, [tabindex]')]);
  const active = /** @type {HTMLElement} */ (document.activeElement);
  const hasFocus = container.contains(active) && active !== container;
  const path = hasFocus ? /** @type {HTMLElement | null} */ (active.closest('[data-path]'))?.dataset.path : undefined;
  const findRow = () => (path === undefined ? container
    : /** @type {HTMLElement[]} */ ([...container.querySelectorAll('[data-path]')]).find((row) => row.dataset.path === path));
  const index = hasFocus ? controls(/** @type {HTMLElement} */ (findRow())).indexOf(active) : -1;
  build();
  if (hasFocus) {
    const row = findRow();
    (row && controls(row)[index])?.focus({ preventScroll: true });
  }
}
