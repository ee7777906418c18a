// The Scene tab: every parameter of the scene, generated from the JSON schema, which comes from the program's
// parameter tables (names, help, units, ranges, defaults).

import { fromHex, isColor, toHex } from '../state/color.js';
import { isKeyed, valueAtFrame, withKey, withoutKey } from '../state/keyframes.js';
import { isMappable, isMapped } from '../state/map_binding.js';
import { acceptsKeys, inheritedBy, resolveRef, withInheritedDefault } from '../state/parameter_schema.js';
import { edit, emit, on, state } from '../state/store.js';
import { button, element, keepFocus, tryOrToast } from '../ui/dom.js';
import { time } from '../ui/timeline.js';
import { bindingSelect, rangeInputs } from './map_binding_inputs.js';

const DRAG_SEND_MS = 120; // delay while a slider moves

let dragCount = 0;

/** @typedef {any} Schema */
/** @typedef {(value: any, done: boolean) => void} Write called while a control moves, and with done when it stops */

// Help ends with the unit: "distance kept from bodies (m)".
const unitOf = (/** @type {Schema} */ schema) => /\(([^()\s]+)\)$/.exec(schema.description ?? '')?.[1];

/** Spaces instead of underscores allow line breaks. @param {string} name @param {string | undefined} unit @returns {(string | Node)[]} */
const labelOf = (name, unit) => [name.replaceAll('_', ' '), ...(unit ? [' ', element('small', {}, unit)] : [])];

/** @param {string} name @param {Schema} schema */
function helpOf(name, schema) {
  const { minimum: low, maximum: high } = schema.items ?? schema;
  const range = low !== undefined && high !== undefined ? `; ${low} to ${high}` : low !== undefined ? `; at least ${low}` : '';
  return `${name}: ${schema.description ?? ''}${range}${schema.default !== undefined ? `; default ${JSON.stringify(schema.default)}` : ''}`;
}

// Exponential notation where decimals would not fit: 3.5e-5.
const formatNumber = (/** @type {number} */ value) => (value !== 0 && Math.abs(value) < 1e-3 && String(value).length > 6 ? value.toExponential() : String(value));

const resolve = (/** @type {Schema} */ schema) => resolveRef(schema, state.schema);

/** The schema of the constant form of a value that may also be keyed or mapped. @param {Schema} schema @returns {Schema} */
function constantSchema(schema) {
  const whole = resolve(schema);
  return whole.anyOf ? { ...resolve(whole.anyOf[0]), description: whole.description, default: whole.default } : whole;
}

/** Properties of an object, including those of its plugin. @param {Schema} schema @param {any} value @returns {Record<string, Schema>} */
function propertiesOf(schema, value) {
  const whole = resolve(schema);
  let properties = { ...whole.properties };
  for (const rule of whole.allOf ?? []) {
    if (rule.if?.properties?.plugin?.const === value?.plugin) properties = { ...properties, ...resolve(rule.then).properties };
  }
  delete properties.comment;
  return properties;
}

/** The number in a field; an empty field is restored and gives null. @param {HTMLInputElement} field */
function numberOf(field) {
  if (field.value.trim() === '') {
    field.value = field.defaultValue;
    return null;
  }
  return Number(field.value);
}

/** The controls of one constant. @param {Schema} schema @param {any} value @param {Write} write @returns {HTMLElement[]} */
function createInputs(schema, value, write) {
  if (schema.enum) {
    const made = element('select', { onchange: () => write(made.value, true) },
      ...schema.enum.map((/** @type {string} */ choice) => element('option', { value: choice, selected: choice === value }, choice)));
    return [made];
  }
  if (schema.type === 'boolean') {
    const made = element('input', { type: 'checkbox', checked: value === true, onchange: () => write(made.checked, true) });
    return [made];
  }
  if (schema.type === 'array') return [createVectorInput(schema, value, write)];
  if (schema.type === 'number' || schema.type === 'integer') return createNumberInputs(schema, value, write);
  const text = Array.isArray(value) ? value.join(' ') : value ?? ''; // a list of words is also a string with spaces
  const made = element('input', { type: 'text', value: text, onchange: () => write(made.value, true) });
  return [made];
}

/** The browser's colour input for linear RGB. @param {() => number[]} read @param {(rgb: number[], done: boolean) => void} write */
function colorSwatch(read, write) {
  const made = element('input', { type: 'color', value: toHex(read()), oninput: () => write(fromHex(made.value, read()), false), onchange: () => write(fromHex(made.value, read()), true) });
  return made;
}

