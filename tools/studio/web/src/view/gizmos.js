// Gizmos for the camera and lights of the scene. The large handle moves an object, the small one its look-at target.
// Drags are written to the scene continuously; one drag is one undo step.

import * as THREE from 'three';
import { isKeyed, valueAtFrame, withKey } from '../state/keyframes.js';
import { edit, state } from '../state/store.js';
import { serialize } from '../ui/dom.js';
import { time } from '../ui/timeline.js';
import { lensAtFrame } from './shift_camera.js';

const AIMED_LIGHTS = new Set(['rectangle', 'disk', 'spot', 'distant']);
const POSITIONED_LIGHTS = new Set([...AIMED_LIGHTS, 'sphere', 'point']);
const PICK_RADIUS = 14; // pixels
const LIGHT_COLOR = 0xf2c14e;
const CAMERA_COLOR = 0x6cc7e8;
const FRUSTUM_LENGTH = 0.12; // metres, of the camera outline

let dragCount = 0;

/**
 * @typedef {object} GizmoItem
 * @property {string} name
 * @property {string} path JSON pointer of the scene object
 * @property {number} color
 * @property {THREE.Vector3} position
 * @property {THREE.Vector3 | null} target
 * @property {number[][]} outline closed polyline in local space, z towards the target
 * @property {boolean} [hasApex] lines from the position to the outline: a frustum or cone
 */

/** @typedef {{ item: GizmoItem, key: 'position' | 'target' }} Pick */
/** @typedef {Pick & { y: number, send: () => Promise<void> }} Drag */

/** @param {any} scene @param {any} schema @returns {GizmoItem[]} */
function gizmoItems(scene, schema) {
  /** @type {GizmoItem[]} */ const items = [];
  const vectorOf = (/** @type {any} */ value) => {
    const [x, y, z] = valueAtFrame(value, time.frame);
    return new THREE.Vector3(x, y, z);
  };
  const { camera } = scene;
  if (camera?.position !== undefined) {
    const size = schema.properties.image.properties;
    const aspect = (scene.image?.width ?? size.width.default) / (scene.image?.height ?? size.height.default);
    const { fov, shift } = lensAtFrame(camera, time.frame, aspect);
    const halfHeight = FRUSTUM_LENGTH * Math.tan((Math.PI * fov) / 360);
    const halfWidth = halfHeight * aspect;
    const [right, up] = shift.map((offset) => 2 * halfHeight * offset);
    items.push({ name: 'camera', path: '/camera', color: CAMERA_COLOR, position: vectorOf(camera.position), target: vectorOf(camera.look_at ?? [0, 0, 0]),
      outline: [[-halfWidth, -halfHeight], [halfWidth, -halfHeight], [halfWidth, halfHeight], [-halfWidth, halfHeight]].map(([x, y]) => [x + right, y + up, FRUSTUM_LENGTH]), hasApex: true });
  }
  const { properties } = schema.properties.lights.items;
  (scene.lights ?? []).forEach((/** @type {any} */ light, /** @type {number} */ i) => {
    const valueOf = (/** @type {string} */ key) => valueAtFrame(light[key] ?? properties[key].default, time.frame);
    const type = valueOf('type');
    if (POSITIONED_LIGHTS.has(type)) {
      items.push({ name: light.name || `light ${i}`, path: `/lights/${i}`, color: LIGHT_COLOR, position: vectorOf(valueOf('position')),
        target: AIMED_LIGHTS.has(type) ? vectorOf(valueOf('look_at')) : null, ...lightOutline(type, valueOf) });
    }
  });
  return items;
}

const circle = (/** @type {number} */ radius, /** @type {number} */ z) => Array.from({ length: 32 }, (_, i) => [radius * Math.cos((Math.PI * i) / 16), radius * Math.sin((Math.PI * i) / 16), z]);

/** @param {string} type @param {(key: string) => any} valueOf */
function lightOutline(type, valueOf) {
  const [w, h] = [valueOf('width') / 2, valueOf('height') / 2];
  switch (type) {
    case 'rectangle': return { outline: [[-w, -h, 0], [w, -h, 0], [w, h, 0], [-w, h, 0]] };
    case 'disk': case 'sphere': return { outline: circle(valueOf('radius'), 0) };
    case 'spot': return { outline: circle(0.3 * Math.tan((Math.PI * valueOf('cone_angle')) / 360), 0.3), hasApex: true };
    default: return { outline: circle(0.04, 0) };
  }
}

export class Gizmos {
  /** @param {import('./view3d.js').View3d} view3d */
  constructor(view3d) {
    this.view3d = view3d;
    this.group = new THREE.Group();
    this.group.visible = false;
    /** @type {GizmoItem[]} */ this.items = [];
    /** @type {Drag | null} */ this.drag = null;
    this.lastPath = ''; // of the last dragged item
    view3d.scene.add(this.group);
  }

  get visible() {
    return this.group.visible;
  }

  /** @param {boolean} visible */
  show(visible) {
    this.group.visible = visible;
    this.refresh();
  }

  // Rebuilds from the scene, except during a drag.
  refresh() {
    if (!this.drag && state.schema) {
      this.items = gizmoItems(state.scene, state.schema);
      this.build();
    }
  }

  build() {
    for (const child of /** @type {any[]} */ (this.group.children)) {
      if (!child.isSprite) child.geometry.dispose(); // three.js shares one geometry between sprites
      child.material.map?.dispose();
      child.material.dispose();
    }
    this.group.clear();
    for (const item of this.visible ? this.items : []) {
      this.group.add(outlineLines(item));
      this.group.add(handlePoint(item.position, item.color, 13), nameLabel(item));
      if (item.target) this.group.add(handlePoint(item.target, item.color, 8));
    }
    this.view3d.draw();
  }

