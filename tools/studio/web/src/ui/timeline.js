// timeline: which frame is looked at, and where keys are. With a cache it plays the frames back.

import { getBytes, getJson } from '../net/api.js';
import { attempt, button, element } from './dom.js';
import { framesWithKeys } from '../state/keyframes.js';
import { on, state, tell } from '../state/store.js';

const CACHED = 5000; // strands of a cache that are shown

export const time = { frame: 1, first: 1, last: 48 };

export function setFrame(frame) {
  time.frame = Math.max(time.first, Math.min(time.last, Math.round(frame)));
  tell('frame');
}

export function makeTimeline({ showStrands, plots, toggleLive }) {
  const bar = document.getElementById('timeline');
  const canvas = element('canvas', { tabIndex: 0, role: 'slider', 'aria-label': 'Frame' });
  const number = element('input', { type: 'number', 'aria-label': 'Frame number', onchange: () => setFrame(Number(number.value)) });
  let cached = null; // {first, last}
  let playing = 0;
  let live = null; // the frame of hair that moves live
  const play = button('▶', 'Moves hair live (space)', () => {
    if (!cached) {
      toggleLive();
      return;
    }
    if (playing) {
      clearInterval(playing);
      playing = 0;
    } else {
      playing = setInterval(() => setFrame(time.frame >= cached.last ? cached.first : time.frame + 1), 1000 / (state.scene.sim?.fps ?? 24));
    }
    showPlaying(playing);
  }, { id: 'play-cache' });
  let shownOn = null;
  const showPlaying = (on) => {
    if (Boolean(on) === shownOn) return;
    shownOn = Boolean(on);
    play.textContent = on ? '❚❚' : '▶';
    play.setAttribute('aria-label', on ? 'Pause' : 'Play');
  };
  showPlaying(false);
  on('live', ({ playing: moves, frame }) => {
    if (!cached) showPlaying(moves);
    const at = frame === null ? null : Math.min(time.last, frame); // as far as it is shown
    if (at === live) return;
    live = at;
    draw();
  });
  bar.append(play, canvas, number);

  const draw = () => {
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    const c = canvas.getContext('2d');
    c.scale(ratio, ratio);
    const { clientWidth: width, clientHeight: height } = canvas;
    const x = (frame) => 8 + ((frame - time.first) / Math.max(1, time.last - time.first)) * (width - 16);
    c.fillStyle = '#1a1a1a';
    c.fillRect(0, 0, width, height);
    if (cached) {
      c.fillStyle = '#3d4a3d';
      c.fillRect(x(cached.first), height - 5, x(cached.last) - x(cached.first), 5);
    }
    c.fillStyle = '#777';
    const step = Math.max(1, Math.ceil((time.last - time.first) / 24));
    for (let f = time.first; f <= time.last; f += step) {
      c.fillRect(x(f), height - 8, 1, 8);
    }
    // Numbers where there is room for them.
    c.font = '10px system-ui, sans-serif';
    c.fillStyle = '#a8a8a8';
    const wide = step * Math.max(1, Math.ceil(44 / (x(time.first + step) - x(time.first))));
    for (let f = time.first; f <= time.last - wide / 2; f += wide) {
      c.fillText(f, x(f) + 3, height - 1);
    }
    c.fillStyle = '#d8a13a';
    for (const f of framesWithKeys(state.scene)) {
      c.beginPath();
      c.moveTo(x(f), 4);
      c.lineTo(x(f) + 4, 9);
      c.lineTo(x(f), 14);
      c.lineTo(x(f) - 4, 9);
      c.fill();
    }
    if (live !== null) {
      c.fillStyle = '#8fc98f';
      c.fillRect(x(Math.min(time.last, live)) - 1, 0, 2, height);
    }
    c.fillStyle = '#fff';
    c.fillRect(x(time.frame) - 1, 0, 2, height);
    number.value = time.frame;
    canvas.setAttribute('aria-valuenow', time.frame);
    canvas.setAttribute('aria-valuemin', time.first);
    canvas.setAttribute('aria-valuemax', time.last);
  };
  const point = (event) => setFrame(time.first + ((event.offsetX - 8) / (canvas.clientWidth - 16)) * (time.last - time.first));
  canvas.addEventListener('pointerdown', (event) => { canvas.setPointerCapture(event.pointerId); point(event); });
  canvas.addEventListener('pointermove', (event) => { if (event.buttons & 1) point(event); });
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'Home') setFrame(time.first);
    if (event.key === 'End') setFrame(time.last);
    if (event.key === 'ArrowLeft') setFrame(time.frame - 1);
    if (event.key === 'ArrowRight') setFrame(time.frame + 1);
  });
  new ResizeObserver(draw).observe(canvas);

  on('frame', draw);
  on('scene', () => {
    time.first = state.scene.sim?.first_frame ?? 1;
    time.last = Math.max(time.first + 1, state.scene.sim?.last_frame ?? 48);
    setFrame(time.frame);
  });

  // The cache, when the program was started with one.
  let fetching = false;
  on('frame', () => {
    if (cached && !fetching && time.frame >= cached.first && time.frame <= cached.last) {
      fetching = true;
      const frame = time.frame;
      Object.values(plots).forEach((plot) => plot.mark(frame - cached.first));
      attempt(async () => showStrands(await getBytes('/api/cached', { groom: state.groom, frame, limit: CACHED }), CACHED))
        .finally(() => { fetching = false; if (frame !== time.frame) tell('frame'); });
    }
  });
  const findCache = async () => {
    if (!state.cache) {
      return;
    }
    try {
      cached = await getJson('/api/frames', { groom: state.groom });
      play.title = 'Plays the cache back';
      // By their frames: a run that was taken up, or of a part, has not noted all of them.
      const notes = [];
      for (const line of cached.notes.split('\n').filter(Boolean)) {
        const note = JSON.parse(line);
        if (note.frame >= cached.first && note.frame <= cached.last) notes[note.frame - cached.first] = note;
      }
      const noted = (name, scale = 1) => Array.from(notes, (note) => (note?.[name] === undefined ? NaN : scale * note[name]));
      plots.ms.set(noted('seconds', 1000));
      plots.stretch.set(noted('max_stretch'));
      plots.kinetic.set(noted('kinetic'));
      plots.potential.set(noted('potential'));
      plots.elastic.set(noted('elastic'));
    } catch (error) {
      cached = null; // this groom has no frames there
      play.title = `Moves hair live (space). ${error.message}`;
    }
    draw();
  };
  on('groom', findCache);
  return { findCache };
}
