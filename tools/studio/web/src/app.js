// Entry point: assembles the page.

import 'uplot/dist/uPlot.min.css';
import '../style.css';
import { getBytes, post, subscribe } from './net/api.js';
import { brush, fitBrushToSurface } from './paint/brush.js';
import { PaintMap } from './paint/paint_map.js';
import { bakeRoots, fill, gradient, invert, Painter, paintTarget } from './paint/painter.js';
import { loadSurface } from './paint/surface.js';
import { TexelPositions } from './paint/texel_positions.js';
import { createMap, createPaintPanel, importFiles } from './panels/paint_panel.js';
import { createParameterPanel } from './panels/parameter_panel.js';
import { createRenderPanel } from './panels/render_panel.js';
import { createSimulationPanel } from './panels/simulation_panel.js';
import { applyServerEvent, edit, emit, loadDocument, on, refresh, selectedMap, state } from './state/store.js';
import { createConnectionBanner } from './ui/connection_banner.js';
import { button, element, isTextInput, toast, tryOrToast } from './ui/dom.js';
import { createHelp } from './ui/help.js';
import { createTimeline } from './ui/timeline.js';
import { Gizmos } from './view/gizmos.js';
import { createLegend } from './view/legend.js';
import { HEAT_MAP, MapTexture, REGIONS, SHADED } from './view/map_texture.js';
import { createPointerInput } from './view/pointer_input.js';
import { UvView } from './view/uv_view.js';
import { View3d } from './view/view3d.js';
import { createViewPresets } from './view/view_presets.js';

const DISPLAYED_ROOTS = 20000;
const ROOT_OFFSET = 0.0006; // metres above the surface
const TOOLS = [ // id, label, tooltip, key
  ['set', 'Set', 'Paint the value (B)', 'b'], ['add', 'Add', 'Add (A)', 'a'], ['subtract', 'Subtract', 'Subtract (S)', 's'],
  ['smooth', 'Blur', 'Blur (M)', 'm'], ['smear', 'Smear', 'Smear (E)', 'e'],
  ['lasso', 'Lasso', 'Fill the visible surface inside a lasso (L)', 'l'], ['gradient', 'Gradient', 'Gradient: drag from value to other value (G)', 'g'],
  ['navigate', 'Navigate', 'Orbit with the left button (V)', 'v'],
];

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {HTMLElement} section */
function createView3d(section) {
  try {
    return new View3d(section);
  } catch (error) {
    section.replaceChildren(element('p', { className: 'no-webgl', role: 'alert' },
      'This browser does not provide WebGL 2. Enable it (Firefox: webgl.force-enabled in about:config; Chromium: hardware acceleration in the settings) or use another browser. A GPU is not required.'));
    throw error;
  }
}

const view3d = createView3d(byId('view3d'));
const gizmos = new Gizmos(view3d);
const uvView = new UvView(byId('uv-view'));
const legend = createLegend(view3d.section);
createViewPresets(view3d);
const display = { mode: HEAT_MAP, roots: true, isPaintTab: true, strands: false };
on('strandsVisible', (visible) => { display.strands = visible; updateDisplayMode(); });
/** @type {MapTexture | null} */ let mapTexture = null;
/** @type {Map<number, PaintMap>} by layer */ const maskMaps = new Map();

// Maps

async function loadSelectedMap() {
  if (!paintTarget.surface) {
    return; // showGroom loads the map after the surface
  }
  if (state.layer < 0) {
    paintTarget.map = paintTarget.texels = mapTexture = null;
  } else if (paintTarget.map?.id !== state.layer) {
    const map = new PaintMap(state.layer);
    await map.update();
    paintTarget.map = map;
    paintTarget.texels = paintTarget.surface.uvs ? new TexelPositions(paintTarget.surface, map) : null;
    mapTexture = new MapTexture(map);
  }
  updateDisplayMode();
  emit('mapChanged');
}

