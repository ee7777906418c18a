// The tools of the views. Modules register theirs; one tool is active.

import { emit } from './store.js';
import { preference, setPreference } from './preferences.js';

/**
 * @typedef {object} Tool
 * @property {string} id
 * @property {string} group 'map' paints maps, 'hair' edits strands, 'view' navigates; the palette shows one group at a time beside 'view'
 * @property {string} name
 * @property {import('../ui/icons.js').IconName} icon
 * @property {string} [key] shortcut, one character
 * @property {string} help one sentence
 * @property {import('../ui/status_line.js').InputHelp} inputs what mouse buttons and modifiers do over the 3-D view
 */

/** @type {Map<string, Tool>} */ export const tools = new Map();
/** @type {Tool | null} */ let active = null;

/** @param {Tool[]} list */
export function registerTools(list) {
  for (const tool of list) tools.set(tool.id, tool);
}

export const activeTool = () => /** @type {Tool} */ (active);

/** @param {string} id */
export function selectTool(id) {
  const tool = tools.get(id);
  if (!tool) return;
  active = tool;
  setPreference('tool', id);
  emit('toolChanged', tool);
}

/** The tool of the last visit, or the first one. */
export function restoreTool() {
  const id = preference('tool', '');
  selectTool(tools.has(id) ? id : [...tools.keys()][0]);
}
