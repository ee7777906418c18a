// Creating and opening scenes. The page loads itself again when the server has opened one.

import { post } from '../net/api.js';
import { button, element, toast, tryOrToast } from '../ui/dom.js';
import { browse, pathField } from './file_browser.js';

/** @param {string} question @param {string} answer @returns {Promise<boolean>} */
function ask(question, answer) {
  return new Promise((resolve) => {
    const dialog = element('dialog', { 'aria-label': question },
      element('form', { method: 'dialog' }, element('p', {}, question), element('div', { className: 'buttons' },
        element('button', { value: 'yes', className: 'primary' }, answer), element('button', { value: 'no' }, 'Cancel'))));
    dialog.addEventListener('close', () => { dialog.remove(); resolve(dialog.returnValue === 'yes'); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** @param {string} path */
export const openScene = (path) => tryOrToast(async () => {
  await post('/api/project/open', {}, { path });
  location.reload();
});

/** Creates and opens a scene; asks before it overwrites a file. @param {any} request body of the request @returns {Promise<boolean>} whether it was created */
export async function createScene(request) {
  try {
    await post('/api/project/new', {}, request);
  } catch (error) {
    const { status, message } = /** @type {import('../net/api.js').ApiError} */ (error);
    if (status === 409 && !request.overwrite && await ask(`${message}. Overwrite it?`, 'Overwrite')) return createScene({ ...request, overwrite: true });
    if (status !== 409) toast(message, { bad: true });
    return false;
  }
  location.reload();
  return true;
}

/** Fields for the name and folder of a new scene. @param {string} name @param {string} folder */
export function targetFields(name, folder) {
  const nameInput = element('input', { type: 'text', name: 'name', value: name, required: true, 'aria-label': 'Name of the scene', spellcheck: false });
  const field = pathField('Project folder', folder, () => browse({ title: 'Project folder', folder: field.input.value }));
  return {
    rows: [element('label', { className: 'field' }, 'Name', nameInput), element('div', { className: 'field' }, 'Folder', field.element)],
    read: () => ({ name: nameInput.value.trim(), folder: field.input.value.trim() }),
    nameInput,
  };
}

/** Asks for a name and creates a scene from a template, or an empty one. @param {string} title @param {string} name @param {string} folder @param {any} template */
export function newSceneDialog(title, name, folder, template) {
  const fields = targetFields(name, folder);
  const dialog = element('dialog', { className: 'new-scene', 'aria-label': title });
  const form = element('form', { method: 'dialog' }, element('h2', {}, title), ...fields.rows,
    element('div', { className: 'buttons' }, element('button', { className: 'primary', value: 'yes' }, 'Create'),
      button('Cancel', 'Cancel', () => dialog.close())));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await createScene({ ...fields.read(), ...template })) dialog.close();
  });
  dialog.append(form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  fields.nameInput.select();
}
