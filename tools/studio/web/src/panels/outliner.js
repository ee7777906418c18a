// The outliner: everything in the scene as a tree. Entries are selected, added, duplicated, renamed, moved, removed,
// switched off and on; what refers to them follows.

import { getJson } from '../net/api.js';
import { undo } from '../state/history.js';
import { labelOf } from '../state/labels.js';
import { duplicateEdits, entriesOf, kindsOf, moveEdits, pluginLabel, removeEdits, renameEdits, singular, splitIndex, uniqueName, valueAt } from '../state/scene_entries.js';
import { edit, state } from '../state/store.js';
import { element, promptDialog, toast, tryOrToast } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { smallIconButton } from '../ui/icon_button.js';
import { roveFocus } from '../ui/roving_focus.js';
import { setTip } from '../ui/tooltip.js';
import { chooseMesh } from './value_inputs.js';

/** @typedef {import('../state/scene_entries.js').Entry} Entry */

const ICONS = /** @type {Record<string, import('../ui/icons.js').IconName>} */ ({
  bodies: 'body', grooms: 'strands', colliders: 'collider', forces: 'force', lights: 'light', instances: 'duplicate', camera: 'camera', sim: 'move', image: 'image',
  maps: 'image', modifiers: 'comb', constraints: 'link',
});
const TOGGLES = ['enabled', 'visible']; // parameters that switch an entry

// ---- grooms

const EVEN_HAIR = '+even'; // not the name of a preset

/** The growth groups of a body, the likeliest first. @param {string} body @returns {{ value: string, label: string }[]} */
function groupChoices(body) {
  const index = (state.scene.bodies ?? []).findIndex((/** @type {any} */ each) => each.name === body);
  const groups = [...(state.bodies[index]?.groups ?? [])].sort((a, b) => Number(/scalp/i.test(b)) - Number(/scalp/i.test(a)));
  const whole = { value: '', label: 'whole mesh' };
  const named = groups.map((group) => ({ value: group, label: group }));
  return groups.some((group) => /scalp/i.test(group)) ? [...named, whole] : [whole, ...named];
}

/** The fields of a new groom: hairstyle, body, group. @param {string[]} bodies */
async function groomFields(bodies) {
  const { templates } = await getJson('/api/project');
  const presets = templates.filter((/** @type {any} */ each) => each.kind === 'preset');
  return [
    { name: 'style', label: 'Hairstyle', value: '', choices: [{ value: '', label: 'straight strands, no modifiers' }, { value: EVEN_HAIR, label: 'short, even hair' },
      ...presets.map((/** @type {any} */ each) => ({ value: each.name, label: `${each.name}: ${each.help}` }))] },
    { name: 'body', label: 'Body', value: bodies[0], choices: bodies, changed: (/** @type {string} */ body, /** @type {any} */ inputs) => {
      inputs.group.replaceChildren(...groupChoices(body).map(({ value, label }) => element('option', { value }, label)));
    } },
    { name: 'group', label: 'Grows on', value: groupChoices(bodies[0])[0].value, choices: groupChoices(bodies[0]) },
  ];
}

/** The grooms of a hairstyle, fitted to the body; names stay unique. @param {any} answer @param {any[]} values of the scene */
async function groomsOfStyle({ style, name, body, group }, values) {
  if (style === '') return [{ name, body, ...(group ? { group } : {}) }];
  const { grooms } = await getJson('/api/preset', { name: style === EVEN_HAIR ? '' : style, body, group });
  /** @type {any[]} */ const made = [];
  for (const [i, groom] of grooms.entries()) made.push({ ...groom, name: uniqueName([...values, ...made], i === 0 ? name : groom.name ?? name) });
  return made;
}

const nameError = (/** @type {any[] | undefined} */ list, /** @type {string} */ current) => (/** @type {string} */ text) => {
  const name = text.trim();
  if (name === '') return 'The name must not be empty.';
  return name !== current && (list ?? []).some((each) => each.name === name) ? `The name ${name} is already in use.` : '';
};

