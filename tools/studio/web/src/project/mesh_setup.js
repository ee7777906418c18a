// "New from mesh": a mesh is read, its unit, scalp and texture coordinates are settled, and a scene with a hairstyle is
// made from it.

import { getBytes, put } from '../net/api.js';
import { button, element, toast, tryOrToast } from '../ui/dom.js';
import { browse } from './file_browser.js';
import { boundsOf, checkUvs, cornerPositions, detectUnit, EAR_SLOPE, formatLength, guessHairline, helperNames, looksZUp, parseMesh, scalpNames, UNITS } from './mesh_packet.js';
import { MeshPreview } from './mesh_preview.js';
import { createScene, targetFields } from './new_scene.js';

export const MESH_EXTENSIONS = ['obj', 'ply', 'glb', 'abc', 'usda', 'usdc', 'usd', 'usdz'];

/** @typedef {import('./mesh_packet.js').MeshFile} MeshFile */

const extensionOf = (/** @type {string} */ name) => name.split('.').pop()?.toLowerCase() ?? '';
const percent = (/** @type {number} */ share) => `${Math.max(1, Math.round(100 * share))} %`;

/** Uploads a mesh with its materials; returns the path of the mesh. @param {File[]} files */
export async function uploadMesh(files) {
  const mesh = files.find((file) => MESH_EXTENSIONS.includes(extensionOf(file.name)));
  if (!mesh) throw new Error(`No mesh among the files: expected ${MESH_EXTENSIONS.map((each) => `.${each}`).join(', ')}.`);
  let path = '';
  for (const [i, file] of files.entries()) {
    const reply = await put('/api/project/mesh', { name: file.name, first: i === 0 ? 1 : 0 }, file);
    if (file === mesh) path = reply.path;
  }
  return path;
}

/** @param {string} title @param {...(Node | string)} children */
const section = (title, ...children) => element('section', {}, element('h2', {}, title), ...children);

/** @param {string} label @param {boolean} checked @param {(checked: boolean) => void} change @param {Record<string, any>} [attributes] */
const checkbox = (label, checked, change, attributes = {}) => {
  const input = element('input', { type: 'checkbox', checked, onchange: () => change(input.checked), ...attributes });
  return element('label', { className: 'check' }, input, label);
};

/** A table of names with the columns Body and Scalp. @param {string} title @param {string[]} names @param {Int32Array} ownerOf @param {Set<number>} leftOut @param {Set<number>} scalp @param {() => void} change */
function partsTable(title, names, ownerOf, leftOut, scalp, change) {
  const counts = names.map(() => 0);
  ownerOf.forEach((owner) => { if (owner >= 0) ++counts[owner]; });
  const order = names.map((_, i) => i).filter((i) => counts[i] > 0).sort((a, b) => counts[b] - counts[a]);
  const box = (/** @type {number} */ i, /** @type {string} */ label, /** @type {boolean} */ checked, /** @type {(checked: boolean) => void} */ set) => {
    const input = element('input', { type: 'checkbox', checked, 'aria-label': `${label}: ${names[i]}`, onchange: () => { set(input.checked); change(); } });
    return element('td', {}, input);
  };
  const row = (/** @type {number} */ i) => element('tr', {}, element('th', { scope: 'row' }, names[i]), element('td', { className: 'note' }, counts[i].toLocaleString('en')),
    box(i, 'Body', !leftOut.has(i), (checked) => leftOut[checked ? 'delete' : 'add'](i)),
    box(i, 'Scalp', scalp.has(i), (checked) => scalp[checked ? 'add' : 'delete'](i)));
  return element('details', { className: 'parts', open: order.length > 1 },
    element('summary', {}, `${title} (${order.length})`),
    element('div', { className: 'parts-list' }, element('table', {},
      element('thead', {}, element('tr', {}, ...['Name', 'Triangles', 'Body', 'Scalp'].map((text) => element('th', { scope: 'col' }, text)))),
      element('tbody', {}, ...order.map(row)))));
}

