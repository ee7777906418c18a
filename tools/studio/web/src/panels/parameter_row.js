// One parameter of the scene: its label, its value in any form that scenes allow (constant, keyframes, map, texture, ramp
// from root to tip), and what is wrong with it.

import { explainError } from '../state/field_errors.js';
import { isKeyed, valueAtFrame, withKey, withoutKey } from '../state/keyframes.js';
import { isMappable, isMapped } from '../state/map_binding.js';
import { labelAt, labelOf } from '../state/labels.js';
import { acceptsKeys, resolveRef } from '../state/parameter_schema.js';
import { edit, state } from '../state/store.js';
import { scaleOf } from '../state/units.js';
import { button, element, toast } from '../ui/dom.js';
import { time } from '../ui/timeline.js';
import { bindingSelect, rangeInputs } from './map_binding_inputs.js';
import { createRampEditor } from './ramp_editor.js';
import { createInputs } from './value_inputs.js';

const DRAG_SEND_MS = 120; // delay while a slider moves

let dragCount = 0;

/** @typedef {any} Schema */
/** @typedef {{ errors: Map<string, string>, refresh: () => void }} RowContext errors: sentences by path; refresh shows them and the values of the scene */

// Help ends with the unit: "distance kept from bodies (m)".
/** @param {Schema} schema constant form @param {any} value @param {boolean} isGiven */
function scaleOfParameter(schema, value, isGiven) {
  const unit = /\(([^()]+)\)$/.exec(schema.description ?? '')?.[1];
  const hasDefault = [schema.default].flat().some((/** @type {any} */ x) => typeof x === 'number' && x !== 0);
  return scaleOf(schema.type === 'string' || schema.enum ? '' : unit, hasDefault || !isGiven ? schema.default : value);
}

/** @param {string} name @param {Schema} schema @param {import('../state/units.js').Scale} scale */
function helpOf(name, schema, scale) {
  const { minimum: low, maximum: high } = schema.items ?? schema;
  const range = low !== undefined && high !== undefined ? `; ${scale.format(low)} to ${scale.format(high)}` : low !== undefined ? `; at least ${scale.format(low)}` : '';
  const shown = typeof schema.default === 'number' ? scale.format(schema.default) : Array.isArray(schema.default) && scale.unit ? schema.default.map(scale.format).join(', ') : JSON.stringify(schema.default);
  const help = scale.unit ? (schema.description ?? '').replace(/ \([^()]+\)$/, '') : schema.description ?? '';
  return `${name}: ${help}${range}${schema.default !== undefined ? `; default ${shown}` : ''}`;
}

const resolve = (/** @type {Schema} */ schema) => resolveRef(schema, state.schema);

/** The schema of the constant form of a value that may also be keyed or mapped. @param {Schema} schema @returns {Schema} */
export function constantSchema(schema) {
  const whole = resolve(schema);
  return whole.anyOf ? { ...resolve(whole.anyOf[0]), description: whole.description, default: whole.default } : whole;
}

/** The schema of the object form, such as "mapped_ramped_number". @param {Schema} schema @returns {Schema | null} */
function objectSchema(schema) {
  const form = (resolve(schema).anyOf ?? []).find((/** @type {any} */ each) => each.$ref);
  return form ? resolve(form) : null;
}

