// app: puts the parts of the page together.

import { getBytes, listen, post } from './net/api.js';
import { Bvh } from './paint/bvh.js';
import { attempt, button, element, isWriting, toast } from './ui/dom.js';
import { brush, suitBrush } from './paint/brush.js';
import { Gizmos } from './view/gizmos.js';
import { Layer } from './paint/paint_map.js';
import { makeLegend } from './view/legend.js';
import { makeLost } from './ui/connection_banner.js';
import { importFiles, layersPane, makeLayer } from './panels/paint_panel.js';
import { movePane } from './panels/simulation_panel.js';
import { makeHands } from './view/pointer_input.js';
import { bake, canvas, fill, gradient, invert, Painter } from './paint/painter.js';
import { paramsPane } from './panels/parameter_panel.js';
import { renderPane } from './panels/render_panel.js';
import { makeHelp } from './ui/help.js';
import { Shown } from './view/map_texture.js';
import { chosenMap, edit, hear, on, refresh, start, state, tell } from './state/store.js';
import { makeSides } from './view/view_presets.js';
import { loadSurface } from './paint/surface.js';
import { Texels } from './paint/texel_positions.js';
import { makeTimeline } from './ui/timeline.js';
import { View3d } from './view/view3d.js';
import { ViewUv } from './view/uv_view.js';

const ROOTS_SHOWN = 20000;
const TOOLS = [
  ['set', 'Set', 'Set to the value (B)', 'b'], ['add', 'Add', 'Add (A)', 'a'], ['subtract', 'Sub', 'Subtract (S)', 's'],
  ['smooth', 'Blur', 'Smooth (M)', 'm'], ['smear', 'Smear', 'Smear (E)', 'e'],
  ['lasso', 'Lasso', 'Fill what a loop surrounds (L)', 'l'], ['gradient', 'Grad', 'Gradient: drag from value to other value (G)', 'g'],
  ['look', 'Look', 'Turn the view with the left button too (V)', 'v'],
];

// Without WebGL there is nothing to work on; what to do is said where the head would be.
function openView(section) {
  try {
    return new View3d(section);
  } catch (error) {
    section.replaceChildren(element('p', { className: 'lost', role: 'alert' },
      'This browser has no WebGL 2, which the head is drawn with. Turn it on (Firefox: webgl.force-enabled in about:config; Chromium: hardware acceleration in its settings) or use another browser. No graphics card is needed.'));
    throw error;
  }
}

const view3d = openView(document.getElementById('view3d'));
const gizmos = new Gizmos(view3d);
const viewuv = new ViewUv(document.getElementById('viewuv'));
const legend = makeLegend(view3d.section);
makeSides(view3d);
export const view = { mode: 1, roots: true, painting: true, strands: false };
on('strands', (visible) => { view.strands = visible; showMode(); });
let shown = null;
let mask = new Map(); // layers that serve as masks

// Layers

async function showLayer() {
  if (!canvas.surface) {
    return; // it comes with its layer
  }
  if (state.layer < 0) {
    canvas.layer = canvas.texels = shown = null;
  } else if (canvas.layer?.id !== state.layer) {
    const layer = new Layer(state.layer);
    await layer.update();
    canvas.layer = layer;
    canvas.texels = canvas.surface?.uvs ? new Texels(canvas.surface, layer) : null;
    shown = new Shown(layer);
  }
  showMode();
  tell('shown');
}

// A map of regions has a colour per number instead of heat.
function showMode() {
  canvas.numbers = Boolean(chosenMap()?.region);
  const mode = canvas.numbers && view.mode === 1 ? 3 : view.mode;
  // Who looks at hair does not look at the map under it, unless to paint.
  const onHead = view.strands && !view.painting ? 0 : mode;
  view3d.setShown(shown, onHead);
  if (viewuv.shown !== shown || viewuv.mode !== mode) viewuv.setShown(shown, mode);
  tell('mode', onHead);
}

// Roots on and off, from the box and by its key.
export function showRootsToo(visible) {
  view.roots = visible;
  view3d.showRoots(visible);
  tell('rootsShown', visible);
}

export function setMode(mode) {
  view.mode = mode;
  showMode();
}

export async function maskLayer(id) {
  if (!mask.has(id)) {
    mask.set(id, new Layer(id));
  }
  await mask.get(id).update();
  return mask.get(id);
}

on('texels', (numbers) => {
  shown.update(numbers);
  view3d.refreshShown();
  viewuv.refreshShown(numbers);
});

// Tiles that others changed: another page, undo, a program that was restarted.
on('painted', () => attempt(async () => {
  if (canvas.layer && !hands.painting) {
    await canvas.layer.sending;
    const changed = await canvas.layer.update();
    if (changed.length) {
      tell('texels', changed);
    }
  }
  await showRoots();
}));

