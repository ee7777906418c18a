// source: where a parameter's number, vector or colour comes from: itself, or a layer between two of
// them.

import { isColor } from '../ui/color_picker.js';
import { attempt, element } from '../ui/dom.js';
import { isKeyed } from '../state/keyframes.js';
import { edit, state } from '../state/store.js';

export const isMapped = (value) => value !== null && typeof value === 'object' && typeof value.map === 'string';
export const isMappable = (schema) => (schema.anyOf ?? []).some((one) => /\/mapped_/.test(one.$ref ?? ''));

// Names of the maps that a parameter at this place can come from.
export function mapsFor(place) {
  const [, index] = /^\/grooms\/(\d+)/.exec(place) ?? [];
  const grooms = index === undefined ? state.scene.grooms ?? [] : [state.scene.grooms[index]];
  return [...new Set(grooms.flatMap((groom) => (groom.maps ?? []).map((map) => map.name)))];
}

// What else the value says stays: a ramp, a comment.
const rest = ({ ramp, comment } = {}) => ({ ...(ramp && { ramp }), ...(comment && { comment }) });
const rangeOf = (value) => value.range ?? [0, 1];

// Kind is the schema of a plain value. A colour begins with nothing changed: both ends are what it was.
export function fromLayer(value, now, name, kind = {}) {
  const more = value !== null && typeof value === 'object' && !Array.isArray(value) ? rest(value) : {};
  if (kind.type === 'array' && !isMapped(value)) {
    const whole = Array.isArray(now) ? now : kind.default;
    return { map: name, range: [isColor(kind) ? whole : [0, 0, 0], whole], ...more };
  }
  const least = kind.minimum ?? 0;
  const [low, high] = isMapped(value) ? rangeOf(value) : [Math.max(0, least), Number(now ?? 1)];
  return { map: name, ...(low === 0 && high === 1 ? {} : { range: [low, high] }), ...more };
}

export function fromNumber(value, kind) {
  const more = rest(value);
  const number = isMapped(value) ? rangeOf(value)[1] : kind.default;
  return more.ramp ? { value: number, ...more } : number;
}

// A drop-down: number, or one of the layers. Now is what it is at the moment.
export function sourceChoice(name, value, now, place, kind) {
  const mapped = isMapped(value);
  const names = mapsFor(place);
  const plain = kind.type !== 'array' ? 'number' : isColor(kind) ? 'colour' : 'vector';
  const choice = element('select', {
    'aria-label': `source of ${name}`,
    title: mapped ? `from the layer ${value.map}` : isKeyed(value) ? 'keys; choose a layer instead' : value?.texture ? `from the picture ${value.texture}` : `a ${plain}; choose a layer instead`,
    onchange: () => attempt(() => edit([{ place, value: choice.value === '' ? fromNumber(value, kind) : fromLayer(value, now, choice.value.slice(1), kind) }])),
  }, element('option', { value: '', selected: !mapped }, plain),
  ...names.map((each) => element('option', { value: `=${each}`, selected: mapped && value.map === each }, `layer ${each}`)),
  ...(names.length ? [] : [element('option', { disabled: true }, 'no layers yet: make one under Paint')]));
  return element('span', { className: `source${mapped ? ' on' : ''}` }, '▦', choice);
}

// What black and white of the layer mean. Three makes the inputs of a vector or a colour, if it is one.
export function rangeInputs(name, value, place, three) {
  const layer = element('span', { className: 'layer', title: `layer ${value.map}` }, value.map);
  if (three) {
    const ends = rangeOf(value).map((numbers, k) => {
      const made = three(numbers, (next, done) => done
        && attempt(() => edit([{ place, value: { ...value, range: rangeOf(value).map((end, i) => (i === k ? next : end)) } }])));
      [...made.children].forEach((part, i) => part.setAttribute('aria-label', `${name} ${['first', 'second', 'third', 'colour'][i]} where ${value.map} is ${k}`));
      made.title = `${name} where the layer is ${k}`;
      return made;
    });
    return element('div', { className: 'range ends' }, layer, ...ends);
  }
  const parts = rangeOf(value).map((number, k) => element('input', {
    type: 'number', step: 'any', value: number, 'aria-label': `${name} where ${value.map} is ${k}`,
    title: `${name} where the layer is ${k}`,
    onchange: () => attempt(() => edit([{ place, value: { ...value, range: parts.map((part) => Number(part.value)) } }])),
  }));
  return element('div', { className: 'range' }, layer, parts[0], '–', parts[1]);
}
