// The reference card of keyboard and mouse.

import { button, element, isTextInput } from './dom.js';

const BINDINGS = [
  ['Drag on the surface', 'paint; pen pressure scales strength, the eraser end paints the other value'],
  ['Drag the background, Alt-drag', 'orbit; two fingers do too'],
  ['Right button, wheel, + -', 'pan, zoom'],
  ['1 2 3 4 5, F', 'view from front, left, back, right, top; frame all'],
  ['[ ]', 'smaller, larger brush'],
  ['X', 'swap value and other value'],
  ['B A S M E', 'set, add, subtract, blur, smear'],
  ['L G V', 'lasso, gradient, navigate'],
  ['U H', 'toggle UV view, toggle roots'],
  ['Space', 'play or pause the simulation'],
  ['Ctrl-drag the head', 'move the head; with Shift rotate it'],
  ['R C', 'preview render, toggle camera and light gizmos'],
  ['Ctrl-Z, Ctrl-Shift-Z, Ctrl-S', 'undo, redo, save'],
];

export function createHelp() {
  /** @type {HTMLDialogElement | null} */ let dialog = null;
  const open = () => {
    if (dialog) return;
    const made = element('dialog', { className: 'help', 'aria-label': 'Keyboard and mouse' },
      element('h2', {}, 'Keyboard and mouse'),
      element('table', {}, element('tbody', {}, ...BINDINGS.map(([input, action]) =>
        element('tr', {}, element('th', { scope: 'row' }, input), element('td', {}, action))))),
      element('p', { className: 'note' }, 'Every control has a tooltip. Every stroke is written to the journal at once; Save writes the scene and its maps.'),
      element('form', { method: 'dialog', className: 'buttons' }, element('button', { className: 'primary' }, 'Close')));
    made.addEventListener('close', () => { made.remove(); dialog = null; });
    made.addEventListener('click', (event) => { if (event.target === made) made.close(); }); // backdrop
    document.body.append(made);
    made.showModal();
    dialog = made;
  };
  document.addEventListener('keydown', (event) => {
    if (event.key === '?' && !event.ctrlKey && !event.metaKey && !isTextInput(event.target)) open();
  });
  return button('?', 'Keyboard and mouse (?)', open, { id: 'help', 'aria-label': 'Keyboard and mouse' });
}
