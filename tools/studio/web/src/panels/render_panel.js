// render_pane: pictures by the real renderer, for the camera of the view or of the scene.

import { download, getBytes, post } from '../net/api.js';
import { attempt, button, element, isWriting, toast } from '../ui/dom.js';
import { isKeyed, valueAt, withKey } from '../state/keyframes.js';
import { layerChooser } from './aov_select.js';
import { lensOf } from '../view/shift_camera.js';
import { Prints } from '../view/render_images.js';
import { edit, on, state } from '../state/store.js';
import { time } from '../ui/timeline.js';

const LAYERS = ['hair_lobes', 'direct', 'indirect', 'albedo', 'N', 'tangent', 'Z', 'P', 'forward', 'root_uv', 'strand_id', 'samples', 'variance', 'crypto'];

const STAGES = { begun: 'beginning', growing: 'hair is growing', sketch: 'a sketch of fewer strands', picture: 'rendering', done: 'done', cancelled: 'stopped', failed: 'failed' };

// Seconds as one says them.
const span = (seconds) => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

// What is left is reckoned from the rays alone: hair grows but once.
function sayProgress({ state: stage, samples, of, seconds, rendering }, share) {
  const after = `${STAGES[stage]}, ${seconds.toFixed(1)} s`;
  if (stage === 'picture' && samples > 0) {
    return `${samples} of ${of} samples, ${seconds.toFixed(1)} s${share < 1 ? `, about ${span((rendering / share) * (1 - share))} left` : ''}`;
  }
  return stage === 'done' ? `done: ${of} samples, ${seconds.toFixed(1)} s` : after;
}

const PIXELS = 640 * 640; // of a picture of the view's shape

