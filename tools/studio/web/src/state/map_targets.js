// The parameters a new map can drive, and the scene edits that connect it.

import { bindToMap, isMapped } from './map_binding.js';
import { state } from './store.js';

/** @typedef {{ path: string, value?: any }} Edit */

const groomPath = () => `/grooms/${state.groom}`;
const groom = () => state.scene.grooms[state.groom];
const mapPath = (/** @type {string} */ name) => `${groomPath()}/maps/${(groom().maps ?? []).findIndex((/** @type {any} */ map) => map.name === name)}`;

/** The schema of a parameter, by the names of its sections. @param {string[]} names */
const schemaOf = (...names) => names.reduce((schema, name) => (schema.items ?? schema).properties[name], state.schema);

// Scales a parameter by the map: 1 in the map is the current value. Where another map drives the parameter, the new
// map is blended over it ("base"), so white changes nothing.
/** @param {string} path @param {any} current @param {any} schema @param {string} mapName @returns {Edit[]} */
function scaleByMap(path, current, schema, mapName) {
  if (isMapped(current)) return [{ path, value: { ...current, map: mapName } }, { path: `${mapPath(mapName)}/base`, value: current.map }];
  if (current !== null && typeof current === 'object') return [];
  return [{ path, value: bindToMap(current, current ?? schema.default, mapName, schema.anyOf[0]) }];
}

/** The amount of every modifier of a plugin; adds one if there is none. @param {string} plugin @param {string} mapName @returns {Edit[]} */
function modifierAmounts(plugin, mapName) {
  const list = groom().modifiers ?? [];
  const edits = list.flatMap((/** @type {any} */ modifier, /** @type {number} */ i) => (modifier.plugin === plugin
    ? scaleByMap(`${groomPath()}/modifiers/${i}/amount`, modifier.amount, schemaOf('grooms', 'modifiers', 'amount'), mapName) : []));
  const exists = list.some((/** @type {any} */ modifier) => modifier.plugin === plugin);
  return exists ? edits : [{ path: `${groomPath()}/modifiers/-`, value: { plugin, amount: { map: mapName } } }];
}

const groomParameter = (/** @type {string} */ key) => (/** @type {string} */ mapName) =>
  scaleByMap(`${groomPath()}/${key}`, groom()[key], schemaOf('grooms', key), mapName);

/** @type {Record<string, (mapName: string) => Edit[]>} */ export const MAP_TARGETS = {
  density: groomParameter('density'),
  length: groomParameter('length'),
  width: groomParameter('radius'),
  clump: (mapName) => modifierAmounts('groom.clump', mapName),
  curl: (mapName) => modifierAmounts('groom.curl', mapName),
  frizz: (mapName) => modifierAmounts('groom.frizz', mapName),
  stiffness: (mapName) => {
    const own = groom().sim?.stiffness; // overrides that of the scene
    return scaleByMap(own === undefined ? '/sim/stiffness' : `${groomPath()}/sim/stiffness`, own ?? state.scene.sim?.stiffness, schemaOf('sim', 'stiffness'), mapName);
  },
  melanin: (mapName) => scaleByMap(`${groomPath()}/hair/eumelanin`, groom().hair?.eumelanin, schemaOf('grooms', 'hair', 'eumelanin'), mapName),
  // Region ids must not be interpolated between texels.
  region: (mapName) => [
    { path: `${groomPath()}/region`, value: { map: mapName, range: [0, 255] } },
    { path: `${mapPath(mapName)}/filter`, value: 'nearest' },
  ],
};

// The neutral value of a new map: connecting it changes nothing.
export const initialValue = (/** @type {string} */ target) => (target === 'region' ? 0 : 1);
