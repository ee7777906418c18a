// The Simulate tab: strands in the rest pose, the live simulation, and dragging the head.

import { BackgroundGrooms } from '../hair/background_grooms.js';
import { displayRadius, strandBudget } from '../hair/strand_budget.js';
import { DRAWN, PINNED } from '../hair/brushed_strands.js';
import { StrandMesh } from '../hair/strand_mesh.js';
import { decodeStrandPacket, usesBuffer } from '../hair/strand_packet.js';
import { getBytes, post, put } from '../net/api.js';
import { LiveStream } from '../net/live_stream.js';
import { registerShortcuts } from '../state/shortcuts.js';
import { emit, on, state } from '../state/store.js';
import { activeTool } from '../state/tools.js';
import { button, element, serialize, toast, tryOrToast } from '../ui/dom.js';
import { Sparkline } from '../ui/sparkline.js';
import { time } from '../ui/timeline.js';
import { createRecording } from './recording.js';

const METRES_PER_PIXEL = 0.0008; // of a head drag
const DEGREES_PER_PIXEL = 0.5;
const SOFTWARE_STATUS_MS = 950; // interval of status and plots when the CPU draws: they take time from the simulation

/** @typedef {import('../hair/strand_packet.js').StrandPacket} StrandPacket */

const PINNED_TINT = [255, 176, 32];
const DRAWN_TINT = [64, 224, 160];

/**
 * @param {object} parts
 * @param {import('../view/view3d.js').View3d} parts.view3d
 * @param {{ roots: boolean }} parts.display
 * @param {import('../hair/brushed_strands.js').BrushedStrands} parts.brushed strands at rest while a hair tool is active
 */
