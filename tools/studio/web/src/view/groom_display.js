// The selected groom in both views: its surface, the displayed map, and its roots.

import * as THREE from 'three';
import { getBytes } from '../net/api.js';
import { strandLight } from '../hair/strand_shading.js';
import { fitBrushToSurface } from '../paint/brush.js';
import { MapStack, stackLayer } from '../paint/map_stack.js';
import { PaintMap } from '../paint/paint_map.js';
import { bakeRoots, paintTarget } from '../paint/painter.js';
import { emptySurface, loadBody, loadSurface } from '../paint/surface.js';
import { TexelPositions } from '../paint/texel_positions.js';
import { createMap } from '../panels/map_actions.js';
import { preference, setPreference } from '../state/preferences.js';
import { flowPartner } from '../state/flow_maps.js';
import { regionColors } from '../state/regions.js';
import { registerShortcuts } from '../state/shortcuts.js';
import { viewportLevel } from '../state/viewport_light.js';
import { emit, noteRevision, on, selectedMap, state } from '../state/store.js';
import { element, serialize, tryOrToast } from '../ui/dom.js';
import { time } from '../ui/timeline.js';
import { setTip } from '../ui/tooltip.js';
import { FlowArrows } from './flow_arrows.js';
import { HEAT_MAP, MapTexture, REGIONS, SHADED } from './map_texture.js';

const DISPLAYED_ROOTS = 20000;
const RESELECT_CHANGE = 0.15; // of the number of growing roots, until other candidates are displayed
const ROOT_OFFSET = 0.0006; // metres above the surface

/** Root packet: count, candidate count, padding, area in cm2, then one byte per candidate. @param {number} limit @param {number} [selection] */
async function fetchRoots(limit, selection) {
  const bytes = await getBytes('/api/roots', { groom: state.groom, limit, selection });
  const header = new DataView(bytes);
  return { count: header.getUint32(0, true), candidates: header.getUint32(4, true), areaCm2: header.getFloat32(12, true), alive: new Uint8Array(bytes, 16) };
}

/** @param {number} limit @param {number} [selection] id of a selection that prefers growing roots */
const fetchCandidates = async (limit, selection) => new Float32Array(await getBytes('/api/root_candidates', { groom: state.groom, limit, selection }));

// Parameters of a body that leave its surface at rest as it is.
const NOT_OF_SURFACE = new Set(['material', 'comment', 'translate', 'rotate', 'pivot', 'deform_y_min', 'deform_y_max', 'parent', 'collide', 'affects', 'friction', 'margin', 'softness', 'boundary', 'visible']);

// Another surface is drawn and painted when this changes.
const surfaceKey = () => JSON.stringify([state.groom, state.scene.grooms?.[state.groom]?.group, state.scene.grooms?.[state.groom]?.body,
  (state.scene.bodies ?? []).map((/** @type {any} */ body) => Object.entries(body).filter(([key]) => !NOT_OF_SURFACE.has(key)))]);

const loadShownSurface = () => (state.grooms.length > 0 ? loadSurface(state.groom) : state.scene.bodies?.length > 0 ? loadBody(0) : emptySurface());

// What keeps hair from growing, until it is mended.
function sceneProblem() {
  if (!state.scene.bodies?.length) return 'This scene has no body yet. Add one in the outliner of the Scene tab.';
  if (state.grooms.length === 0) return 'This scene has no groom yet. Add one in the outliner of the Scene tab.';
  return state.grooms[state.groom].problem ?? '';
}

/**
 * @param {import('./view3d.js').View3d} view3d
 * @param {import('./uv_view.js').UvView} uvView
 */
