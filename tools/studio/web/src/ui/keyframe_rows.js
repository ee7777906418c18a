// Rows of the timeline: one per animated parameter, with keys that are dragged, deleted and added.

import { keyedParameters, valueAtFrame, withKey, withKeyMoved, withoutKey } from '../state/keyframes.js';
import { edit, on, state } from '../state/store.js';
import { element, keepFocus, tryOrToast } from './dom.js';
import { setTip } from './tooltip.js';

export const MARGIN = 24; // pixels beside the first and the last frame, for the handles of the loop range

/** Where a frame is in a track, as a CSS length. @param {number} frame @param {{ first: number, last: number }} time */
export const positionOf = (frame, { first, last }) => `calc(${MARGIN}px + (100% - ${2 * MARGIN}px) * ${(frame - first) / Math.max(1, last - first)})`;

/** The frame at a position in a track. @param {number} x pixels @param {number} width @param {{ first: number, last: number }} time */
export const frameAt = (x, width, { first, last }) => Math.round(first + ((x - MARGIN) / Math.max(1, width - 2 * MARGIN)) * (last - first));

/** @param {{ first: number, last: number, frame: number }} time @param {(frame: number) => void} setFrame */
export function createKeyframeRows(time, setFrame) {
  const rows = element('div', { className: 'key-rows', role: 'list', 'aria-label': 'Animated parameters' });
  /** Path and frame of the key that keeps the focus after an edit. @type {{ path: string, frame: number } | null} */ let focused = null;

  /** @param {string} path @param {any} value @param {number} from @param {number} to */
  const move = (path, value, from, to) => {
    const frame = Math.max(0, to);
    focused = { path, frame };
    return tryOrToast(() => edit([{ path, value: withKeyMoved(value, from, frame) }]));
  };
  /** @param {string} path @param {any} value @param {number} frame */
  const remove = (path, value, frame) => tryOrToast(() => edit([{ path, value: withoutKey(value, frame) }]));

  /** @param {import('../state/keyframes.js').KeyedParameter} parameter @param {number} frame @param {HTMLElement} track */
  function createKey({ path, label, value }, frame, track) {
    let grabbed = false;
    let at = frame;
    const key = setTip(element('button', {
      type: 'button', className: 'key', 'aria-label': `${label}, key at frame ${frame}`,
      onpointerdown: (/** @type {PointerEvent} */ event) => {
        if (event.button !== 0) return;
        key.setPointerCapture(event.pointerId);
        grabbed = true;
        event.stopPropagation();
      },
      onpointermove: (/** @type {PointerEvent} */ event) => {
        if (!grabbed) return;
        at = Math.max(time.first, Math.min(time.last, frameAt(event.clientX - track.getBoundingClientRect().left, track.clientWidth, time)));
        key.style.left = positionOf(at, time);
      },
      onpointerup: () => {
        if (grabbed && at !== frame) move(path, value, frame, at);
        else if (grabbed) setFrame(frame);
        grabbed = false;
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[event.key];
        if (step) move(path, value, frame, frame + step);
        else if (event.key === 'Delete' || event.key === 'Backspace') remove(path, value, frame);
        else if (event.key === 'Enter') setFrame(frame);
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
      oncontextmenu: (/** @type {Event} */ event) => { event.preventDefault(); remove(path, value, frame); },
    }), { help: `${label} at frame ${frame}: drag or arrow keys move the key, Delete or a right click removes it.` });
    key.dataset.frame = String(frame);
    key.style.left = positionOf(frame, time);
    return key;
  }

  /** @param {import('../state/keyframes.js').KeyedParameter} parameter */
  function createRow(parameter) {
    const { path, label, value } = parameter;
    const track = element('div', {
      className: 'track', title: 'Double-click adds a key with the value that the parameter has there.',
      ondblclick: (/** @type {MouseEvent} */ event) => {
        if (event.target !== track && !(/** @type {Element} */ (event.target)).matches('.track-label')) return;
        const frame = frameAt(event.clientX - track.getBoundingClientRect().left, track.clientWidth, time);
        focused = { path, frame };
        tryOrToast(() => edit([{ path, value: withKey(value, frame, valueAtFrame(value, frame)) }]));
      },
    }, element('span', { className: 'track-label' }, label));
    track.append(...value.keys.map(([frame]) => createKey(parameter, frame, track)));
    const row = element('div', { className: 'key-row', role: 'listitem' }, track);
    row.dataset.path = path;
    return row;
  }

  const refresh = () => {
    keepFocus(rows, () => rows.replaceChildren(...keyedParameters(state.scene).map(createRow)));
    if (!rows.hasChildNodes()) rows.append(element('p', { className: 'note' }, 'No keys yet. The diamond beside a parameter in the Scene tab sets one at the current frame.'));
    if (focused) {
      const row = [...rows.children].find((each) => /** @type {HTMLElement} */ (each).dataset.path === focused?.path);
      /** @type {HTMLElement | null | undefined} */ (row?.querySelector(`.key[data-frame="${focused.frame}"]`))?.focus();
      focused = null;
    }
  };
  on('sceneChanged', refresh);
  return { rows, refresh };
}
