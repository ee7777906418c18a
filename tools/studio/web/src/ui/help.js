// The list of shortcuts and mouse actions.

import { registerShortcuts, shortcutLabel, shortcutSections } from '../state/shortcuts.js';
import { element } from './dom.js';
import { iconButton } from './icon_button.js';

export function createHelp() {
  registerShortcuts([
    { key: '', label: 'Drag on the surface', section: 'Mouse, pen and touch', help: 'Use the tool; pen pressure scales its strength, the eraser end paints the second value' },
    { key: '', label: 'Drag the background, Alt-drag', section: 'Mouse, pen and touch', help: 'Orbit, with Alt about the point under the pointer; two fingers do too' },
    { key: '', label: 'Right button, wheel, + −', section: 'Mouse, pen and touch', help: 'Pan, zoom towards the pointer' },
    { key: '', label: 'Ctrl-drag the head', section: 'Mouse, pen and touch', help: 'Move the head; with Shift rotate it' },
  ]);
  /** @type {HTMLDialogElement | null} */ let dialog = null;
  const open = () => {
    if (dialog) return;
    const made = element('dialog', { className: 'help', 'aria-label': 'Shortcuts' },
      element('h2', {}, 'Shortcuts'),
      element('div', { className: 'sections' }, ...[...shortcutSections()].map(([section, shortcuts]) => element('section', {},
        element('h3', {}, section),
        element('table', {}, element('tbody', {}, ...shortcuts.map((shortcut) =>
          element('tr', {}, element('th', { scope: 'row' }, shortcutLabel(shortcut)), element('td', {}, shortcut.help)))))))),
      element('p', { className: 'note' }, 'Every change is kept in a journal at once, even if the browser or the program is closed. Save writes the scene and its maps.'),
      element('form', { method: 'dialog', className: 'buttons' }, element('button', { className: 'primary' }, 'Close')));
    made.addEventListener('close', () => { made.remove(); dialog = null; });
    made.addEventListener('click', (event) => { if (event.target === made) made.close(); }); // backdrop
    document.body.append(made);
    made.showModal();
    dialog = made;
  };
  return { open, button: iconButton('help', 'Help', { key: '?', help: 'Lists the shortcuts of keyboard and mouse.' }, open, { id: 'help' }) };
}