const isObject = (/** @type {any} */ value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The constant at a frame of any form. @param {any} value @param {Schema} constant @param {number} frame */
function constantAt(value, constant, frame) {
  if (value === undefined) return constant.default;
  const now = valueAtFrame(value, frame);
  return isObject(now) && 'value' in now ? now.value : now;
}

/** Sends edits of one field; a refusal is shown at the field. @param {{ path: string, value?: any }[]} edits @param {RowContext} context @param {string} [stroke] */
export async function editField(edits, context, stroke = '') {
  const [{ path }] = edits;
  context.errors.delete(path);
  try {
    await edit(edits, stroke);
  } catch (error) {
    const fault = explainError(/** @type {Error} */ (error).message, labelAt);
    if (/** @type {any} */ (error).status === undefined || !fault.path) toast(fault.text, { bad: true });
    else context.errors.set(path, fault.text);
    context.refresh();
  }
}

// A function that edits the scene value, delayed while a control moves. All edits of one drag are one undo step. A
// keyed value gets a key at the current frame.
/** @param {any} value @param {string} path @param {RowContext} context @returns {import('./value_inputs.js').Write} */
function createWriter(value, path, context) {
  let stroke = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  return (next, done) => {
    stroke ||= `param-${++dragCount}`;
    const id = stroke;
    clearTimeout(timer);
    const whole = isKeyed(value) ? withKey(value, time.frame, next) : isObject(value) && 'value' in value ? { ...value, value: next } : next;
    timer = setTimeout(() => editField([{ path, value: whole }], context, id), done ? 0 : DRAG_SEND_MS);
    if (done) stroke = '';
  };
}

// Why a parameter has no effect now, for example 'Applies to solver pbd, ftl.'; '' where it has one.
/** @param {Schema} schema @param {any} owner the object that holds the parameter @param {Record<string, Schema>} properties of the owner */
export function whyWithoutEffect(schema, owner, properties) {
  for (const [choice, values] of /** @type {[string, string[]][]} */ (Object.entries(schema.applies_to ?? {}))) {
    const choices = choice.split(' ');
    const current = choices.map((name) => owner?.[name] === undefined ? constantSchema(properties[name]).default : valueAtFrame(owner[name], time.frame));
    if (values.length === 0 && !current.some(Boolean)) return `Applies where ${choices.join(' or ')} is set.`;
    if (values.length > 0 && !values.includes(current[0])) return `Applies to ${choice} ${values.join(', ')}.`;
  }
  return '';
}

// A parameter that reads an image: the file, and what the image form adds (range, channel, inverted, filter).
/** @param {string} label @param {any} value @param {string} path @param {Schema} form @param {Schema} constant @param {import('../state/units.js').Scale} scale @param {RowContext} context */
function textureInputs(label, value, path, form, constant, scale, context) {
  const write = (/** @type {string} */ key) => (/** @type {any} */ next, /** @type {boolean} */ done) => { if (done) editField([{ path: `${path}/${key}`, value: next }], context); };
  const fail = (/** @type {string} */ sentence) => { context.errors.set(path, sentence); context.refresh(); };
  const inputs = createInputs({ type: 'string', file: true }, value.texture, { path: `${path}/texture`, name: 'texture', label: `${label}: texture`, write: write('texture'), fail });
  const options = ['channel', 'filter', 'invert'].filter((key) => form.properties?.[key]).map((key) => {
    const own = constantSchema(form.properties[key]);
    const [input] = createInputs(own, value[key] ?? own.default, { path: `${path}/${key}`, name: key, label: `${label}: ${key}`, write: write(key), fail });
    input.dataset.control = key;
    return element('label', { className: 'option', title: own.description ?? '' }, key, input);
  });
  const ends = constant.type === 'number' || constant.type === 'integer'
    ? [rangeInputs(labelOf(label), { ...value, map: value.texture.split('/').pop() }, path, undefined, scale, (next) => editField([{ path: `${path}/range`, value: next }], context))] : [];
  return element('div', { className: 'texture' }, ...inputs, ...ends, element('div', { className: 'options' }, ...options));
}

/** @param {string} name @param {Schema} schema @param {any} value @param {string} path @param {string} withoutEffect why, or '' @param {RowContext} context */
export function createRow(name, schema, value, path, withoutEffect, context) {
  const whole = resolve(schema);
  const constant = { ...constantSchema(whole), refers_to: whole.refers_to, file: whole.file };
  const form = objectSchema(whole);
  const label = labelOf(name);
  const spoken = name.replaceAll('_', ' ');
  const isGiven = value !== undefined;
  const current = constantAt(value, constant, time.frame);
  const isMap = isMapped(value);
  const isTexture = typeof value?.texture === 'string';
  const canBeKeyed = !isMap && !isTexture && acceptsKeys(whole);
  const canBeMapped = isMappable(whole);
  const canHaveRamp = Boolean(form?.properties?.ramp);
  const ramp = isObject(value) ? value.ramp : undefined;
  const scale = scaleOfParameter(constant, current, isGiven);
  const unit = /cm2$/.test(name) ? '' : scale.unit; // the label says it

  const fail = (/** @type {string} */ sentence) => { context.errors.set(path, sentence); context.refresh(); };
  const target = { path, name, label, fail, scale, write: createWriter(value, path, context) };
  const inputs = isMap
    ? [rangeInputs(spoken, value, path, constant.type === 'array' ? (numbers, write) => createInputs(constant, numbers, { ...target, write })[0] : undefined, scale)]
    : isTexture ? [textureInputs(label, value, path, form ?? {}, constant, scale, context)]
      : createInputs(constant, current, target);

  /** @type {HTMLElement[]} */ const tools = [];
  if (canBeKeyed) {
    const hasKeyHere = isKeyed(value) && value.keys.some(([at]) => at === time.frame);
    tools.push(button(hasKeyHere ? '◆' : '◇', hasKeyHere ? 'Remove the key at this frame' : 'Set a key at this frame', () =>
      editField([{ path, value: hasKeyHere ? withoutKey(value, time.frame) : withKey(value, time.frame, current) }], context),
    { className: isKeyed(value) ? 'key on' : 'key', 'aria-label': `key of ${spoken}`, 'data-control': 'key' }));
  }
  if (canBeMapped) tools.push(bindingSelect(spoken, value, current, path, constant, form?.properties?.texture !== undefined));
  if (canHaveRamp) {
    const without = { ...(isObject(value) ? value : {}) };
    delete without.ramp;
    const constantAgain = Object.keys(without).join() === 'value' ? without.value : without;
    tools.push(button('∿', ramp ? 'Remove the ramp from root to tip' : 'Scale the value from root to tip with a ramp', () =>
      editField([{ path, value: ramp ? constantAgain : { ...(isObject(value) ? value : { value: current }), ramp: [[0, 1], [1, 1]] } }], context),
    { className: ramp ? 'ramp-toggle on' : 'ramp-toggle', 'aria-label': `ramp of ${spoken}`, 'aria-pressed': String(Boolean(ramp)), 'data-control': 'ramp' }));
  }

  const title = element('label', {}, label, ...(unit ? [' ', element('small', {}, unit)] : []));
  const wide = inputs.some((each) => each.matches('.vector, .names, .texture, .range.ends'));
  const row = element('div', {
    className: `row parameter${canBeMapped ? ' mappable' : ''}${wide ? ' tall' : ''}${isGiven ? ' given' : ''}${withoutEffect ? ' without-effect' : ''}`,
    title: helpOf(name, constant, scale) + (withoutEffect && `\n${withoutEffect} No effect now.`),
  }, title, element('div', { className: 'inputs' }, ...inputs), element('div', { className: 'row-tools' }, ...tools));
  row.dataset.path = path;
  if (ramp) {
    const writeRamp = createWriter(undefined, `${path}/ramp`, context);
    row.append(createRampEditor(path, label, ramp, writeRamp));
  }
  const fault = context.errors.get(path);
  if (fault) {
    row.classList.add('bad');
    row.append(element('div', { className: 'field-error', role: 'alert' }, fault));
    for (const each of row.querySelectorAll('input')) each.setAttribute('aria-invalid', 'true');
  }
  if (isGiven) {
    const resetToDefault = () => editField([{ path }], context);
    title.tabIndex = 0;
    title.dataset.control = 'label';
    title.addEventListener('dblclick', resetToDefault);
    title.addEventListener('keydown', (event) => { if (event.key === 'Delete' || event.key === 'Backspace') resetToDefault(); });
    title.dataset.tip = `${row.dataset.tip}\nDouble click or Delete: reset to default.`;
  }
  return row;
}

