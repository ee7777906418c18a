// The Render tab: previews and final renders with the viewport's or the scene's camera.

import { download, getBytes, post } from '../net/api.js';
import { isKeyed, valueAtFrame, withKey } from '../state/keyframes.js';
import { uniqueName } from '../state/scene_entries.js';
import { registerShortcuts } from '../state/shortcuts.js';
import { edit, on, state } from '../state/store.js';
import { button, element, serialize, toast, tryOrToast } from '../ui/dom.js';
import { time } from '../ui/timeline.js';
import { RenderImages } from '../view/render_images.js';
import { createRenderPicture, cropOf } from '../view/render_picture.js';
import { lensAtFrame } from '../view/shift_camera.js';
import { createAovSelect } from './aov_select.js';

const VIEWPORT_PIXELS = 640 * 640; // of a render with the aspect of the viewport

/** @type {Record<string, string>} */
const PHASES = { started: 'Starting', generating: 'Generating hair', draft: 'Draft (fewer strands)', rendering: 'Rendering', done: 'Done', cancelled: 'Stopped', failed: 'Failed' };

const formatSeconds = (/** @type {number} */ seconds) => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

/** The estimate of the remaining time excludes hair generation, which happens once. @param {any} event @param {number} fraction */
function progressText({ state: phase, samples, of, seconds, rendering }, fraction) {
  if (phase === 'rendering' && samples > 0) {
    return `${samples} of ${of} samples, ${seconds.toFixed(1)} s${fraction < 1 ? `, about ${formatSeconds((rendering / fraction) * (1 - fraction))} left` : ''}`;
  }
  return phase === 'done' ? `Done: ${of} samples, ${seconds.toFixed(1)} s` : `${PHASES[phase]}, ${seconds.toFixed(1)} s`;
}

const imageDefault = (/** @type {string} */ key) => state.schema.properties.image.properties[key].default;

/**
 * @param {object} parts
 * @param {import('../view/view3d.js').View3d} parts.view3d
 * @param {import('../view/gizmos.js').Gizmos} parts.gizmos
 * @param {() => string} parts.displayedHair what the viewport displays: 'rest', 'cache' or 'live'
 */
