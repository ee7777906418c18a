// The timeline: current frame, keyframes, and playback of a simulation cache.

import { getBytes, getJson } from '../net/api.js';
import { keyedFrames } from '../state/keyframes.js';
import { preference, setPreference } from '../state/preferences.js';
import { emit, on, state } from '../state/store.js';
import { button, element, tryOrToast } from './dom.js';
import { createKeyframeRows, frameAt, MARGIN, positionOf } from './keyframe_rows.js';
import { setTip } from './tooltip.js';

const CACHE_STRANDS = 5000; // displayed strands of a cached frame

const ROWS_HEIGHT = 150; // pixels of the timeline with rows
const RULER_HEIGHT = 34;

// Playback repeats loopFirst to loopLast.
export const time = { frame: 1, first: 1, last: 48, loopFirst: 1, loopLast: 48 };

/** @param {number} frame */
export function setFrame(frame) {
  time.frame = Math.max(time.first, Math.min(time.last, Math.round(frame)));
  emit('frameChanged');
}

/**
 * @param {{ showCachedStrands: (bytes: ArrayBuffer, requested: number) => void,
 *   plots: Record<string, import('./sparkline.js').Sparkline>, toggleLive: () => void }} simulation
 */
export function createTimeline({ showCachedStrands, plots, toggleLive }) {
  const bar = /** @type {HTMLElement} */ (document.getElementById('timeline'));
  const canvas = element('canvas', { tabIndex: 0, role: 'slider', 'aria-label': 'Frame' });
  const number = element('input', { type: 'number', 'aria-label': 'Frame number', onchange: () => { if (number.value === '') number.value = String(time.frame); else setFrame(Number(number.value)); } });
  /** @type {{ first: number, last: number, stats: string } | null} */ let cache = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */ let playTimer;
  /** @type {number | null} */ let liveFrame = null;
  const play = button('▶', 'Play the live simulation (Space)', () => {
    if (!cache) {
      toggleLive();
      return;
    }
    const { first, last } = cache;
    if (playTimer !== undefined) {
      clearInterval(playTimer);
      playTimer = undefined;
    } else {
      playTimer = setInterval(() => setFrame(time.frame >= Math.min(last, time.loopLast) ? Math.max(first, time.loopFirst) : time.frame + 1), 1000 / (state.scene.sim?.fps ?? 24));
    }
    showPlaying(playTimer !== undefined);
  }, { id: 'timeline-play' });
  /** @type {boolean | null} */ let shownPlaying = null;
  const showPlaying = (/** @type {boolean} */ playing) => {
    if (playing === shownPlaying) return;
    shownPlaying = playing;
    play.textContent = playing ? '❚❚' : '▶';
    play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
  };
  showPlaying(false);
  on('liveFrame', ({ playing, frame }) => {
    if (!cache) showPlaying(playing);
    const at = frame === null ? null : Math.min(time.last, frame);
    if (at === liveFrame) return;
    liveFrame = at;
    draw();
  });
  const keys = createKeyframeRows(time, setFrame);

  // The loop range: two handles over the ruler.
  /** @param {'loopFirst' | 'loopLast'} end @param {string} label */
  const createLoopHandle = (end, label) => {
    const set = (/** @type {number} */ frame) => {
      const [low, high] = end === 'loopFirst' ? [time.first, time.loopLast - 1] : [time.loopFirst + 1, time.last];
      time[end] = Math.max(low, Math.min(high, frame));
      emit('loopChanged');
    };
    const handle = setTip(element('div', {
      className: `loop-handle ${end}`, role: 'slider', tabIndex: 0, 'aria-label': label,
      onpointerdown: (/** @type {PointerEvent} */ event) => handle.setPointerCapture(event.pointerId),
      onpointermove: (/** @type {PointerEvent} */ event) => {
        if (handle.hasPointerCapture(event.pointerId)) set(frameAt(event.clientX - canvas.getBoundingClientRect().left, canvas.clientWidth, time));
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        set(time[end] + step);
      },
      ondblclick: () => set(end === 'loopFirst' ? time.first : time.last),
    }), { help: `${label}: drag, or use the arrow keys; double click restores it.` });
    const show = () => {
      handle.style.left = positionOf(time[end], time);
      handle.setAttribute('aria-valuenow', String(time[end]));
      handle.setAttribute('aria-valuemin', String(time.first));
      handle.setAttribute('aria-valuemax', String(time.last));
    };
    for (const event of ['loopChanged', 'frameChanged']) on(event, show);
    return handle;
  };
  const ruler = element('div', { className: 'ruler' }, canvas, createLoopHandle('loopFirst', 'Start of the loop'), createLoopHandle('loopLast', 'End of the loop'));
  const expand = setTip(element('button', { type: 'button', id: 'timeline-keys', onclick: () => showRows(!isExpanded()) }, '◆'), { name: 'Keys', help: 'Shows a row for every animated parameter, with its keys.' });
  const isExpanded = () => bar.clientHeight > RULER_HEIGHT + 16;
  const showRows = (/** @type {boolean} */ shown) => {
    const height = shown ? Math.max(ROWS_HEIGHT, preference('timeline-rows', ROWS_HEIGHT)) : RULER_HEIGHT;
    document.documentElement.style.setProperty('--timeline-height', `${height}px`);
    setPreference('timeline-height', height);
  };
  bar.append(play, ruler, number, expand, keys.rows);
  new ResizeObserver(() => {
    expand.setAttribute('aria-pressed', String(isExpanded()));
    keys.rows.hidden = !isExpanded();
    if (isExpanded()) setPreference('timeline-rows', bar.clientHeight);
  }).observe(bar);

  const draw = () => {
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    c.scale(ratio, ratio);
    const { clientWidth: width, clientHeight: height } = canvas;
    const x = (/** @type {number} */ frame) => MARGIN + ((frame - time.first) / Math.max(1, time.last - time.first)) * (width - 2 * MARGIN);
    c.fillStyle = '#1a1a1a';
    c.fillRect(0, 0, width, height);
    if (cache) {
      c.fillStyle = '#3d4a3d';
      c.fillRect(x(cache.first), height - 5, x(cache.last) - x(cache.first), 5);
    }
    if (time.loopFirst > time.first || time.loopLast < time.last) {
      c.fillStyle = '#2b3540';
      c.fillRect(x(time.loopFirst), 0, x(time.loopLast) - x(time.loopFirst), height);
    }
    c.fillStyle = '#777';
    const step = Math.max(1, Math.ceil((time.last - time.first) / 24));
    for (let f = time.first; f <= time.last; f += step) c.fillRect(x(f), height - 8, 1, 8);
    // Labels at least 44 pixels apart.
    c.font = '10px system-ui, sans-serif';
    c.fillStyle = '#a8a8a8';
    const labelStep = step * Math.max(1, Math.ceil(44 / (x(time.first + step) - x(time.first))));
    for (let f = time.first; f <= time.last - labelStep / 2; f += labelStep) c.fillText(String(f), x(f) + 3, height - 1);
    c.fillStyle = '#d8a13a';
    for (const f of keyedFrames(state.scene)) {
      c.beginPath();
      c.moveTo(x(f), 4);
      c.lineTo(x(f) + 4, 9);
      c.lineTo(x(f), 14);
      c.lineTo(x(f) - 4, 9);
      c.fill();
    }
    if (liveFrame !== null) {
      c.fillStyle = '#8fc98f';
      c.fillRect(x(Math.min(time.last, liveFrame)) - 1, 0, 2, height);
    }
    c.fillStyle = '#fff';
    c.fillRect(x(time.frame) - 1, 0, 2, height);
    number.value = String(time.frame);
    canvas.setAttribute('aria-valuenow', String(time.frame));
    canvas.setAttribute('aria-valuemin', String(time.first));
    canvas.setAttribute('aria-valuemax', String(time.last));
  };
  const setFrameAt = (/** @type {PointerEvent} */ event) => setFrame(frameAt(event.offsetX, canvas.clientWidth, time));
  canvas.addEventListener('pointerdown', (event) => { canvas.setPointerCapture(event.pointerId); setFrameAt(event); });
  canvas.addEventListener('pointermove', (event) => { if (event.buttons & 1) setFrameAt(event); });
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'Home') setFrame(time.first);
    if (event.key === 'End') setFrame(time.last);
    if (event.key === 'ArrowLeft') setFrame(time.frame - 1);
    if (event.key === 'ArrowRight') setFrame(time.frame + 1);
  });
  new ResizeObserver(draw).observe(canvas);

  on('frameChanged', draw);
  on('loopChanged', draw);
  on('sceneChanged', () => {
    const before = { ...time };
    time.first = state.scene.sim?.first_frame ?? 1;
    time.last = Math.max(time.first + 1, state.scene.sim?.last_frame ?? 48);
    if (time.first !== before.first || time.last !== before.last) {
      // A loop over all frames stays one.
      time.loopFirst = before.loopFirst === before.first ? time.first : Math.max(time.first, Math.min(time.last - 1, before.loopFirst));
      time.loopLast = before.loopLast === before.last ? time.last : Math.max(time.loopFirst + 1, Math.min(time.last, before.loopLast));
      keys.refresh();
      emit('loopChanged');
    }
    setFrame(time.frame);
  });

  // Cached frames: one request at a time, always ending with the current frame.
  let fetching = false;
  on('frameChanged', () => {
    if (cache && !fetching && time.frame >= cache.first && time.frame <= cache.last) {
      fetching = true;
      const { frame } = time;
      const { first } = cache;
      Object.values(plots).forEach((plot) => plot.mark(frame - first));
      tryOrToast(async () => showCachedStrands(await getBytes('/api/cache_frame', { groom: state.groom, frame, limit: CACHE_STRANDS }), CACHE_STRANDS))
        .finally(() => { fetching = false; if (frame !== time.frame) emit('frameChanged'); });
    }
  });
  const loadCache = async () => {
    if (!state.cache) return;
    try {
      const found = cache = /** @type {{ first: number, last: number, stats: string }} */ (await getJson('/api/cache', { groom: state.groom }));
      play.dataset.tip = 'Play the cache';
      // Statistics are indexed by frame: a resumed or partial run has not written all of them.
      /** @type {any[]} */ const stats = [];
      for (const line of found.stats.split('\n').filter(Boolean)) {
        const entry = JSON.parse(line);
        if (entry.frame >= found.first && entry.frame <= found.last) stats[entry.frame - found.first] = entry;
      }
      const series = (/** @type {string} */ name, scale = 1) => Array.from(stats, (entry) => (entry?.[name] === undefined ? NaN : scale * entry[name]));
      plots.ms.setValues(series('seconds', 1000), found.first);
      plots.stretch.setValues(series('max_stretch'), found.first);
      plots.kinetic.setValues(series('kinetic'), found.first);
      plots.potential.setValues(series('potential'), found.first);
      plots.elastic.setValues(series('elastic'), found.first);
    } catch (error) {
      cache = null; // no cached frames of this groom
      play.dataset.tip = `Play the live simulation (Space). ${/** @type {Error} */ (error).message}`;
    }
    draw();
  };
  on('groomSelected', loadCache);
  return { loadCache };
}
