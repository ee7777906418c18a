// Entries of a scene (bodies, grooms, modifiers, lights, ...): their tree, and the edits that add, duplicate, rename, move
// and remove them with everything that refers to them. Pure functions of the scene and its JSON schema.

import { labelOf } from './labels.js';
import { referencesTo as mapReferences } from './map_uses.js';
import { resolveRef } from './parameter_schema.js';

/** @typedef {any} Schema */
/** @typedef {{ path: string, value?: any }} Edit see edit() of store.js */

/**
 * @typedef {object} Entry
 * @property {string} path JSON pointer
 * @property {string} label
 * @property {string} section key of the list or object: "bodies", "modifiers", "camera"
 * @property {boolean} isList
 * @property {number} level from 1
 * @property {string} help
 * @property {any} value
 * @property {Schema} schema of the value
 */

const SECTION_NAMES = /** @type {Record<string, string>} */ ({ sim: 'Simulation', image: 'Image', camera: 'Camera', hair: 'Hair material', material: 'Material' });

export const sectionLabel = (/** @type {string} */ section) => SECTION_NAMES[section] ?? labelOf(section);

/** "groom.curl" as "Curl". @param {string} id */
export const pluginLabel = (id) => labelOf(id.split('.').pop() ?? id);

const SINGULAR = /** @type {Record<string, string>} */ ({ bodies: 'body' });
/** "bodies" as "body". @param {string} section */
export const singular = (section) => SINGULAR[section] ?? section.replace(/s$/, '');

/** @param {any} value @param {number} index @param {string} section */
function entryLabel(value, index, section) {
  const kind = value.plugin ? pluginLabel(value.plugin) : '';
  const name = value.name || value.body || value.type || value.shape || kind || `${labelOf(singular(section))} ${index + 1}`;
  return kind && name !== kind ? `${name} (${kind})` : name;
}

/** The schema and the kind of a member of an object. @param {Schema} schema @param {Schema} root */
function memberKind(schema, root) {
  const whole = resolveRef(schema, root);
  if (whole.type === 'array' && whole.items && resolveRef(whole.items, root).type === 'object') return { whole, kind: 'list' };
  return { whole, kind: whole.type === 'object' && whole.properties ? 'object' : 'parameter' };
}

/** Properties of an object, including those of its plugin. @param {Schema} schema @param {any} value @param {Schema} root @returns {Record<string, Schema>} */
export function propertiesOf(schema, value, root) {
  const whole = resolveRef(schema, root);
  let properties = { ...whole.properties };
  for (const rule of whole.allOf ?? []) {
    if (rule.if?.properties?.plugin?.const === value?.plugin) properties = { ...properties, ...resolveRef(rule.then, root).properties };
  }
  return properties;
}

/** Lists of objects of an entry. @param {Schema} schema @param {any} value @param {string} path @param {number} level @param {Schema} root @returns {Entry[]} */
function listsOf(schema, value, path, level, root) {
  return Object.entries(propertiesOf(schema, value, root)).flatMap(([name, child]) => {
    const { whole, kind } = memberKind(child, root);
    if (kind !== 'list') return [];
    const items = resolveRef(whole.items, root);
    const values = value?.[name] ?? [];
    return [
      { path: `${path}/${name}`, label: sectionLabel(name), section: name, isList: true, level, help: whole.description ?? '', value: values, schema: items },
      ...values.flatMap((/** @type {any} */ each, /** @type {number} */ i) => [
        { path: `${path}/${name}/${i}`, label: entryLabel(each, i, name), section: name, isList: false, level: level + 1, help: items.description ?? '', value: each, schema: items },
        ...listsOf(items, each, `${path}/${name}/${i}`, level + 2, root),
      ]),
    ];
  });
}

/** All entries, parents before children. @param {any} scene @param {Schema} root @returns {Entry[]} */
export function entriesOf(scene, root) {
  const objects = Object.entries(root.properties).flatMap(([name, child]) => {
    const { whole, kind } = memberKind(child, root);
    return kind === 'object' ? [{ path: `/${name}`, label: sectionLabel(name), section: name, isList: false, level: 1, help: whole.description ?? '', value: scene[name], schema: whole }] : [];
  });
  return [...listsOf({ properties: root.properties }, scene, '', 1, root), ...objects];
}

