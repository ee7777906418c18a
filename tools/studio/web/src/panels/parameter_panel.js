// params_pane: every parameter of the scene, made from the schema: names, help, units, ranges and
// defaults are those of the program's own tables.

import { colorSwatch, isColor } from '../ui/color_picker.js';
import { attempt, button, element, keepFocus } from '../ui/dom.js';
import { isKeyed, valueAt, withKey, withoutKey } from '../state/keyframes.js';
import { isMappable, isMapped, rangeInputs, sourceChoice } from './map_binding.js';
import { edit, on, state, tell } from '../state/store.js';
import { time } from '../ui/timeline.js';

let drags = 0;

// Help ends with the unit: "distance kept from bodies (m)".
const unitOf = (schema) => /\(([^()\s]+)\)$/.exec(schema.description ?? '')?.[1];

// Names with spaces may be broken into lines.
const nameWith = (name, unit) => [name.replaceAll('_', ' '), ...(unit ? [' ', element('small', {}, unit)] : [])];

function helpOf(name, kind) {
  const { minimum: low, maximum: high } = kind.items ?? kind;
  const range = low !== undefined && high !== undefined ? `; ${low} to ${high}` : low !== undefined ? `; at least ${low}` : '';
  return `${name}: ${kind.description ?? ''}${range}${kind.default !== undefined ? `; default ${JSON.stringify(kind.default)}` : ''}`;
}

// Small numbers in few letters: 3.5e-5 rather than half of 0.000035.
const numberText = (value) => (value !== 0 && Math.abs(value) < 1e-3 && String(value).length > 6 ? value.toExponential() : String(value));

// A schema with its references followed; the plain form of a value that may also be keyed or mapped.
function resolve(schema) {
  if (schema.$ref) {
    return { ...state.schema.$defs[schema.$ref.split('/').pop()], ...schema, $ref: undefined };
  }
  return schema;
}

function plain(schema) {
  const whole = resolve(schema);
  return whole.anyOf ? { ...resolve(whole.anyOf[0]), description: whole.description, default: whole.default } : whole;
}

// Properties of an object, those of its plugin included.
function propertiesOf(schema, value) {
  const whole = resolve(schema);
  let properties = { ...whole.properties };
  for (const rule of whole.allOf ?? []) {
    if (rule.if?.properties?.plugin?.const === value?.plugin) {
      properties = { ...properties, ...resolve(rule.then).properties };
    }
  }
  delete properties.comment;
  return properties;
}

// What somebody wrote; what is no number goes back to what it was, and is null.
function numberOf(field) {
  if (field.value.trim() === '') {
    field.value = field.defaultValue;
    return null;
  }
  return Number(field.value);
}

// An input for one plain value; write(value, done) is called while it moves and when it rests.
function input(schema, value, write) {
  if (schema.enum) {
    const made = element('select', { onchange: () => write(made.value, true) },
      ...schema.enum.map((word) => element('option', { value: word, selected: word === value }, word)));
    return [made];
  }
  if (schema.type === 'boolean') {
    const made = element('input', { type: 'checkbox', checked: value === true, onchange: () => write(made.checked, true) });
    return [made];
  }
  if (schema.type === 'array') {
    const parts = [0, 1, 2].map((k) => {
      const part = element('input', { type: 'number', step: 'any', value: value?.[k] ?? 0, onchange: () => numberOf(part) !== null && write(read(), true) });
      return part;
    });
    const read = () => parts.map((part) => Number(part.value));
    const swatch = isColor(schema) ? [colorSwatch(read, (values, done) => {
      values.forEach((x, k) => { parts[k].value = x; });
      write(values, done);
    })] : [];
    return [element('div', { className: swatch.length ? 'vector color' : 'vector' }, ...parts, ...swatch)];
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    return numberInputs(schema, value, write);
  }
  const made = element('input', { type: 'text', value: value ?? '', onchange: () => write(made.value, true) });
  return [made];
}

// A slider where the range is one that a hand can use, and a number.
function numberInputs(schema, value, write) {
  const whole = schema.type === 'integer';
  const number = element('input', {
    type: 'number', value: numberText(value ?? 0), min: schema.minimum, max: schema.maximum, step: whole ? 1 : 'any',
    onchange: () => numberOf(number) !== null && write(Number(number.value), true),
  });
  const near = Math.max(Math.abs(value ?? 0), Math.abs(schema.default ?? 0)) * 4 || 1;
  const low = Math.max(schema.minimum ?? -near, -near);
  const high = Math.min(schema.maximum ?? near, near);
  const range = element('input', { type: 'range', min: low, max: high, step: whole ? 1 : (high - low) / 500, value: value ?? 0 });
  range.addEventListener('input', () => { number.value = Number(Number(range.value).toPrecision(4)); write(Number(number.value), false); });
  range.addEventListener('change', () => write(Number(number.value), true));
  return [range, number];
}

