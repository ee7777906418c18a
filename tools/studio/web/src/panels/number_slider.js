// A number with a slider beside it.

import { on } from '../state/store.js';
import { element } from '../ui/dom.js';

const shortNumber = (/** @type {number} */ value) => Number(value.toPrecision(4));

/**
 * @param {string} label
 * @param {string} help
 * @param {{ low: number, high: number, step: number | 'any' }} limits
 * @param {() => number} read
 * @param {(value: number) => void} write
 */
export function numberSlider(label, help, { low, high, step }, read, write) {
  const range = element('input', { type: 'range', min: low, max: high, step, 'aria-label': label });
  const number = element('input', { type: 'number', min: low, max: high, step: 'any', 'aria-label': `${label}, number` });
  const name = element('label', {}, label);
  const refresh = () => {
    range.value = String(read());
    number.value = number.defaultValue = String(shortNumber(read()));
  };
  const apply = (/** @type {HTMLInputElement} */ input) => {
    // An empty or mistyped field changes nothing.
    if (input.value !== '' && Number.isFinite(input.valueAsNumber)) write(Math.min(Number(input.max), Math.max(Number(input.min), input.valueAsNumber)));
    refresh();
  };
  range.addEventListener('input', () => apply(range));
  number.addEventListener('change', () => apply(number));
  on('brushChanged', refresh);
  refresh();
  const row = element('div', { className: 'row', title: help }, name, range, number);
  return {
    row,
    /** @param {{ low: number, high: number, step: number | 'any', label?: string }} next */
    setLimits(next) {
      for (const input of [range, number]) Object.assign(input, { min: next.low, max: next.high });
      range.step = String(next.step);
      name.textContent = next.label ?? label;
      refresh();
    },
  };
}
