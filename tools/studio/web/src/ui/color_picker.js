// The browser's colour input for linear RGB values.

import { fromHex, toHex } from '../state/color.js';
import { element } from './dom.js';

/** @param {() => number[]} read current linear RGB @param {(rgb: number[], done: boolean) => void} write done: the picker was closed */
export function colorSwatch(read, write) {
  const made = element('input', { type: 'color', value: toHex(read()) });
  made.addEventListener('input', () => write(fromHex(made.value, read()), false));
  made.addEventListener('change', () => write(fromHex(made.value, read()), true));
  return made;
}
