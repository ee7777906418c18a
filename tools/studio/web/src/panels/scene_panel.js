// The Scene tab: the outliner, and every parameter of its selected entry, generated from the JSON schema, which comes from
// the program's parameter tables (names, help, units, ranges, defaults). A search looks through the whole scene.

import { labelOf } from '../state/labels.js';
import { inheritedBy, resolveRef, withInheritedDefault } from '../state/parameter_schema.js';
import { preference, setPreference } from '../state/preferences.js';
import { pluginLabel, propertiesOf, renameEdits, sectionLabel, singular } from '../state/scene_entries.js';
import { on, selectGroom, state } from '../state/store.js';
import { element } from '../ui/dom.js';
import { time } from '../ui/timeline.js';
import { createOutliner } from './outliner.js';
import { createRow, editField, whyWithoutEffect } from './parameter_row.js';
import { createInputs } from './value_inputs.js';

/** @typedef {any} Schema */

const MAX_FOUND = 150; // rows of a search
const NOT_SHOWN = new Set(['plugin']); // chosen when the entry is added

const resolve = (/** @type {Schema} */ schema) => resolveRef(schema, state.schema);

/** Whether a row is found by a query. @param {string} query lower case @param {string} path @param {string} name @param {Schema} schema */
const isFound = (query, path, name, schema) => `${path} ${path.replaceAll('_', ' ')} ${name}: ${schema.description ?? ''}`.toLowerCase().includes(query);

