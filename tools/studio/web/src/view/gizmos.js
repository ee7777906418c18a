// gizmos: the camera and the lights of the scene in the view, to be taken by the hand. A round handle is
// where a thing stands, a small one where it looks; what is dragged is written into the scene as it
// moves, and one drag is one step of undo.

import * as THREE from 'three';
import { attempt } from '../ui/dom.js';
import { isKeyed, valueAt, withKey } from '../state/keyframes.js';
import { lensOf } from './shift_camera.js';
import { edit, state } from '../state/store.js';
import { time } from '../ui/timeline.js';

const AIMED = new Set(['rectangle', 'disk', 'spot', 'distant']);
const PLACED = new Set([...AIMED, 'sphere', 'point']);
const REACH = 14; // pixels around a handle
const LIGHT = 0xf2c14e, CAMERA = 0x6cc7e8;

let drags = 0;

// Everything of the scene that stands somewhere: {name, place, color, stands, aims, outline}.
function thingsOf(scene, schema) {
  const things = [];
  const at = (value) => new THREE.Vector3(...valueAt(value, time.frame));
  const { camera } = scene;
  if (camera?.position !== undefined) {
    const size = schema.properties.image.properties;
    const aspect = (scene.image?.width ?? size.width.default) / (scene.image?.height ?? size.height.default);
    const { fov, shift } = lensOf(camera, time.frame, aspect);
    const high = 0.12 * Math.tan((Math.PI * fov) / 360);
    const wide = high * aspect;
    const [right, up] = shift.map((share) => 2 * high * share);
    things.push({ name: 'camera', place: '/camera', color: CAMERA, stands: at(camera.position), aims: at(camera.look_at ?? [0, 0, 0]),
      outline: [[-wide, -high], [wide, -high], [wide, high], [-wide, high]].map(([x, y]) => [x + right, y + up, 0.12]), tip: true });
  }
  const { properties } = schema.properties.lights.items;
  (scene.lights ?? []).forEach((light, i) => {
    const of = (key) => valueAt(light[key] ?? properties[key].default, time.frame);
    const type = of('type');
    if (PLACED.has(type)) {
      things.push({ name: light.name || `light ${i}`, place: `/lights/${i}`, color: LIGHT, stands: at(of('position')),
        aims: AIMED.has(type) ? at(of('look_at')) : null, ...outlineOf(type, of) });
    }
  });
  return things;
}

const circle = (radius, z) => Array.from({ length: 32 }, (_, i) => [radius * Math.cos((Math.PI * i) / 16), radius * Math.sin((Math.PI * i) / 16), z]);

// A loop around the light, in its own space: z goes where it looks.
function outlineOf(type, of) {
  const [w, h] = [of('width') / 2, of('height') / 2];
  switch (type) {
    case 'rectangle': return { outline: [[-w, -h, 0], [w, -h, 0], [w, h, 0], [-w, h, 0]] };
    case 'disk': case 'sphere': return { outline: circle(of('radius'), 0) };
    case 'spot': return { outline: circle(0.3 * Math.tan((Math.PI * of('cone_angle')) / 360), 0.3), tip: true };
    default: return { outline: circle(0.04, 0) };
  }
}

export class Gizmos {
  constructor(view3d) {
    this.view3d = view3d;
    this.group = new THREE.Group();
    this.group.visible = false;
    this.things = [];
    this.held = null;
    view3d.scene.add(this.group);
  }

  get visible() {
    return this.group.visible;
  }

  show(visible) {
    this.group.visible = visible;
    this.refresh();
  }

  // As the scene says; what is in the hand stays there.
  refresh() {
    if (!this.held && state.schema) {
      this.things = thingsOf(state.scene, state.schema);
      this.build();
    }
  }

  build() {
    for (const child of this.group.children) {
      if (!child.isSprite) child.geometry.dispose(); // sprites share one
      child.material.map?.dispose();
      child.material.dispose();
    }
    this.group.clear();
    for (const thing of this.visible ? this.things : []) {
      this.group.add(linesOf(thing));
      this.group.add(handle(thing.stands, thing.color, 13), nameTag(thing));
      if (thing.aims) this.group.add(handle(thing.aims, thing.color, 8));
    }
    this.view3d.draw();
  }

  // The handle at a place of the view, in pixels.
  pick(x, y) {
    let best = null;
    let least = REACH;
    for (const thing of this.visible ? this.things : []) {
      for (const key of ['stands', 'aims']) {
        const seen = thing[key] && this.view3d.project(thing[key].toArray());
        // Aims often lie on each other: that of what was held last is on top.
        const distance = seen ? Math.hypot(seen[0] - x, seen[1] - y) - (thing.place === this.last ? 4 : 0) : Infinity;
        if (distance < least) [best, least] = [{ thing, key }, distance];
      }
    }
    return best;
  }