export function createGroomDisplay(view3d, uvView) {
  const display = { mode: preference('display', HEAT_MAP), roots: preference('roots', true), isPaintTab: true, strands: false };
  /** @type {MapTexture | null} */ let mapTexture = null;
  /** @type {Map<number, PaintMap>} by layer */ const maskMaps = new Map();
  const rootCount = setTip(element('output', { id: 'root-count' }), { help: 'Growing roots, and roots per square centimetre.' });

  const arrows = new FlowArrows(view3d);
  let regionKey = ''; // of the chosen colours
  function updateRegionColors() {
    const entry = selectedMap();
    const colors = regionColors(entry?.region ? state.scene.grooms[state.groom].maps[entry.index].comment : '');
    const key = JSON.stringify([...colors]);
    if (key === regionKey) return;
    regionKey = key;
    view3d.setRegionColors(colors);
    uvView.setRegionColors(colors);
  }

  // Region maps are displayed with one colour per id. Outside the Paint tab strands hide the map.
  function updateDisplayMode() {
    paintTarget.isRegionMap = Boolean(selectedMap()?.region);
    const mode = paintTarget.isRegionMap && display.mode === HEAT_MAP ? REGIONS : display.mode;
    const mode3d = display.strands && !display.isPaintTab ? SHADED : mode;
    updateRegionColors();
    const { map, flow } = paintTarget;
    if (map && flow && mode3d !== SHADED) arrows.show(map, flow);
    else arrows.hide();
    view3d.setMapTexture(mapTexture, mode3d);
    if (uvView.mapTexture !== mapTexture || uvView.mode !== mode) uvView.setMapTexture(mapTexture, mode);
    emit('displayModeChanged', mode3d);
  }

  /** @type {Map<number, PaintMap>} images and masks of the layers, by layer of the server */ const layerMaps = new Map();
  /** @param {number} id */
  async function loadLayerMap(id) {
    const found = layerMaps.get(id) ?? new PaintMap(id);
    layerMaps.set(id, found);
    if (found.revision < state.layers[id].revision) await found.update();
    noteRevision(id, found.revision);
    return found;
  }

  // The layers of the selected map as the scene has them now.
  async function loadStack() {
    const ids = /** @type {number[][]} */ (state.grooms[state.groom]?.stacks?.[state.map] ?? []);
    const entries = state.scene.grooms?.[state.groom]?.maps?.[state.map]?.layers ?? [];
    const { map } = paintTarget;
    const layers = [];
    for (const [i, [image, mask]] of ids.entries()) {
      layers.push(stackLayer(entries[i], await loadLayerMap(image), mask < 0 ? null : await loadLayerMap(mask)));
    }
    if (map !== paintTarget.map) return; // another one was selected meanwhile
    paintTarget.stack = map && layers.length ? new MapStack(map, layers) : null;
    paintTarget.layer = Math.min(state.stackLayer < 0 ? Infinity : state.stackLayer, layers.length - 1);
    emit('layersChanged');
  }

  /** Fetches what changed of the selected map and its layers. */
  async function updateMaps() {
    const { map } = paintTarget;
    if (!map) return;
    for (const each of [...layerMaps.values(), ...(paintTarget.flow ? [paintTarget.flow] : []), map]) {
      await each.sending;
      const changed = await each.update();
      noteRevision(each.id, each.revision);
      if (each === map && changed.length) emit('texelsChanged', changed);
    }
    emit('layersChanged');
  }

  const loadMap = async (/** @type {number} */ layer) => {
    const map = new PaintMap(layer);
    await map.update();
    return map;
  };

  const loadSelectedMap = serialize(async () => {
    if (!paintTarget.surface) return; // showGroom loads the map after the surface
    if (state.layer < 0) {
      paintTarget.map = paintTarget.texels = mapTexture = null;
    } else if (paintTarget.map?.id !== state.layer) {
      const map = new PaintMap(state.layer);
      await map.update();
      layerMaps.clear();
      paintTarget.stack = null;
      paintTarget.map = map;
      paintTarget.texels = paintTarget.surface.uvs ? new TexelPositions(paintTarget.surface, map) : null;
      mapTexture = new MapTexture(map);
    }
    await loadStack();
    const flow = state.layer < 0 ? -1 : flowPartner();
    if ((paintTarget.flow?.id ?? -1) !== flow) paintTarget.flow = flow < 0 ? null : await loadMap(flow);
    updateDisplayMode();
    emit('mapChanged');
  });

  const problem = element('div', { id: 'scene-problem', role: 'status', hidden: true });
  view3d.section.append(problem);
  const showProblem = () => {
    problem.textContent = sceneProblem();
    problem.hidden = problem.textContent === '';
  };

  let candidatesKey = ''; // of the parameters that determine candidates
  let selection = 0; // of displayed candidates
  let countWhenSelected = 0;
  const selectCandidates = async () => {
    selection = 1 + Math.floor(Math.random() * 0xfffffffe);
    view3d.setRootCandidates(await fetchCandidates(DISPLAYED_ROOTS, selection), ROOT_OFFSET);
    countWhenSelected = -1;
  };
  async function updateRootCandidates() {
    showProblem();
    if (sceneProblem()) {
      candidatesKey = '';
      view3d.setRootCandidates(new Float32Array(0), ROOT_OFFSET);
      return;
    }
    const groom = state.scene.grooms?.[state.groom] ?? {};
    const key = JSON.stringify([state.groom, groom.count, groom.strands_per_cm2, groom.scatter, groom.seed, groom.group, groom.body, state.scene.bodies]);
    if (key !== candidatesKey) {
      candidatesKey = key;
      await selectCandidates();
    }
  }

  // Other candidates are displayed when the number of growing ones has changed much, or when the server forgot them.
  async function updateRoots() {
    if (sceneProblem()) {
      rootCount.textContent = 'no hair grows';
      return;
    }
    let roots = await fetchRoots(DISPLAYED_ROOTS, selection);
    if (countWhenSelected < 0) countWhenSelected = roots.count;
    const change = Math.abs(roots.count - countWhenSelected) / Math.max(1, roots.count, countWhenSelected);
    const forgotten = roots.alive.length === 0 && roots.candidates > 0;
    if (forgotten || (change > RESELECT_CHANGE && roots.candidates > DISPLAYED_ROOTS)) {
      await selectCandidates();
      roots = await fetchRoots(DISPLAYED_ROOTS, selection);
      countWhenSelected = roots.count;
    }
    const { count, candidates, areaCm2, alive } = roots;
    state.growingFraction = candidates > 0 ? count / candidates : 1;
    view3d.setRootsAlive(alive);
    rootCount.textContent = `${count.toLocaleString('en')} of ${candidates.toLocaleString('en')} roots, ${(count / areaCm2).toFixed(1)} per cm²`;
  }

  // A new map that is white around living roots.
  async function bakeRootMap() {
    const limit = 10000000;
    const candidates = await fetchCandidates(limit);
    const { areaCm2, alive } = await fetchRoots(limit);
    const names = new Set((state.scene.grooms[state.groom].maps ?? []).map((/** @type {any} */ map) => map.name));
    let name = 'baked';
    for (let i = 2; names.has(name); ++i) name = `baked${i}`;
    await createMap(name, { side: 1024, value: 0 });
    await loadSelectedMap();
    await bakeRoots(candidates, alive, Math.max(0.002, 1.2 * Math.sqrt((areaCm2 * 1e-4) / (candidates.length / 6))));
  }

  let shownSurface = ''; // its key
  async function showGroom() {
    shownSurface = surfaceKey();
    candidatesKey = '';
    // The surface and its roots are fetched together.
    const [surface] = await Promise.all([loadShownSurface(), updateRootCandidates()]);
    paintTarget.surface = surface;
    view3d.setSurface(surface);
    fitBrushToSurface(view3d.home.size);
    emit('surfaceLoaded');
    uvView.setSurface(surface);
    paintTarget.map = null;
    await Promise.all([loadSelectedMap(), updateRoots()]);
  }

  /** @param {boolean} visible */
  function setRootsVisible(visible) {
    display.roots = visible;
    setPreference('roots', visible);
    view3d.setRootsVisible(visible);
    emit('rootsVisible', visible);
  }

  /** @param {number} mode */
  function setDisplayMode(mode) {
    display.mode = mode;
    setPreference('display', mode);
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
    if (arrows.lines.visible && paintTarget.map && paintTarget.flow) arrows.show(paintTarget.map, paintTarget.flow);
    view3d.refreshMapTexture();
    uvView.refreshTiles(tiles);
  });
  on('mapsChangedOnServer', () => tryOrToast(async () => {
    await updateMaps();
    await updateRoots();
  }));
  on('mapSelected', () => {
    state.stackLayer = -1;
    loadSelectedMap();
  });
  on('layerSelected', () => tryOrToast(loadStack));
  // Strands are as bright as the scene is lit and exposed.
  const updateLight = () => {
    const center = view3d.home.box.getCenter(new THREE.Vector3()).toArray();
    const level = viewportLevel(state.scene, center, time.frame);
    if (level === strandLight.level.value && center.every((x, k) => x === strandLight.center.value[k])) return;
    strandLight.center.value = center;
    strandLight.level.value = level;
    view3d.draw();
  };
  for (const event of ['sceneChanged', 'surfaceLoaded', 'frameChanged']) on(event, updateLight);
  on('groomSelected', () => tryOrToast(showGroom));
  on('sceneChanged', () => tryOrToast(async () => {
    if (shownSurface === '') return; // the page is being loaded
    if (surfaceKey() !== shownSurface) {
      await showGroom();
      return;
    }
    await loadStack();
    await updateMaps(); // layers may be composed otherwise
    updateDisplayMode();
    emit('mapChanged');
    await updateRootCandidates();
    await updateRoots();
  }));
  on('strandsVisible', (visible) => { display.strands = visible; updateDisplayMode(); });
  on('tabChanged', (id) => { display.isPaintTab = id === 'paint'; updateDisplayMode(); });
  registerShortcuts([{ key: 'h', section: 'View', help: 'Show or hide roots', action: () => setRootsVisible(!display.roots) }]);
  view3d.setRootsVisible(display.roots);
  return { display, rootCount, arrows, showGroom, setRootsVisible, setDisplayMode, loadMaskMap, bakeRootMap };
}
