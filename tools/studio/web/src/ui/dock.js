// The settings on the right: one tab per panel.

import { preference, setPreference } from '../state/preferences.js';
import { emit } from '../state/store.js';
import { element } from './dom.js';
import { roveFocus } from './roving_focus.js';

/** @typedef {{ id: string, title: string, element: HTMLElement }} Panel */

/** Adds the tabs; emits tabChanged with the id of the visible panel. @param {HTMLElement} dock @param {Panel[]} panels */
export function createDock(dock, panels) {
  const tabs = element('div', { className: 'tabs', role: 'tablist', 'aria-label': 'Settings' });
  const select = (/** @type {string} */ id) => {
    panels.forEach((panel, k) => {
      panel.element.hidden = panel.id !== id;
      tabs.children[k].setAttribute('aria-selected', String(panel.id === id));
    });
    setPreference('tab', id);
    emit('tabChanged', id);
  };
  for (const panel of panels) {
    panel.element.classList.add('panel');
    panel.element.id = `panel-${panel.id}`;
    panel.element.setAttribute('role', 'tabpanel');
    panel.element.setAttribute('aria-labelledby', `tab-${panel.id}`);
    tabs.append(element('button', { type: 'button', id: `tab-${panel.id}`, role: 'tab', 'aria-controls': panel.element.id, onclick: () => select(panel.id) }, panel.title));
  }
  roveFocus(tabs, 'button', (tab) => tab.click());
  dock.append(tabs, ...panels.map((panel) => panel.element));
  const kept = preference('tab', '');
  select(panels.some((panel) => panel.id === kept) ? kept : panels[0].id);
}