on('layer', () => attempt(async () => {
  hands.finish(); // a stroke is one of its own layer
  await showLayer();
}));
on('groom', () => attempt(showGroom));
on('scene', () => gizmos.refresh());
on('frame', () => gizmos.refresh());
on('scene', () => attempt(async () => {
  showMode();
  tell('shown');
  await showCandidates();
  await showRoots();
}));

// Roots

const rootCount = element('output', { id: 'roots', title: 'roots that grow, and how many per square centimetre' });
let candidatesKey = '';

async function showCandidates() {
  const groom = state.scene.grooms?.[state.groom] ?? {};
  const key = JSON.stringify([state.groom, groom.count, groom.strands_per_cm2, groom.scatter, groom.seed, groom.group, groom.body, state.scene.bodies]);
  if (key !== candidatesKey) {
    candidatesKey = key;
    const places = new Float32Array(await getBytes('/api/candidates', { groom: state.groom, limit: ROOTS_SHOWN }));
    view3d.setCandidates(places, 0.0006);
  }
}

async function showRoots() {
  const bytes = await getBytes('/api/roots', { groom: state.groom, limit: ROOTS_SHOWN });
  const view = new DataView(bytes);
  const [count, candidates] = [view.getUint32(0, true), view.getUint32(4, true)];
  const area = view.getFloat32(12, true);
  view3d.setAlive(new Uint8Array(bytes, 16));
  rootCount.textContent = `${count.toLocaleString('en')} of ${candidates.toLocaleString('en')} roots, ${(count / area).toFixed(1)} per cm²`;
  tell('roots', { count, candidates, area });
}

// A map from the roots as they are, in a new layer.
async function bakeRoots() {
  const all = { groom: state.groom, limit: 10000000 };
  const places = new Float32Array(await getBytes('/api/candidates', all));
  const bytes = await getBytes('/api/roots', all);
  const area = new DataView(bytes).getFloat32(12, true) * 1e-4;
  const names = new Set((state.scene.grooms[state.groom].maps ?? []).map((map) => map.name));
  let name = 'baked';
  for (let i = 2; names.has(name); ++i) name = `baked${i}`;
  await makeLayer(name, { side: 1024, value: 0 });
  await showLayer();
  await bake(places, new Uint8Array(bytes, 16), Math.max(0.002, 1.2 * Math.sqrt(area / (places.length / 6))));
}

async function showGroom() {
  const surface = await loadSurface(state.groom);
  canvas.surface = surface;
  view3d.setSurface(surface, new Bvh(surface));
  suitBrush(view3d.home.size);
  tell('surface');
  viewuv.setSurface(surface);
  canvas.layer = null;
  await showLayer();
  candidatesKey = '';
  await showCandidates();
  await showRoots();
}

// Bars

let timeline = null;
const deeds = { shake: () => {}, hideStrands: () => {} }; // of hair, see makeDock
const hands = makeHands({ view3d, viewuv, gizmos, legend, deeds });
let plots = null;
let strands = null;
let pictures = null;
let live = null; // frames per second of live hair
const events = { state: (event) => attempt(() => hear(event)) };

function chooseTool(tool) {
  brush.tool = tool;
  for (const each of document.querySelectorAll('#tools [data-tool]')) {
    each.setAttribute('aria-pressed', String(each.dataset.tool === tool));
  }
}

function makeTools() {
  const tools = document.getElementById('tools');
  for (const [tool, label, title] of TOOLS) {
    const made = button(label, title, () => chooseTool(tool), { 'aria-pressed': 'false' });
    made.dataset.tool = tool;
    tools.append(made);
  }
  tools.append(element('hr'),
    button('Fill', 'Fill the layer with the value', () => fill()),
    button('Inv', 'Invert the layer', () => invert()));
  chooseTool('set');
}

export async function save(force = false) {
  try {
    await post('/api/save', force ? { force: 1 } : {});
    toast('Saved.');
  } catch (error) {
    // Only what somebody else has changed can be overwritten; anything else may be better next time.
    const again = error.status === 409 ? { action: () => save(true), label: 'Overwrite' } : { action: () => save(force), label: 'Try again' };
    toast(error.message, { bad: true, ...again });
  }
}

// A stroke under way is done first: it is what goes back.
const walk = (way) => attempt(async () => {
  await hands.finish();
  await post(`/api/${way}`);
});
const undo = () => walk('undo');
const redo = () => walk('redo');