export function createRenderPanel({ view3d, gizmos, displayedHair }) {
  /** @type {{ size: string, width: number, height: number, samples: number, camera: string, hair: string, final: boolean, aovs: Set<string>, crop: number[] | null }} */
  const settings = { size: 'view', width: 640, height: 640, samples: 64, camera: 'view', hair: 'view', final: false, aovs: new Set(), crop: null };
  const renderView = /** @type {HTMLElement} */ (document.getElementById('render-view'));
  const info = element('output', { className: 'note' }, 'Nothing rendered yet.');
  const bar = element('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
  const picture = createRenderPicture(renderView, {
    onClose: () => show(false),
    onRegion: (fractions) => {
      const crop = cropOf(fractions, settings.width, settings.height);
      if (crop) {
        settings.crop = crop;
        render(settings.final);
      }
    },
    onToggleRegion: () => showRegion(picture.patch.hidden),
  });
  const { current, previous, patch, beside } = picture;
  const renderImages = new RenderImages({ current: [current], region: [patch], previous: [previous, beside] });
  /** @type {number[] | null} the region being rendered; null: the whole image */ let renderedRegion = null;

  // The region is a picture of its own; shown in the whole one until it is hidden or an AOV is displayed.
  const showRegion = (/** @type {boolean} */ visible) => {
    patch.hidden = !visible;
    picture.regionButton.hidden = renderedRegion === null;
    picture.regionButton.setAttribute('aria-pressed', String(visible));
  };

  // The viewport camera as scene overrides.
  const cameraOverrides = () => {
    const round = (/** @type {number[]} */ list) => JSON.stringify(list.map((x) => Number(x.toFixed(5))));
    const { camera, controls } = view3d;
    return [`camera/position=${round(camera.position.toArray())}`, `camera/look_at=${round(controls.target.toArray())}`,
      ...Object.entries(camera.sceneLens).map(([key, value]) => `camera/${key}=${value}`),
      'camera/projection=perspective', 'camera/focal_length=0', 'camera/film_width=0', 'camera/film_height=24'];
  };

  const show = (/** @type {boolean} */ visible) => {
    renderView.hidden = !visible;
    view3d.setOccluded(visible);
    picture.fit();
  };

  /** @type {[HTMLInputElement, 'width' | 'height'][]} */ const sizeInputs = [];
  // Resolution of the viewport's aspect or of the scene; a custom size is kept.
  const updateSize = () => {
    if (settings.size === 'view') {
      const { clientWidth, clientHeight } = view3d.section;
      const scale = Math.sqrt(VIEWPORT_PIXELS / Math.max(1, clientWidth * clientHeight));
      settings.width = 2 * Math.round(scale * clientWidth / 2) || 640;
      settings.height = 2 * Math.round(scale * clientHeight / 2) || 640;
    } else if (settings.size === 'scene') {
      settings.width = state.scene.image?.width ?? imageDefault('width');
      settings.height = state.scene.image?.height ?? imageDefault('height');
    }
    sizeInputs.forEach(([input, key]) => { input.value = String(settings[key]); });
  };

  const render = (/** @type {boolean} */ final) => tryOrToast(async () => {
    settings.final = final;
    view3d.setOccluded(true);
    if (!settings.crop) updateSize();
    renderedRegion = settings.crop;
    renderImages.begin(renderedRegion !== null);
    aovSelect.reset();
    regionExr.hidden = true;
    showRegion(renderedRegion !== null);
    if (renderedRegion) picture.placePatch(renderedRegion, settings.width, settings.height);
    const hairSource = settings.hair === 'view' ? displayedHair() : settings.hair;
    const overrides = [`image/width=${settings.width}`, `image/height=${settings.height}`, `image/samples=${settings.samples}`,
      ...(final ? [] : [`image/denoise=${denoise.checked}`]), ...(settings.camera === 'view' ? cameraOverrides() : [])];
    await post('/api/render', {}, {
      overrides, final, draft: true, frame: time.frame, cache: hairSource === 'cache', live: hairSource === 'live',
      crop: settings.crop ?? [0, 0, 0, 0], aovs: [...settings.aovs].join(' ') || undefined,
    });
    show(true);
  });

  const fetchImage = serialize(async () => renderImages.set(renderedRegion ? 'region' : 'current', await getBytes('/api/image')));

  const onRenderEvent = (/** @type {any} */ event) => {
    const fraction = event.of > 0 ? event.samples / event.of : 0;
    bar.value = event.state === 'draft' ? 0 : fraction;
    info.textContent = progressText(event, fraction);
    document.body.dataset.renderState = event.state;
    if (event.state === 'draft' || event.state === 'rendering') renderImages.track(fetchImage());
    if (event.state === 'done' && settings.final) {
      regionExr.hidden = renderedRegion === null;
      aovSelect.setAvailable([...settings.aovs], renderedRegion ? 'region' : undefined);
    }
  };

  const clearRegion = () => {
    settings.crop = null;
    picture.outline.hidden = true;
  };

  const option = (/** @type {string} */ value, /** @type {string} */ label) => element('option', { value }, label);
  const size = element('select', { 'aria-label': 'Size', onchange: () => { settings.size = size.value; updateSize(); } },
    option('view', 'Viewport'), option('scene', 'Scene'), option('custom', 'Custom'));
  const numberRow = (/** @type {string} */ label, /** @type {'width' | 'height' | 'samples'} */ key, /** @type {number} */ low, /** @type {number} */ high) => {
    const input = element('input', { type: 'number', min: low, max: high, value: settings[key], 'aria-label': label, onchange: () => {
      const number = Math.round(input.valueAsNumber);
      if (Number.isFinite(number)) settings[key] = Math.min(high, Math.max(low, number)); // an empty or mistyped field changes nothing
      input.value = String(settings[key]);
      if (!Number.isFinite(number)) return;
      if (key !== 'samples') settings.size = size.value = 'custom';
    } });
    if (key !== 'samples') sizeInputs.push([input, key]);
    return element('div', { className: 'row wide' }, element('label', {}, label), input);
  };
  const camera = element('select', { 'aria-label': 'Camera', onchange: () => {
    settings.camera = camera.value;
    // Each camera has its own aspect.
    if (settings.size !== 'custom') settings.size = size.value = camera.value;
    updateSize();
  } }, option('view', 'Viewport camera'), option('scene', 'Scene camera'));
  const hair = element('select', { 'aria-label': 'Hair', title: 'The live simulation is rendered with all strands, with the head where it was dragged to', onchange: () => { settings.hair = hair.value; } },
    option('view', 'As in the viewport'), option('rest', 'Rest pose'), option('cache', 'Cache, current frame'), option('live', 'Live simulation'));
  const stops = element('output', {}, '0 stops');
  const exposure = element('input', { type: 'range', min: -4, max: 4, step: 0.1, value: 0, 'aria-label': 'Exposure', oninput: () => {
    stops.textContent = `${exposure.value} stops`;
    renderImages.setExposure(Number(exposure.value));
  } });
  const denoise = element('input', { type: 'checkbox', id: 'denoise', checked: true, onchange: () => renderImages.setDenoised(denoise.checked) });
  const compare = element('input', { type: 'range', min: 0, max: 100, value: 0, 'aria-label': 'Compare with previous', oninput: () => {
    picture.compare(Number(compare.value));
  } });
  const besideBox = element('input', { type: 'checkbox', id: 'side-by-side', onchange: () => picture.setBeside(besideBox.checked) });
  const regionExr = button('Download region EXR', 'Linear image of the region of the last final render, with its AOVs', () =>
    tryOrToast(() => download('/api/image', { format: 'exr', which: 'region', download: 1 })), { hidden: true });
  const aovButtons = element('div', { className: 'buttons' });
  const createAovButtons = () => aovButtons.replaceChildren(...state.aovs.map((/** @type {any} */ { name, layers }) => {
    const made = button(name, layers.length > 1 ? `AOVs ${layers.join(', ')}` : `AOV ${name}`, () => {
      const isOn = !settings.aovs.delete(name);
      if (isOn) settings.aovs.add(name);
      made.setAttribute('aria-pressed', String(isOn));
    }, { 'aria-pressed': String(settings.aovs.has(name)) });
    made.dataset.aov = name;
    return made;
  }));

  const aovSelect = createAovSelect({
    renderImages, renderView,
    onShown: (aov) => {
      showRegion(renderedRegion !== null && !aov);
      show(true);
    },
  });

  // The query of the displayed image: AOV, exposure, denoising, with or without the region.
  const displayedQuery = () => {
    if (aovSelect.aov) return aovSelect.query;
    return renderImages.query(patch.hidden ? 'current' : 'composite') ?? (renderedRegion ? renderImages.exposedQuery('current') : {});
  };

  const rounded = (/** @type {import('three').Vector3} */ vector) => vector.toArray().map((x) => Number(x.toFixed(4)));
  // Keyed parameters of the camera get a key at the current frame.
  const setSceneCamera = () => tryOrToast(async () => {
    const given = state.scene.camera ?? {};
    const { fov, ...shift } = view3d.camera.sceneLens;
    /** @type {Record<string, any>} */ const view = { position: rounded(view3d.camera.position), look_at: rounded(view3d.controls.target), fov };
    for (const [key, value] of Object.entries(shift)) if (value !== 0) view[key] = value;
    const conflicting = ['focal_length', 'film_width', 'film_height', 'film_offset_x', 'film_offset_y', 'projection', 'up'].filter((key) => given[key] !== undefined && view[key] === undefined);
    await edit([
      ...Object.entries(view).map(([key, value]) => ({ path: `/camera/${key}`, value: isKeyed(given[key]) ? withKey(given[key], time.frame, value) : value })),
      ...conflicting.map((key) => ({ path: `/camera/${key}` })),
    ]);
    toast('The scene camera now matches the view.');
  });
  const lookThrough = () => {
    const { position, look_at: target } = state.scene.camera ?? {};
    if (position === undefined) {
      toast('The scene has no camera yet. Choose a view, then press Set scene camera from view.', { bad: true });
      return;
    }
    const [width, height] = ['width', 'height'].map((key) => state.scene.image?.[key] ?? imageDefault(key));
    const lens = lensAtFrame(state.scene.camera, time.frame, width / height);
    view3d.camera.fov = lens.fov;
    view3d.camera.setShift(lens.shift[0], lens.shift[1]);
    view3d.camera.position.fromArray(valueAtFrame(position, time.frame));
    view3d.controls.target.fromArray(valueAtFrame(target ?? [0, 0, 0], time.frame));
    view3d.camera.updateProjectionMatrix();
    view3d.controls.update();
    view3d.draw();
  };
  const addLight = () => tryOrToast(async () => {
    await edit([{ path: '/lights/-', value: { name: uniqueName(state.scene.lights, 'light'), type: 'rectangle', position: rounded(view3d.camera.position), look_at: rounded(view3d.controls.target), width: 0.5, height: 0.5, intensity: 8 } }]);
    showGizmos(true);
    toast('Added a light at the viewpoint. Orbit to see it, and drag its handles.');
  });
  const gizmoBox = element('input', { type: 'checkbox', id: 'show-gizmos', onchange: () => showGizmos(gizmoBox.checked) });
  const showGizmos = (/** @type {boolean} */ visible) => {
    gizmoBox.checked = visible;
    gizmos.show(visible);
    if (visible) show(false);
  };

  on('sceneChanged', updateSize);
  on('sceneChanged', () => { if (aovButtons.childElementCount === 0) createAovButtons(); });
  on('stateChanged', () => { hair.options[2].disabled = !state.cache; });
  // After the first render the size stays: regions refer to it.
  new ResizeObserver(() => { if (!current.src && state.schema) updateSize(); }).observe(view3d.section);

  const row = (/** @type {string} */ label, /** @type {HTMLElement[]} */ ...controls) => element('div', { className: controls.length > 1 ? 'row' : 'row wide' }, element('label', {}, label), ...controls);
  const checkRow = (/** @type {string} */ label, /** @type {string} */ title, /** @type {HTMLElement} */ box) => element('div', { className: 'buttons' }, element('label', { className: 'check', title }, box, label));
  const panel = element('div', {},
    element('h2', {}, 'Render'),
    element('div', { className: 'buttons' },
      button('Preview', 'Progressive render: draft first, then refined (R)', () => { clearRegion(); render(false); }, { id: 'preview', className: 'primary' }),
      button('Final render', 'All samples, written as PNG and EXR', () => { clearRegion(); render(true); }, { id: 'final-render' }),
      button('Stop', 'Cancel the render', () => tryOrToast(() => post('/api/cancel'))),
      button('Close render', 'Return to the 3-D view (Esc)', () => show(false)), button('Show render', 'Show the current render', () => {
        if (current.src) show(true);
        else toast('Nothing rendered yet. Press Preview (R).', { bad: true });
      })),
    bar, info,
    element('p', { className: 'note' }, 'Shift-drag over the picture to render a region. Wheel zooms, drag pans, 0 fits.'),
    row('Camera', camera), row('Size', size),
    numberRow('Width', 'width', 16, 8192), numberRow('Height', 'height', 16, 8192), numberRow('Samples', 'samples', 1, 65536),
    row('Hair', hair), row('Exposure', exposure, stops),
    checkRow('Denoise', 'Denoise previews of at least 9 samples, and show the denoised image. Final renders follow image/denoise of the scene; their EXR files contain both images.', denoise),
    row('Compare with previous', compare),
    checkRow('Side by side', 'Previous render on the left, current on the right', besideBox),
    element('div', { className: 'buttons' },
      button('Save PNG', 'Save the picture as displayed to renders/ in the scene folder as SCENE.FRAME.png, or under the next free name', () => tryOrToast(async () => {
        const { name } = await post('/api/image', displayedQuery());
        toast(`Saved ${name}.`);
      })),
      ...['png', 'exr'].map((format) => button(`Download ${format.toUpperCase()}`, format === 'exr' ? 'Linear image of the last final render of the whole picture, with its AOVs' : 'The picture as displayed', () =>
        tryOrToast(() => download('/api/image', { format, download: 1, ...(format === 'png' ? displayedQuery() : {}) })))), regionExr),
    element('h2', {}, 'Render passes (AOVs)'), aovButtons,
    element('div', { className: 'row wide', title: 'An AOV of the last final render' }, element('label', {}, 'Show'), aovSelect.element),
    element('h2', {}, 'Camera and lights'),
    element('div', { className: 'buttons' },
      element('label', { className: 'check', title: 'Show camera and lights in the 3-D view (C)' }, gizmoBox, 'Show gizmos'),
      button('Frame lights and camera', 'Frame the head with camera and lights', () => { showGizmos(true); gizmos.frameAll(); }, { id: 'frame-all' }),
      button('Add light at viewpoint', 'Add a light at the position of the viewport camera', addLight, { id: 'add-light' }),
      button('Set scene camera from view', 'Copy the viewport camera to the scene', setSceneCamera, { id: 'set-scene-camera' }),
      button('Look through scene camera', 'Set the viewport camera to the scene camera', lookThrough, { id: 'look-through' })),
    element('p', { className: 'note' }, 'Drag the large handle to move, the small one to aim; Shift-drag changes the distance. The values are in the Scene tab.'));
  const section = 'Simulation and rendering';
  registerShortcuts([
    { key: 'r', shift: false, section, help: 'Preview render', action: () => { clearRegion(); render(false); } },
    { key: 'c', shift: false, section, help: 'Show or hide camera and light gizmos', action: () => showGizmos(!gizmos.visible) },
    { key: 'escape', label: 'Esc', section, help: 'Close the rendered picture', action: () => show(false), ignores: () => renderView.hidden },
  ]);
  renderImages.denoised = denoise.checked;
  return { id: 'render', title: 'Render', element: panel, renderImages, events: { render: onRenderEvent } };
}