// A row: its label tells what is given and what is a default; a value that is neither plain, keyed nor
// mapped is shown as text that can be changed.
function row(name, schema, value, place) {
  const kind = plain(schema);
  const given = value !== undefined;
  const now = given ? valueAt(value, time.frame) : kind.default;
  const keyed = isKeyed(value);
  const label = element('label', {}, ...nameWith(name, unitOf(kind)));
  let stroke = '';
  const write = (next, done) => {
    stroke ||= `param-${++drags}`;
    clearTimeout(write.timer);
    // A value that has keys gets another one at the frame that is looked at.
    const whole = keyed ? withKey(value, time.frame, next) : next;
    const name = stroke;
    write.timer = setTimeout(() => attempt(() => edit([{ place, value: whole }], name).catch((error) => {
      tell('scene'); // what was refused is not what is shown
      throw error;
    })), done ? 0 : 120);
    if (done) stroke = '';
  };
  const free = now !== null && typeof now === 'object' && !Array.isArray(now);
  const three = kind.type === 'array' ? (numbers, change) => input(kind, numbers, change)[0] : undefined;
  const inputs = isMapped(now) ? [rangeInputs(name, now, place, three)] : free
    ? [element('input', { type: 'text', value: JSON.stringify(now), onchange: (event) => attempt(() => edit([{ place, value: JSON.parse(event.target.value) }])) })]
    : input(kind, now, write);
  // Numbers of a vector are told apart by their axes; those of a range have names of their own.
  inputs.filter((each) => each.tagName !== 'DIV').forEach((each) => each.setAttribute('aria-label', name));
  inputs.filter((each) => each.classList.contains('vector')).forEach((each) => [...each.children].forEach((part, k) => part.setAttribute('aria-label', `${name} ${each.classList.contains('color') ? ['red', 'green', 'blue', 'chosen by eye'][k] : 'xyz'[k]}`)));
  const movable = !free && resolve(schema).anyOf !== undefined;
  const mappable = isMappable(resolve(schema));
  const here = keyed && value.keys.some(([at]) => at === time.frame);
  const key = button(here ? '◆' : '◇', here ? 'take the key at this frame away' : 'set a key at this frame', () =>
    attempt(() => edit([{ place, value: here ? withoutKey(value, time.frame) : withKey(value, time.frame, now) }])), { className: 'key', 'aria-label': `key of ${name}` });
  const made = element('div', { className: `row${movable ? ' keyed' : ''}${mappable ? ' mappable' : ''}${inputs.length === 1 ? ' wide' : ''}${given ? ' given' : ''}`, title: helpOf(name, kind) }, label,
    ...(movable ? [key] : []), ...(mappable ? [sourceChoice(name, value, now, place, kind)] : []), ...inputs);
  made.dataset.place = place;
  if (given) {
    const drop = () => attempt(() => edit([{ place }]));
    label.tabIndex = 0;
    label.addEventListener('dblclick', drop);
    label.addEventListener('keydown', (event) => { if (event.key === 'Delete' || event.key === 'Backspace') drop(); });
    label.title = `${made.title}\nDouble click, or Delete: back to the default.`;
  }
  return made;
}

function section(title, schema, value, place, open) {
  const body = element('div');
  const rows = [];
  for (const [name, child] of Object.entries(propertiesOf(schema, value))) {
    const whole = resolve(child);
    const below = `${place}/${name}`;
    if (whole.type === 'object' && whole.properties) {
      rows.push(section(name, whole, value?.[name], below, open));
    } else if (whole.type === 'array' && resolve(whole.items ?? {}).type === 'object') {
      rows.push(list(name, whole, value?.[name], below, open));
    } else {
      rows.push(row(name, child, value?.[name], below));
    }
  }
  body.append(...rows);
  const made = element('details', { className: 'section', open: open.has(place) }, element('summary', { title: resolve(schema).description ?? '' }, title), body);
  made.dataset.place = place;
  return made;
}

