// Inputs of one constant value of the scene, by its schema: numbers, vectors, colours, choices, files, references.

import { getJson } from '../net/api.js';
import { browse } from '../project/file_browser.js';
import { fromHex, isColor, toHex } from '../state/color.js';
import { checkNumber } from '../state/field_errors.js';
import { fromWords, wordsOf } from '../state/scene_entries.js';
import { state } from '../state/store.js';
import { PLAIN } from '../state/units.js';
import { element, tryOrToast } from '../ui/dom.js';
import { iconButton } from '../ui/icon_button.js';

/** @typedef {any} Schema */
/** @typedef {(value: any, done: boolean) => void} Write called while a control moves, and with done when it stops */

/**
 * @typedef {object} Target of inputs
 * @property {string} path JSON pointer
 * @property {string} name
 * @property {string} label
 * @property {Write} write
 * @property {(sentence: string) => void} fail shows what is wrong and the value of the scene again
 * @property {import('../state/units.js').Scale} [scale] of numbers
 */

const MESHES = ['obj', 'ply', 'glb', 'abc', 'usd', 'usda', 'usdc', 'usdz'];
const IMAGES = ['png', 'exr', 'tif', 'tiff', 'jpg', 'jpeg', 'hdr', 'tx'];
const STRANDS = ['hair', 'tfx', 'obj', 'ply', 'abc', 'usd', 'usda', 'usdc', 'usdz', 'data'];
const EXTENSIONS = /** @type {[RegExp, string[]][]} */ ([
  [/texture|image|_map$|density\.texture/, IMAGES], [/mesh$|rest$|surface$/, MESHES], [/\/camera\/file$/, MESHES], [/file$|guides$/, STRANDS],
]);

/** The extensions of a file parameter. @param {string} path */
const extensionsFor = (path) => EXTENSIONS.find(([pattern]) => pattern.test(path))?.[1] ?? [...new Set([...IMAGES, ...MESHES, ...STRANDS, 'txt', 'csv', 'wind', 'state', 'vdb'])];

/** Chooses a file; relative to the folder of the scene where it is inside. @param {string} title @param {string[]} extensions @returns {Promise<string | null>} */
export async function chooseFile(title, extensions) {
  const { folder } = await getJson('/api/project');
  const chosen = await browse({ title, folder, extensions });
  return chosen?.startsWith(`${folder}/`) ? chosen.slice(folder.length + 1) : chosen;
}
export const chooseMesh = () => chooseFile('Mesh of the body', MESHES);
export const chooseTexture = () => chooseFile('Texture', IMAGES);

// Exponential notation where decimals would not fit: 3.5e-5.
const formatNumber = (/** @type {number} */ value) => (value !== 0 && Math.abs(value) < 1e-3 && String(value).length > 6 ? value.toExponential() : String(value));

/**
 * A field for a number in the unit of the scale; a number that cannot be used is reported and the field shows the value of
 * the scene again. Arrow keys change the second digit where the browser does not count by itself.
 * @param {number} value @param {Schema} schema @param {{ label: string, scale?: import('../state/units.js').Scale, fail: (sentence: string) => void }} target
 * @param {(number: number) => void} write @param {Record<string, any>} attributes
 */
function numberField(value, schema, { label, scale = PLAIN, fail }, write, attributes) {
  const field = element('input', {
    ...(scale.typed ? { type: 'text', inputMode: 'decimal', autocomplete: 'off', spellcheck: false } : { type: 'number', step: schema.type === 'integer' ? 1 : 'any' }),
    value: formatNumber(scale.show(value)), 'aria-label': label, ...attributes,
    onchange: () => {
      const fault = checkNumber(label, field.value, schema, scale);
      if (!fault) {
        write(scale.read(field.value));
        return;
      }
      field.value = field.defaultValue;
      fail(fault);
    },
  });
  if (scale.typed) {
    field.addEventListener('keydown', (event) => {
      const sign = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
      const now = scale.show(scale.read(field.value));
      if (sign === 0 || !Number.isFinite(now)) return;
      event.preventDefault();
      field.value = formatNumber(Number((now + sign * 10 ** (Math.floor(Math.log10(Math.abs(now) || 1)) - 1)).toPrecision(6)));
      field.dispatchEvent(new Event('change'));
    });
  }
  return field;
}

