// The tool bar on the left: the tools of one group, those that navigate, and actions.

import { registerShortcuts } from '../state/shortcuts.js';
import { on } from '../state/store.js';
import { activeTool, restoreTool, selectTool, tools } from '../state/tools.js';
import { element } from './dom.js';
import { icon } from './icons.js';
import { roveFocus } from './roving_focus.js';
import { setTip } from './tooltip.js';

const GROUPS = /** @type {Record<string, string>} */ ({ map: 'Paint', hair: 'Groom' });

/**
 * @typedef {object} ToolAction a button below the tools of a group
 * @property {string} id
 * @property {string} group
 * @property {string} name
 * @property {import('./icons.js').IconName} icon
 * @property {string} help
 * @property {() => any} action
 */

/** @param {HTMLElement} bar @param {ToolAction[]} actions */
export function createToolPalette(bar, actions) {
  const toolButton = (/** @type {{ id: string, group: string, name: string, icon: import('./icons.js').IconName, help: string, key?: string }} */ tool, /** @type {() => any} */ onclick) => {
    const made = element('button', { type: 'button', className: 'tool', onclick }, icon(tool.icon, 18), element('span', {}, tool.name));
    made.dataset.group = tool.group;
    return setTip(made, { name: tool.name, key: tool.key?.toUpperCase(), help: tool.help });
  };
  /** @type {Record<string, string>} last tool by group */ const lastTool = {};
  const groups = Object.keys(GROUPS).filter((group) => [...tools.values()].some((tool) => tool.group === group));
  const groupButtons = groups.map((group) => element('button', {
    type: 'button', className: 'group', 'aria-pressed': 'false', id: `tools-${group}`,
    onclick: () => selectTool(lastTool[group] ?? [...tools.values()].find((tool) => tool.group === group)?.id ?? ''),
  }, GROUPS[group]));
  if (groups.length > 1) bar.append(element('div', { className: 'groups' }, ...groupButtons));
  for (const tool of tools.values()) {
    const made = toolButton(tool, () => selectTool(tool.id));
    made.dataset.tool = tool.id;
    made.setAttribute('aria-pressed', 'false');
    bar.append(made);
  }
  bar.append(element('hr'), ...actions.map((action) => {
    const made = toolButton(action, action.action);
    made.dataset.action = action.id;
    return made;
  }));

  let shownGroup = '';
  on('toolChanged', (tool) => {
    if (tool.group !== 'view') shownGroup = tool.group;
    shownGroup ||= groups[0];
    lastTool[tool.group] = tool.id;
    for (const each of /** @type {NodeListOf<HTMLElement>} */ (bar.querySelectorAll('.tool'))) {
      each.hidden = each.dataset.group !== 'view' && each.dataset.group !== shownGroup;
      if (each.dataset.tool) each.setAttribute('aria-pressed', String(each.dataset.tool === tool.id));
    }
    groupButtons.forEach((each, i) => each.setAttribute('aria-pressed', String(groups[i] === shownGroup)));
  });
  roveFocus(bar, 'button');
  // A key may belong to one tool of each group: that of the visible group counts.
  const keys = new Set([...tools.values()].map((tool) => tool.key).filter((key) => key !== undefined));
  registerShortcuts([...keys].map((key) => {
    const sharing = [...tools.values()].filter((tool) => tool.key === key);
    return { key, section: 'Tools', help: sharing.map((tool) => tool.name).join(', '), action: () => {
      const tool = sharing.find((each) => each.group === shownGroup || each.group === 'view') ?? sharing[0];
      if (tool !== activeTool()) selectTool(tool.id);
    } };
  }));
  restoreTool();
}