/** The value at a JSON pointer. @param {any} scene @param {string} path */
export const valueAt = (scene, path) => path.split('/').slice(1).reduce((value, key) => value?.[key], scene);

/** @param {string} path of an element @returns {[string, number]} its list and its index */
export function splitIndex(path) {
  const at = path.lastIndexOf('/');
  return [path.slice(0, at), Number(path.slice(at + 1))];
}

/** A name that no entry of the list has. @param {any[] | undefined} list @param {string} stem */
export function uniqueName(list, stem) {
  const names = new Set((list ?? []).map((entry) => entry.name));
  let name = stem;
  for (let i = 2; names.has(name); ++i) name = `${stem}${i}`;
  return name;
}

// ---- references

/** @param {any} value "front top" or ["front", "top"] @returns {string[]} */
export const wordsOf = (value) => (Array.isArray(value) ? value : String(value ?? '').split(' ').filter(Boolean));
/** As the scene had it; names with spaces need an array. @param {string[]} words @param {any} before */
export const fromWords = (words, before) => (Array.isArray(before) || words.some((word) => word.includes(' ')) ? words : words.join(' '));

/** @typedef {{ path: string, owner: string, value: any, list: boolean, required: boolean }} Reference owner: path of the object that has it */

/** Parameters that name an entry of a section, by the "refers_to" of the schema. @param {string} section @param {string} name @param {any} scene @param {Schema} root @returns {Reference[]} */
export function referencesTo(section, name, scene, root) {
  /** @type {Reference[]} */ const found = [];
  const walk = (/** @type {Schema} */ schema, /** @type {any} */ value, /** @type {string} */ path) => {
    if (value === null || typeof value !== 'object') return;
    const required = resolveRef(schema, root).required ?? [];
    for (const [key, child] of Object.entries(propertiesOf(schema, value, root))) {
      const { whole, kind } = memberKind(child, root);
      const [own, at] = [value[key], `${path}/${key}`];
      if (own === undefined) continue;
      if (kind === 'list') own.forEach((/** @type {any} */ each, /** @type {number} */ i) => walk(whole.items, each, `${at}/${i}`));
      else if (kind === 'object') walk(whole, own, at);
      else if (whole.refers_to === section && wordsOf(own).includes(name) && (Array.isArray(whole.type) || own === name)) {
        found.push({ path: at, owner: path, value: own, list: Array.isArray(whole.type), required: required.includes(key) });
      }
    }
  };
  walk({ properties: root.properties }, scene, '');
  return found;
}

/** Parameters bound to a map of a groom, of the groom and of the simulation of the scene. @param {string} list "/grooms/0/maps" @param {string} name @param {any} scene */
function boundTo(list, name, scene) {
  const groom = list.replace(/\/maps$/, '');
  return [...mapReferences(valueAt(scene, groom), groom, name), ...mapReferences(scene.sim, '/sim', name)];
}

/** @param {string} path of the entry @param {string} name new @param {any} scene @param {Schema} root @returns {Edit[]} */
export function renameEdits(path, name, scene, root) {
  const [list] = splitIndex(path);
  const before = valueAt(scene, path).name;
  const section = list.split('/').pop() ?? '';
  const own = { path: `${path}/name`, value: name };
  if (!before) return [own];
  if (section === 'maps') return [own, ...boundTo(list, before, scene).map((use) => ({ path: `${use.path}/${use.key}`, value: name }))];
  const references = list === `/${section}` ? referencesTo(section, before, scene, root) : [];
  return [own, ...references.map((each) => ({
    path: each.path,
    value: each.list ? fromWords(wordsOf(each.value).map((word) => (word === before ? name : word)), each.value) : name,
  }))];
}

// Edits of one request are applied one after another: elements of a list are removed from its end.
const fromTheEnd = (/** @type {string} */ a, /** @type {string} */ b) => {
  const [[listA, i], [listB, k]] = [splitIndex(a), splitIndex(b)];
  return listA === listB ? k - i : listB.length - listA.length;
};

