// Saving, undo and redo.

import { post } from '../net/api.js';
import { toast, tryOrToast } from '../ui/dom.js';

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

export async function save(force = false) {
  try {
    await finishPending();
    await post('/api/save', force ? { force: 1 } : {});
    toast('Saved.');
  } catch (error) {
    // 409: the file was modified externally and may be overwritten. Other errors may be temporary.
    const { status, message } = /** @type {import('../net/api.js').ApiError} */ (error);
    const retry = status === 409 ? { action: () => save(true), label: 'Overwrite' } : { action: () => save(force), label: 'Try again' };
    toast(message, { bad: true, ...retry });
  }
}