export function createParameterPanel() {
  const panel = element('div', { className: 'scene-panel' });
  const noMatch = element('p', { className: 'note', hidden: true }, 'No parameter matches.');
  const search = element('input', { type: 'search', placeholder: 'Search parameters', 'aria-label': 'Search parameters' });
  const advanced = element('input', { type: 'checkbox', checked: preference('advanced', false), id: 'advanced-parameters' });
  const body = element('div', { className: 'inspector' });
  /** @type {Set<string>} paths of open sections */ const open = new Set();
  /** @type {Map<string, string>} sentences by path */ const errors = new Map();
  const outliner = createOutliner((path) => {
    errors.clear();
    search.value = '';
    const [, groom] = /^\/grooms\/(\d+)/.exec(path) ?? [];
    if (groom !== undefined && Number(groom) !== state.groom && Number(groom) < state.grooms.length) selectGroom(Number(groom));
    rebuild();
    panel.scrollTop = 0;
  });

  const context = { errors, refresh: () => rebuild() };

  /** The name of an entry; what refers to it follows. @param {Schema} schema @param {any} value @param {string} path @param {string} owner */
  function createNameRow(schema, value, path, owner) {
    const fail = (/** @type {string} */ sentence) => { errors.set(path, sentence); rebuild(); };
    const write = (/** @type {any} */ next) => editField([{ path, value: next.trim() }, ...renameEdits(owner, next.trim(), state.scene, state.schema)], context);
    const row = createRow('name', schema, value, path, '', context);
    row.querySelector('.inputs')?.replaceChildren(...createInputs({ type: 'string' }, value ?? '', { path, name: 'name', label: 'Name', write, fail }));
    return row;
  }

  /**
   * Rows of an object and, in sections, of the objects in it.
   * @param {Schema} schema @param {any} value @param {string} path @param {string} query '' for the rows to show without a search
   * @returns {HTMLElement[]}
   */
  function rowsOf(schema, value, path, query) {
    const whole = resolve(schema);
    const properties = propertiesOf(whole, value, state.schema);
    const inherited = inheritedBy(whole, value, state.scene, state.schema);
    /** @type {HTMLElement[]} */ const rows = [];
    /** @type {HTMLElement[]} */ const sections = [];
    for (const [name, child] of Object.entries(properties)) {
      const own = resolve(child);
      const below = `${path}/${name}`;
      if (own.type === 'object' && own.properties) {
        sections.push(...sectionOf(name, own, value?.[name], below, query));
      } else if (own.type === 'array' && own.items && resolve(own.items).type === 'object') {
        if (query) (value?.[name] ?? []).forEach((/** @type {any} */ each, /** @type {number} */ i) => sections.push(...sectionOf(`${each.name ?? (each.plugin ? pluginLabel(each.plugin) : i + 1)}`, own.items, each, `${below}/${i}`, query)));
      } else if (!NOT_SHOWN.has(name)) {
        const why = whyWithoutEffect(own, { ...inherited, ...value }, properties);
        const isGiven = value?.[name] !== undefined;
        const isShown = query ? isFound(query, below, name, own) : isGiven || (!why && (advanced.checked || !(own.advanced || name === 'comment')));
        if (!isShown) continue;
        rows.push(name === 'name' && /\/\d+$/.test(path) ? createNameRow(own, value?.name, below, path)
          : createRow(name, withInheritedDefault(own, inherited[name], time.frame), value?.[name], below, why, context));
      }
    }
    return [...rows, ...sections];
  }

  /** @param {string} title @param {Schema} schema @param {any} value @param {string} path @param {string} query */
  function sectionOf(title, schema, value, path, query) {
    const isOpen = query !== '' || open.has(path);
    const rows = isOpen ? rowsOf(schema, value, path, query) : [];
    if (query && rows.length === 0) return [];
    const made = element('details', { className: 'section', open: isOpen }, element('summary', { title: resolve(schema).description ?? '', 'data-control': 'summary' }, sectionLabel(title)), element('div', {}, ...rows));
    made.dataset.path = path;
    return [made];
  }
  body.addEventListener('toggle', (event) => {
    const { dataset: { path = '' }, open: isOpen } = /** @type {HTMLDetailsElement} */ (event.target);
    if (search.value.trim() !== '' || isOpen === open.has(path)) return;
    open[isOpen ? 'add' : 'delete'](path);
    rebuild();
  }, { capture: true });

  function selectedRows() {
    const entry = outliner.entryAt(outliner.selected());
    if (!entry) return [];
    const kind = entry.value?.plugin ? `${pluginLabel(entry.value.plugin)} ${singular(entry.section)}` : entry.isList ? '' : /\/\d+$/.test(entry.path) ? labelOf(singular(entry.section)) : '';
    const heading = element('h2', {}, kind ? [kind, entry.value?.name].filter(Boolean).join(': ') : entry.label);
    if (entry.isList) return [heading, element('div', { className: 'inspector-help' }, `${entry.help}.`)];
    const rule = (entry.schema.allOf ?? []).find((/** @type {any} */ each) => each.if?.properties?.plugin?.const === entry.value?.plugin);
    const help = rule ? resolve(rule.then).description : '';
    return [heading, ...(help ? [element('div', { className: 'inspector-help' }, help)] : []), ...rowsOf(entry.schema, entry.value, entry.path, '')];
  }

  /** @param {string} query */
  function foundRows(query) {
    let count = 0;
    return Object.entries(state.schema.properties).flatMap(([name, child]) => {
      const own = resolve(child);
      if (own.type === 'object' && own.properties) return sectionOf(name, own, state.scene[name], `/${name}`, query);
      if (own.type !== 'array' || !own.items) return [];
      return (state.scene[name] ?? []).flatMap((/** @type {any} */ each, /** @type {number} */ i) => {
        if (count > MAX_FOUND) return [];
        const found = sectionOf(`${labelOf(singular(name))} ${each.name ?? i + 1}`, own.items, each, `/${name}/${i}`, query);
        count += found.reduce((sum, section) => sum + section.querySelectorAll('.row').length, 0);
        return found;
      });
    });
  }

  // The panel is not rebuilt while a slider is dragged or a colour picker is open.
  let [isDragging, rebuildPending] = [false, false];
  const endDrag = () => {
    isDragging = false;
    if (rebuildPending) setTimeout(rebuild); // after the control's own event handlers
  };
  const isDragControl = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).matches('input[type=range], .ramp-point');
  body.addEventListener('pointerdown', (event) => { isDragging = isDragControl(event); });
  document.addEventListener('pointerup', endDrag, { capture: true });
  document.addEventListener('pointercancel', endDrag, { capture: true });
  body.addEventListener('input', (event) => { isDragging ||= /** @type {HTMLInputElement} */ (event.target).type === 'color'; });
  body.addEventListener('change', (event) => { if (/** @type {HTMLInputElement} */ (event.target).type === 'color') endDrag(); });

  // Text that was entered is no longer being typed.
  body.addEventListener('change', (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.matches('input[type=text], input[type=number]')) field.defaultValue = field.value;
  });

  // The same control of the same row has the focus afterwards, with what is being typed.
  function rebuild() {
    rebuildPending = isDragging;
    if (isDragging || !state.schema) return;
    const active = /** @type {HTMLElement} */ (document.activeElement);
    const focused = body.contains(active) ? { path: /** @type {HTMLElement | null} */ (active.closest('[data-path]'))?.dataset.path, control: active.dataset.control, typed: active instanceof HTMLInputElement && active.matches('[type=text], [type=number]') && active.value !== active.defaultValue ? active.value : null } : null;
    const scroll = panel.scrollTop;
    const query = search.value.trim().toLowerCase();
    const rows = query ? foundRows(query) : selectedRows();
    body.replaceChildren(...rows);
    noMatch.hidden = query === '' || rows.length > 0;
    panel.scrollTop = scroll;
    if (focused) {
      const row = /** @type {HTMLElement[]} */ ([...body.querySelectorAll('[data-path]')]).find((each) => each.dataset.path === focused.path);
      const control = /** @type {HTMLElement[]} */ ([...(row?.querySelectorAll('[data-control]') ?? [])]).find((each) => each.dataset.control === focused.control);
      control?.focus({ preventScroll: true });
      if (focused.typed !== null && control instanceof HTMLInputElement) control.value = focused.typed;
    }
  }

  search.addEventListener('input', rebuild);
  advanced.addEventListener('change', () => {
    setPreference('advanced', advanced.checked);
    rebuild();
  });
  on('sceneChanged', () => {
    outliner.refresh();
    rebuild();
  });
  on('frameChanged', () => { if (state.schema && JSON.stringify(state.scene).includes('"keys"')) rebuild(); });
  panel.append(
    element('div', { className: 'scene-head' }, search, element('label', { className: 'check', title: 'Show all parameters; without it the usual ones and those that the scene gives.' }, advanced, 'Advanced')),
    outliner.element, noMatch, body);
  return { id: 'scene', title: 'Scene', element: panel };
}
