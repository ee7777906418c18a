// Inputs that bind a parameter to a map and edit the range of the binding.

import { isColor } from '../state/color.js';
import { isKeyed } from '../state/keyframes.js';
import { bindToMap, isMapped, mapNamesFor, rangeOf, unbindMap } from '../state/map_binding.js';
import { edit, state } from '../state/store.js';
import { element, tryOrToast } from '../ui/dom.js';

// A drop-down: constant, or one of the maps.
/**
 * @param {string} name
 * @param {any} value as the scene has it
 * @param {any} current constant at this frame
 * @param {string} path JSON pointer
 * @param {any} schema of the constant
 */
export function bindingSelect(name, value, current, path, schema) {
  const mapped = isMapped(value);
  const names = mapNamesFor(path, state.scene);
  const constant = schema.type !== 'array' ? 'number' : isColor(schema) ? 'colour' : 'vector';
  const source = mapped ? `map ${value.map}` : isKeyed(value) ? 'keyframes' : value?.texture ? `texture ${value.texture}` : `constant ${constant}`;
  const select = element('select', {
    'aria-label': `source of ${name}`,
    title: `source: ${source}`,
    onchange: () => tryOrToast(() => edit([{ path, value: select.value === '' ? unbindMap(value, schema) : bindToMap(value, current, select.value.slice(1), schema) }])),
  }, element('option', { value: '', selected: !mapped && !value?.texture }, constant),
  ...(value?.texture ? [element('option', { value: '=', selected: true, disabled: true }, `texture ${value.texture}`)] : []),
  ...names.map((each) => element('option', { value: `=${each}`, selected: mapped && value.map === each }, `map ${each}`)),
  ...(names.length ? [] : [element('option', { disabled: true }, 'no maps yet: create one in Paint')]));
  return element('span', { className: `source${mapped ? ' on' : ''}` }, '▦', select);
}

// The values at map 0 and 1. vectorInput makes the inputs of a vector or colour.
/**
 * @param {string} name
 * @param {any} value bound
 * @param {string} path
 * @param {((numbers: number[], write: (next: number[], done: boolean) => void) => HTMLElement) | undefined} vectorInput
 */
export function rangeInputs(name, value, path, vectorInput) {
  const label = element('span', { className: 'map-name', title: `map ${value.map}` }, value.map);
  if (vectorInput) {
    const ends = rangeOf(value).map((/** @type {number[]} */ numbers, /** @type {number} */ k) => {
      const made = vectorInput(numbers, (next, done) => {
        if (done) tryOrToast(() => edit([{ path, value: { ...value, range: rangeOf(value).map((/** @type {any} */ end, /** @type {number} */ i) => (i === k ? next : end)) } }]));
      });
      [...made.children].forEach((part, i) => part.setAttribute('aria-label', `${name} ${['first', 'second', 'third', 'colour'][i]} where ${value.map} is ${k}`));
      made.dataset.tip = `${name} where the map is ${k}`;
      return made;
    });
    return element('div', { className: 'range ends' }, label, ...ends);
  }
  /** @type {HTMLInputElement[]} */ const parts = rangeOf(value).map((/** @type {number} */ number, /** @type {number} */ k) => element('input', {
    type: 'number', step: 'any', value: number, 'aria-label': `${name} where ${value.map} is ${k}`,
    title: `${name} where the map is ${k}`,
    onchange: () => tryOrToast(() => edit([{ path, value: { ...value, range: parts.map((part) => Number(part.value)) } }])),
  }));
  return element('div', { className: 'range' }, label, parts[0], '–', parts[1]);
}
