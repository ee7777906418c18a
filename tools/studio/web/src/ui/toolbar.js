// The bar at the top: name of the scene, history, UV view, help.

import { post } from '../net/api.js';
import { finishPending, redo, save, undo } from '../state/history.js';
import { preference, setPreference } from '../state/preferences.js';
import { registerShortcuts } from '../state/shortcuts.js';
import { on, state } from '../state/store.js';
import { element, tryOrToast } from './dom.js';
import { createHelp } from './help.js';
import { iconButton } from './icon_button.js';
import { roveFocus } from './roving_focus.js';

/** @param {HTMLElement} bar @param {HTMLElement} rootCount */
export function createToolbar(bar, rootCount) {
  const views = /** @type {HTMLElement} */ (document.getElementById('views'));
  const name = element('h1', { className: 'name' });
  const undoButton = iconButton('undo', 'Undo', { key: 'Ctrl-Z', help: 'Takes back the last change.' }, undo);
  const redoButton = iconButton('redo', 'Redo', { key: 'Ctrl-Shift-Z', help: 'Repeats the change that was taken back.' }, redo);
  const saveButton = iconButton('save', 'Save', { key: 'Ctrl-S', help: 'Writes the scene and its maps.' }, () => save(), { className: 'primary' });
  const showUv = (/** @type {boolean} */ shown) => {
    views.classList.toggle('both', shown);
    uvButton.setAttribute('aria-pressed', String(shown));
    setPreference('uv', shown);
  };
  const toggleUv = () => showUv(!views.classList.contains('both'));
  const uvButton = iconButton('panel', 'UV', { key: 'U', help: 'Shows the UV view beside the 3-D view.' }, toggleUv, { 'aria-pressed': 'false', id: 'toggle-uv' });
  const scenesButton = iconButton('folder', 'Scenes', { help: 'Start page: recent scenes, templates, new scenes. Unsaved changes are kept and restored when the scene is opened again.' }, () => tryOrToast(async () => {
    await finishPending();
    await post('/api/project/close');
    location.reload();
  }), { id: 'start-page' });
  const help = createHelp();
  bar.append(scenesButton, name, undoButton, redoButton, saveButton, uvButton, help.button, element('span', { className: 'space' }), rootCount);
  showUv(preference('uv', false));
  registerShortcuts([
    { key: 'z', ctrl: true, shift: false, section: 'File and history', help: 'Undo', action: undo },
    { key: 'z', ctrl: true, shift: true, section: 'File and history', help: 'Redo (also Ctrl-Y)', action: redo },
    { key: 's', ctrl: true, section: 'File and history', help: 'Save', action: () => save() },
    { key: 'u', section: 'View', help: 'Show or hide the UV view', action: toggleUv },
    { key: '?', section: 'View', help: 'This list', action: help.open },
  ]);
  document.addEventListener('keydown', (event) => { if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'y') { event.preventDefault(); redo(); } });
  roveFocus(bar, 'button');
  const saveLabel = /** @type {HTMLElement} */ (saveButton.querySelector('span'));
  on('saving', (/** @type {import('../state/history.js').SaveProgress | null} */ progress) => {
    saveButton.disabled = progress !== null;
    saveButton.setAttribute('aria-busy', String(progress !== null));
    saveLabel.textContent = !progress ? 'Save' : progress.of ? `Saving ${progress.file}, ${progress.index + 1} of ${progress.of}` : 'Saving';
  });
  on('stateChanged', () => {
    name.textContent = `${state.path}${state.dirty ? ' •' : ''}`;
    document.title = `${state.dirty ? '• ' : ''}${state.path} - coif studio`;
    undoButton.disabled = state.undo === 0;
    redoButton.disabled = state.redo === 0;
  });
}