/**
 * Removes an entry. Entries that cannot be without it (a groom without its body) go too; other references are dropped.
 * @param {string} path @param {any} scene @param {Schema} root @returns {{ edits: Edit[], removed: string[] }} removed: paths of the entries
 */
export function removeEdits(path, scene, root) {
  const removed = [path];
  /** @type {Map<string, Reference & { drop: string[] }>} */ const dropped = new Map();
  /** @type {Edit[]} */ const unbound = [];
  for (let i = 0; i < removed.length; ++i) {
    const [list] = splitIndex(removed[i]);
    const { name } = valueAt(scene, removed[i]);
    const section = list.split('/').pop() ?? '';
    if (section === 'maps' && name) {
      for (const use of boundTo(list, name, scene)) {
        if (use.path !== removed[i]) unbound.push(use.key === 'base' ? { path: `${use.path}/base` } : { path: use.path, ...(use.path.endsWith('/region') ? {} : { value: use.value.range?.[1] ?? 1 }) });
      }
    }
    if (!name || list !== `/${section}`) continue;
    for (const each of referencesTo(section, name, scene, root)) {
      if (each.required && !each.list) {
        if (!removed.includes(each.owner)) removed.push(each.owner);
      } else {
        const known = dropped.get(each.path) ?? { ...each, drop: [] };
        known.drop.push(name);
        dropped.set(each.path, known);
      }
    }
  }
  const survives = (/** @type {string} */ at) => !removed.some((gone) => at.startsWith(`${gone}/`));
  /** @type {Edit[]} */ const edits = [...dropped.values()].filter((each) => survives(each.path)).map((each) => {
    const rest = each.list ? wordsOf(each.value).filter((word) => !each.drop.includes(word)) : [];
    return rest.length ? { path: each.path, value: fromWords(rest, each.value) } : { path: each.path };
  });
  edits.push(...unbound.filter((each) => survives(`${each.path}/`)));
  edits.push(...[...removed].sort(fromTheEnd).map((each) => ({ path: each })));
  return { edits, removed };
}

// ---- lists

/** Inserts a value before an index. @param {string} list path @param {number} index @param {any} value @param {any} scene @returns {Edit[]} */
export function insertEdits(list, index, value, scene) {
  const values = valueAt(scene, list) ?? [];
  if (index >= values.length) return [{ path: `${list}/-`, value }];
  const shifted = [value, ...values.slice(index)];
  return shifted.map((each, i) => ({ path: index + i < values.length ? `${list}/${index + i}` : `${list}/-`, value: each }));
}

/** A copy after the entry, with a name of its own. @param {string} path @param {any} scene @returns {{ edits: Edit[], path: string }} */
export function duplicateEdits(path, scene) {
  const [list, index] = splitIndex(path);
  const value = valueAt(scene, path);
  const copy = { ...value, ...(value.name ? { name: uniqueName(valueAt(scene, list), `${value.name.replace(/\d+$/, '')}_copy`.replace('_copy_copy', '_copy')) } : {}) };
  return { edits: insertEdits(list, index + 1, copy, scene), path: `${list}/${index + 1}` };
}

/** Swaps an entry with a neighbour. @param {string} path @param {number} step -1 or 1 @param {any} scene @returns {{ edits: Edit[], path: string }} none at the ends */
export function moveEdits(path, step, scene) {
  const [list, index] = splitIndex(path);
  const values = valueAt(scene, list);
  const other = values[index + step];
  if (other === undefined) return { edits: [], path };
  return { edits: [{ path, value: other }, { path: `${list}/${index + step}`, value: values[index] }], path: `${list}/${index + step}` };
}

/** Choices for a new entry: the plugins, or the values of the parameter that says what it is. @param {Schema} schema of the entries @param {Schema} root @returns {{ key: string, choices: string[] } | null} */
export function kindsOf(schema, root) {
  for (const key of ['plugin', 'type', 'shape']) {
    const own = schema.properties?.[key] ? resolveRef(schema.properties[key], root) : undefined;
    const choices = own?.enum ?? own?.anyOf?.[0]?.enum;
    if (choices) return { key, choices };
  }
  return null;
}