function makeBar() {
  const name = element('span', { className: 'name' });
  const undoButton = button('Undo', 'Undo (Ctrl-Z)', undo);
  const redoButton = button('Redo', 'Redo (Ctrl-Shift-Z)', redo);
  const saveButton = button('Save', 'Save scene and maps (Ctrl-S)', () => save(), { className: 'primary' });
  const split = button('UV', 'Show the map beside the head (U)', () => toggleUv(), { 'aria-pressed': 'false', id: 'toggle-uv' });
  document.getElementById('bar').append(name, undoButton, redoButton, saveButton, split, makeHelp(), element('span', { className: 'space' }), rootCount);
  on('state', () => {
    name.textContent = `${state.path}${state.dirty ? ' •' : ''}`;
    document.title = `${state.dirty ? '• ' : ''}${state.path} - coif studio`;
    undoButton.disabled = state.undo === 0;
    redoButton.disabled = state.redo === 0;
  });
}

function toggleUv() {
  const views = document.getElementById('views');
  views.classList.toggle('both');
  document.getElementById('toggle-uv').setAttribute('aria-pressed', String(views.classList.contains('both')));
}

function makeDock() {
  const dock = document.getElementById('dock');
  const move = movePane({ view3d, view });
  timeline = makeTimeline(move);
  Object.assign(deeds, { shake: move.moveHand, hideStrands: move.hide });
  plots = move.plots;
  strands = move.lines;
  live = move.counted;
  const render = renderPane({ view3d, gizmos });
  pictures = render.prints;
  Object.assign(events, move.events, render.events);
  const panes = [layersPane({ setMode, view, showRootsToo, maskLayer, bakeRoots }), paramsPane(), move, render];
  const tabs = element('div', { className: 'tabs', role: 'tablist' });
  panes.forEach((pane, i) => {
    pane.element.classList.add('pane');
    pane.element.hidden = i > 0;
    pane.element.id = `pane-${i}`;
    pane.element.setAttribute('role', 'tabpanel');
    pane.element.setAttribute('aria-label', pane.title);
    tabs.append(button(pane.title, pane.title, () => {
      panes.forEach((each, k) => {
        each.element.hidden = k !== i;
        tabs.children[k].setAttribute('aria-selected', String(k === i));
      });
      view.painting = i === 0;
      showMode();
    }, { role: 'tab', 'aria-selected': String(i === 0), 'aria-controls': `pane-${i}` }));
  });
  tabs.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && [...tabs.children].indexOf(document.activeElement) + step;
    if (step && tabs.children[next]) {
      tabs.children[next].focus();
      tabs.children[next].click();
    }
  });
  dock.append(tabs, ...panes.map((pane) => pane.element));
}

// What a question asks has the keys; letters are not meant for what lies under it.
window.addEventListener('keydown', (event) => {
  if (document.querySelector('dialog[open]')) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') event.preventDefault();
    event.stopPropagation();
  }
}, { capture: true });

document.addEventListener('keydown', (event) => {
  const typing = isWriting(event.target);
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === 's') { event.preventDefault(); save(); }
    // What is being written is the browser's to undo.
    if (event.target.matches('textarea, input:not([type=range]):not([type=checkbox])') && event.target.value !== event.target.defaultValue) return;
    if (key === 'z') { event.preventDefault(); (event.shiftKey ? redo : undo)(); }
    if (key === 'y') { event.preventDefault(); redo(); }
    return;
  }
  if (typing || event.altKey) return;
  const tool = TOOLS.find(([, , , shortcut]) => shortcut === key);
  if (tool) chooseTool(tool[0]);
  if (key === '[' || key === ']') {
    brush.radius = Math.min(brush.most, Math.max(0.0005, brush.radius * (key === ']' ? 1.15 : 1 / 1.15)));
    brush.chosen = true;
    tell('brush');
  }
  if (key === 'x') {
    [brush.value, brush.other] = [brush.other, brush.value];
    [brush.region, brush.otherRegion] = [brush.otherRegion, brush.region];
    tell('brush');
  }
  if (key === 'u') toggleUv();
  if (key === 'h') showRootsToo(!view.roots);
});

const program = makeLost();

makeBar();
makeTools();
makeDock();
attempt(async () => {
  await start();
  await showGroom();
  await timeline.findCache();
  if (state.replayed > 0 && state.dirty) {
    toast(`Work that was not saved is back: ${state.replayed} steps. Ctrl-Z goes through them, Save keeps them.`);
  }
  if (state.aside) {
    toast(`Work that was not saved does not suit the scene file as it is now, and is kept as .${state.path}.journal.old. Put the file back as it was and name that .${state.path}.journal to have it again.`, { bad: true });
  }
  let connected = false;
  listen(events,
    () => {
      program.found();
      if (connected) attempt(refresh).then(() => tell('painted'));
      connected = true;
    },
    () => program.lost());
  document.body.dataset.ready = 'true';
});

// For tests and for the curious: the same calls the page itself makes.
globalThis.coif = { state, edit, brush, canvas, view3d, viewuv, gizmos, Painter, hit3d: hands.hit3d, hitUv: hands.hitUv, fill, gradient, invert, importFiles, events, plots, strands, live, pictures };