class MeshSetup {
  /** @param {MeshFile} mesh @param {string} path @param {any} project @param {HTMLElement} root */
  constructor(mesh, path, project, root) {
    this.mesh = mesh;
    this.path = path;
    this.project = project;
    this.corners = this.normals = new Float32Array(0); // y up
    this.scale = 1;
    this.zUp = false;
    const indicesOf = (/** @type {string[]} */ names, /** @type {string[]} */ chosen) => new Set(chosen.map((name) => names.indexOf(name)));
    this.leftOut = { groups: indicesOf(mesh.groups, helperNames(mesh.groups)), materials: /** @type {Set<number>} */ (new Set()) };
    if (this.leftOut.groups.size === mesh.groups.length) this.leftOut.groups.clear();
    const named = { groups: indicesOf(mesh.groups, scalpNames(mesh.groups)), materials: indicesOf(mesh.materials, scalpNames(mesh.materials)) };
    this.hasScalp = named.groups.size + named.materials.size > 0;
    this.scalp = this.hasScalp ? named : { groups: new Set([this.largestGroup()]), materials: /** @type {Set<number>} */ (new Set()) };
    this.hairline = { on: !this.hasScalp, slope: 1, offset: 0, raise: 0, middle: 0, halfWidth: 1, ears: 0 };
    this.unwrap = !mesh.uvs;
    this.preset = 'straight';
    this.preview = new MeshPreview();
    const whole = boundsOf(cornerPositions(mesh, false), this.keptMask());
    if (!mesh.archive) this.zUp = looksZUp(whole.size);
    this.turn();
    root.replaceChildren(this.preview.element, this.build());
    this.update();
    this.preview.frame(this.bounds());
  }

  // The largest group of those that stay.
  largestGroup() {
    const counts = this.mesh.groups.map(() => 0);
    this.mesh.groupOf.forEach((group) => { if (!this.leftOut.groups.has(group)) ++counts[group]; });
    return counts.indexOf(Math.max(...counts));
  }

  // Positions and normals with y up, and the hairline for them.
  turn() {
    const turned = { ...this.mesh, positions: this.mesh.normals, indices: Uint32Array.from({ length: 3 * this.mesh.triangles }, (_, i) => i) };
    this.corners = cornerPositions(this.mesh, this.zUp);
    this.normals = cornerPositions(turned, this.zUp);
    this.guess();
  }

  guess() {
    Object.assign(this.hairline, guessHairline(this.corners, this.chosenMask(), this.scale));
  }

  /** @param {number} t */
  isKept(t) {
    return !this.leftOut.groups.has(this.mesh.groupOf[t]) && !this.leftOut.materials.has(this.mesh.materialOf[t]);
  }

  keptMask() {
    return Uint8Array.from({ length: this.mesh.triangles }, (_, t) => (this.isKept(t) ? 1 : 0));
  }

  // Triangles of the chosen groups and materials, without the hairline.
  chosenMask() {
    return Uint8Array.from({ length: this.mesh.triangles }, (_, t) => (this.isKept(t) && (this.scalp.groups.has(this.mesh.groupOf[t]) || this.scalp.materials.has(this.mesh.materialOf[t])) ? 1 : 0));
  }

  bounds() {
    return boundsOf(this.corners, this.keptMask());
  }

  // Hair grows where a x + b y + c z > d for all of them.
  planes() {
    const { on, slope, offset, raise, middle, halfWidth, ears } = this.hairline;
    const side = (/** @type {number} */ x) => [x, EAR_SLOPE, 0, x * middle - halfWidth + EAR_SLOPE * ears];
    return on ? [[0, 1, -slope, offset + raise / this.scale], side(1), side(-1)] : [];
  }

