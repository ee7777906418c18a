// help: what hands and keys do, on one card.

import { button, element } from './dom.js';

const HANDS = [
  ['Drag on the head', 'paint; a pen with its pressure, its other end the other value'],
  ['Drag beside it, or with Alt', 'turn the view; two fingers do too'],
  ['Right button, wheel, + -', 'shift the view, come nearer'],
  ['1 2 3 4 5, F', 'front, left, back, right, top; all of it'],
  ['[ ]', 'smaller, larger brush'],
  ['X', 'swap value and other value'],
  ['B A S M E', 'set, add, subtract, blur, smear'],
  ['L G V', 'lasso, gradient, look'],
  ['U H', 'map beside the head, roots on and off'],
  ['Space', 'play and pause hair'],
  ['Ctrl-drag the head', 'shake it; with Shift turn it'],
  ['R C', 'preview, handles of camera and lights'],
  ['Ctrl-Z, Ctrl-Shift-Z, Ctrl-S', 'undo, redo, save'],
];

export function makeHelp() {
  let card = null;
  const open = () => {
    if (card) return;
    card = element('dialog', { className: 'help', 'aria-label': 'Keys and hands' },
      element('h2', {}, 'Keys and hands'),
      element('table', {}, element('tbody', {}, ...HANDS.map(([hand, what]) =>
        element('tr', {}, element('th', { scope: 'row' }, hand), element('td', {}, what))))),
      element('p', { className: 'note' }, 'Rest the pointer on any control to read what it does. Every stroke is on the disk at once; Save writes scene and maps.'),
      element('form', { method: 'dialog', className: 'buttons' }, element('button', { className: 'primary' }, 'Close')));
    card.addEventListener('close', () => { card.remove(); card = null; });
    // Beside the card is away from it.
    card.addEventListener('click', (event) => { if (event.target === card) card.close(); });
    document.body.append(card);
    card.showModal();
  };
  document.addEventListener('keydown', (event) => {
    if (event.key === '?' && !event.ctrlKey && !event.metaKey && !event.target.matches('input, textarea, select')) open();
  });
  return button('?', 'Keys and hands (?)', open, { id: 'help', 'aria-label': 'Keys and hands' });
}
