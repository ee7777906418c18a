// Units of parameters: scenes hold metres, degrees and seconds; fields show the unit that suits a value and accept others
// typed with it ("3cm"). Pure functions.

const KINDS = /** @type {Record<string, Record<string, number>>} */ ({
  m: { km: 1000, m: 1, cm: 0.01, mm: 1e-3, µm: 1e-6, um: 1e-6, in: 0.0254, '"': 0.0254, ft: 0.3048 },
  mm: { m: 1000, cm: 10, mm: 1, in: 25.4, '"': 25.4 },
  deg: { '°': 1, deg: 1, rad: 180 / Math.PI },
  s: { s: 1, ms: 1e-3, min: 60 },
  'm/s': { 'm/s': 1, 'cm/s': 0.01, 'km/h': 1 / 3.6 },
});

const NAMES = /** @type {Record<string, string>} */ ({ deg: '°', '1/cm2': 'per cm²' });

/**
 * @typedef {object} Scale of the numbers of a parameter
 * @property {string} unit that they are shown in, '' if none
 * @property {boolean} typed whether units may be typed
 * @property {(value: number) => number} show
 * @property {(text: string) => number} read NaN if it is no number
 * @property {(value: number) => string} format with the unit
 */

const rounded = (/** @type {number} */ x) => Number(x.toPrecision(10));

// Hair is fractions of a millimetre thick, grows on heads of centimetres, in sets of metres.
const lengthUnit = (/** @type {number} */ sample) => (sample >= 1 ? 'm' : sample >= 0.01 || sample === 0 ? 'cm' : 'mm');

/** The scale of a unit as the schema names it, for a parameter with a usual value. @param {string | undefined} unit @param {any} [sample] @returns {Scale} */
export function scaleOf(unit = '', sample = 0) {
  const kind = KINDS[unit];
  const largest = Math.max(...[sample].flat().map((x) => (typeof x === 'number' ? Math.abs(x) : 0)));
  const shown = unit === 'm' ? lengthUnit(largest) : NAMES[unit] ?? unit.replace('cm2', 'cm²').replace('m2', 'm²').replace('s2', 's²').replace(/\^?3/, '³');
  const size = kind?.[shown] ?? 1;
  const name = size === 1 && !kind ? shown : shown === 'deg' ? '°' : shown;
  const show = (/** @type {number} */ value) => rounded(value / size);
  return {
    unit: name, typed: kind !== undefined, show,
    read: (text) => {
      const [, number, typed] = /^\s*([-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?)\s*(\S*)\s*$/i.exec(text) ?? [];
      if (number === undefined) return NaN;
      const factor = typed === '' ? size : kind?.[typed] ?? kind?.[typed.toLowerCase()] ?? NaN;
      return rounded(Number(number.replace(',', '.')) * factor);
    },
    format: (value) => (value === 0 || name === '' ? String(show(value)) : `${show(value)}${name === '°' ? '' : ' '}${name}`),
  };
}

export const PLAIN = scaleOf();
