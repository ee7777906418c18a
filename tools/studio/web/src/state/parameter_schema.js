// Parameters in the JSON schema of scenes. Pure functions.

import { valueAtFrame } from './keyframes.js';

/** @typedef {any} Schema */

/** Follows a $ref. @param {Schema} schema @param {Schema} root the schema of scenes @returns {Schema} */
export function resolveRef(schema, root) {
  if (!schema.$ref) return schema;
  const target = schema.$ref.slice(2).split('/').reduce((/** @type {any} */ at, /** @type {string} */ key) => at[key], root);
  return { ...target, ...schema, $ref: undefined };
}

// Constant parameters refuse keys: "not" {"required": ["keys"]}.
export const acceptsKeys = (/** @type {Schema} */ schema) => schema.anyOf !== undefined && !schema.not?.required?.includes('keys');

/** Values of the preset that an object of a section names. @param {Schema} section @param {any} owner @param {Schema} root @returns {Record<string, any>} */
const presetValues = (section, owner, root) => resolveRef(section.properties?.preset ?? {}, root).presets?.[owner?.preset]?.values ?? {};

// A section such as "sim" of a groom overrides another: what is not given in it has the value given there. A preset takes the place
// of defaults and of such values.
/** @param {Schema} section @param {any} owner the object of the section @param {any} scene @param {Schema} root */
export function inheritedBy(section, owner, scene, root) {
  const base = section.inherits ? scene[section.inherits] : undefined;
  return { ...presetValues(section, base, root), ...base, ...presetValues(section, owner, root) };
}

/** The schema of a parameter whose default is the inherited value. @param {Schema} schema @param {any} inherited @param {number} frame @returns {Schema} */
export const withInheritedDefault = (schema, inherited, frame) => (inherited === undefined ? schema : { ...schema, default: valueAtFrame(inherited, frame) });