/** @param {Schema} schema @param {any} value @param {Write} write */
function createVectorInput(schema, value, write) {
  const parts = [0, 1, 2].map((k) => {
    const part = element('input', { type: 'number', step: 'any', value: value?.[k] ?? 0, onchange: () => numberOf(part) !== null && write(read(), true) });
    return part;
  });
  const read = () => parts.map((part) => Number(part.value));
  const swatch = isColor(schema) ? [colorSwatch(read, (rgb, done) => {
    rgb.forEach((x, k) => { parts[k].value = String(x); });
    write(rgb, done);
  })] : [];
  return element('div', { className: swatch.length ? 'vector color' : 'vector' }, ...parts, ...swatch);
}

/** A slider over a useful part of the range, and a number field. @param {Schema} schema @param {any} value @param {Write} write */
function createNumberInputs(schema, value, write) {
  const isInteger = schema.type === 'integer';
  const number = element('input', {
    type: 'number', value: formatNumber(value ?? 0), min: schema.minimum, max: schema.maximum, step: isInteger ? 1 : 'any',
    onchange: () => numberOf(number) !== null && write(Number(number.value), true),
  });
  const extent = Math.max(Math.abs(value ?? 0), Math.abs(schema.default ?? 0)) * 4 || 1;
  const low = Math.max(schema.minimum ?? -extent, -extent);
  const high = Math.min(schema.maximum ?? extent, extent);
  const range = element('input', { type: 'range', min: low, max: high, step: isInteger ? 1 : (high - low) / 500, value: value ?? 0 });
  range.addEventListener('input', () => { number.value = String(Number(Number(range.value).toPrecision(4))); write(Number(number.value), false); });
  range.addEventListener('change', () => write(Number(number.value), true));
  return [range, number];
}

// A function that edits the scene value, delayed while a control moves. All edits of one drag are one undo step. A
// keyed value gets a key at the current frame.
/** @param {any} value @param {string} path @returns {Write} */
function createWriter(value, path) {
  let stroke = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  return (next, done) => {
    stroke ||= `param-${++dragCount}`;
    const id = stroke;
    clearTimeout(timer);
    const whole = isKeyed(value) ? withKey(value, time.frame, next) : next;
    timer = setTimeout(() => tryOrToast(() => edit([{ path, value: whole }], id).catch((error) => {
      emit('sceneChanged'); // redisplay the value of the scene
      throw error;
    })), done ? 0 : DRAG_SEND_MS);
    if (done) stroke = '';
  };
}

// Controls of a value: constant, bound to a map, or JSON text for anything else, such as a ramp.
/** @param {string} name @param {Schema} schema @param {any} value @param {any} current @param {string} path @returns {HTMLElement[]} */
function createValueInputs(name, schema, value, current, path) {
  if (isMapped(current)) {
    const vectorInput = schema.type === 'array' ? (/** @type {number[]} */ numbers, /** @type {Write} */ write) => createInputs(schema, numbers, write)[0] : undefined;
    return [rangeInputs(name, current, path, vectorInput)];
  }
  if (current !== null && typeof current === 'object' && !Array.isArray(current)) {
    const text = element('input', { type: 'text', value: JSON.stringify(current), onchange: () => tryOrToast(() => edit([{ path, value: JSON.parse(text.value) }])) });
    return [text];
  }
  return createInputs(schema, current, createWriter(value, path));
}

// Why a parameter has no effect now, for example 'Applies to solver pbd, ftl.'; '' where it has one.
/** @param {Schema} schema @param {any} owner the object that holds the parameter @param {Schema} ownerSchema */
function whyWithoutEffect(schema, owner, ownerSchema) {
  const { properties } = resolve(ownerSchema);
  for (const [choice, values] of /** @type {[string, string[]][]} */ (Object.entries(schema.applies_to ?? {}))) {
    const choices = choice.split(' ');
    const current = choices.map((name) => owner?.[name] === undefined ? constantSchema(properties[name]).default : valueAtFrame(owner[name], time.frame));
    if (values.length === 0 && !current.some(Boolean)) return `Applies where ${choices.join(' or ')} is set.`;
    if (values.length > 0 && !values.includes(current[0])) return `Applies to ${choice} ${values.join(', ')}.`;
  }
  return '';
}

const COMPONENTS = ['red', 'green', 'blue', 'picker'];

