// move_pane: hair at rest and live: play, pause, step, take the head by the hand.

import { getBytes, post, put } from './api.js';
import { attempt, button, element, toast } from './dom.js';
import { Plot } from './plot.js';
import { on, state, tell } from './store.js';
import { OtherGrooms } from './other_grooms.js';
import { radiusOf, strandsFor } from './strand_share.js';
import { decodeStrands, StrandLines } from './strands.js';
import { time } from './timeline.js';

export function movePane({ view3d, view }) {
  const lines = new StrandLines();
  view3d.scene.add(lines.lines);
  const others = new OtherGrooms(view3d);
  const many = { rest: 8000, live: 2000 }; // strands: growing them is cheap, moving them is not
  const settings = { show: 'none', playing: false, exact: 0, solve: 100 };
  const plots = {
    ms: new Plot('time per frame', 'ms'), stretch: new Plot('largest stretch', '%', 100),
    kinetic: new Plot('energy of motion', 'J/kg'), potential: new Plot('energy of height', 'J/kg'), elastic: new Plot('energy of bends', 'J/kg'),
  };
  const status = document.getElementById('status3d');
  // What is written and plotted beside hair that moves takes time from it where the processor draws.
  const seldom = view3d.moving.software ? 500 : 0;
  Object.values(plots).forEach((plot) => { plot.pause = seldom; });

  const showData = (bytes, asked) => {
    const data = decodeStrands(bytes);
    if (data) {
      view3d.moving.show(data, lines, radiusOf(state.groom, asked));
      view3d.showRoots(false);
    }
  };

  // At rest: grown anew after each change of the scene or of a map, when nothing moves.
  let growing = false;
  let again = false;
  const showRest = async () => {
    if (settings.show !== 'rest') {
      return;
    }
    if (growing) {
      again = true;
      return;
    }
    growing = true;
    status.textContent = 'growing strands';
    await attempt(async () => {
      const asked = strandsFor(state.groom, many.rest);
      const bytes = await getBytes('/api/strands', { groom: state.groom, limit: asked, ...(standing ? { frame: time.frame } : {}) });
      if (settings.show === 'rest') showData(bytes, asked);
    });
    await attempt(() => others.show(settings.show === 'rest' && othersBox.checked));
    if (settings.show === 'rest') status.textContent = '';
    growing = false;
    if (again) {
      again = false;
      showRest();
    }
  };
  on('scene', showRest);
  on('painted', showRest);
  on('groom', showRest);

  // Where nothing is played, the head stands as its keys have it at the frame that the timeline was moved to, and
  // hair at rest with it. Paint lies on the head at rest: there it goes back.
  let standing = false;
  let posing = false;
  let frame = null;
  const standAt = async () => {
    while (frame !== time.frame && standing) {
      frame = time.frame;
      await attempt(async () => {
        const bytes = await getBytes('/api/pose', { groom: state.groom, frame });
        if (!standing) return;
        view3d.setPose(bytes.byteLength ? new Float32Array(bytes) : null);
        view3d.showRoots(view.roots && !view3d.posed && settings.show === 'none');
      });
    }
    posing = false;
  };
  on('frame', () => {
    frame ??= time.frame; // as the page begins
    if (state.cache || (settings.show !== 'none' && settings.show !== 'rest') || (frame === time.frame && !standing)) {
      return;
    }
    standing = true;
    if (!posing && frame !== time.frame) {
      posing = true;
      standAt();
    }
    showRest();
  });

  // Live. On a machine that cannot keep up, frames that come while one is fetched are left out.
  let fetching = false;
  const counted = { all: 0, frames: 0, pictures: 0, since: 0, perSecond: { simulated: 0, drawn: 0 } };
  const countFrom = (now) => Object.assign(counted, { frames: 0, pictures: view3d.moving.pictures, since: now });
  const count = (event) => {
    const now = performance.now();
    const seconds = (now - counted.since) / 1000;
    counted.frames += 1;
    counted.all += 1;
    if (seconds > 1) {
      const { simulated, drawn } = counted.perSecond = { simulated: counted.frames / seconds, drawn: (view3d.moving.pictures - counted.pictures) / seconds };
      status.textContent = `${simulated.toFixed(0)} frames/s, ${drawn.toFixed(0)} drawn, ${event.ms.toFixed(1)} ms each, ${settings.solve < 100 ? `${event.solved} strands solved, ` : ''}${event.substeps} of ${event.wanted} substeps, frame ${event.frame}`;
      countFrom(now);
    }
  };
  // Rather than slow motion, when a dozen frames in a row take longer than they last: fewer strands are solved and
  // the others follow them, then there are fewer. They go on from where they are.
  let late = 0;
  let isLate = false; // the last frame took longer than it lasts, or nearly
  const thinOut = (milliseconds) => {
    const lasts = 1000 / (state.scene.sim?.fps ?? 24);
    isLate = milliseconds > 0.9 * lasts;
    late = settings.playing && !settings.exact && milliseconds > 1.1 * lasts ? late + 1 : 0;
    if (late < 12 || (settings.solve <= 25 && many.live <= 300)) {
      return;
    }
    late = 0;
    if (settings.solve > 25) {
      settings.solve = Math.max(25, Math.round(settings.solve * Math.max(0.6, Math.min(0.85, (0.9 * lasts) / milliseconds))));
      toast(`${settings.solve} of 100 strands are solved and the others follow them, so that this machine keeps up.`);
    } else {
      many.live = Math.max(300, Math.round(0.6 * many.live));
      showMany();
      toast(`Thinned out to ${many.live} strands, so that this machine keeps up.`);
    }
    order('play');
  };

  let lastFrame = null;
  const tellLive = (frame = null) => tell('live', { playing: settings.playing, frame });
  let told = 0; // when a frame was told of

  const heard = (event) => {
    lastFrame = event.frame;
    if (!settings.playing || performance.now() - told > seldom) {
      told = performance.now();
      tellLive(lastFrame);
    }
    for (const [name, plot] of Object.entries(plots)) {
      plot.add(event[name] ?? NaN);
    }
    thinOut(event.ms);
    if (settings.playing) {
      count(event);
    } else {
      status.textContent = `paused, frame ${event.frame}`;
    }
    fetchFrame();
  };
  let missed = false; // a frame that came while one was fetched
  const fetchFrame = () => {
    missed = fetching;
    if (!fetching && settings.show === 'live') {
      fetching = true;
      attempt(async () => showData(await getBytes('/api/live'), many.live)).finally(() => setTimeout(() => {
        fetching = false;
        if (missed && !settings.playing) fetchFrame(); // nothing comes after it
      }, settings.playing ? view3d.moving.rest(isLate) : 0));
    }
  };

  const order = (word) => attempt(async () => {
    await sending; // what the hand did comes first
    if (settings.show !== 'live') status.textContent = 'growing strands';
    settings.show = 'live';
    showChoice();
    countFrom(performance.now());
    settings.playing = word === 'play' || (settings.playing && word === 'reset');
    view3d.moving.setMoves(settings.playing);
    others.show(false);
    const how = () => ({ groom: state.groom, limit: many.live, exact: settings.exact, solve: settings.solve });
    await post('/api/live', { do: word, ...how() });
    if (word === 'reset' && settings.playing) {
      await post('/api/live', { do: 'play', ...how() });
    }
    if (word === 'pause') status.textContent = status.textContent.replace(/^.*(frame \d+)$/, 'paused, $1');
    playButton.textContent = settings.playing ? 'Pause' : 'Play';
    tellLive(lastFrame);
  });
  const playButton = button('Play', 'Move hair live (space)', () => order(settings.playing ? 'pause' : 'play'), { id: 'play', className: 'primary' });

  const hide = async () => {
    settings.show = 'none';
    standing = false;
    frame = time.frame;
    showChoice();
    settings.playing = false;
    view3d.moving.setMoves(false);
    playButton.textContent = 'Play';
    lines.lines.visible = false;
    others.show(false);
    view3d.moving.hide();
    view3d.showRoots(view.roots);
    status.textContent = '';
    lastFrame = null;
    tellLive();
    await attempt(() => post('/api/live', { do: 'stop' }));
  };
  const rest = async () => {
    await hide();
    settings.show = 'rest';
    showChoice();
    showRest();
  };

  // The hand: dragging the pad shifts or turns the head; letting go leaves it there.
  const held = { translate: [0, 0, 0], rotate: [0, 0, 0] };
  // The newest place only, one request after the other: the last one is never left out.
  let sending = null;
  let moved = false;
  const grab = () => {
    moved = true;
    sending ??= attempt(async () => {
      while (moved) {
        moved = false;
        await put('/api/grab', {}, JSON.stringify(held));
      }
    }).finally(() => { sending = null; });
  };
  const pad = element('div', { className: 'pad', tabIndex: 0, title: 'drag: shift the head; with Shift: turn it; arrow keys work too' }, 'Drag here, or Ctrl-drag the head itself, to shake it');
  const moveHand = (dx, dy, turn) => {
    if (turn) {
      held.rotate[1] += dx * 0.5;
      held.rotate[0] += dy * 0.5;
    } else {
      held.translate[0] += dx * 0.0008;
      held.translate[1] -= dy * 0.0008;
    }
    grab();
  };
  pad.addEventListener('pointerdown', (event) => pad.setPointerCapture(event.pointerId));
  pad.addEventListener('pointermove', (event) => {
    if (event.buttons & 1) {
      moveHand(event.movementX, event.movementY, event.shiftKey);
    }
  });
  pad.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] }[event.key];
    if (step) {
      event.preventDefault();
      moveHand(...step, event.shiftKey);
    }
  });
  const letGo = () => {
    held.translate.fill(0);
    held.rotate.fill(0);
    grab();
  };

  const limit = element('input', { type: 'range', min: 100, max: 20000, step: 100, 'aria-label': 'Strands shown' });
  const limitText = element('output', {});
  const kind = () => (settings.show === 'live' ? 'live' : 'rest');
  const showMany = () => {
    limit.value = many[kind()];
    sayMany();
  };
  const sayMany = () => {
    const wanted = Number(limit.value);
    limitText.textContent = `${(kind() === 'rest' ? strandsFor(state.groom, wanted) : wanted).toLocaleString('en')} ${kind()}`;
  };
  limit.addEventListener('input', sayMany);
  on('groom', () => { settings.solve = 100; showMany(); });
  limit.addEventListener('change', () => {
    many[kind()] = Number(limit.value);
    settings.solve = 100;
    if (settings.show === 'live') order(settings.playing ? 'play' : 'step');
    showRest();
  });

  const pace = element('input', { type: 'checkbox', id: 'pace', checked: true });
  pace.addEventListener('change', () => {
    settings.exact = pace.checked ? 0 : 1;
    settings.solve = 100;
    if (settings.playing) order('play');
  });
  const paceRow = element('label', { className: 'check', title: 'When frames take too long: fewer substeps than the scene says, at least five eighths, so that moving hair comes to rest a little sooner than in a film; then fewer strands are solved and the others follow them. Steps and films always take all substeps.' }, pace, 'Keep up with the clock');

  const rootsButton = button('Roots only', 'no strands', hide, { 'aria-pressed': 'true' });
  const restButton = button('At rest', 'strands as they grow', rest, { id: 'show-rest', 'aria-pressed': 'false' });
  const showChoice = () => {
    tell('strands', settings.show !== 'none');
    rootsButton.setAttribute('aria-pressed', String(settings.show === 'none'));
    restButton.setAttribute('aria-pressed', String(settings.show === 'rest'));
    showMany();
  };
  const othersBox = element('input', { type: 'checkbox', checked: true, onchange: () => (settings.show === 'rest' ? showRest() : undefined) });

  const pane = element('div', {},
    element('h2', {}, 'Strands'),
    element('div', { className: 'buttons' },
      rootsButton, restButton,
      element('label', { className: 'check', title: 'at rest: strands of the other grooms too' }, othersBox, 'Other grooms')),
    element('div', { className: 'row', title: 'at rest and live each have their own number; fewer on a slow machine' }, element('label', {}, 'How many'), limit, limitText),
    element('h2', {}, 'Live'),
    element('div', { className: 'buttons' }, playButton,
      button('Step', 'one frame', () => { settings.playing = false; order('step'); }),
      button('Reset', 'back to the first frame', () => { letGo(); Object.values(plots).forEach((p) => p.clear()); order('reset'); }),
      button('Let go', 'the head goes back', letGo)),
    element('div', { className: 'buttons' }, paceRow), pad, ...Object.values(plots).map((plot) => plot.element));
  document.addEventListener('keydown', (event) => {
    if (event.key === ' ' && !event.target.matches('input, textarea, select, button, li, summary')) {
      event.preventDefault();
      playButton.click();
    }
  });
  return {
    title: 'Move', element: pane, plots, lines, counted, moveHand, hide, toggleLive: () => playButton.click(), showStrands: (bytes, asked) => { settings.show = 'cache'; showChoice(); others.show(false); showData(bytes, asked); },
    events: { frame: heard, trouble: (event) => { settings.playing = false; view3d.moving.setMoves(false); playButton.textContent = 'Play'; tellLive(lastFrame); toast(event.error, { bad: true }); } },
  };
}
