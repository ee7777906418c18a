// Parameters bound to maps: {"map": name, "range": [at 0, at 1]}. Pure functions; the widgets are in
// panels/map_binding_inputs.js.

import { isColor } from './color.js';

export const isMapped = (/** @type {any} */ value) => value !== null && typeof value === 'object' && typeof value.map === 'string';
export const isMappable = (/** @type {any} */ schema) => (schema.anyOf ?? []).some((/** @type {any} */ one) => /\/mapped_/.test(one.$ref ?? ''));

// Names of the maps a parameter can be bound to; a groom's parameter only to maps of that groom.
/** @param {string} path JSON pointer of the parameter @param {any} scene @returns {string[]} */
export function mapNamesFor(path, scene) {
  const [, index] = /^\/grooms\/(\d+)/.exec(path) ?? [];
  const grooms = index === undefined ? scene.grooms ?? [] : [scene.grooms[Number(index)]];
  return [...new Set(grooms.flatMap((/** @type {any} */ groom) => (groom.maps ?? []).map((/** @type {any} */ map) => map.name)))];
}

// Fields that survive binding and unbinding.
const keptFields = ({ ramp, comment } = /** @type {any} */ ({})) => ({ ...(ramp && { ramp }), ...(comment && { comment }) });
// A texture of a number is a map without a name; that of a colour gives the colour.
const hasRange = (/** @type {any} */ value, /** @type {any} */ schema) => isMapped(value) || (typeof value?.texture === 'string' && !isColor(schema));
export const rangeOf = (/** @type {any} */ value) => value.range ?? [0, 1];

// The value bound to a map so that white (1) gives the current value. Colours start with equal ends, which changes
// nothing until one end is edited.
/**
 * @param {any} value as the scene has it: constant, keyed or bound
 * @param {any} current constant at this frame
 * @param {string} mapName
 * @param {any} schema of the constant
 */
export function bindToMap(value, current, mapName, schema = {}) {
  const kept = value !== null && typeof value === 'object' && !Array.isArray(value) ? keptFields(value) : {};
  if (schema.type === 'array' && !hasRange(value, schema)) {
    const whole = Array.isArray(current) ? current : schema.default;
    return { map: mapName, range: [isColor(schema) ? whole : [0, 0, 0], whole], ...kept };
  }
  const minimum = schema.minimum ?? 0;
  const [low, high] = hasRange(value, schema) ? rangeOf(value) : [Math.max(0, minimum), Number(current ?? 1)];
  return { map: mapName, ...(low === 0 && high === 1 ? {} : { range: [low, high] }), ...kept };
}

/** The constant that replaces a binding: the value at white. @param {any} value @param {any} schema */
export function unbindMap(value, schema) {
  const kept = keptFields(value);
  const constant = hasRange(value, schema) ? rangeOf(value)[1] : schema.default;
  return kept.ramp ? { value: constant, ...kept } : constant;
}