// Region maps are displayed with one colour per id. Outside the Paint tab strands hide the map.
function updateDisplayMode() {
  paintTarget.isRegionMap = Boolean(selectedMap()?.region);
  const mode = paintTarget.isRegionMap && display.mode === HEAT_MAP ? REGIONS : display.mode;
  const mode3d = display.strands && !display.isPaintTab ? SHADED : mode;
  view3d.setMapTexture(mapTexture, mode3d);
  if (uvView.mapTexture !== mapTexture || uvView.mode !== mode) uvView.setMapTexture(mapTexture, mode);
  emit('displayModeChanged', mode3d);
}

/** @param {boolean} visible */
function setRootsVisible(visible) {
  display.roots = visible;
  view3d.setRootsVisible(visible);
  emit('rootsVisible', visible);
}

/** @param {number} mode */
function setDisplayMode(mode) {
  display.mode = mode;
  updateDisplayMode();
}

/** @param {number} layer */
async function loadMaskMap(layer) {
  const map = maskMaps.get(layer) ?? new PaintMap(layer);
  maskMaps.set(layer, map);
  await map.update();
  return map;
}

on('texelsChanged', (tiles) => {
  mapTexture?.update(tiles);
  view3d.refreshMapTexture();
  uvView.refreshTiles(tiles);
});

on('mapsChangedOnServer', () => tryOrToast(async () => {
  if (paintTarget.map) {
    await paintTarget.map.sending;
    const changed = await paintTarget.map.update();
    if (changed.length) emit('texelsChanged', changed);
  }
  await updateRoots();
}));

on('mapSelected', () => tryOrToast(async () => {
  pointerInput.finish(); // a stroke ends with its map
  await loadSelectedMap();
}));
on('groomSelected', () => tryOrToast(showGroom));
on('sceneChanged', () => gizmos.refresh());
on('frameChanged', () => gizmos.refresh());
on('sceneChanged', () => tryOrToast(async () => {
  updateDisplayMode();
  emit('mapChanged');
  await updateRootCandidates();
  await updateRoots();
}));

// Roots

const rootCount = element('output', { id: 'root-count', title: 'Growing roots, and roots per square centimetre' });
let candidatesKey = ''; // of the parameters that determine candidates

async function updateRootCandidates() {
  const groom = state.scene.grooms?.[state.groom] ?? {};
  const key = JSON.stringify([state.groom, groom.count, groom.strands_per_cm2, groom.scatter, groom.seed, groom.group, groom.body, state.scene.bodies]);
  if (key !== candidatesKey) {
    candidatesKey = key;
    const candidates = new Float32Array(await getBytes('/api/root_candidates', { groom: state.groom, limit: DISPLAYED_ROOTS }));
    view3d.setRootCandidates(candidates, ROOT_OFFSET);
  }
}

/** Root packet: count, candidate count, padding, area in cm2, then one byte per candidate. @param {number} limit */
async function fetchRoots(limit) {
  const bytes = await getBytes('/api/roots', { groom: state.groom, limit });
  const header = new DataView(bytes);
  return { count: header.getUint32(0, true), candidates: header.getUint32(4, true), areaCm2: header.getFloat32(12, true), alive: new Uint8Array(bytes, 16) };
}

async function updateRoots() {
  const { count, candidates, areaCm2, alive } = await fetchRoots(DISPLAYED_ROOTS);
  view3d.setRootsAlive(alive);
  rootCount.textContent = `${count.toLocaleString('en')} of ${candidates.toLocaleString('en')} roots, ${(count / areaCm2).toFixed(1)} per cm²`;
}

// A new map that is white around living roots.
async function bakeRootMap() {
  const limit = 10000000;
  const candidates = new Float32Array(await getBytes('/api/root_candidates', { groom: state.groom, limit }));
  const { areaCm2, alive } = await fetchRoots(limit);
  const names = new Set((state.scene.grooms[state.groom].maps ?? []).map((/** @type {any} */ map) => map.name));
  let name = 'baked';
  for (let i = 2; names.has(name); ++i) name = `baked${i}`;
  await createMap(name, { side: 1024, value: 0 });
  await loadSelectedMap();
  await bakeRoots(candidates, alive, Math.max(0.002, 1.2 * Math.sqrt((areaCm2 * 1e-4) / (candidates.length / 6))));
}

