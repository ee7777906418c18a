// Saving, undo and redo.

import { getJson, post } from '../net/api.js';
import { toast, tryOrToast } from '../ui/dom.js';
import { emit, state } from './store.js';

/** @type {(() => any)[]} */ const pending = [];

/** Registers work that is completed before undo, redo and save, such as a stroke in progress. @param {() => any} finish */
export function finishBeforeHistory(finish) {
  pending.push(finish);
}

export const finishPending = async () => { for (const finish of pending) await finish(); };

/** @param {'undo' | 'redo'} operation */
const apply = (operation) => tryOrToast(async () => {
  await finishPending();
  await post(`/api/${operation}`);
});
export const undo = () => apply('undo');
export const redo = () => apply('redo');

// Opens the file again as it is now; the server keeps unsaved changes beside it.
const loadTheirs = () => tryOrToast(async () => {
  const { folder } = await getJson('/api/project');
  await post('/api/project/open', {}, { path: `${folder}/${state.path}` });
  location.reload();
});

/** @typedef {{ file: string, index: number, of: number }} SaveProgress the map that is written, of so many */

let isSaving = false;
/** The server writes a map; of a save by this page. @param {SaveProgress} progress */
export const onSaveProgress = (progress) => { if (isSaving) emit('saving', progress); };

export async function save(force = false) {
  isSaving = true;
  emit('saving', { file: '', index: 0, of: 0 });
  try {
    await finishPending();
    await post('/api/save', force ? { force: 1 } : {});
    toast('Saved.');
  } catch (error) {
    // 409: a file was modified or deleted by another program. Other errors may be temporary.
    const { status, message } = /** @type {import('../net/api.js').ApiError} */ (error);
    if (status !== 409) {
      toast(message, { bad: true, action: () => save(force), label: 'Try again' });
      return;
    }
    const isDeleted = message.includes('was deleted');
    toast(message.replace(/; save again.*$/, '.'), {
      bad: true, stays: true,
      actions: [...(isDeleted ? [] : [{ label: 'Load theirs', action: loadTheirs }]), { label: isDeleted ? 'Save anyway' : 'Overwrite', action: () => save(true) }],
    });
  } finally {
    isSaving = false;
    emit('saving', null);
  }
}