  begin(x, y) {
    this.held = this.pick(x, y);
    if (this.held) {
      this.last = this.held.thing.place;
      this.held.stroke = `gizmo-${++drags}`;
      this.held.y = y;
    }
    return this.held !== null;
  }

  // Along the plane of the view; an aim sticks to the body under the pointer; with Shift what stands
  // comes nearer to where it looks, or goes away from it.
  move(x, y, shift) {
    const { thing, key } = this.held;
    const at = thing[key];
    const { origin, direction } = this.view3d.ray(x, y);
    const hit = key === 'aims' ? this.view3d.hit(x, y) : null;
    if (hit) {
      at.set(...hit.point);
    } else if (shift && key === 'stands' && thing.aims) {
      at.sub(thing.aims).multiplyScalar(Math.exp((y - this.held.y) / 200)).add(thing.aims);
    } else {
      const ray = new THREE.Ray(new THREE.Vector3(...origin), new THREE.Vector3(...direction));
      const normal = this.view3d.camera.getWorldDirection(new THREE.Vector3());
      const on = ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, at), new THREE.Vector3());
      if (on) at.copy(on);
    }
    this.held.y = y;
    this.build();
    this.send();
    return `${thing.name}, ${key === 'aims' ? 'looks at' : 'stands at'} ${at.toArray().map((v) => v.toFixed(2)).join(', ')} m`;
  }

  end() {
    const { held } = this;
    this.held = null;
    return this.send(held).then(() => this.refresh());
  }

  // The newest place only, one request after the other.
  send(held = this.held) {
    held.wanted = true;
    held.sending ??= attempt(async () => {
      while (held.wanted) {
        held.wanted = false;
        await edit([this.editOf(held)], held.stroke);
      }
    }).finally(() => { held.sending = null; });
    return held.sending;
  }

  editOf({ thing, key }) {
    const name = key === 'aims' ? 'look_at' : 'position';
    const [, list, index] = thing.place.split('/');
    const before = (index === undefined ? state.scene[list] : state.scene[list][index])?.[name];
    const now = thing[key].toArray().map((v) => Number(v.toFixed(4)));
    return { place: `${thing.place}/${name}`, value: isKeyed(before) ? withKey(before, time.frame, now) : now };
  }

  // All of them and the head in one look.
  frame() {
    const { camera, controls, surface } = this.view3d;
    const box = new THREE.Box3().setFromArray(surface.positions);
    this.things.forEach((thing) => box.expandByPoint(thing.stands));
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const back = camera.position.clone().sub(controls.target).normalize();
    controls.target.copy(sphere.center);
    camera.position.copy(sphere.center).addScaledVector(back, (1.1 * sphere.radius) / Math.sin((Math.PI * camera.fov) / 360));
    camera.far = Math.max(camera.far, 8 * sphere.radius);
    camera.updateProjectionMatrix();
    controls.update();
  }
}

function handle(at, color, size) {
  const geometry = new THREE.BufferGeometry().setFromPoints([at]);
  const made = new THREE.Points(geometry, new THREE.PointsMaterial({ color, size: size * Math.min(devicePixelRatio, 2), sizeAttenuation: false, depthTest: false, transparent: true }));
  made.frustumCulled = false;
  made.renderOrder = 6;
  return made;
}

// The name below the handle, as large at any distance.
function nameTag({ name, stands, color }) {
  const picture = new OffscreenCanvas(256, 40);
  const c = picture.getContext('2d');
  Object.assign(c, { font: '26px system-ui, sans-serif', textAlign: 'center', lineWidth: 5, strokeStyle: '#202020', fillStyle: new THREE.Color(color).getStyle() });
  c.strokeText(name, 128, 29, 250);
  c.fillText(name, 128, 29, 250);
  const made = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(picture), sizeAttenuation: false, depthTest: false, transparent: true }));
  made.scale.set(0.115, 0.018, 1);
  made.center.set(0.5, 1.5);
  made.position.copy(stands);
  made.renderOrder = 6;
  return made;
}

// The outline, from there to where it looks, and for cones to their tip.
function linesOf({ stands, aims, outline, tip, color }) {
  const turned = new THREE.Object3D();
  turned.position.copy(stands);
  turned.lookAt(aims ?? stands.clone().add(new THREE.Vector3(0, 0, 1)));
  turned.updateMatrixWorld();
  const loop = outline.map((p) => new THREE.Vector3(...p).applyMatrix4(turned.matrixWorld));
  const points = loop.flatMap((p, i) => [p, loop[(i + 1) % loop.length]]);
  if (tip) {
    for (let i = 0; i < 4; ++i) points.push(stands, loop[(i * loop.length) / 4]);
  }
  if (aims) points.push(stands, aims);
  const made = new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color }));
  made.frustumCulled = false;
  made.isGizmo = true;
  return made;
}