/** @param {(path: string) => void} onSelect called with the path of the selected entry */
export function createOutliner(onSelect) {
  /** @type {Entry[]} */ let entries = [];
  let selected = '';
  /** @type {Set<string>} */ const collapsed = new Set();
  /** @type {Set<string>} */ const expanded = new Set(); // of those that begin collapsed
  const tree = element('ul', { id: 'outliner', role: 'tree', 'aria-label': 'Scene' });

  const at = (/** @type {string} */ path) => entries.find((entry) => entry.path === path);
  const beginsCollapsed = (/** @type {Entry} */ entry) => entry.isList && (entry.value.length === 0 || entry.section === 'maps' || entry.section === 'constraints');
  const hasChildren = (/** @type {Entry} */ entry) => entries.some((each) => each.path.startsWith(`${entry.path}/`));
  const isOpen = (/** @type {Entry} */ entry) => (beginsCollapsed(entry) ? expanded.has(entry.path) : !collapsed.has(entry.path));
  const setOpen = (/** @type {Entry} */ entry, /** @type {boolean} */ open) => {
    if (beginsCollapsed(entry)) expanded[open ? 'add' : 'delete'](entry.path); else collapsed[open ? 'delete' : 'add'](entry.path);
    refresh();
  };
  const parentOf = (/** @type {string} */ path) => at(path.slice(0, path.lastIndexOf('/')));
  const isShown = (/** @type {Entry} */ entry) => {
    for (let parent = parentOf(entry.path); parent; parent = parentOf(parent.path)) if (!isOpen(parent)) return false;
    return true;
  };
  const listOf = (/** @type {Entry | undefined} */ entry) => (entry?.isList ? entry : entry && at(splitIndex(entry.path)[0]));

  const select = (/** @type {string} */ path) => {
    selected = path;
    for (let parent = parentOf(path); parent; parent = parentOf(parent.path)) {
      if (!isOpen(parent)) (beginsCollapsed(parent) ? expanded.add(parent.path) : collapsed.delete(parent.path));
    }
    refresh();
    onSelect(path);
  };

  // ---- operations

  /** New entries, asked for where it is not clear; null if cancelled. @param {Entry} list */
  async function newValues({ section, value: values, schema }) {
    const noun = singular(section);
    if (section === 'bodies') {
      const mesh = await chooseMesh();
      return mesh === null ? null : [{ name: uniqueName(values, mesh.split('/').pop()?.replace(/\..*$/, '') || 'body'), mesh }];
    }
    const kinds = kindsOf(schema, state.schema);
    const bodies = (state.scene.bodies ?? []).map((/** @type {any} */ body) => body.name);
    const needsBody = schema.required?.includes('body');
    if (needsBody && bodies.length === 0) throw new Error(`A ${noun} needs a body. Add a body first.`);
    const stem = (/** @type {string} */ kind) => (kinds?.key === 'plugin' ? kind.split('.').pop() ?? noun : noun === 'groom' ? 'hair' : kinds ? kind : noun);
    const first = kinds?.choices[0] ?? '';
    const answer = await promptDialog(`New ${noun}`, [
      ...(kinds ? [{ name: 'kind', label: labelOf(kinds.key === 'plugin' ? 'type' : kinds.key), value: first, choices: kinds.choices.map((choice) => ({ value: choice, label: pluginLabel(choice) })), changed: (/** @type {string} */ kind, /** @type {any} */ inputs) => { inputs.name.value = uniqueName(values, stem(kind)); } }] : []),
      { name: 'name', label: 'Name', value: uniqueName(values, stem(first)), validate: nameError(values, '') },
      ...(section === 'grooms' ? await groomFields(bodies) : needsBody ? [{ name: 'body', label: 'Body', value: bodies[0], choices: bodies }] : []),
    ], 'Add');
    if (answer && section === 'grooms') return groomsOfStyle(answer, values);
    return answer && [{ ...(kinds ? { [kinds.key]: answer.kind } : {}), name: answer.name, ...(needsBody ? { body: answer.body } : {}) }];
  }

  const add = (/** @type {Entry | undefined} */ list) => tryOrToast(async () => {
    if (!list) return;
    const values = await newValues(list);
    if (!values) return;
    const { length } = list.value;
    await edit(values.map((value) => ({ path: `${list.path}/-`, value })));
    select(`${list.path}/${length}`);
    focusSelected();
  });
  const duplicate = () => tryOrToast(async () => {
    const { edits, path } = duplicateEdits(selected, state.scene);
    await edit(edits);
    select(path);
  });
  const rename = () => tryOrToast(async () => {
    const { name = '' } = valueAt(state.scene, selected);
    const answer = await promptDialog('Rename', [{ name: 'name', label: 'Name', value: name, validate: nameError(valueAt(state.scene, splitIndex(selected)[0]), name) }], 'Rename');
    if (answer && answer.name !== name) await edit(renameEdits(selected, answer.name, state.scene, state.schema));
  });
  const move = (/** @type {number} */ step) => tryOrToast(async () => {
    const { edits, path } = moveEdits(selected, step, state.scene);
    if (!edits.length) return;
    await edit(edits);
    select(path);
  });
  const remove = () => tryOrToast(async () => {
    const { edits, removed } = removeEdits(selected, state.scene, state.schema);
    const [own, ...others] = removed.map((path) => at(path)?.label ?? path);
    const noun = labelOf(singular(at(selected)?.section ?? 'entry'));
    const [list, index] = splitIndex(selected);
    await edit(edits);
    const left = valueAt(state.scene, list)?.length ?? 0;
    select(left > 0 ? `${list}/${Math.min(index, left - 1)}` : list);
    toast(`${noun} ${own} deleted${others.length ? `, with what was on it: ${others.join(', ')}` : ''}.`, { label: 'Undo', action: undo });
  });
  const toggle = (/** @type {Entry} */ entry, /** @type {string} */ key) => tryOrToast(() => edit([entry.value[key] === false ? { path: `${entry.path}/${key}` } : { path: `${entry.path}/${key}`, value: false }]));

  // ---- buttons

  const tools = element('div', { className: 'outliner-tools', role: 'toolbar', 'aria-label': 'Entries of the scene' });
  const addButton = smallIconButton('plus', { name: 'Add', help: 'Adds an entry to the selected list.' }, () => add(listOf(at(selected))), { id: 'entry-add' });
  const duplicateButton = smallIconButton('duplicate', { name: 'Duplicate', key: 'Ctrl-D', help: 'Copies the selected entry.' }, duplicate, { id: 'entry-duplicate' });
  const renameButton = smallIconButton('draw', { name: 'Rename', key: 'F2', help: 'Renames the selected entry; references follow.' }, rename, { id: 'entry-rename' });
  const upButton = smallIconButton('up', { name: 'Move up', key: 'Alt-Up', help: 'Modifiers and maps are applied from top to bottom.' }, () => move(-1), { id: 'entry-up' });
  const downButton = smallIconButton('down', { name: 'Move down', key: 'Alt-Down', help: 'Modifiers and maps are applied from top to bottom.' }, () => move(1), { id: 'entry-down' });
  const removeButton = smallIconButton('trash', { name: 'Delete', key: 'Delete', help: 'Removes the selected entry and what cannot be without it.' }, remove, { id: 'entry-delete' });
  tools.append(addButton, duplicateButton, renameButton, upButton, downButton, removeButton);
  roveFocus(tools, 'button');

  const refreshTools = () => {
    const entry = at(selected);
    const list = listOf(entry);
    const isElement = Boolean(entry && list && !entry.isList);
    addButton.disabled = !list;
    setTip(addButton, { name: list ? `Add ${singular(list.section)}` : 'Add', help: list ? list.help : 'Select a list first.' });
    addButton.setAttribute('aria-label', list ? `Add ${singular(list.section)}` : 'Add');
    for (const each of [duplicateButton, removeButton, upButton, downButton]) each.disabled = !isElement;
    renameButton.disabled = !isElement || !entry?.schema.properties?.name;
    const index = isElement ? splitIndex(selected)[1] : 0;
    if (index === 0) upButton.disabled = true;
    if (index + 1 >= (list?.value.length ?? 0)) downButton.disabled = true;
  };

  // ---- tree

  /** @param {Entry} entry */
  function createItem(entry) {
    const { path, label, level, isList, value } = entry;
    const foldable = hasChildren(entry);
    const key = isList ? undefined : TOGGLES.find((each) => entry.schema.properties?.[each] && (each !== 'visible' || entry.section === 'bodies'));
    const isOff = key !== undefined && value?.[key] === false;
    const chevron = element('span', { className: 'chevron', 'aria-hidden': 'true', onclick: (/** @type {Event} */ event) => { event.stopPropagation(); setOpen(entry, !isOpen(entry)); } },
      ...(foldable ? [icon(isOpen(entry) ? 'chevron-down' : 'chevron-right', 12)] : []));
    const item = element('li', {
      role: 'treeitem', className: `level-${Math.min(level, 5)}${isOff ? ' off' : ''}`, 'aria-level': level, 'aria-selected': String(path === selected), tabIndex: path === selected ? 0 : -1,
      ...(foldable ? { 'aria-expanded': String(isOpen(entry)) } : {}), onclick: () => select(path), ondblclick: () => { if (!isList && !renameButton.disabled) rename(); },
    }, chevron, icon(ICONS[entry.section] ?? 'circle', 14), element('span', { className: 'entry-name' }, label),
    ...(isList ? [element('span', { className: 'entry-count' }, String(value.length))] : []));
    item.dataset.path = path;
    if (isList) {
      const plus = smallIconButton('plus', { name: `Add ${singular(entry.section)}`, help: entry.help }, (event) => { event.stopPropagation(); add(at(path)); }, { tabIndex: -1 });
      plus.classList.add('entry-add');
      item.append(plus);
    } else if (key) {
      const eye = smallIconButton(isOff ? 'eye-off' : 'eye', { name: isOff ? `Switch on ${label}` : `Switch off ${label}`, help: `The parameter "${key}".` }, (event) => { event.stopPropagation(); toggle(entry, key); }, { tabIndex: -1 });
      eye.classList.add('entry-toggle');
      item.append(eye);
    }
    return item;
  }

  const items = () => /** @type {HTMLElement[]} */ ([...tree.children]);
  const focusSelected = () => items().find((item) => item.dataset.path === selected)?.focus();

  // Scrolls the tree alone, not the panel around it.
  function showSelected() {
    const item = items().find((each) => each.dataset.path === selected);
    if (!item) return;
    const top = item.offsetTop - tree.offsetTop;
    if (top < tree.scrollTop) tree.scrollTop = top;
    else if (top + item.offsetHeight > tree.scrollTop + tree.clientHeight) tree.scrollTop = top + item.offsetHeight - tree.clientHeight;
  }

  function refresh() {
    if (!state.schema) return;
    const hadFocus = tree.contains(document.activeElement);
    const { scrollTop } = tree;
    entries = entriesOf(state.scene, state.schema);
    if (!at(selected)) selected = at('/grooms/0') ? '/grooms/0' : '/bodies';
    tree.replaceChildren(...entries.filter(isShown).map(createItem));
    tree.scrollTop = scrollTop;
    if (hadFocus) focusSelected();
    showSelected();
    refreshTools();
  }

  tree.addEventListener('keydown', (event) => {
    if (event.target !== document.activeElement || /** @type {HTMLElement} */ (event.target).getAttribute('role') !== 'treeitem') return;
    const shown = items();
    const index = shown.findIndex((item) => item.dataset.path === selected);
    const entry = at(selected);
    const go = (/** @type {number} */ to) => {
      select(shown[Math.max(0, Math.min(shown.length - 1, to))].dataset.path ?? '');
      focusSelected();
    };
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowDown: () => (event.altKey ? move(1) : go(index + 1)),
      ArrowUp: () => (event.altKey ? move(-1) : go(index - 1)),
      Home: () => go(0),
      End: () => go(shown.length - 1),
      ArrowRight: () => { if (entry && hasChildren(entry)) { if (isOpen(entry)) go(index + 1); else setOpen(entry, true); } },
      ArrowLeft: () => {
        if (!entry) return;
        const parent = parentOf(selected);
        if (hasChildren(entry) && isOpen(entry)) setOpen(entry, false);
        else if (parent) go(shown.findIndex((item) => item.dataset.path === parent.path));
      },
      F2: () => { if (!renameButton.disabled) rename(); },
      Delete: () => { if (!removeButton.disabled) remove(); },
      Insert: () => add(listOf(entry)),
      d: () => { if (event.ctrlKey && !duplicateButton.disabled) duplicate(); },
      Enter: () => { if (entry?.isList) add(entry); },
    });
    const act = keys[event.key];
    if (!act || (event.key === 'd' && !event.ctrlKey)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });

  return { element: element('div', { className: 'outliner' }, tools, tree), refresh, select, selected: () => selected, entryAt: at };
}
