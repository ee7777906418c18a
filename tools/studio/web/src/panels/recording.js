// Recording the live simulation: a take on the server, and by choice a film of the view.

import { saveBlob } from '../net/api.js';
import { registerShortcuts } from '../state/shortcuts.js';
import { button, element, toast, tryOrToast } from '../ui/dom.js';
import { setTip } from '../ui/tooltip.js';
import { canFilm, Film } from '../view/film.js';

/**
 * @param {object} parts
 * @param {import('../view/view3d.js').View3d} parts.view3d
 * @param {(action: 'record' | 'record_stop' | 'record_cancel') => any} parts.control
 */
export function createRecording({ view3d, control }) {
  /** @type {Film | null} */ let film = null;
  let isRecording = false;

  const recordButton = setTip(button('Record', '', () => control(isRecording ? 'record_stop' : 'record'), { id: 'record', 'aria-pressed': 'false' }),
    { name: 'Record', key: 'Shift-R', help: 'Plays and records the hair and the motion of the head as a take: SCENE.take1.json and its cache in the folder SCENE.take1. Press again to end it.' });
  const cancelButton = button('Cancel recording', 'Discard the take', () => control('record_cancel'), { id: 'cancel-recording', hidden: true });
  const filmBox = element('input', { type: 'checkbox', id: 'record-film', disabled: !canFilm() });
  const info = element('output', { className: 'note' });
  registerShortcuts([{ key: 'r', shift: true, section: 'Simulation and rendering', help: 'Record a take of the live simulation', action: () => recordButton.click() }]);

  const show = (/** @type {boolean} */ recording) => {
    isRecording = recording;
    recordButton.setAttribute('aria-pressed', String(recording));
    recordButton.textContent = recording ? 'Stop recording' : 'Record';
    cancelButton.hidden = !recording;
  };
  const finishFilm = async (/** @type {string | null} */ name) => {
    const done = film;
    film = null;
    const blob = await done?.finish();
    if (blob && name) saveBlob(blob, `${name}.webm`);
  };

  const onEvent = (/** @type {{ state: string, name: string | null, frames: number }} */ { state, name, frames }) => {
    show(state === 'preparing' || state === 'recording');
    info.textContent = state === 'preparing' ? 'Preparing the take …' : state === 'recording' ? `Recording: ${frames} frames` : '';
    if (state === 'recording' && !film && filmBox.checked) tryOrToast(() => { film = new Film(view3d); });
    if (isRecording) return;
    tryOrToast(() => finishFilm(state === 'saved' ? name : null));
    if (state === 'saved') toast(`Recorded ${frames} frames. Open ${name}.json to play the take, or render it with: coif render ${name}.json --cache ${name}`);
    if (state === 'cancelled') toast('The take was discarded.');
  };

  return {
    elements: [
      element('div', { className: 'buttons' }, recordButton, cancelButton,
        element('label', { className: 'check', title: 'Also film the 3-D view while recording, and download the film (WebM)' }, filmBox, 'Film')),
      info,
    ],
    onEvent,
  };
}