export function renderPane({ view3d, gizmos }) {
  const settings = { size: 'view', width: 640, height: 640, samples: 64, camera: 'view', hair: 'rest', exposure: 0, full: false, aovs: new Set(), crop: null };
  const stage = document.getElementById('picture');
  const now = element('img', { alt: 'the newest picture' });
  const before = element('img', { alt: 'the picture before', className: 'before' });
  const patch = element('img', { alt: 'the region, newest', className: 'patch', hidden: true }); // over the whole picture
  const divider = element('div', { className: 'divider', hidden: true });
  const frame = element('div', { className: 'frame' }, now, patch, before, divider);
  const beside = element('img', { alt: 'the picture before, beside', className: 'beside', hidden: true });
  const pair = element('div', { className: 'pair' }, frame, beside);
  const info = element('output', { className: 'note' }, 'Nothing rendered yet.');
  const bar = element('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
  stage.append(pair, button('Back to the head', 'hides the picture (Esc)', () => show(false), { className: 'back' }));
  const prints = new Prints({ now: [now], part: [patch], before: [before, beside] });
  let patching = null; // the region that is rendered, null: the whole picture

  // The scene's own words for the camera of the view.
  const cameraSets = () => {
    const round = (list) => JSON.stringify(list.map((x) => Number(x.toFixed(5))));
    const { camera, controls } = view3d;
    return [`camera/position=${round(camera.position.toArray())}`, `camera/look_at=${round(controls.target.toArray())}`,
      ...Object.entries(camera.words).map(([key, value]) => `camera/${key}=${value}`),
      'camera/projection=perspective', 'camera/focal_length=0', 'camera/film_width=0', 'camera/film_height=24'];
  };

  const show = (visible) => {
    stage.hidden = !visible;
    view3d.setCovered(visible);
    fit();
  };

  // As large as the view has room for; small pictures grow, up to four times.
  const fit = () => {
    if (!stage.hidden && now.naturalWidth) {
      const wide = beside.hidden ? 1 : 2;
      const scale = Math.min((stage.clientWidth - 4 * (wide - 1)) / (wide * now.naturalWidth), stage.clientHeight / now.naturalHeight, 4);
      for (const { style } of [frame, beside]) {
        style.width = `${Math.floor(scale * now.naturalWidth)}px`;
        style.height = `${Math.floor(scale * now.naturalHeight)}px`;
      }
    }
  };
  now.addEventListener('load', fit);
  new ResizeObserver(fit).observe(stage);

  // Width and height as the view or the scene has them, unless they were given by hand. A picture of the
  // shape of the view lies over what it shows.
  const takeSize = () => {
    if (settings.size === 'view') {
      const { clientWidth, clientHeight } = view3d.section;
      const scale = Math.sqrt(PIXELS / Math.max(1, clientWidth * clientHeight));
      Object.assign(settings, { width: 2 * Math.round(scale * clientWidth / 2) || 640, height: 2 * Math.round(scale * clientHeight / 2) || 640 });
    } else if (settings.size === 'scene') {
      const { properties } = state.schema.properties.image;
      for (const key of ['width', 'height']) settings[key] = state.scene.image?.[key] ?? properties[key].default;
    }
    sides.forEach(([input, key]) => { input.value = settings[key]; });
  };
  const sides = []; // [input, key]

  const render = (full) => attempt(async () => {
    settings.full = full;
    view3d.setCovered(true);
    if (!settings.crop) takeSize();
    patching = settings.crop;
    prints.begin(patching !== null);
    chooser.reset();
    patch.hidden = patching === null;
    if (patching) {
      const [x, y, width, height] = patching;
      patch.removeAttribute('src');
      Object.assign(patch.style, { left: `${(100 * x) / settings.width}%`, top: `${(100 * y) / settings.height}%`, width: `${(100 * width) / settings.width}%`, height: `${(100 * height) / settings.height}%` });
    }
    const sets = [`image/width=${settings.width}`, `image/height=${settings.height}`, `image/samples=${settings.samples}`,
      `image/denoise=${denoise.checked}`, ...(settings.camera === 'view' ? cameraSets() : [])];
    await post('/api/render', {}, { sets, full, sketch: true, frame: time.frame, cached: settings.hair === 'cache', live: settings.hair === 'live', crop: settings.crop ?? [0, 0, 0, 0], aovs: [...settings.aovs].join(' ') || undefined });
    show(true);
  });

  let latest = null;
  const fetchPicture = async () => {
    if (prints.fetching) {
      latest = true;
      return;
    }
    prints.fetching = true;
    await attempt(async () => {
      await prints.set(patching ? 'part' : 'now', await getBytes('/api/picture'));
    });
    prints.fetching = false;
    if (latest) {
      latest = null;
      await fetchPicture();
    }
  };

  const heard = (event) => {
    const share = event.of > 0 ? event.samples / event.of : 0;
    bar.value = event.state === 'sketch' ? 0 : share;
    info.textContent = sayProgress(event, share);
    document.body.dataset.picture = event.state;
    if (event.state === 'sketch' || event.state === 'picture') {
      fetchPicture();
    }
    if (event.state === 'done' && settings.full) {
      chooser.offer([...settings.aovs]);
    }
  };

  // Region: a rectangle dragged over the picture.
  const region = element('div', { className: 'region', hidden: true });
  frame.append(region);
  let from = null;
  const inFrame = (event) => {
    const box = now.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((x) => Math.min(1, Math.max(0, x)));
  };
  frame.addEventListener('pointerdown', (event) => {
    if (event.shiftKey) {
      from = inFrame(event);
      frame.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
  });
  frame.addEventListener('pointermove', (event) => {
    if (from) {
      const to = inFrame(event);
      Object.assign(region.style, {
        left: `${100 * Math.min(from[0], to[0])}%`, top: `${100 * Math.min(from[1], to[1])}%`,
        width: `${100 * Math.abs(to[0] - from[0])}%`, height: `${100 * Math.abs(to[1] - from[1])}%`,
      });
      region.hidden = false;
    }
  });
  frame.addEventListener('pointerup', (event) => {
    if (from) {
      const to = inFrame(event);
      const size = [settings.width, settings.height];
      const low = [0, 1].map((k) => Math.floor(Math.min(from[k], to[k]) * size[k]));
      const high = [0, 1].map((k) => Math.ceil(Math.max(from[k], to[k]) * size[k]));
      from = null;
      if (high[0] - low[0] > 3 && high[1] - low[1] > 3) {
        settings.crop = [low[0], low[1], high[0] - low[0], high[1] - low[1]];
        render(settings.full);
      }
    }
  });
  const wholePicture = () => {
    settings.crop = null;
    region.hidden = true;
  };

  const size = element('select', { 'aria-label': 'Size', onchange: () => { settings.size = size.value; takeSize(); } },
    element('option', { value: 'view' }, 'shape of the view'), element('option', { value: 'scene' }, 'of the scene'), element('option', { value: 'own' }, 'as written below'));
  const number = (label, key, low, high) => {
    const input = element('input', { type: 'number', min: low, max: high, value: settings[key], 'aria-label': label, onchange: () => {
      settings[key] = Math.min(high, Math.max(low, Math.round(Number(input.value)) || low));
      input.value = settings[key];
      if (key !== 'samples') settings.size = size.value = 'own';
    } });
    if (key !== 'samples') sides.push([input, key]);
    return element('div', { className: 'row wide' }, element('label', {}, label), input);
  };
  const camera = element('select', { 'aria-label': 'Camera', onchange: () => {
    settings.camera = camera.value;
    // Its own picture has the shape that its own camera was set up for.
    if (settings.size !== 'own') settings.size = size.value = camera.value;
    takeSize();
  } },
    element('option', { value: 'view' }, 'of the view'), element('option', { value: 'scene' }, 'of the scene'));
  const hair = element('select', { 'aria-label': 'Hair', title: 'Live: all strands follow those that move under Move; what a hand has done to the head is left out', onchange: () => { settings.hair = hair.value; } },
    element('option', { value: 'rest' }, 'at rest'), element('option', { value: 'cache' }, 'of the cache at this frame'), element('option', { value: 'live' }, 'live, as it is now'));
  const stops = element('output', {}, '0 stops');
  const exposure = element('input', { type: 'range', min: -4, max: 4, step: 0.1, value: 0, 'aria-label': 'Exposure', oninput: () => {
    stops.textContent = `${exposure.value} stops`;
    prints.expose(Number(exposure.value));
  } });
  const denoise = element('input', { type: 'checkbox', id: 'denoise', onchange: () => prints.setDenoised(denoise.checked) });
  const compare = element('input', { type: 'range', min: 0, max: 100, value: 0, 'aria-label': 'Picture before', oninput: () => {
    before.style.clipPath = `inset(0 ${100 - Number(compare.value)}% 0 0)`;
    divider.style.left = `${compare.value}%`;
    divider.hidden = Number(compare.value) === 0;
  } });
  const besideBox = element('input', { type: 'checkbox', id: 'side-by-side', onchange: () => {
    beside.hidden = !besideBox.checked;
    fit();
  } });
  const layers = element('div', { className: 'buttons' }, ...LAYERS.map((name) => {
    const made = button(name, `layer ${name} in the EXR file`, () => {
      const on = !settings.aovs.delete(name) && settings.aovs.add(name);
      made.setAttribute('aria-pressed', String(Boolean(on)));
    }, { 'aria-pressed': 'false' });
    return made;
  }));

  const chooser = layerChooser({
    prints, stage,
    chosen: (layer) => {
      patch.hidden = patching === null || Boolean(layer);
      show(true);
    },
  });

  // The picture that is looked at: a layer, exposed, without noise.
  const seen = () => (chooser.layer ? { layer: chooser.layer } : prints.query(patching ? 'part' : 'now') ?? {});

  // Into the scene: camera as it is seen, at this frame where it is keyed, and a light where the eye is.
  const at = (vector) => vector.toArray().map((x) => Number(x.toFixed(4)));
  const keepCamera = () => attempt(async () => {
    const given = state.scene.camera ?? {};
    const { fov, ...shift } = view3d.camera.words;
    const seen = { position: at(view3d.camera.position), look_at: at(view3d.controls.target), fov };
    // A film that is not shifted needs no words.
    for (const [key, value] of Object.entries(shift)) if (value !== 0) seen[key] = value;
    await edit([
      ...Object.entries(seen).map(([key, value]) => ({ place: `/camera/${key}`, value: isKeyed(given[key]) ? withKey(given[key], time.frame, value) : value })),
      // What would speak against it.
      ...['focal_length', 'film_width', 'film_height', 'film_offset_x', 'film_offset_y', 'projection', 'up'].filter((key) => given[key] !== undefined && seen[key] === undefined).map((key) => ({ place: `/camera/${key}` })),
    ]);
    toast('The scene has this camera now.');
  });
  const lookThrough = () => {
    const { position, look_at: target } = state.scene.camera ?? {};
    if (position === undefined) {
      toast('The scene has no camera of its own yet: look at the head as you like, then press Camera to scene.', { bad: true });
      return;
    }
    const { properties } = state.schema.properties.image;
    const [wide, high] = ['width', 'height'].map((key) => state.scene.image?.[key] ?? properties[key].default);
    const lens = lensOf(state.scene.camera, time.frame, wide / high);
    view3d.camera.fov = lens.fov;
    view3d.camera.setShift(...lens.shift);
    view3d.camera.position.set(...valueAt(position, time.frame));
    view3d.controls.target.set(...valueAt(target ?? [0, 0, 0], time.frame));
    view3d.camera.updateProjectionMatrix();
    view3d.controls.update();
    view3d.draw();
  };
  const addLight = () => attempt(async () => {
    await edit([{ place: '/lights/-', value: { name: `light${(state.scene.lights ?? []).length}`, type: 'rectangle', position: at(view3d.camera.position), look_at: at(view3d.controls.target), width: 0.5, height: 0.5, intensity: 8 } }]);
    showGizmos(true);
    toast('A light stands where you look from. Turn the view to see it, and drag it by its handle.');
  });
  const handles = element('input', { type: 'checkbox', id: 'handles', onchange: () => showGizmos(handles.checked) });
  const showGizmos = (visible) => {
    handles.checked = visible;
    gizmos.show(visible);
    if (visible) show(false);
  };

  on('scene', takeSize);
  on('state', () => { hair.options[1].disabled = !state.cache; });
  // A region is one of the picture that is there: its size stays.
  new ResizeObserver(() => { if (!now.src && state.schema) takeSize(); }).observe(view3d.section);

  const pane = element('div', {},
    element('h2', {}, 'Picture'),
    element('div', { className: 'buttons' },
      button('Preview', 'a rough picture at once, refined (R)', () => { wholePicture(); render(false); }, { id: 'preview', className: 'primary' }),
      button('Full frame', 'PNG and EXR, pass after pass', () => { wholePicture(); render(true); }),
      button('Stop', 'ends what is under way', () => attempt(() => post('/api/cancel'))),
      button('Hide', 'back to the head', () => show(false)), button('Show', 'the newest picture', () => {
        if (now.src) show(true);
        else toast('Nothing has been rendered yet: press Preview (R).', { bad: true });
      })),
    bar, info,
    element('p', { className: 'note' }, 'Shift-drag over the picture renders a region.'),
    element('div', { className: 'row wide' }, element('label', {}, 'Camera'), camera),
    element('div', { className: 'row wide' }, element('label', {}, 'Size'), size),
    number('Width', 'width', 16, 8192), number('Height', 'height', 16, 8192), number('Samples', 'samples', 1, 65536),
    element('div', { className: 'row wide' }, element('label', {}, 'Hair'), hair),
    element('div', { className: 'row' }, element('label', {}, 'Exposure'), exposure, stops),
    element('div', { className: 'buttons' }, element('label', { className: 'check', title: 'of pictures from now on, when all their samples are there (9 or more): less noise, and strands stay crisp. Files hold both pictures.' }, denoise, 'Denoise')),
    element('div', { className: 'row wide' }, element('label', {}, 'Before | now'), compare),
    element('div', { className: 'buttons' }, element('label', { className: 'check', title: 'the picture before on the left, the newest on the right' }, besideBox, 'Side by side')),
    element('div', { className: 'buttons' },
      button('Save PNG', 'as it is seen, into the scene’s folder, renders/; what is there stays', () => attempt(async () => {
        const { name } = await post('/api/picture', { name: `renders/${state.path.replace(/\.json$/, '')}.png`, ...seen() });
        toast(`Saved as ${name}.`);
      })),
      ...['png', 'exr'].map((format) => button(`Download ${format.toUpperCase()}`, format === 'exr' ? 'linear light with the layers below; after a full frame' : 'as it is seen', () =>
        attempt(() => download('/api/picture', { format, download: 1, ...(format === 'png' ? seen() : {}) }))))),
    element('h2', {}, 'Layers of the EXR'), layers,
    element('div', { className: 'row wide', title: 'of the last full frame' }, element('label', {}, 'Show'), chooser.element),
    element('h2', {}, 'Camera and lights'),
    element('div', { className: 'buttons' },
      element('label', { className: 'check', title: 'camera and lights in the view (C)' }, handles, 'Handles'),
      button('See all', 'the head with its camera and lights', () => { showGizmos(true); gizmos.frame(); }, { id: 'see-all' }),
      button('Light from here', 'a new light at the eye', addLight, { id: 'add-light' }),
      button('Camera to scene', 'the scene’s camera becomes that of the view', keepCamera, { id: 'keep-camera' }),
      button('Through camera', 'the view becomes that of the scene’s camera', lookThrough, { id: 'look-through' })),
    element('p', { className: 'note' }, 'Drag the large handle to place, the small one to aim; Shift-drag brings nearer. Numbers follow under Scene.'));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !document.querySelector('dialog')) show(false);
    if (event.key.toLowerCase() === 'c' && !event.ctrlKey && !event.metaKey && !isWriting(event.target)) {
      showGizmos(!gizmos.visible);
    }
    if (event.key.toLowerCase() === 'r' && !event.ctrlKey && !event.metaKey && !isWriting(event.target)) {
      wholePicture();
      render(false);
    }
  });
  return { title: 'Render', element: pane, prints, events: { picture: heard } };
}
