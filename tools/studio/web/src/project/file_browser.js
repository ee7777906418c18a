// A dialog that chooses a file or a folder of the computer that the studio runs on.

import { getJson } from '../net/api.js';
import { button, element, tryOrToast } from '../ui/dom.js';

/**
 * @param {object} wanted
 * @param {string} wanted.title
 * @param {string} wanted.folder to begin with
 * @param {string[]} [wanted.extensions] of the files to choose from; none: a folder is chosen
 * @returns {Promise<string | null>} absolute path, null if cancelled
 */
export function browse({ title, folder, extensions = [] }) {
  return new Promise((resolve) => {
    /** @type {string | null} */ let chosen = null;
    const path = element('input', { type: 'text', 'aria-label': 'Folder', spellcheck: false });
    const list = element('ul', { className: 'browser-list', 'aria-label': 'Contents' });
    const dialog = element('dialog', { className: 'browser', 'aria-label': title });
    const finish = (/** @type {string} */ value) => { chosen = value; dialog.close(); };

    const show = (/** @type {string} */ wanted) => tryOrToast(async () => {
      const found = await getJson('/api/project/files', { folder: wanted, extensions: extensions.join(',') || 'none' });
      path.value = found.folder;
      const base = found.folder === '/' ? '' : found.folder;
      const parent = found.folder.replace(/\/[^/]*$/, '') || '/';
      const entry = (/** @type {string} */ name, /** @type {() => void} */ act, kind = 'file') => element('li', {}, button(name, name, act, { className: kind }));
      list.replaceChildren(
        ...(found.folder === '/' ? [] : [entry('..', () => show(parent), 'folder')]),
        ...found.folders.map((/** @type {string} */ name) => entry(name, () => show(`${base}/${name}`), 'folder')),
        ...found.files.map((/** @type {string} */ name) => entry(name, () => finish(`${base}/${name}`))));
      if (!found.folders.length && !found.files.length) list.append(element('li', { className: 'note' }, 'Nothing to choose here.'));
    });

    path.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      const extension = path.value.split('.').pop()?.toLowerCase() ?? '';
      if (extensions.includes(extension)) finish(path.value); else show(path.value);
    });
    dialog.addEventListener('close', () => { dialog.remove(); resolve(chosen); });
    dialog.append(element('h2', {}, title), path, list, element('div', { className: 'buttons' },
      ...(extensions.length ? [] : [button('Choose this folder', 'Choose this folder', () => finish(path.value), { className: 'primary' })]),
      button('Cancel', 'Cancel', () => dialog.close())));
    document.body.append(dialog);
    dialog.showModal();
    show(folder);
  });
}

/** A text field with a button that opens the browser. @param {string} label @param {string} value @param {() => Promise<string | null>} choose */
export function pathField(label, value, choose) {
  const input = element('input', { type: 'text', value, 'aria-label': label, spellcheck: false });
  const made = element('div', { className: 'path-field' }, input, button('Browse…', `Browse: ${label}`, async () => {
    const path = await choose();
    if (path !== null) {
      input.value = path;
      input.dispatchEvent(new Event('change'));
    }
  }));
  return { element: made, input };
}