// One parameter. Parameters given in the scene are highlighted; double click resets them to the default.
/** @param {string} name @param {Schema} schema @param {any} value @param {string} path @param {string} withoutEffect why, or '' */
function createRow(name, schema, value, path, withoutEffect) {
  const constant = constantSchema(schema);
  const isGiven = value !== undefined;
  const current = isGiven ? valueAtFrame(value, time.frame) : constant.default;
  const isConstant = current === null || typeof current !== 'object' || Array.isArray(current);
  const label = element('label', {}, ...labelOf(name, unitOf(constant)));
  const inputs = createValueInputs(name, constant, value, current, path);
  inputs.filter((each) => each.tagName !== 'DIV').forEach((each) => each.setAttribute('aria-label', name));
  inputs.filter((each) => each.classList.contains('vector')).forEach((each) => [...each.children].forEach((part, k) =>
    part.setAttribute('aria-label', `${name} ${each.classList.contains('color') ? COMPONENTS[k] : 'xyz'[k]}`)));
  const canBeKeyed = isConstant && acceptsKeys(resolve(schema));
  const canBeMapped = isMappable(resolve(schema));
  const hasKeyHere = isKeyed(value) && value.keys.some(([at]) => at === time.frame);
  const key = button(hasKeyHere ? '◆' : '◇', hasKeyHere ? 'Remove the key at this frame' : 'Set a key at this frame', () =>
    tryOrToast(() => edit([{ path, value: hasKeyHere ? withoutKey(value, time.frame) : withKey(value, time.frame, current) }])), { className: 'key', 'aria-label': `key of ${name}` });
  const row = element('div', { className: `row${canBeKeyed ? ' keyed' : ''}${canBeMapped ? ' mappable' : ''}${inputs.length === 1 ? ' wide' : ''}${isGiven ? ' given' : ''}${withoutEffect ? ' without-effect' : ''}`, title: helpOf(name, constant) + (withoutEffect && `\n${withoutEffect} No effect now.`) }, label,
    ...(canBeKeyed ? [key] : []), ...(canBeMapped ? [bindingSelect(name, value, current, path, constant)] : []), ...inputs);
  row.dataset.path = path;
  if (isGiven) {
    const resetToDefault = () => tryOrToast(() => edit([{ path }]));
    label.tabIndex = 0;
    label.addEventListener('dblclick', resetToDefault);
    label.addEventListener('keydown', (event) => { if (event.key === 'Delete' || event.key === 'Backspace') resetToDefault(); });
    label.dataset.tip = `${row.dataset.tip}\nDouble click or Delete: reset to default.`;
  }
  return row;
}

/** @param {string} title @param {Schema} schema @param {any} value @param {string} path @param {Set<string | undefined>} open */
function createSection(title, schema, value, path, open) {
  const body = element('div');
  const inherited = inheritedBy(resolve(schema), value, state.scene, state.schema);
  for (const [name, child] of Object.entries(propertiesOf(schema, value))) {
    const whole = resolve(child);
    const below = `${path}/${name}`;
    if (whole.type === 'object' && whole.properties) {
      body.append(createSection(name, whole, value?.[name], below, open));
    } else if (whole.type === 'array' && resolve(whole.items ?? {}).type === 'object') {
      body.append(createList(name, whole, value?.[name], below, open));
    } else {
      const row = withInheritedDefault(whole, inherited[name], time.frame);
      body.append(createRow(name, row, value?.[name], below, whyWithoutEffect(whole, { ...inherited, ...value }, schema)));
    }
  }
  const made = element('details', { className: 'section', open: open.has(path) }, element('summary', { title: resolve(schema).description ?? '' }, title), body);
  made.dataset.path = path;
  return made;
}