export function createSimulationPanel({ view3d, display, brushed }) {
  const { liveHair } = view3d;
  const strandMesh = new StrandMesh();
  view3d.scene.add(strandMesh.mesh);
  const backgroundGrooms = new BackgroundGrooms(view3d);
  const budgets = { rest: 8000, live: 2000 }; // displayed strands; simulating costs more than generating
  /** @type {{ mode: 'none' | 'rest' | 'live' | 'cache', playing: boolean, exact: number }} */
  const settings = { mode: 'none', playing: false, exact: 0 };
  /** @type {Record<string, Sparkline>} */ const plots = {
    ms: new Sparkline('Time per frame', 'ms'), stretch: new Sparkline('Largest stretch', '%', 100),
    kinetic: new Sparkline('Kinetic energy', 'J/kg'), potential: new Sparkline('Gravitational energy', 'J/kg'), elastic: new Sparkline('Elastic energy', 'J/kg'),
  };
  const status = /** @type {HTMLElement} */ (document.getElementById('status'));
  const statusInterval = liveHair.isSoftwareGl ? SOFTWARE_STATUS_MS : 0;

  const showStrands = (/** @type {StrandPacket | null} */ packet, /** @type {number} */ displayed) => {
    if (packet) {
      liveHair.show(packet, strandMesh, displayRadius(state.groom, displayed));
      if (view3d.rootsVisible) view3d.setRootsVisible(false);
    }
  };
  const showBackgroundGrooms = () => tryOrToast(() => backgroundGrooms.setVisible((settings.mode === 'rest' || settings.mode === 'live') && backgroundBox.checked));

  const restLimit = () => strandBudget(state.groom, budgets.rest);
  const isGrooming = () => settings.mode === 'rest' && !followsTimeline && activeTool().group === 'hair';
  const tintOf = (/** @type {number} */ strand) => (brushed.flags[strand] & PINNED ? PINNED_TINT : brushed.flags[strand] & DRAWN ? DRAWN_TINT : undefined);
  brushed.onChange = ({ all, indices }) => {
    if (!isGrooming() || !brushed.packet) return;
    if (all) showStrands(brushed.packet, restLimit());
    const changed = all ? Uint32Array.from(brushed.flags.keys()).filter((s) => brushed.flags[s] & (PINNED | DRAWN)) : indices;
    strandMesh.updateStrands(brushed.packet, changed, brushed.offsets, tintOf);
    view3d.draw();
    emit('hairChanged');
  };
  const fetchBrushed = async () => {
    brushed.isStale = brushed.strokes > 0;
    if (brushed.isStale) return;
    const before = brushed.session;
    const limit = restLimit();
    do brushed.apply(await getBytes('/api/brush', brushed.query(state.groom, limit)));
    while (brushed.pending > 0 && brushed.strokes === 0);
    if (brushed.session === before && liveHair.hair?.packet !== brushed.packet && isGrooming()) brushed.onChange({ all: true, indices: new Uint32Array(0), flags: brushed.flags });
  };

  // Rest pose: generated again after every change of the scene or of a map.
  const showRest = serialize(async () => {
    if (settings.mode !== 'rest') return;
    if (isGrooming()) {
      await tryOrToast(fetchBrushed);
      await showBackgroundGrooms();
      return;
    }
    status.textContent = 'Generating hair';
    await tryOrToast(async () => {
      const limit = restLimit();
      const bytes = await getBytes('/api/strands', { groom: state.groom, limit, ...(followsTimeline ? { frame: time.frame } : {}) });
      if (settings.mode === 'rest') showStrands(decodeStrandPacket(bytes), limit);
    });
    await showBackgroundGrooms();
    if (settings.mode === 'rest') status.textContent = '';
  });
  for (const event of ['sceneChanged', 'mapsChangedOnServer', 'groomSelected']) on(event, showRest);
  brushed.onSettled = showRest;
  // A hair tool needs hair to act on.
  const showHairToBrush = () => {
    if (!view3d.surface || activeTool().group !== 'hair') return;
    if (settings.mode !== 'rest' || followsTimeline) rest();
    else if (liveHair.hair?.packet !== brushed.packet) showRest();
  };
  on('toolChanged', showHairToBrush);
  on('tabChanged', (id) => { if (id === 'groom') showHairToBrush(); });
  on('surfaceLoaded', () => { if (settings.mode === 'none') showHairToBrush(); }); // the tool of the last visit

  // Without a cache, moving the timeline poses the body and rest hair by the keyframes of that frame. Painting returns
  // to the rest pose.
  let followsTimeline = false;
  let fetchingPose = false;
  /** @type {number | null} */ let poseFrame = null;
  const fetchPose = async () => {
    while (poseFrame !== time.frame && followsTimeline) {
      const frame = poseFrame = time.frame;
      await tryOrToast(async () => {
        const bytes = await getBytes('/api/pose', { groom: state.groom, frame });
        if (!followsTimeline) return;
        view3d.setPose(bytes.byteLength ? new Float32Array(bytes) : null);
        view3d.setRootsVisible(display.roots && !view3d.posed && settings.mode === 'none');
      });
    }
    fetchingPose = false;
  };
  on('frameChanged', () => {
    poseFrame ??= time.frame; // first event: the initial frame
    if (state.cache || settings.mode === 'live' || settings.mode === 'cache' || (poseFrame === time.frame && !followsTimeline)) return;
    followsTimeline = true;
    if (!fetchingPose && poseFrame !== time.frame) {
      fetchingPose = true;
      fetchPose();
    }
    showRest();
  });

  // Live frames arrive at the server's pace; when WebGL is slow some of them are not drawn.
  /** @type {{ packet: StrandPacket, displayed: number, drawn: boolean } | null} */ let latest = null;
  let nextDrawTime = 0;
  const drawLatest = () => {
    if (latest && !latest.drawn) {
      latest.drawn = true;
      nextDrawTime = performance.now() + liveHair.drawInterval();
      showStrands(latest.packet, latest.displayed);
    }
  };
  // Quality reported by the server; strands < requested when it displays fewer.
  const quality = { requested: 0, strands: 0, solvePercent: 100 };
  const stream = new LiveStream((bytes) => {
    const before = latest?.packet ?? null;
    const packet = decodeStrandPacket(bytes, before);
    if (!packet) return;
    latest = { packet, displayed: quality.strands < quality.requested ? quality.strands : budgets.live, drawn: false };
    if (settings.mode === 'live' && (!settings.playing || performance.now() >= nextDrawTime)) drawLatest();
    const old = before?.positions.buffer;
    if (old instanceof ArrayBuffer && !usesBuffer(packet, old) && !usesBuffer(liveHair.hair?.packet, old)) stream.recycle(old);
  }, liveHair.isSoftwareGl);
  // Frames that would not be visible are not requested.
  const updateStream = () => stream.setOpen(settings.mode === 'live' && !document.hidden && !view3d.isOccluded);
  document.addEventListener('visibilitychange', updateStream);
  view3d.onOccludedChange = updateStream;

  /** @type {{ latest: any, totalFrames: number, frames: number, draws: number, since: number, perSecond: { simulated: number, drawn: number } }} */
  const liveStats = { latest: null, totalFrames: 0, frames: 0, draws: 0, since: 0, perSecond: { simulated: 0, drawn: 0 } };
  const restartRates = (/** @type {number} */ now) => Object.assign(liveStats, { frames: 0, draws: liveHair.drawCount, since: now });
  const showRates = (/** @type {any} */ event) => {
    const now = performance.now();
    const seconds = (now - liveStats.since) / 1000;
    if (seconds > 0.9) {
      const { simulated, drawn } = liveStats.perSecond = { simulated: liveStats.frames / seconds, drawn: (liveHair.drawCount - liveStats.draws) / seconds };
      const reduced = `${event.strands < event.strands_requested ? `${event.strands} of ${event.strands_requested} strands, ` : ''}${event.solve_percent < 100 ? `${event.strands_solved} strands solved, ` : ''}`;
      status.textContent = `${simulated.toFixed(0)} frames/s, ${drawn.toFixed(0)} drawn, ${event.ms.toFixed(1)} ms each, ${reduced}${event.substeps} of ${event.substeps_requested} substeps, frame ${event.frame}`;
      restartRates(now);
    }
  };
  const reportQuality = (/** @type {any} */ { strands_requested: requested, strands, solve_percent: solvePercent }) => {
    if (settings.playing && strands < (requested === quality.requested ? quality.strands : requested)) {
      toast(`Simulating ${strands} strands to stay in real time.`);
    } else if (settings.playing && solvePercent < quality.solvePercent) {
      toast(`Simulating ${solvePercent} % of the strands to stay in real time; the others are interpolated.`);
    }
    Object.assign(quality, { requested, strands, solvePercent });
  };

  /** @type {number | null} */ let lastFrame = null;
  const emitLive = (/** @type {number | null} */ frame = null) => emit('liveFrame', { playing: settings.playing, frame });
  let lastStatusTime = 0;

  const onFrameEvent = (/** @type {any} */ event) => {
    lastFrame = event.frame;
    liveStats.latest = event;
    for (const [name, plot] of Object.entries(plots)) plot.add(event[name] ?? NaN);
    liveStats.frames += event.frames;
    liveStats.totalFrames += event.frames;
    if (settings.mode !== 'live') return; // of the command that ended it
    reportQuality(event);
    if (settings.playing && performance.now() - lastStatusTime < statusInterval) return;
    lastStatusTime = performance.now();
    emitLive(lastFrame);
    if (!panel.hidden) Object.values(plots).forEach((plot) => plot.showLatest());
    if (settings.playing) {
      showRates(event);
    } else {
      status.textContent = `paused, frame ${event.frame}`;
    }
  };

  /** @param {'play' | 'pause' | 'step' | 'reset' | 'record' | 'record_stop' | 'record_cancel'} action */
  const control = (action) => tryOrToast(async () => {
    await sendingDrag; // head drags take effect first
    if (settings.mode !== 'live') status.textContent = 'Generating hair';
    settings.mode = 'live';
    showMode();
    restartRates(performance.now());
    updateStream();
    settings.playing = action === 'play' || action === 'record' || (settings.playing && action !== 'pause' && action !== 'step');
    liveHair.setPlaying(settings.playing);
    showBackgroundGrooms();
    const send = (/** @type {string} */ command) => post('/api/live', { action: command, groom: state.groom, limit: budgets.live, exact: settings.exact, loop_first: time.loopFirst, loop_last: time.loopLast });
    await send(action);
    if ((action === 'reset' || action === 'record') && settings.playing) await send('play');
    if (action === 'pause') {
      status.textContent = status.textContent.replace(/^.*(frame \d+)$/, 'paused, $1');
      drawLatest();
    }
    playButton.textContent = settings.playing ? 'Pause' : 'Play';
    emitLive(lastFrame);
  });
  on('loopChanged', () => { if (settings.playing && settings.mode === 'live') control('play'); });
  const playButton = button('Play', 'Run the live simulation (Space)', () => control(settings.playing ? 'pause' : 'play'), { id: 'play', className: 'primary' });

  const recording = createRecording({ view3d, control });

  const hide = async () => {
    settings.mode = 'none';
    followsTimeline = false;
    poseFrame = time.frame;
    showMode();
    settings.playing = false;
    liveHair.setPlaying(false);
    playButton.textContent = 'Play';
    strandMesh.mesh.visible = false;
    backgroundGrooms.setVisible(false);
    liveHair.hide();
    view3d.setRootsVisible(display.roots);
    status.textContent = '';
    lastFrame = null;
    updateStream();
    emitLive();
    await tryOrToast(() => post('/api/live', { action: 'stop' }));
  };
  const rest = async () => {
    await hide();
    settings.mode = 'rest';
    showMode();
    showRest();
  };

  // Head drag: an offset to the keyframed pose.
  const headDrag = { translate: [0, 0, 0], rotate: [0, 0, 0] };
  /** @type {Promise<any>} */ let sendingDrag = Promise.resolve();
  const putDrag = serialize(() => put('/api/body_drag', {}, JSON.stringify(headDrag)));
  const sendDrag = () => { sendingDrag = putDrag(); };
  const dragHead = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {boolean} */ rotate) => {
    if (rotate) {
      headDrag.rotate[1] += dx * DEGREES_PER_PIXEL;
      headDrag.rotate[0] += dy * DEGREES_PER_PIXEL;
    } else {
      headDrag.translate[0] += dx * METRES_PER_PIXEL;
      headDrag.translate[1] -= dy * METRES_PER_PIXEL;
    }
    sendDrag();
  };
  const resetHead = () => {
    headDrag.translate.fill(0);
    headDrag.rotate.fill(0);
    sendDrag();
  };
  const pad = element('div', { className: 'pad', tabIndex: 0, title: 'Drag: move the head; with Shift: rotate it; arrow keys work too' }, 'Drag here, or Ctrl-drag the head, to move it');
  pad.addEventListener('pointerdown', (event) => pad.setPointerCapture(event.pointerId));
  pad.addEventListener('pointermove', (event) => {
    if (event.buttons & 1) dragHead(event.movementX, event.movementY, event.shiftKey);
  });
  pad.addEventListener('keydown', (event) => {
    const step = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] })[event.key];
    if (step) {
      event.preventDefault();
      dragHead(...step, event.shiftKey);
    }
  });

  const budget = element('input', { type: 'range', min: 100, max: 20000, step: 100, 'aria-label': 'Strands shown' });
  const budgetText = element('output', {});
  const budgetKind = () => (settings.mode === 'live' ? 'live' : 'rest');
  const showBudget = () => {
    budget.value = String(budgets[budgetKind()]);
    showBudgetText();
  };
  const showBudgetText = () => {
    const strands = Number(budget.value);
    budgetText.textContent = `${(budgetKind() === 'rest' ? strandBudget(state.groom, strands) : strands).toLocaleString('en')}`;
  };
  budget.addEventListener('input', showBudgetText);
  on('surfaceLoaded', showBudget);
  budget.addEventListener('change', () => {
    budgets[budgetKind()] = Number(budget.value);
    if (settings.mode === 'live') control(settings.playing ? 'play' : 'step');
    showRest();
  });

  const realtime = element('input', { type: 'checkbox', id: 'realtime', checked: true });
  realtime.addEventListener('change', () => {
    settings.exact = realtime.checked ? 0 : 1;
    if (settings.playing) control('play');
  });
  const realtimeRow = element('label', { className: 'check', title: 'If a frame is late the simulation first halves its substeps, then interpolates part of the strands, then hides some. Quality returns automatically. Single steps and cached simulations always use all substeps.' }, realtime, 'Real-time (adaptive quality)');

  const rootsButton = button('Roots', 'Show roots without strands', hide, { 'aria-pressed': 'true' });
  const restButton = button('Rest pose', 'Show strands in their rest shape', rest, { id: 'show-rest', 'aria-pressed': 'false' });
  const showMode = () => {
    emit('strandsVisible', settings.mode !== 'none');
    rootsButton.setAttribute('aria-pressed', String(settings.mode === 'none'));
    restButton.setAttribute('aria-pressed', String(settings.mode === 'rest'));
    showBudget();
  };
  const nodesBox = element('input', {
    type: 'checkbox', id: 'show-nodes', onchange: () => {
      strandMesh.nodes.visible = nodesBox.checked;
      view3d.draw();
    },
  });
  const backgroundBox = element('input', { type: 'checkbox', checked: true, onchange: () => showBackgroundGrooms() });

  const panel = element('div', {},
    element('h2', {}, 'Strands'),
    element('div', { className: 'buttons' },
      rootsButton, restButton,
      element('label', { className: 'check', title: 'Show the other grooms too; they follow the head rigidly in their rest shape' }, backgroundBox, 'Other grooms'),
      element('label', { className: 'check', title: 'Show the points of the strands; the first one, the root, is red' }, nodesBox, 'Points')),
    element('div', { className: 'row', title: 'Number of displayed strands, separately for the rest pose and the live simulation' }, element('label', {}, 'Strands shown'), budget, budgetText),
    element('h2', {}, 'Live'),
    element('div', { className: 'buttons' }, playButton,
      button('Step', 'Advance one frame', () => { settings.playing = false; control('step'); }),
      button('Reset', 'Return to the first frame', () => { resetHead(); Object.values(plots).forEach((p) => p.clear()); control('reset'); }),
      button('Reset head position', 'Move the head back to where its animation has it', resetHead)),
    element('div', { className: 'buttons' }, realtimeRow), ...recording.elements, pad, ...Object.values(plots).map((plot) => plot.element));
  registerShortcuts([{
    key: ' ', section: 'Simulation and rendering', help: 'Play or pause the simulation', action: () => playButton.click(),
    ignores: (target) => target.matches('input, textarea, select, button, li, summary'),
  }]);
  return {
    id: 'simulate', title: 'Simulate', element: panel, budgets, rest, restLimit, isGrooming, showRest, plots, strandMesh, liveStats, dragHead, hide,
    displayedHair: () => (settings.mode === 'none' ? 'rest' : settings.mode), toggleLive: () => playButton.click(),
    showCachedStrands: (/** @type {ArrayBuffer} */ bytes, /** @type {number} */ displayed) => {
      settings.mode = 'cache';
      updateStream();
      showMode();
      backgroundGrooms.setVisible(false);
      showStrands(decodeStrandPacket(bytes), displayed);
    },
    events: {
      frame: onFrameEvent,
      recording: recording.onEvent,
      failure: (/** @type {any} */ event) => {
        settings.playing = false;
        liveHair.setPlaying(false);
        playButton.textContent = 'Play';
        emitLive(lastFrame);
        toast(event.error, { bad: true });
      },
    },
  };
}
