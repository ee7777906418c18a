// The studio on the open scene: assembles the page.

import 'uplot/dist/uPlot.min.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/parameters.css';
import './styles/paint.css';
import './styles/groom.css';
import './styles/views.css';
import './styles/simulation.css';
import './styles/render.css';
import { subscribe } from './net/api.js';
import { BrushedStrands } from './hair/brushed_strands.js';
import { registerHairTools } from './hair/hair_tools.js';
import { brush } from './paint/brush.js';
import { mapActions, registerMapTools, rememberBrush } from './paint/map_tools.js';
import { fill, gradient, invert, Painter, paintTarget } from './paint/painter.js';
import { addLayer, moveLayer } from './panels/layers_panel.js';
import { importFiles } from './panels/map_actions.js';
import { createGroomPanel } from './panels/groom_panel.js';
import { createPaintPanel } from './panels/paint_panel.js';
import { createParameterPanel } from './panels/scene_panel.js';
import { createRenderPanel } from './panels/render_panel.js';
import { createSimulationPanel } from './panels/simulation_panel.js';
import { finishBeforeHistory, onSaveProgress } from './state/history.js';
import { listenToShortcuts } from './state/shortcuts.js';
import { applyServerEvent, edit, emit, loadDocument, on, refresh, state } from './state/store.js';
import { activeTool } from './state/tools.js';
import { createConnectionBanner } from './ui/connection_banner.js';
import { createDock } from './ui/dock.js';
import { element, toast, tryOrToast } from './ui/dom.js';
import { createLayout } from './ui/layout.js';
import { endLoading } from './ui/loading.js';
import { refreshStatus, setStatusOf } from './ui/status_line.js';
import { createTimeline } from './ui/timeline.js';
import { createToolPalette } from './ui/tool_palette.js';
import { createToolbar } from './ui/toolbar.js';
import { createTooltips } from './ui/tooltip.js';
import { Gizmos } from './view/gizmos.js';
import { createGroomDisplay } from './view/groom_display.js';
import { createHairInput } from './view/hair_input.js';
import { createLegend } from './view/legend.js';
import { createPointerInput } from './view/pointer_input.js';
import { UvView } from './view/uv_view.js';
import { View3d } from './view/view3d.js';
import { createViewPresets } from './view/view_presets.js';

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {HTMLElement} section */
function createView3d(section) {
  try {
    return new View3d(section);
  } catch (error) {
    endLoading();
    section.replaceChildren(element('p', { className: 'no-webgl', role: 'alert' },
      'This browser does not provide WebGL 2. Enable it (Firefox: webgl.force-enabled in about:config; Chromium: hardware acceleration in the settings) or use another browser. A GPU is not required.'));
    throw error;
  }
}

// Views

createLayout();
createTooltips();
const view3d = createView3d(byId('view3d'));
const gizmos = new Gizmos(view3d);
const uvView = new UvView(byId('uv-view'));
const legend = createLegend(view3d.section);
createViewPresets(view3d, uvView);
on('mapSelected', () => pointerInput.finish()); // a stroke ends with its map
const groomDisplay = createGroomDisplay(view3d, uvView);
for (const event of ['sceneChanged', 'frameChanged']) on(event, () => gizmos.refresh());

// Panels

const connectionBanner = createConnectionBanner();
const paintPanel = createPaintPanel(groomDisplay);
const brushed = new BrushedStrands();
const simulationPanel = createSimulationPanel({ view3d, display: groomDisplay.display, brushed });
const hairInput = createHairInput({
  view3d, strands: brushed, limit: simulationPanel.restLimit, isReady: () => simulationPanel.isGrooming() && brushed.packet !== null, showRest: simulationPanel.rest,
});
const groomPanel = createGroomPanel({ brushed, loadMaskMap: groomDisplay.loadMaskMap, budgets: simulationPanel.budgets, showRest: simulationPanel.showRest });
const renderPanel = createRenderPanel({ view3d, gizmos, displayedHair: simulationPanel.displayedHair });
const timeline = createTimeline(simulationPanel);
const pointerInput = createPointerInput({ view3d, uvView, gizmos, legend, actions: { dragHead: simulationPanel.dragHead }, hairInput });
createDock(byId('dock'), [
  paintPanel,
  groomPanel,
  createParameterPanel(),
  simulationPanel,
  renderPanel,
]);

// Tools, toolbar, keys

registerMapTools();
registerHairTools();
rememberBrush();
createToolPalette(byId('tools'), [
  ...mapActions,
]);
createToolbar(byId('toolbar'), groomDisplay.rootCount);
setStatusOf(byId('views'), () => activeTool().inputs);
on('toolChanged', refreshStatus);
finishBeforeHistory(() => pointerInput.finish());
listenToShortcuts();

// Document

const serverEvents = { state: (/** @type {any} */ event) => tryOrToast(() => applyServerEvent(event)), project: () => location.reload(), save: onSaveProgress, ...simulationPanel.events, ...renderPanel.events };

tryOrToast(async () => {
  await loadDocument();
  await groomDisplay.showGroom().finally(endLoading);
  await timeline.loadCache();
  if (state.restoredSteps > 0 && state.dirty) toast(`Restored unsaved work from the last session (${state.undo} undo ${state.undo === 1 ? 'step' : 'steps'}).`);
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
}).finally(endLoading);

// Access for tests and the browser console.
/** @type {any} */ (globalThis).coif = {
  state, edit, brush, paintTarget, view3d, uvView, gizmos, Painter, hit3d: pointerInput.hit3d, hitUv: pointerInput.hitUv, fill, gradient, invert, importFiles, addLayer, moveLayer,
  brushed, hairInput, flowArrows: groomDisplay.arrows, serverEvents, plots: simulationPanel.plots, strandMesh: simulationPanel.strandMesh, liveStats: simulationPanel.liveStats, renderImages: renderPanel.renderImages,
};