async function showGroom() {
  const surface = await loadSurface(state.groom);
  paintTarget.surface = surface;
  view3d.setSurface(surface);
  fitBrushToSurface(view3d.home.size);
  emit('surfaceLoaded');
  uvView.setSurface(surface);
  paintTarget.map = null;
  await loadSelectedMap();
  candidatesKey = '';
  await updateRootCandidates();
  await updateRoots();
}

// Toolbars and panels

/** @param {string} tool */
function selectTool(tool) {
  brush.tool = tool;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#tools [data-tool]'))) {
    each.setAttribute('aria-pressed', String(each.dataset.tool === tool));
  }
}

function createTools() {
  const tools = byId('tools');
  for (const [tool, label, title] of TOOLS) {
    const made = button(label, title, () => selectTool(tool), { 'aria-pressed': 'false' });
    made.dataset.tool = tool;
    tools.append(made);
  }
  tools.append(element('hr'),
    button('Fill', 'Fill the map with the value', () => fill()),
    button('Invert', 'Invert the map', () => invert()));
  selectTool('set');
}

async function save(force = false) {
  try {
    await post('/api/save', force ? { force: 1 } : {});
    toast('Saved.');
  } catch (error) {
    // 409: the file was modified externally and may be overwritten. Other errors may be temporary.
    const { status, message } = /** @type {import('./net/api.js').ApiError} */ (error);
    const retry = status === 409 ? { action: () => save(true), label: 'Overwrite' } : { action: () => save(force), label: 'Try again' };
    toast(message, { bad: true, ...retry });
  }
}

// A stroke in progress is completed first, so it is the step that is undone.
const applyHistory = (/** @type {'undo' | 'redo'} */ operation) => tryOrToast(async () => {
  await pointerInput.finish();
  await post(`/api/${operation}`);
});
const undo = () => applyHistory('undo');
const redo = () => applyHistory('redo');

function createToolbar() {
  const name = element('span', { className: 'name' });
  const undoButton = button('Undo', 'Undo (Ctrl-Z)', undo);
  const redoButton = button('Redo', 'Redo (Ctrl-Shift-Z)', redo);
  const saveButton = button('Save', 'Save scene and maps (Ctrl-S)', () => save(), { className: 'primary' });
  const uvButton = button('UV', 'Show the UV view (U)', () => toggleUvView(), { 'aria-pressed': 'false', id: 'toggle-uv' });
  byId('toolbar').append(name, undoButton, redoButton, saveButton, uvButton, createHelp(), element('span', { className: 'space' }), rootCount);
  on('stateChanged', () => {
    name.textContent = `${state.path}${state.dirty ? ' •' : ''}`;
    document.title = `${state.dirty ? '• ' : ''}${state.path} - coif studio`;
    undoButton.disabled = state.undo === 0;
    redoButton.disabled = state.redo === 0;
  });
}

function toggleUvView() {
  const views = byId('views');
  views.classList.toggle('both');
  byId('toggle-uv').setAttribute('aria-pressed', String(views.classList.contains('both')));
}

/** @param {{ id: string, title: string, element: HTMLElement }[]} panels */
function createDock(panels) {
  const tabs = element('div', { className: 'tabs', role: 'tablist' });
  const select = (/** @type {number} */ selected) => {
    panels.forEach((panel, k) => {
      panel.element.hidden = k !== selected;
      tabs.children[k].setAttribute('aria-selected', String(k === selected));
    });
    display.isPaintTab = panels[selected].id === 'paint';
    updateDisplayMode();
  };
  panels.forEach((panel, i) => {
    panel.element.classList.add('panel');
    panel.element.hidden = i > 0;
    panel.element.id = `panel-${panel.id}`;
    panel.element.setAttribute('role', 'tabpanel');
    panel.element.setAttribute('aria-label', panel.title);
    tabs.append(button(panel.title, panel.title, () => select(i), { id: `tab-${panel.id}`, role: 'tab', 'aria-selected': String(i === 0), 'aria-controls': panel.element.id }));
  });
  tabs.addEventListener('keydown', (event) => {
    const step = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[event.key];
    const next = step && /** @type {HTMLElement | undefined} */ (tabs.children[[...tabs.children].indexOf(/** @type {Element} */ (document.activeElement)) + step]);
    if (next) {
      next.focus();
      next.click();
    }
  });
  byId('dock').append(tabs, ...panels.map((panel) => panel.element));
}