/** The browser's colour input for linear RGB. @param {() => number[]} read @param {(rgb: number[], done: boolean) => void} write */
function colorSwatch(read, write) {
  const made = element('input', { type: 'color', value: toHex(read()), 'data-control': 'swatch', oninput: () => write(fromHex(made.value, read()), false), onchange: () => write(fromHex(made.value, read()), true) });
  return made;
}

const COMPONENTS = ['red', 'green', 'blue'];

/** @param {Schema} schema @param {any} value @param {Target} target */
function vectorInputs(schema, value, { label, write, fail, scale = PLAIN }) {
  const names = isColor(schema) ? COMPONENTS : ['x', 'y', 'z'];
  const parts = [0, 1, 2].map((k) => numberField(value?.[k] ?? 0, schema.items ?? {}, { label: `${label}, ${names[k]},`, scale, fail }, () => write(read(), true),
    { 'aria-label': `${label} ${names[k]}`, 'data-control': names[k] }));
  const read = () => parts.map((part) => scale.read(part.value));
  const swatch = isColor(schema) ? [colorSwatch(read, (rgb, done) => {
    rgb.forEach((x, k) => { parts[k].value = String(x); });
    write(rgb, done);
  })] : [];
  swatch.forEach((each) => each.setAttribute('aria-label', `${label} picker`));
  return element('div', { className: swatch.length ? 'vector color' : 'vector' }, ...parts, ...swatch);
}

/** A slider over a useful part of the range, and a number field. @param {Schema} schema @param {any} value @param {Target} target */
function numberInputs(schema, value, { label, write, fail, scale = PLAIN }) {
  const isInteger = schema.type === 'integer';
  const number = numberField(value ?? 0, schema, { label, scale, fail }, (next) => write(next, true), { 'data-control': 'number' });
  const extent = Math.max(Math.abs(value ?? 0), Math.abs(schema.default ?? 0)) * 4 || 1;
  const low = Math.max(schema.minimum ?? -extent, -extent);
  const high = Math.min(schema.maximum ?? extent, extent);
  const range = element('input', { type: 'range', min: low, max: high, step: isInteger ? 1 : (high - low) / 500, value: value ?? 0, 'aria-label': `${label}, slider`, 'data-control': 'slider' });
  range.addEventListener('input', () => { number.value = String(Number(scale.show(Number(range.value)).toPrecision(4))); write(scale.read(number.value), false); });
  range.addEventListener('change', () => write(scale.read(number.value), true));
  return [range, number];
}

/** @param {[string, string][]} choices value and text @param {string} value @param {Target} target */
function selectInput(choices, value, { label, write }) {
  const known = choices.some(([each]) => each === value) ? choices : [...choices, /** @type {[string, string]} */ ([value, `${value} (missing)`])];
  const made = element('select', { 'aria-label': label, 'data-control': 'select', onchange: () => write(made.value, true) },
    ...known.map(([each, text]) => element('option', { value: each, selected: each === value }, text)));
  return made;
}

/** Checkboxes of names; none is the text of `none`. @param {string[]} names @param {string[]} chosen @param {string} none @param {Target} target @param {(chosen: string[]) => any} toValue */
function namesInput(names, chosen, none, { label, write }, toValue) {
  const all = [...new Set([...names, ...chosen])];
  const boxes = all.map((name) => element('input', { type: 'checkbox', checked: chosen.includes(name), 'data-control': `name-${name}`, onchange: () => write(toValue(all.filter((_, i) => boxes[i].checked)), true) }));
  return element('div', { className: 'names', role: 'group', 'aria-label': label },
    ...(chosen.length === 0 ? [element('span', { className: 'names-none' }, none)] : []),
    ...all.map((name, i) => element('label', { className: 'check' }, boxes[i], name)));
}