  /** The handle at a pixel of the view. @param {number} x @param {number} y @returns {Pick | null} */
  pick(x, y) {
    /** @type {Pick | null} */ let best = null;
    let minimum = PICK_RADIUS;
    for (const item of this.visible ? this.items : []) {
      for (const key of /** @type {const} */ (['position', 'target'])) {
        const pixel = item[key] && this.view3d.toPixels(item[key].toArray());
        // Targets often coincide: the last dragged item has priority.
        const distance = pixel ? Math.hypot(pixel[0] - x, pixel[1] - y) - (item.path === this.lastPath ? 4 : 0) : Infinity;
        if (distance < minimum) [best, minimum] = [{ item, key }, distance];
      }
    }
    return best;
  }

  /** @param {number} x @param {number} y */
  begin(x, y) {
    const pick = this.pick(x, y);
    const stroke = `gizmo-${++dragCount}`;
    this.drag = pick && { ...pick, y, send: serialize(() => edit([this.editOf(pick)], stroke)) };
    if (pick) this.lastPath = pick.item.path;
    return pick !== null;
  }

  // Moves in the view plane. Targets snap to the body under the pointer; with Shift the object moves towards its
  // target or away from it. Returns a status text.
  /** @param {number} x @param {number} y @param {boolean} shift */
  move(x, y, shift) {
    const drag = /** @type {Drag} */ (this.drag);
    const { item, key } = drag;
    const point = /** @type {THREE.Vector3} */ (item[key]);
    const { origin, direction } = this.view3d.ray(x, y);
    const hit = key === 'target' ? this.view3d.hit(x, y) : null;
    if (hit) {
      point.fromArray(hit.point);
    } else if (shift && key === 'position' && item.target) {
      point.sub(item.target).multiplyScalar(Math.exp((y - drag.y) / 200)).add(item.target);
    } else {
      const ray = new THREE.Ray(new THREE.Vector3().fromArray(origin), new THREE.Vector3().fromArray(direction));
      const normal = this.view3d.camera.getWorldDirection(new THREE.Vector3());
      const on = ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point), new THREE.Vector3());
      if (on) point.copy(on);
    }
    drag.y = y;
    this.build();
    drag.send();
    return `${item.name}: ${key} ${point.toArray().map((v) => v.toFixed(2)).join(', ')} m`;
  }

  end() {
    const drag = /** @type {Drag} */ (this.drag);
    this.drag = null;
    return drag.send().then(() => this.refresh());
  }

  /** @param {Pick} drag */
  editOf({ item, key }) {
    const name = key === 'target' ? 'look_at' : 'position';
    const [, list, index] = item.path.split('/');
    const before = (index === undefined ? state.scene[list] : state.scene[list][index])?.[name];
    const now = /** @type {THREE.Vector3} */ (item[key]).toArray().map((v) => Number(v.toFixed(4)));
    return { path: `${item.path}/${name}`, value: isKeyed(before) ? withKey(before, time.frame, now) : now };
  }

  // Moves the view back until the body and all gizmos are visible.
  frameAll() {
    const { camera, controls, surface } = this.view3d;
    const box = new THREE.Box3().setFromArray(surface.positions);
    this.items.forEach((item) => box.expandByPoint(item.position));
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const back = camera.position.clone().sub(controls.target).normalize();
    controls.target.copy(sphere.center);
    camera.position.copy(sphere.center).addScaledVector(back, (1.1 * sphere.radius) / Math.sin((Math.PI * camera.fov) / 360));
    camera.far = Math.max(camera.far, 8 * sphere.radius);
    camera.updateProjectionMatrix();
    controls.update();
  }
}

/** @param {THREE.Vector3} at @param {number} color @param {number} size pixels */
function handlePoint(at, color, size) {
  const geometry = new THREE.BufferGeometry().setFromPoints([at]);
  const made = new THREE.Points(geometry, new THREE.PointsMaterial({ color, size: size * Math.min(devicePixelRatio, 2), sizeAttenuation: false, depthTest: false, transparent: true }));
  made.frustumCulled = false;
  made.renderOrder = 6;
  return made;
}

/** The name below the handle, at constant screen size. @param {GizmoItem} item */
function nameLabel({ name, position, color }) {
  const canvas = new OffscreenCanvas(256, 40);
  const c = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  Object.assign(c, { font: '26px system-ui, sans-serif', textAlign: 'center', lineWidth: 5, strokeStyle: '#202020', fillStyle: new THREE.Color(color).getStyle() });
  c.strokeText(name, 128, 29, 250);
  c.fillText(name, 128, 29, 250);
  const made = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), sizeAttenuation: false, depthTest: false, transparent: true }));
  made.scale.set(0.115, 0.018, 1);
  made.center.set(0.5, 1.5);
  made.position.copy(position);
  made.renderOrder = 6;
  return made;
}

/** The outline, the line to the target, and the edges of a frustum or cone. @param {GizmoItem} item */
function outlineLines({ position, target, outline, hasApex, color }) {
  const frame = new THREE.Object3D();
  frame.position.copy(position);
  frame.lookAt(target ?? position.clone().add(new THREE.Vector3(0, 0, 1)));
  frame.updateMatrixWorld();
  const loop = outline.map((p) => new THREE.Vector3().fromArray(p).applyMatrix4(frame.matrixWorld));
  const points = loop.flatMap((p, i) => [p, loop[(i + 1) % loop.length]]);
  if (hasApex) {
    for (let i = 0; i < 4; ++i) points.push(position, loop[(i * loop.length) / 4]);
  }
  if (target) points.push(position, target);
  const made = new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color }));
  made.frustumCulled = false;
  return made;
}
