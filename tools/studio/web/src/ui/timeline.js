// The timeline: current frame, keyframes, and playback of a simulation cache.

import { getBytes, getJson } from '../net/api.js';
import { keyedFrames } from '../state/keyframes.js';
import { emit, on, state } from '../state/store.js';
import { button, element, tryOrToast } from './dom.js';

const CACHE_STRANDS = 5000; // displayed strands of a cached frame

export const time = { frame: 1, first: 1, last: 48 };

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
      playTimer = setInterval(() => setFrame(time.frame >= last ? first : time.frame + 1), 1000 / (state.scene.sim?.fps ?? 24));
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
  bar.append(play, canvas, number);

  const draw = () => {
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    c.scale(ratio, ratio);
    const { clientWidth: width, clientHeight: height } = canvas;
    const x = (/** @type {number} */ frame) => 8 + ((frame - time.first) / Math.max(1, time.last - time.first)) * (width - 16);
    c.fillStyle = '#1a1a1a';
    c.fillRect(0, 0, width, height);
    if (cache) {
      c.fillStyle = '#3d4a3d';
      c.fillRect(x(cache.first), height - 5, x(cache.last) - x(cache.first), 5);
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
  const setFrameAt = (/** @type {PointerEvent} */ event) => setFrame(time.first + ((event.offsetX - 8) / (canvas.clientWidth - 16)) * (time.last - time.first));
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
  on('sceneChanged', () => {
    time.first = state.scene.sim?.first_frame ?? 1;
    time.last = Math.max(time.first + 1, state.scene.sim?.last_frame ?? 48);
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
      plots.ms.setValues(series('seconds', 1000));
      plots.stretch.setValues(series('max_stretch'));
      plots.kinetic.setValues(series('kinetic'));
      plots.potential.setValues(series('potential'));
      plots.elastic.setValues(series('elastic'));
    } catch (error) {
      cache = null; // no cached frames of this groom
      play.dataset.tip = `Play the live simulation (Space). ${/** @type {Error} */ (error).message}`;
    }
    draw();
  };
  on('groomSelected', loadCache);
  return { loadCache };
}