/** @param {string} value @param {Target} target */
function fileInput(value, { path, label, write }) {
  const text = element('input', { type: 'text', value, spellcheck: false, 'aria-label': label, 'data-control': 'text', onchange: () => write(text.value.trim(), true) });
  return element('div', { className: 'path-field' }, text, iconButton('folder-open', `Browse: ${label}`, {}, () => tryOrToast(async () => {
    const chosen = await chooseFile(label, extensionsFor(path));
    if (chosen !== null) write(chosen, true);
  }), { 'data-control': 'browse' }));
}

/** Names that a parameter may refer to. @param {Schema} schema @param {Target} target @returns {string[] | null} null: it is free text */
function referableNames(schema, { path, name }) {
  const [, list, index] = /^\/(\w+)\/(\d+)\//.exec(path) ?? [];
  const owner = state.scene[list]?.[Number(index)];
  if (schema.refers_to === '.') {
    const [, all, at] = /^(.*)\/(\d+)\/\w+$/.exec(path) ?? [];
    const entries = (all ?? '').split('/').slice(1).reduce((value, key) => value?.[key], state.scene) ?? [];
    return entries.slice(0, Number(at)).map((/** @type {any} */ each) => each.name).filter(Boolean);
  }
  if (schema.refers_to) {
    const entries = state.scene[schema.refers_to] ?? [];
    return [...new Set(entries.flatMap((/** @type {any} */ each) => [each.name, ...(Array.isArray(schema.type) ? wordsOf(each.tags) : [])]).filter(Boolean))]
      .filter((each) => !(name === 'parent' && owner?.name === each && list === schema.refers_to));
  }
  if (list === 'grooms' && name === 'group') return groupsOf(state.scene.bodies?.findIndex((/** @type {any} */ body) => body.name === owner?.body)).groups;
  if (list === 'bodies' && (name === 'include_groups' || name === 'exclude_groups')) {
    const { groups, materials } = groupsOf(Number(index));
    return [...groups, ...materials];
  }
  return null;
}
const groupsOf = (/** @type {number} */ body) => state.bodies[body] ?? { groups: [], materials: [] };

/** @param {Schema} schema constant form @param {any} value @param {Target} target @returns {HTMLElement[]} */
export function createInputs(schema, value, target) {
  const { label, write } = target;
  if (schema.enum) {
    const choices = schema.enum.filter((/** @type {any} */ each) => typeof each === 'string' || !schema.enum.includes(String(each)));
    return [selectInput(choices.map((/** @type {any} */ each) => [String(each), String(each).replaceAll('_', ' ')]), String(value ?? ''), target)];
  }
  if (schema.type === 'boolean') {
    const made = element('input', { type: 'checkbox', checked: value === true, 'aria-label': label, 'data-control': 'box', onchange: () => write(made.checked, true) });
    return [made];
  }
  if (schema.type === 'array') return [vectorInputs(schema, value, target)];
  if (schema.type === 'number' || schema.type === 'integer') return numberInputs(schema, value, target);
  const names = referableNames(schema, target);
  if (names && Array.isArray(schema.type)) return [namesInput(names, wordsOf(value), 'all of them', target, (chosen) => fromWords(chosen, value))];
  if (names && /clude_groups$/.test(target.name)) {
    const chosen = String(value ?? '').split(',').map((each) => each.trim()).filter(Boolean);
    return [namesInput(names, chosen, target.name === 'include_groups' ? 'the whole mesh' : 'nothing', target, (all) => all.join(', '))];
  }
  if (names) return [selectInput([['', target.name === 'group' ? 'whole mesh' : 'none'], ...names.map((each) => /** @type {[string, string]} */ ([each, each]))], value ?? '', target)];
  if (schema.file) return [fileInput(value ?? '', target)];
  const text = Array.isArray(value) ? value.join(' ') : value ?? ''; // a list of words is also a string with spaces
  const made = element('input', { type: 'text', value: text, 'aria-label': label, 'data-control': 'text', onchange: () => write(made.value, true) });
  return [made];
}
