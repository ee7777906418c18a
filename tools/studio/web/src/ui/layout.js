// The panels of the page and the borders between them.

import { element } from './dom.js';
import { createSplit } from './split_panes.js';
import { createStatusLine } from './status_line.js';

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

export function createLayout() {
  const [views, uvView, dock, timeline] = ['views', 'uv-view', 'dock', 'timeline'].map(byId);
  createSplit({ id: 'dock-width', label: 'Width of the settings', parent: dock, axis: 'x', read: () => dock.offsetWidth, limits: () => [240, Math.max(240, innerWidth - 360)] });
  createSplit({ id: 'uv-width', label: 'Width of the UV view', parent: uvView, axis: 'x', read: () => uvView.offsetWidth, limits: () => [120, Math.max(120, views.offsetWidth - 160)] });
  createSplit({ id: 'timeline-height', label: 'Height of the timeline', parent: timeline, axis: 'y', read: () => timeline.offsetHeight, limits: () => [34, Math.max(34, innerHeight / 2)] });
  const line = element('div', { id: 'status-line', role: 'region', 'aria-label': 'What mouse buttons and keys do now' });
  document.body.append(line);
  createStatusLine(line);
}
