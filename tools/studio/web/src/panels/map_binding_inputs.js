// Inputs that bind a parameter to a map and edit the range of the binding.

import { isColor } from '../state/color.js';
import { isKeyed } from '../state/keyframes.js';
import { bindToMap, isMapped, mapNamesFor, rangeOf, unbindMap } from '../state/map_binding.js';
import { edit, emit, state } from '../state/store.js';
import { PLAIN } from '../state/units.js';
import { element, tryOrToast } from '../ui/dom.js';
import { chooseTexture } from './value_inputs.js';

const FROM_FILE = '+texture';

/** The value read from an image: as bound to a map, with the file in its place. @param {any} value @param {any} current @param {string} texture @param {any} schema */
function fromTexture(value, current, texture, schema) {
  const bound = bindToMap(value, current, '', schema);
  delete bound.map;
  if (isColor(schema)) delete bound.range;
  return { texture, ...bound };
}

// A drop-down: constant, one of the maps, or an image.
/**
 * @param {string} name
 * @param {any} value as the scene has it
 * @param {any} current constant at this frame
 * @param {string} path JSON pointer
 * @param {any} schema of the constant
 * @param {boolean} acceptsTexture
 */
export function bindingSelect(name, value, current, path, schema, acceptsTexture) {
  const mapped = isMapped(value);
  const names = mapNamesFor(path, state.scene);
  const constant = schema.type !== 'array' ? 'number' : isColor(schema) ? 'colour' : 'vector';
  const source = mapped ? `map ${value.map}` : isKeyed(value) ? 'keyframes' : value?.texture ? `texture ${value.texture}` : `constant ${constant}`;
  const select = element('select', {
    'aria-label': `source of ${name}`,
    'data-control': 'source',
    title: `source: ${source}`,
    onchange: () => tryOrToast(async () => {
      if (select.value !== FROM_FILE) {
        await edit([{ path, value: select.value === '' ? unbindMap(value, schema) : bindToMap(value, current, select.value.slice(1), schema) }]);
        return;
      }
      const texture = await chooseTexture();
      if (texture === null) emit('sceneChanged'); // display the source of the scene again
      else await edit([{ path, value: fromTexture(value, current, texture, schema) }]);
    }),
  }, element('option', { value: '', selected: !mapped && !value?.texture }, constant),
  ...(value?.texture ? [element('option', { value: '=', selected: true, disabled: true }, `texture ${value.texture}`)] : []),
  ...names.map((each) => element('option', { value: `=${each}`, selected: mapped && value.map === each }, `map ${each}`)),
  ...(names.length ? [] : [element('option', { disabled: true }, 'no maps yet: create one in Paint')]),
  ...(acceptsTexture ? [element('option', { value: FROM_FILE }, 'image file…')] : []));
  return element('span', { className: `source${mapped || value?.texture ? ' on' : ''}` }, '▦', select);
}

// The values at map 0 and 1. vectorInput makes the inputs of a vector or colour.
/**
 * @param {string} name
 * @param {any} value bound
 * @param {string} path
 * @param {((numbers: number[], write: (next: number[], done: boolean) => void) => HTMLElement) | undefined} vectorInput
 * @param {import('../state/units.js').Scale} scale
 * @param {(range: any) => void} [write]
 */
export function rangeInputs(name, value, path, vectorInput, scale = PLAIN, write = (range) => tryOrToast(() => edit([{ path, value: { ...value, range } }]))) {
  const label = element('span', { className: 'map-name', title: `map ${value.map}` }, value.map);
  if (vectorInput) {
    const ends = rangeOf(value).map((/** @type {number[]} */ numbers, /** @type {number} */ k) => {
      const made = vectorInput(numbers, (next, done) => {
        if (done) write(rangeOf(value).map((/** @type {any} */ end, /** @type {number} */ i) => (i === k ? next : end)));
      });
      [...made.children].forEach((part, i) => part.setAttribute('aria-label', `${name} ${['first', 'second', 'third', 'colour'][i]} where ${value.map} is ${k}`));
      made.dataset.tip = `${name} where the map is ${k}`;
      return made;
    });
    return element('div', { className: 'range ends' }, label, ...ends);
  }
  /** @type {HTMLInputElement[]} */ const parts = rangeOf(value).map((/** @type {number} */ number, /** @type {number} */ k) => element('input', {
    ...(scale.typed ? { type: 'text', inputMode: 'decimal' } : { type: 'number', step: 'any' }), value: scale.show(number), 'aria-label': `${name} where ${value.map} is ${k}`,
    title: `${name} where the map is ${k}`,
    'data-control': `end-${k}`,
    onchange: () => {
      if (Number.isNaN(scale.read(parts[k].value))) parts[k].value = parts[k].defaultValue; // no number
      else write(parts.map((part) => scale.read(part.value)));
    },
  }));
  return element('div', { className: 'range' }, label, parts[0], '–', parts[1]);
}