  // 0 left out, 1 body, 2 scalp.
  parts() {
    const planes = this.planes();
    const chosen = this.chosenMask();
    return this.keptMask().map((kept, t) => {
      const corners = this.corners.subarray(9 * t, 9 * t + 9);
      const [x, y, z] = [0, 1, 2].map((k) => (corners[k] + corners[k + 3] + corners[k + 6]) / 3);
      return kept === 0 ? 0 : chosen[t] && planes.every(([a, b, c, d]) => a * x + b * y + c * z > d) ? 2 : 1;
    });
  }

  build() {
    const { mesh } = this;
    this.sizeNote = element('div', { className: 'unit-note', role: 'status' });
    this.unitSelect = element('select', { 'aria-label': 'Unit of the file', disabled: mesh.archive, onchange: () => this.setScale(Number(this.unitSelect?.value)) });
    const up = element('select', { 'aria-label': 'Up axis', disabled: mesh.archive, onchange: () => { this.zUp = up.value === 'z'; this.turn(); this.update(); this.preview.frame(this.bounds()); } },
      ...['y', 'z'].map((axis) => element('option', { value: axis, selected: (axis === 'z') === this.zUp }, `${axis.toUpperCase()} up`)));
    const change = () => { if (this.hairline.raise === 0) this.guess(); this.update(); };
    this.scalpNote = element('p', { className: 'note', role: 'status' });
    const raise = element('input', { type: 'range', min: -0.08, max: 0.08, step: 0.002, value: 0, 'aria-label': 'Height of the hairline', oninput: () => { this.hairline.raise = Number(raise.value); this.update(); } });
    const tilt = element('input', { type: 'range', min: -1, max: 1, step: 0.02, value: 0, 'aria-label': 'Tilt of the hairline', oninput: () => this.tilt(Number(tilt.value)) });
    const sliders = element('div', { hidden: !this.hairline.on }, element('label', { className: 'field' }, 'Height', raise), element('label', { className: 'field' }, 'Tilt', tilt));
    const cut = checkbox('Only above a hairline', this.hairline.on, (on) => { this.hairline.on = on; sliders.hidden = !on; this.update(); }, { 'aria-label': 'Only above a hairline' });
    this.uvNote = element('p', { className: 'note', role: 'status' });
    const unwrap = checkbox('New texture coordinates (unwrap)', this.unwrap, (on) => { this.unwrap = on; this.update(); }, { disabled: !mesh.uvs || mesh.animated, 'aria-label': 'New texture coordinates' });
    const presets = this.project.templates.filter((/** @type {any} */ each) => each.kind === 'preset');
    if (!presets.some((/** @type {any} */ each) => each.name === this.preset)) this.preset = '';
    const picture = element('img', { alt: '' });
    const style = element('select', { 'aria-label': 'Hairstyle', onchange: () => { this.preset = style.value; showPicture(); } },
      element('option', { value: '' }, 'plain: short, even hair'),
      ...presets.map((/** @type {any} */ each) => element('option', { value: each.name, selected: each.name === this.preset }, `${each.name}: ${each.help}`)));
    const showPicture = () => tryOrToast(async () => {
      const found = presets.find((/** @type {any} */ each) => each.name === this.preset);
      picture.hidden = !found?.picture;
      if (found?.picture) picture.src = URL.createObjectURL(new Blob([await getBytes('/api/project/picture', { kind: 'preset', name: found.name })], { type: 'image/jpeg' }));
    });
    showPicture();
    const fields = targetFields(this.project.name ?? mesh.name.replace(/\.[^.]*$/, ''), this.project.folder);
    const create = element('button', { className: 'primary create' }, 'Create scene');
    const form = element('form', { className: 'mesh-form', 'aria-label': 'New scene from a mesh' },
      element('header', {}, element('h1', {}, mesh.name), element('p', { className: 'note' }, `${mesh.triangles.toLocaleString('en')} triangles${mesh.animated ? ', animated' : ''}`),
        button('Back', 'Back to the start page', () => location.reload())),
      section('Size', this.sizeNote, element('div', { className: 'field' }, 'One unit is', this.unitSelect), element('div', { className: 'field' }, 'Up axis', up)),
      section('Scalp', partsTable('Groups', mesh.groups, mesh.groupOf, this.leftOut.groups, this.scalp.groups, change),
        ...(mesh.materials.length ? [partsTable('Materials', mesh.materials, mesh.materialOf, this.leftOut.materials, this.scalp.materials, change)] : []),
        cut, sliders, this.scalpNote,
        element('div', { className: 'buttons' }, button('Show scalp', 'Zoom to the scalp', () => this.preview.frame(boundsOf(this.corners, this.parts().map((part) => (part === 2 ? 1 : 0))))),
          button('Show all', 'Zoom to the whole mesh', () => this.preview.frame(this.bounds())))),
      section('Texture coordinates', this.uvNote, unwrap),
      section('Hairstyle', style, picture),
      section('Scene', ...fields.rows),
      element('div', { className: 'buttons' }, create));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      create.disabled = true;
      await createScene({ ...fields.read(), mesh: this.request() });
      create.disabled = false;
    });
    return form;
  }

  /** Turns the hairline about its middle. @param {number} by */
  tilt(by) {
    const guessed = guessHairline(this.corners, this.chosenMask(), this.scale);
    const { low, high } = boundsOf(this.corners, this.parts().map((part) => (part === 2 ? 1 : 0)));
    const middle = Number.isFinite(low[2]) ? (low[2] + high[2]) / 2 : 0;
    const slope = guessed.slope + by;
    Object.assign(this.hairline, { slope, offset: guessed.offset + (guessed.slope - slope) * middle });
    this.update();
  }

  /** @param {number} scale */
  setScale(scale) {
    this.scale = scale;
    this.guess();
    this.update();
  }

  showSize() {
    const { size } = this.bounds();
    const { isBody, best, isPlausible } = detectUnit(size);
    const height = (/** @type {number} */ scale) => formatLength(size[1] * scale);
    const what = isBody ? 'body' : 'head';
    /** @type {HTMLSelectElement} */ (this.unitSelect).replaceChildren(...UNITS.map((unit) => element('option', { value: unit.scale, selected: unit.scale === this.scale }, `1 ${unit.name.replace(/s$/, '').replace('inche', 'inch').replace('feet', 'foot')} (${height(unit.scale)} high)`)));
    const note = /** @type {HTMLElement} */ (this.sizeNote);
    note.classList.toggle('bad', !isPlausible(this.scale));
    if (isPlausible(this.scale)) {
      note.replaceChildren(`The ${what} is ${height(this.scale)} high.`);
      return;
    }
    const choices = [best, ...UNITS.filter((unit) => unit !== best && isPlausible(unit.scale))].slice(0, 2);
    if (!choices.some((unit) => unit.name === 'centimetres') && best.scale < 1 && best.scale >= 0.01) choices.push(UNITS[2]);
    note.replaceChildren(`${height(this.scale)} is ${size[1] * this.scale > 2 ? 'too high' : 'too small'} for a ${what}. The file may be in other units: `,
      ...(this.mesh.archive ? [] : choices.map((unit) => button(`${unit.name}: ${height(unit.scale)}`, `One unit of the file is ${unit.scale} m`, () => this.setScale(unit.scale)))));
  }

  update() {
    const parts = this.parts();
    const scalp = parts.map((part) => (part === 2 ? 1 : 0));
    this.showSize();
    let area = 0;
    const triangle = this.corners;
    scalp.forEach((kept, t) => {
      if (!kept) return;
      const [ax, ay, az, bx, by, bz, cx, cy, cz] = triangle.subarray(9 * t, 9 * t + 9);
      const [p, q] = [[bx - ax, by - ay, bz - az], [cx - ax, cy - ay, cz - az]];
      area += Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]) / 2;
    });
    const cm2 = area * this.scale ** 2 * 1e4;
    /** @type {HTMLElement} */ (this.scalpNote).textContent = cm2 === 0 ? 'No part of the mesh is chosen as scalp.'
      : `Hair grows on ${cm2 < 10 ? cm2.toPrecision(2) : Math.round(cm2).toLocaleString('en')} cm², coloured in the view. An adult scalp has about 600 cm².`;
    /** @type {HTMLElement} */ (this.uvNote).textContent = this.uvText(scalp);
    this.preview.show(this.corners, this.normals, parts);
  }

  /** @param {Uint8Array} scalp */
  uvText(scalp) {
    if (!this.mesh.uvs) return this.mesh.animated ? 'The mesh has none, so that maps cannot be painted.' : 'The mesh has none. They are made now, and a copy of the mesh is saved beside the scene.';
    if (this.unwrap) return 'New ones are made, and a copy of the mesh is saved beside the scene.';
    const { shared, degenerate, outside } = checkUvs(this.mesh.uvs, scalp);
    const faults = [
      ...(shared > 0.01 ? [`${percent(shared)} of the scalp shares texels with another part of it, and would be painted together with it`] : []),
      ...(degenerate > 0.01 ? [`${percent(degenerate)} of the triangles have no area in the image`] : []),
    ];
    if (faults.length) return `${faults.join('; ')}: an unwrap is advised.`;
    return outside > 0.01 ? 'The scalp uses several UDIM tiles or lies outside of the first one.' : 'The texture coordinates of the scalp can be painted.';
  }

  request() {
    const { mesh } = this;
    const names = (/** @type {Set<number>} */ chosen, /** @type {string[]} */ of) => [...chosen].map((i) => of[i]);
    return {
      path: this.path, scale: this.scale, z_up: this.zUp, unwrap: this.unwrap, planes: this.planes().flat(), preset: this.preset,
      left_out_groups: names(this.leftOut.groups, mesh.groups), left_out_materials: names(this.leftOut.materials, mesh.materials),
      scalp_groups: names(this.scalp.groups, mesh.groups), scalp_materials: names(this.scalp.materials, mesh.materials),
    };
  }
}

