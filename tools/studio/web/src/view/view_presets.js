// Buttons and keys for standard view directions.

import { registerShortcuts } from '../state/shortcuts.js';
import { element } from '../ui/dom.js';
import { roveFocus } from '../ui/roving_focus.js';
import { setTip } from '../ui/tooltip.js';

// Name, direction from the target to the camera, key. Left and right are those of the head.
/** @type {[string, number[], string][]} */ const PRESETS = [
  ['Front', [0, 0.12, 1], '1'], ['Left', [1, 0.12, 0], '2'], ['Back', [0, 0.12, -1], '3'], ['Right', [-1, 0.12, 0], '4'], ['Top', [0, 1, 0.001], '5'],
];

/** @param {import('./view3d.js').View3d} view3d */
export function createViewPresets(view3d) {
  const bar = element('div', { className: 'view-presets', role: 'toolbar', 'aria-label': 'View from' },
    ...PRESETS.map(([name, direction, key]) => setTip(element('button', { type: 'button', onclick: () => view3d.lookFrom(direction) }, name), { name, key, help: `View from the ${name.toLowerCase()}.` })),
    setTip(element('button', { type: 'button', id: 'frame-view', onclick: () => view3d.lookFrom() }, 'Fit'), { name: 'Fit scalp in view', key: 'F', help: 'Shows the whole growth area.' }));
  view3d.section.append(bar);
  roveFocus(bar, 'button');
  registerShortcuts([
    ...PRESETS.map(([name, direction, key]) => ({ key, section: 'View', help: `View from the ${name.toLowerCase()}`, action: () => view3d.lookFrom(direction) })),
    { key: 'f', section: 'View', help: 'Fit the scalp in the view', action: () => view3d.lookFrom() },
  ]);
}
