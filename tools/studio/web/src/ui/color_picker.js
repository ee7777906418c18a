// colors: numbers of linear light as a colour that a hand can choose.

import { element } from './dom.js';

const encode = (x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
const decode = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

// Light may be brighter than a screen: its colour is shown as bright as that goes, and chosen as bright
// as it was.
const brightness = (values) => Math.max(1, ...values);

export function hexOf(values) {
  const most = brightness(values);
  return `#${values.map((x) => Math.round(255 * encode(Math.max(0, x) / most)).toString(16).padStart(2, '0')).join('')}`;
}

export function valuesOf(hex, before = [1, 1, 1]) {
  const most = brightness(before);
  return [1, 3, 5].map((at) => Number((most * decode(parseInt(hex.slice(at, at + 2), 16) / 255)).toPrecision(4)));
}

// Three numbers of the tables that are a colour.
export const isColor = (schema) => schema.type === 'array' && schema.items?.minimum === 0
  && (schema.items.maximum === 1 || /\blinear\b/.test(schema.description ?? ''));

// A swatch that opens the browser's chooser. Read gives the numbers as they are written beside it;
// write(values, done) is called while the colour changes and when it is chosen.
export function colorSwatch(read, write) {
  const made = element('input', { type: 'color', value: hexOf(read()) });
  made.addEventListener('input', () => write(valuesOf(made.value, read()), false));
  made.addEventListener('change', () => write(valuesOf(made.value, read()), true));
  return made;
}
