// Which parameters a map drives, and its values in the unit of the parameter.

import { rangeOf } from './map_binding.js';
import { resolveRef } from './parameter_schema.js';
import { state } from './store.js';

/** @typedef {{ path: string, key: string, value: any, label: string }} MapUse */

// All references to a map below a scene value: parameters bound to it ("map") and maps blended with it ("base").
/** @param {any} value @param {string} path @param {string} name @param {{ path: string, value: any, key: string }[]} found */
export function referencesTo(value, path, name, found = []) {
  if (value && typeof value === 'object') {
    for (const key of ['map', 'base']) {
      if (value[key] === name) found.push({ path, value, key });
    }
    for (const [key, child] of Object.entries(value)) referencesTo(child, `${path}/${key}`, name, found);
  }
  return found;
}

/** The name of a parameter as artists know it. @param {string} path */
function labelOf(path) {
  const keys = path.split('/').slice(1);
  const leaf = keys[keys.length - 1].replaceAll('_', ' ');
  const at = keys.indexOf('modifiers');
  if (at >= 0) {
    const modifier = keys.slice(0, at + 2).reduce((value, key) => value?.[key], state.scene);
    return `${String(modifier?.plugin ?? 'modifier').replace(/^groom\./, '')} ${leaf}`;
  }
  if (keys.includes('maps')) return `map ${keys.slice(0, 4).reduce((value, key) => value?.[key], state.scene)?.name ?? ''}`;
  return keys[0] === 'sim' ? `simulated ${leaf}` : leaf;
}

/** Everything a map of the selected groom drives. @param {string} name @returns {MapUse[]} */
export function usesOfMap(name) {
  const groom = state.scene.grooms?.[state.groom];
  const own = referencesTo(groom, `/grooms/${state.groom}`, name);
  const shared = referencesTo(state.scene.sim, '/sim', name);
  return [...own, ...shared].map((use) => ({ ...use, label: labelOf(use.path) }));
}

/** The schema at a JSON pointer of the scene. @param {string} path */
function schemaAt(path) {
  const keys = path.split('/').slice(1);
  return keys.reduce((schema, key) => {
    const here = resolveRef(schema ?? {}, state.schema);
    return /^\d+$/.test(key) ? here.items : here.properties?.[key];
  }, state.schema);
}

/** @param {string} path */
function unitOf(path) {
  const schema = schemaAt(path);
  return /\(([^()]+)\)\s*$/.exec(schema?.description ?? '')?.[1] ?? '';
}

/**
 * @typedef {object} MapScale values of a map as the parameter it drives has them
 * @property {string} unit '' if none
 * @property {string} label of the parameter, '' for plain map values
 * @property {(value: number) => number} show from the value in the map
 * @property {(shown: number) => number} read
 */

/** @type {MapScale} */ const PLAIN = { unit: '', label: '', show: (value) => value, read: (shown) => shown };

// Lengths below a metre read better in millimetres.
/** @param {string} unit @param {number[]} ends @returns {[string, number]} */
const displayUnit = (unit, ends) => (unit === 'm' && Math.max(...ends.map(Math.abs)) < 1 ? ['mm', 1000] : [unit === '1/cm2' ? 'per cm²' : unit, 1]);

/** The scale of a map by the one parameter it drives linearly; plain values if there is none or several. @param {{ name: string, index: number } | undefined} entry @returns {MapScale} */
export function scaleOfMap(entry) {
  const groom = state.scene.grooms?.[state.groom];
  const map = entry && groom?.maps?.[entry.index];
  if (!map || map.base) return PLAIN;
  const uses = usesOfMap(entry.name);
  const [use] = uses;
  if (uses.length !== 1 || use.key !== 'map' || use.value.ramp || use.path.endsWith('/region')) return PLAIN;
  let [low, high] = rangeOf(use.value);
  if (typeof low !== 'number' || typeof high !== 'number' || low === high) return PLAIN;
  let unit = unitOf(use.path);
  // Density is a fraction of the strands per square centimetre.
  if (use.path.endsWith('/density') && groom.strands_per_cm2 > 0) {
    [low, high] = [low * groom.strands_per_cm2, high * groom.strands_per_cm2];
    unit = '1/cm2';
  }
  if (map.invert) [low, high] = [high, low];
  const [shownUnit, factor] = displayUnit(unit, [low, high]);
  return {
    unit: shownUnit, label: use.label,
    show: (value) => factor * (low + value * (high - low)),
    read: (shown) => (shown / factor - low) / (high - low),
  };
}
