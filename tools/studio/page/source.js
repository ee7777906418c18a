// source: where a parameter's number comes from: itself, or a layer between two numbers.

import { attempt, element } from './dom.js';
import { isKeyed } from './keys.js';
import { edit, state } from './store.js';

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

// Least is the smallest number that the parameter takes.
export function fromLayer(value, now, name, least = 0) {
  const more = value !== null && typeof value === 'object' ? rest(value) : {};
  const [low, high] = isMapped(value) ? rangeOf(value) : [Math.max(0, least), Number(now ?? 1)];
  return { map: name, ...(low === 0 && high === 1 ? {} : { range: [low, high] }), ...more };
}

export function fromNumber(value) {
  const more = rest(value);
  const number = rangeOf(value)[1];
  return more.ramp ? { value: number, ...more } : number;
}

// A drop-down: number, or one of the layers. Now is the number at the moment.
export function sourceChoice(name, value, now, place, least) {
  const mapped = isMapped(value);
  const names = mapsFor(place);
  const choice = element('select', {
    'aria-label': `source of ${name}`,
    title: mapped ? `from the layer ${value.map}` : isKeyed(value) ? 'keys; choose a layer instead' : 'a number; choose a layer instead',
    onchange: () => attempt(() => edit([{ place, value: choice.value === '' ? fromNumber(value) : fromLayer(value, now, choice.value.slice(1), least) }])),
  }, element('option', { value: '', selected: !mapped }, 'number'),
  ...names.map((each) => element('option', { value: `=${each}`, selected: mapped && value.map === each }, `layer ${each}`)),
  ...(names.length ? [] : [element('option', { disabled: true }, 'no layers yet: make one under Paint')]));
  return element('span', { className: `source${mapped ? ' on' : ''}` }, '▦', choice);
}

// What black and white of the layer mean.
export function rangeInputs(name, value, place) {
  const parts = rangeOf(value).map((number, k) => element('input', {
    type: 'number', step: 'any', value: number, 'aria-label': `${name} where ${value.map} is ${k}`,
    title: `${name} where the layer is ${k}`,
    onchange: () => attempt(() => edit([{ place, value: { ...value, range: parts.map((part) => Number(part.value)) } }])),
  }));
  return element('div', { className: 'range' }, element('span', { className: 'layer', title: `layer ${value.map}` }, value.map), parts[0], '–', parts[1]);
}
