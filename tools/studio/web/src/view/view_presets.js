// Buttons and keys for standard view directions.

import { button, element, isTextInput } from '../ui/dom.js';

// Name, direction from the target to the camera, key. Left and right are those of the head.
/** @type {[string, number[], string][]} */ const PRESETS = [
  ['Front', [0, 0.12, 1], '1'], ['Left', [1, 0.12, 0], '2'], ['Back', [0, 0.12, -1], '3'], ['Right', [-1, 0.12, 0], '4'], ['Top', [0, 1, 0.001], '5'],
];

/** @param {import('./view3d.js').View3d} view3d */
export function createViewPresets(view3d) {
  const bar = element('div', { className: 'view-presets', role: 'toolbar', 'aria-label': 'View from' },
    ...PRESETS.map(([name, direction, key]) => button(name, `View from the ${name.toLowerCase()} (${key})`, () => view3d.lookFrom(direction))),
    button('Frame', 'Frame the growth area from the initial direction (F)', () => view3d.lookFrom(), { id: 'frame-view' }));
  view3d.section.append(bar);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTextInput(event.target)) return;
    const preset = PRESETS.find(([, , key]) => key === event.key);
    if (preset) view3d.lookFrom(preset[1]);
    if (event.key.toLowerCase() === 'f') view3d.lookFrom();
  });
}