// Shortcuts are disabled while a dialog is open.
window.addEventListener('keydown', (event) => {
  if (document.querySelector('dialog[open]')) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') event.preventDefault();
    event.stopPropagation();
  }
}, { capture: true });

/** Whether the browser's own undo applies: a text field with unsaved input. @param {EventTarget | null} target */
const hasUnsavedText = (target) => (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
  && target.matches('textarea, input:not([type=range]):not([type=checkbox])') && target.value !== target.defaultValue;

document.addEventListener('keydown', (event) => {
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === 's') { event.preventDefault(); save(); }
    if (hasUnsavedText(event.target)) return;
    if (key === 'z') { event.preventDefault(); (event.shiftKey ? redo : undo)(); }
    if (key === 'y') { event.preventDefault(); redo(); }
    return;
  }
  if (isTextInput(event.target) || event.altKey) return;
  const tool = TOOLS.find(([, , , shortcut]) => shortcut === key);
  if (tool) selectTool(tool[0]);
  if (key === '[' || key === ']') {
    brush.radius = Math.min(brush.maxRadius, Math.max(0.0005, brush.radius * (key === ']' ? 1.15 : 1 / 1.15)));
    brush.userSized = true;
    emit('brushChanged');
  }
  if (key === 'x') {
    [brush.value, brush.secondaryValue] = [brush.secondaryValue, brush.value];
    [brush.region, brush.secondaryRegion] = [brush.secondaryRegion, brush.region];
    emit('brushChanged');
  }
  if (key === 'u') toggleUvView();
  if (key === 'h') setRootsVisible(!display.roots);
});

const connectionBanner = createConnectionBanner();
createToolbar();
createTools();
const paintPanel = createPaintPanel({ setDisplayMode, display, setRootsVisible, loadMaskMap, bakeRootMap });
const parameterPanel = createParameterPanel();
const simulationPanel = createSimulationPanel({ view3d, display });
const timeline = createTimeline(simulationPanel);
const renderPanel = createRenderPanel({ view3d, gizmos });
const pointerInput = createPointerInput({ view3d, uvView, gizmos, legend, actions: { dragHead: simulationPanel.dragHead, hideStrands: simulationPanel.hide } });
createDock([paintPanel, parameterPanel, simulationPanel, renderPanel]);
const serverEvents = { state: (/** @type {any} */ event) => tryOrToast(() => applyServerEvent(event)), ...simulationPanel.events, ...renderPanel.events };

tryOrToast(async () => {
  await loadDocument();
  await showGroom();
  await timeline.loadCache();
  if (state.restoredSteps > 0 && state.dirty) toast(`Restored ${state.restoredSteps} unsaved changes. Undo them with Ctrl-Z or keep them with Save.`);
  if (state.journalQuarantined) {
    toast(`Unsaved changes could not be restored because the scene file changed on disk. They are kept in .${state.path}.journal.old. To recover them, restore the old scene file and rename that file to .${state.path}.journal.`, { bad: true });
  }
  let connectedBefore = false;
  subscribe(serverEvents,
    () => {
      connectionBanner.onConnected();
      if (connectedBefore) tryOrToast(refresh).then(() => emit('mapsChangedOnServer'));
      connectedBefore = true;
    },
    () => connectionBanner.onDisconnected());
  document.body.dataset.ready = 'true';
});

// Access for tests and the browser console.
/** @type {any} */ (globalThis).coif = {
  state, edit, brush, paintTarget, view3d, uvView, gizmos, Painter, hit3d: pointerInput.hit3d, hitUv: pointerInput.hitUv, fill, gradient, invert, importFiles,
  serverEvents, plots: simulationPanel.plots, strandMesh: simulationPanel.strandMesh, liveStats: simulationPanel.liveStats, renderImages: renderPanel.renderImages,
};
