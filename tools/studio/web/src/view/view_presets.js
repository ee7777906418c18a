// sides: buttons and keys that look at the head from one side, and the way back to where one began.

import { button, element, isWriting } from '../ui/dom.js';

// Name, where the eye is, key. Left and right are those of the head.
const SIDES = [
  ['Front', [0, 0.12, 1], '1'], ['Left', [1, 0.12, 0], '2'], ['Back', [0, 0.12, -1], '3'], ['Right', [-1, 0.12, 0], '4'], ['Top', [0, 1, 0.001], '5'],
];

export function makeSides(view3d) {
  const bar = element('div', { className: 'sides', role: 'toolbar', 'aria-label': 'Look from' },
    ...SIDES.map(([name, from, key]) => button(name, `Look from this side: ${name.toLowerCase()} (${key})`, () => view3d.lookFrom(from))),
    button('Frame', 'All of the ground, as when the page was opened (F)', () => view3d.lookFrom(), { id: 'frame-view' }));
  view3d.section.append(bar);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) {
      return;
    }
    const side = SIDES.find(([, , key]) => key === event.key);
    if (side) view3d.lookFrom(side[1]);
    if (event.key.toLowerCase() === 'f') view3d.lookFrom();
  });
}
