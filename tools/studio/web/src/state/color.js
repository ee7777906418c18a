// Linear RGB triples of the scene as sRGB hex strings of colour inputs.

const encode = (/** @type {number} */ x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
const decode = (/** @type {number} */ x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

// Emission may exceed 1: the hex colour is normalised by the largest component, and editing keeps that factor.
const scaleOf = (/** @type {number[]} */ rgb) => Math.max(1, ...rgb);

/** @param {number[]} rgb */
export function toHex(rgb) {
  const scale = scaleOf(rgb);
  return `#${rgb.map((x) => Math.round(255 * encode(Math.max(0, x) / scale)).toString(16).padStart(2, '0')).join('')}`;
}

/** @param {string} hex @param {number[]} previous */
export function fromHex(hex, previous = [1, 1, 1]) {
  const scale = scaleOf(previous);
  return [1, 3, 5].map((at) => Number((scale * decode(parseInt(hex.slice(at, at + 2), 16) / 255)).toPrecision(4)));
}

// Whether a schema describes an RGB colour, not a vector.
export const isColor = (/** @type {any} */ schema) => schema.type === 'array' && schema.items?.minimum === 0
  && (schema.items.maximum === 1 || /\blinear\b/.test(schema.description ?? ''));
