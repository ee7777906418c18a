// The selected groom in both views: its surface, the displayed map, and its roots.

import { getBytes } from '../net/api.js';
import { fitBrushToSurface } from '../paint/brush.js';
import { PaintMap } from '../paint/paint_map.js';
import { bakeRoots, paintTarget } from '../paint/painter.js';
import { loadSurface } from '../paint/surface.js';
import { TexelPositions } from '../paint/texel_positions.js';
import { createMap } from '../panels/map_actions.js';
import { preference, setPreference } from '../state/preferences.js';
import { registerShortcuts } from '../state/shortcuts.js';
import { emit, on, selectedMap, state } from '../state/store.js';
import { element, tryOrToast } from '../ui/dom.js';
import { setTip } from '../ui/tooltip.js';
import { HEAT_MAP, MapTexture, REGIONS, SHADED } from './map_texture.js';

const DISPLAYED_ROOTS = 20000;
const ROOT_OFFSET = 0.0006; // metres above the surface

/** Root packet: count, candidate count, padding, area in cm2, then one byte per candidate. @param {number} limit */
async function fetchRoots(limit) {
  const bytes = await getBytes('/api/roots', { groom: state.groom, limit });
  const header = new DataView(bytes);
  return { count: header.getUint32(0, true), candidates: header.getUint32(4, true), areaCm2: header.getFloat32(12, true), alive: new Uint8Array(bytes, 16) };
}

const fetchCandidates = async (/** @type {number} */ limit) => new Float32Array(await getBytes('/api/root_candidates', { groom: state.groom, limit }));

/**
 * @param {import('./view3d.js').View3d} view3d
 * @param {import('./uv_view.js').UvView} uvView
 */
export function createGroomDisplay(view3d, uvView) {
  const display = { mode: preference('display', HEAT_MAP), roots: preference('roots', true), isPaintTab: true, strands: false };
  /** @type {MapTexture | null} */ let mapTexture = null;
  /** @type {Map<number, PaintMap>} by layer */ const maskMaps = new Map();
  const rootCount = setTip(element('output', { id: 'root-count' }), { help: 'Growing roots, and roots per square centimetre.' });

  // Region maps are displayed with one colour per id. Outside the Paint tab strands hide the map.
  function updateDisplayMode() {
    paintTarget.isRegionMap = Boolean(selectedMap()?.region);
    const mode = paintTarget.isRegionMap && display.mode === HEAT_MAP ? REGIONS : display.mode;
    const mode3d = display.strands && !display.isPaintTab ? SHADED : mode;
    view3d.setMapTexture(mapTexture, mode3d);
    if (uvView.mapTexture !== mapTexture || uvView.mode !== mode) uvView.setMapTexture(mapTexture, mode);
    emit('displayModeChanged', mode3d);
  }

  async function loadSelectedMap() {
    if (!paintTarget.surface) return; // showGroom loads the map after the surface
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

  let candidatesKey = ''; // of the parameters that determine candidates
  async function updateRootCandidates() {
    const groom = state.scene.grooms?.[state.groom] ?? {};
    const key = JSON.stringify([state.groom, groom.count, groom.strands_per_cm2, groom.scatter, groom.seed, groom.group, groom.body, state.scene.bodies]);
    if (key !== candidatesKey) {
      candidatesKey = key;
      view3d.setRootCandidates(await fetchCandidates(DISPLAYED_ROOTS), ROOT_OFFSET);
    }
  }

  async function updateRoots() {
    const { count, candidates, areaCm2, alive } = await fetchRoots(DISPLAYED_ROOTS);
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
  on('mapSelected', () => tryOrToast(loadSelectedMap));
  on('groomSelected', () => tryOrToast(showGroom));
  on('sceneChanged', () => tryOrToast(async () => {
    updateDisplayMode();
    emit('mapChanged');
    await updateRootCandidates();
    await updateRoots();
  }));
  on('strandsVisible', (visible) => { display.strands = visible; updateDisplayMode(); });
  on('tabChanged', (id) => { display.isPaintTab = id === 'paint'; updateDisplayMode(); });
  registerShortcuts([{ key: 'h', section: 'View', help: 'Show or hide roots', action: () => setRootsVisible(!display.roots) }]);
  view3d.setRootsVisible(display.roots);
  return { display, rootCount, showGroom, setRootsVisible, setDisplayMode, loadMaskMap, bakeRootMap };
}
