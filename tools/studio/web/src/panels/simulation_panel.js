// move_pane: hair at rest and live: play, pause, step, take the head by the hand.

import { getBytes, post, put } from '../net/api.js';
import { attempt, button, element, toast } from '../ui/dom.js';
import { LiveStream } from '../net/live_stream.js';
import { Plot } from '../ui/sparkline.js';
import { on, state, tell } from '../state/store.js';
import { OtherGrooms } from '../hair/background_grooms.js';
import { radiusOf, strandsFor } from '../hair/strand_budget.js';
import { decodeStrands, liesIn, StrandLines } from '../hair/strand_mesh.js';
import { time } from '../ui/timeline.js';

export function movePane({ view3d, view }) {
  const lines = new StrandLines();
  view3d.scene.add(lines.lines);
  const others = new OtherGrooms(view3d);
  const many = { rest: 8000, live: 2000 }; // strands: growing them is cheap, moving them is not
  const settings = { show: 'none', playing: false, exact: 0 };
  const plots = {
    ms: new Plot('time per frame', 'ms'), stretch: new Plot('largest stretch', '%', 100),
    kinetic: new Plot('energy of motion', 'J/kg'), potential: new Plot('energy of height', 'J/kg'), elastic: new Plot('energy of bends', 'J/kg'),
  };
  const status = document.getElementById('status3d');
  // What is written and plotted beside hair that moves takes time from it where the processor draws: all of it at
  // once, and seldom.
  const seldom = view3d.moving.software ? 950 : 0;

  const showData = (data, asked) => {
    if (data) {
      view3d.moving.show(data, lines, radiusOf(state.groom, asked));
      if (view3d.rootsVisible !== false) view3d.showRoots(false);
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
      if (settings.show === 'rest') showData(decodeStrands(bytes), asked);
    });
    await showOthers();
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

  // Live: frames come by themselves, as many as there is time for.
  let newest = null; // {data, asked, drawn}
  let notBefore = 0; // the next picture, where drawing takes long
  const drawNewest = () => {
    if (newest && !newest.drawn) {
      newest.drawn = true;
      notBefore = performance.now() + view3d.moving.rest();
      showData(newest.data, newest.asked);
    }
  };
  const stream = new LiveStream((bytes) => {
    const before = newest?.data;
    const data = decodeStrands(bytes, before);
    if (!data) return;
    newest = { data, asked: thinned.strands < thinned.wish ? thinned.strands : many.live, drawn: false };
    if (settings.show === 'live' && (!settings.playing || performance.now() >= notBefore)) drawNewest();
    const old = before?.places.buffer;
    if (old && !liesIn(data, old) && !liesIn(view3d.moving.hair?.data, old)) stream.giveBack(old);
  }, view3d.moving.software);
  // What nobody sees does not come.
  const lookOn = () => stream.set(settings.show === 'live' && !document.hidden && !view3d.covered);
  document.addEventListener('visibilitychange', lookOn);
  view3d.onCovered = lookOn;

  const counted = { newest: null, all: 0, frames: 0, pictures: 0, since: 0, perSecond: { simulated: 0, drawn: 0 } };
  const countFrom = (now) => Object.assign(counted, { frames: 0, pictures: view3d.moving.pictures, since: now });
  const count = (event) => {
    const now = performance.now();
    const seconds = (now - counted.since) / 1000;
    if (seconds > 0.9) {
      const { simulated, drawn } = counted.perSecond = { simulated: counted.frames / seconds, drawn: (view3d.moving.pictures - counted.pictures) / seconds };
      const fewer = `${event.strands < event.wish ? `${event.strands} strands, ` : ''}${event.solve < 100 ? `${event.solved} strands solved, ` : ''}`;
      status.textContent = `${simulated.toFixed(0)} frames/s, ${drawn.toFixed(0)} drawn, ${event.ms.toFixed(1)} ms each, ${fewer}${event.substeps} of ${event.wanted} substeps, frame ${event.frame}`;
      countFrom(now);
    }
  };
  // Rather than slow motion fewer strands are solved and the others follow them, then there are fewer; they come
  // back when there is time for them.
  const thinned = { wish: 0, strands: 0, solve: 100 };
  const tellThinned = ({ wish, strands, solve }) => {
    if (settings.playing && strands < (wish === thinned.wish ? thinned.strands : wish)) {
      toast(`Thinned out to ${strands} strands, so that this machine keeps up.`);
    } else if (settings.playing && solve < thinned.solve) {
      toast(`${solve} of 100 strands are solved and the others follow them, so that this machine keeps up.`);
    }
    Object.assign(thinned, { wish, strands, solve });
  };

  let lastFrame = null;
  const tellLive = (frame = null) => tell('live', { playing: settings.playing, frame });
  let told = 0; // when figures were written and plotted

  const heard = (event) => {
    lastFrame = event.frame;
    counted.newest = event;
    for (const [name, plot] of Object.entries(plots)) {
      plot.add(event[name] ?? NaN);
    }
    counted.frames += event.frames;
    counted.all += event.frames;
    tellThinned(event);
    if (settings.playing && performance.now() - told < seldom) return;
    told = performance.now();
    tellLive(lastFrame);
    if (!pane.hidden) Object.values(plots).forEach((plot) => plot.show());
    if (settings.playing) {
      count(event);
    } else {
      status.textContent = `paused, frame ${event.frame}`;
    }
  };

  const order = (word) => attempt(async () => {
    await sending; // what the hand did comes first
    if (settings.show !== 'live') status.textContent = 'growing strands';
    settings.show = 'live';
    showChoice();
    countFrom(performance.now());
    lookOn();
    settings.playing = word === 'play' || (settings.playing && word === 'reset');
    view3d.moving.setMoves(settings.playing);
    showOthers();
    const how = () => ({ groom: state.groom, limit: many.live, exact: settings.exact });
    await post('/api/live', { do: word, ...how() });
    if (word === 'reset' && settings.playing) {
      await post('/api/live', { do: 'play', ...how() });
    }
    if (word === 'pause') {
      status.textContent = status.textContent.replace(/^.*(frame \d+)$/, 'paused, $1');
      drawNewest();
    }
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
    lookOn();
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
  on('groom', showMany);
  limit.addEventListener('change', () => {
    many[kind()] = Number(limit.value);
    if (settings.show === 'live') order(settings.playing ? 'play' : 'step');
    showRest();
  });

  const pace = element('input', { type: 'checkbox', id: 'pace', checked: true });
  pace.addEventListener('change', () => {
    settings.exact = pace.checked ? 0 : 1;
    if (settings.playing) order('play');
  });
  const paceRow = element('label', { className: 'check', title: 'When frames take too long: fewer substeps than the scene says, at least half, so that moving hair comes to rest a little sooner than in a film; then fewer strands are solved and the others follow them, then there are fewer; all of it comes back when there is time. Steps and films always take all substeps.' }, pace, 'Keep up with the clock');

  const rootsButton = button('Roots only', 'no strands', hide, { 'aria-pressed': 'true' });
  const restButton = button('At rest', 'strands as they grow', rest, { id: 'show-rest', 'aria-pressed': 'false' });
  const showChoice = () => {
    tell('strands', settings.show !== 'none');
    rootsButton.setAttribute('aria-pressed', String(settings.show === 'none'));
    restButton.setAttribute('aria-pressed', String(settings.show === 'rest'));
    showMany();
  };
  const showOthers = () => attempt(() => others.show((settings.show === 'rest' || settings.show === 'live') && othersBox.checked));
  const othersBox = element('input', { type: 'checkbox', checked: true, onchange: () => showOthers() });

  const pane = element('div', {},
    element('h2', {}, 'Strands'),
    element('div', { className: 'buttons' },
      rootsButton, restButton,
      element('label', { className: 'check', title: 'strands of the other grooms too, as they grew' }, othersBox, 'Other grooms')),
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
    title: 'Move', element: pane, plots, lines, counted, moveHand, hide, toggleLive: () => playButton.click(), showStrands: (bytes, asked) => { settings.show = 'cache'; lookOn(); showChoice(); others.show(false); showData(decodeStrands(bytes), asked); },
    events: { frame: heard, trouble: (event) => { settings.playing = false; view3d.moving.setMoves(false); playButton.textContent = 'Play'; tellLive(lastFrame); toast(event.error, { bad: true }); } },
  };
}
