// uses: what a layer is for, and how the scene says so.

import { fromLayer, isMapped } from '../panels/map_binding.js';
import { state } from './store.js';

const here = () => `/grooms/${state.groom}`;
const groom = () => state.scene.grooms[state.groom];
const mapPlace = (name) => `${here()}/maps/${(groom().maps ?? []).findIndex((map) => map.name === name)}`;

// The table's row of a parameter, from the names of its sections.
const rowOf = (...names) => names.reduce((schema, name) => (schema.items ?? schema).properties[name], state.schema);

// A number that the layer scales: 1 in the map is what the number is now. Where a map is used already
// the layer is laid over it, and white leaves that as it is.
function scaled(place, now, row, name) {
  if (isMapped(now)) {
    return [{ place, value: { ...now, map: name } }, { place: `${mapPlace(name)}/over`, value: now.map }];
  }
  if (now !== null && typeof now === 'object') return [];
  return [{ place, value: fromLayer(now, now ?? row.default, name, row.anyOf[0]) }];
}

// The amount of every modifier of that kind; one is added where there is none.
function modifiers(plugin, name) {
  const list = groom().modifiers ?? [];
  const edits = list.flatMap((modifier, i) => (modifier.plugin === plugin
    ? scaled(`${here()}/modifiers/${i}/amount`, modifier.amount, rowOf('grooms', 'modifiers', 'amount'), name) : []));
  const some = list.some((modifier) => modifier.plugin === plugin);
  return some ? edits : [{ place: `${here()}/modifiers/-`, value: { plugin, amount: { map: name } } }];
}

const ofGroom = (key) => (name) => scaled(`${here()}/${key}`, groom()[key], rowOf('grooms', key), name);

export const USES = {
  density: ofGroom('density'),
  length: ofGroom('length'),
  width: ofGroom('radius'),
  clump: (name) => modifiers('groom.clump', name),
  curl: (name) => modifiers('groom.curl', name),
  frizz: (name) => modifiers('groom.frizz', name),
  stiffness: (name) => scaled('/sim/stiffness', state.scene.sim?.stiffness, rowOf('sim', 'stiffness'), name),
  melanin: (name) => scaled(`${here()}/hair/eumelanin`, groom().hair?.eumelanin, rowOf('grooms', 'hair', 'eumelanin'), name),
  // Numbers, not shades: nothing between two texels.
  region: (name) => [
    { place: `${here()}/region`, value: { map: name, range: [0, 255] } },
    { place: `${mapPlace(name)}/filter`, value: 'nearest' },
  ],
};

// What a layer begins with, so that putting it to use changes nothing yet.
export const firstValue = (use) => (use === 'region' ? 0 : 1);