/** @param {string} title @param {Schema} schema @param {any[] | undefined} values @param {string} path @param {Set<string | undefined>} open */
function createList(title, schema, values, path, open) {
  const items = resolve(schema.items);
  const made = element('details', { className: 'section', open: open.has(path) }, element('summary', { title: schema.description ?? '' }, `${title} (${values?.length ?? 0})`));
  made.dataset.path = path;
  const body = element('div');
  const entries = values ?? [];
  entries.forEach((value, i) => {
    const section = createSection(value.name ?? value.plugin ?? value.type ?? `${i}`, items, value, `${path}/${i}`, open);
    section.querySelector(':scope > div')?.prepend(element('div', { className: 'buttons' },
      button('Up', 'Move up', () => { if (i > 0) tryOrToast(() => edit([{ path: `${path}/${i - 1}`, value }, { path: `${path}/${i}`, value: entries[i - 1] }])); }),
      button('Remove', 'Remove this entry', () => tryOrToast(() => edit([{ path: `${path}/${i}` }])))));
    body.append(section);
  });
  const plugins = items.properties?.plugin?.enum;
  if (plugins) {
    const choice = element('select', { 'aria-label': `plugin to add to ${title}` }, ...plugins.map((/** @type {string} */ id) => element('option', { value: id }, id)));
    body.append(element('div', { className: 'row wide' }, button('Add', 'Add an entry', () => tryOrToast(() => edit([{ path: `${path}/-`, value: { plugin: choice.value, ...(items.properties.name ? { name: choice.value.split('.').pop() } : {}) } }]))), choice));
  } else if (items.properties?.type?.enum || items.properties?.name) {
    body.append(button('Add', 'Add an entry', () => tryOrToast(() => edit([{ path: `${path}/-`, value: { name: `${title}${entries.length}` } }]))));
  }
  made.append(body);
  return made;
}

export function createParameterPanel() {
  const panel = element('div');
  const noMatch = element('p', { className: 'note', hidden: true }, 'No parameter matches.');
  const search = element('input', { type: 'search', placeholder: 'Search parameters', 'aria-label': 'Search parameters' });
  const body = element('div');
  /** @type {Set<string | undefined>} paths of open sections */ const open = new Set(['/grooms', '/grooms/0']);

  const rows = (/** @type {ParentNode} */ within) => /** @type {HTMLElement[]} */ ([...within.querySelectorAll('.row')]);
  const filter = () => {
    const query = search.value.trim().toLowerCase();
    for (const row of rows(body)) {
      row.hidden = query !== '' && !`${row.dataset.path} ${(row.dataset.path ?? '').replaceAll('_', ' ')} ${row.dataset.tip}`.toLowerCase().includes(query);
      row.style.display = row.hidden ? 'none' : query === '' ? '' : 'grid'; // also those without effect
    }
    for (const section of body.querySelectorAll('details')) {
      const hasMatch = rows(section).some((row) => !row.hidden);
      section.style.display = query === '' || hasMatch ? '' : 'none';
      section.open = query !== '' ? hasMatch : open.has(section.dataset.path);
    }
    noMatch.hidden = rows(body).some((row) => !row.hidden);
  };
  search.addEventListener('input', filter);
  body.addEventListener('toggle', (event) => {
    const section = /** @type {HTMLDetailsElement} */ (event.target);
    if (search.value.trim() === '') open[section.open ? 'add' : 'delete'](section.dataset.path);
  }, { capture: true });

  // The panel is not rebuilt while a slider is dragged or a colour picker is open.
  let [isDragging, rebuildPending] = [false, false];
  const endDrag = () => {
    isDragging = false;
    if (rebuildPending) setTimeout(rebuild); // after the control's own event handlers
  };
  const inputType = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).type;
  body.addEventListener('pointerdown', (event) => { isDragging = inputType(event) === 'range'; });
  document.addEventListener('pointerup', endDrag, { capture: true });
  document.addEventListener('pointercancel', endDrag, { capture: true });
  body.addEventListener('input', (event) => { isDragging ||= inputType(event) === 'color'; });
  body.addEventListener('change', (event) => { if (inputType(event) === 'color') endDrag(); });

  const rebuild = () => {
    rebuildPending = isDragging;
    if (isDragging) return;
    const scroll = panel.scrollTop;
    /** @type {HTMLElement[]} */ const sections = [];
    for (const [name, child] of Object.entries(state.schema.properties)) {
      const whole = resolve(child);
      if (whole.type === 'object' && whole.properties) {
        sections.push(createSection(name, whole, state.scene[name], `/${name}`, open));
      } else if (whole.type === 'array' && whole.items) {
        sections.push(createList(name, whole, state.scene[name], `/${name}`, open));
      }
    }
    keepFocus(body, () => {
      body.replaceChildren(...sections);
      if (search.value) filter();
    });
    panel.scrollTop = scroll;
  };
  on('sceneChanged', rebuild);
  on('frameChanged', () => { if (state.schema && JSON.stringify(state.scene).includes('"keys"')) rebuild(); });
  panel.append(search, noMatch, body);
  return { id: 'scene', title: 'Scene', element: panel };
}