/** Shows the setup of a mesh in place of the start page. @param {string} path @param {any} project @param {HTMLElement} root */
export const setupMesh = (path, project, root) => tryOrToast(async () => {
  root.setAttribute('aria-busy', 'true');
  const busy = toast(`Reading ${path.split('/').pop()}…`);
  try {
    const mesh = parseMesh(await getBytes('/api/project/mesh', { path }));
    root.classList.add('setup');
    /** @type {any} */ (globalThis).coifSetup = new MeshSetup(mesh, path, project, root);
    document.body.dataset.setup = 'true';
  } finally {
    busy.remove();
    root.removeAttribute('aria-busy');
  }
});

/** The area to drop or choose a mesh. @param {any} project @param {HTMLElement} root */
export function meshDrop(project, root) {
  const take = (/** @type {File[]} */ files) => { if (files.length) tryOrToast(async () => setupMesh(await uploadMesh(files), project, root)); };
  const input = element('input', { type: 'file', multiple: true, hidden: true, id: 'mesh-file', onchange: () => take([...(input.files ?? [])]) });
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    take([...(event.dataTransfer?.files ?? [])]);
  });
  return element('div', { className: 'drop' }, element('strong', {}, 'New from mesh'),
    element('p', { className: 'note' }, 'Drop a head or body here: .obj with its .mtl and images, .ply, .glb, .abc, .usd'),
    element('div', { className: 'buttons' }, button('Upload…', 'Choose a file of this computer', () => input.click(), { className: 'primary' }),
      button('Path…', 'Choose a file by its path; it stays where it is', async () => {
        const path = await browse({ title: 'Open a mesh', folder: project.folder, extensions: MESH_EXTENSIONS });
        if (path) setupMesh(path, project, root);
      })), input);
}