function list(title, schema, values, place, open) {
  const items = resolve(schema.items);
  const made = element('details', { className: 'section', open: open.has(place) }, element('summary', { title: schema.description ?? '' }, `${title} (${values?.length ?? 0})`));
  made.dataset.place = place;
  const body = element('div');
  (values ?? []).forEach((value, i) => {
    const one = section(value.name ?? value.plugin ?? value.type ?? `${i}`, items, value, `${place}/${i}`, open);
    one.querySelector(':scope > div').prepend(element('div', { className: 'buttons' },
      button('Up', 'earlier', () => i > 0 && attempt(() => edit([{ place: `${place}/${i - 1}`, value }, { place: `${place}/${i}`, value: values[i - 1] }]))),
      button('Remove', 'take it out', () => attempt(() => edit([{ place: `${place}/${i}` }])))));
    body.append(one);
  });
  const plugins = items.properties?.plugin?.enum;
  if (plugins) {
    const choice = element('select', { 'aria-label': `plugin to add to ${title}` }, ...plugins.map((id) => element('option', { value: id }, id)));
    body.append(element('div', { className: 'row wide' }, button('Add', 'a new entry', () => attempt(() => edit([{ place: `${place}/-`, value: { plugin: choice.value, ...(items.properties.name ? { name: choice.value.split('.').pop() } : {}) } }]))), choice));
  } else if (items.properties?.type?.enum || items.properties?.name) {
    body.append(button('Add', 'a new entry', () => attempt(() => edit([{ place: `${place}/-`, value: { name: `${title}${values?.length ?? 0}` } }]))));
  }
  made.append(body);
  return made;
}

export function paramsPane() {
  const pane = element('div');
  const none = element('p', { className: 'note', hidden: true }, 'No parameter has that in its name or its help.');
  const search = element('input', { type: 'search', placeholder: 'Search parameters', 'aria-label': 'Search parameters' });
  const body = element('div');
  const open = new Set(['/grooms', '/grooms/0']);

  const filter = () => {
    const word = search.value.trim().toLowerCase();
    for (const each of body.querySelectorAll('.row')) {
      each.hidden = word !== '' && !`${each.dataset.place} ${(each.dataset.place ?? '').replaceAll('_', ' ')} ${each.title}`.toLowerCase().includes(word);
      each.style.display = each.hidden ? 'none' : '';
    }
    for (const each of body.querySelectorAll('details')) {
      const some = [...each.querySelectorAll('.row')].some((r) => !r.hidden);
      each.style.display = word === '' || some ? '' : 'none';
      if (word !== '') each.open = some;
      else each.open = open.has(each.dataset.place);
    }
    none.hidden = [...body.querySelectorAll('.row')].some((r) => !r.hidden);
  };
  search.addEventListener('input', filter);
  body.addEventListener('toggle', (event) => {
    if (search.value.trim() === '') {
      open[event.target.open ? 'add' : 'delete'](event.target.dataset.place);
    }
  }, { capture: true });

  // A slider under a hand is not taken away; the rest waits until it is let go.
  let [sliding, waiting] = [false, false];
  const letGo = () => {
    sliding = false;
    if (waiting) setTimeout(show); // after what it was let go for
  };
  body.addEventListener('pointerdown', (event) => { sliding = event.target.type === 'range'; });
  document.addEventListener('pointerup', letGo, { capture: true });
  document.addEventListener('pointercancel', letGo, { capture: true });
  // A chooser of colours is open from the first colour to the last.
  body.addEventListener('input', (event) => { sliding ||= event.target.type === 'color'; });
  body.addEventListener('change', (event) => { if (event.target.type === 'color') letGo(); });

  const show = () => {
    waiting = sliding;
    if (sliding) return;
    const scroll = pane.scrollTop;
    const made = [];
    for (const [name, child] of Object.entries(state.schema.properties)) {
      const whole = resolve(child);
      if (whole.type === 'object' && whole.properties) {
        made.push(section(name, whole, state.scene[name], `/${name}`, open));
      } else if (whole.type === 'array' && whole.items) {
        made.push(list(name, whole, state.scene[name], `/${name}`, open));
      }
    }
    keepFocus(body, () => {
      body.replaceChildren(...made);
      if (search.value) filter();
    });
    pane.scrollTop = scroll;
  };
  on('scene', show);
  on('frame', () => { if (state.schema && JSON.stringify(state.scene).includes('"keys"')) show(); });
  pane.append(search, none, body);
  return { title: 'Scene', element: pane };
}
