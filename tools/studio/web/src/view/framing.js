// What the two views show: standard directions, and fitting the scalp, the selected groom or everything into a view.

import * as THREE from 'three';

const MARGIN = 1.14; // of the fitted sphere

/** @typedef {import('./view3d.js').View3d} View3d */

// Growth area of the body.
/** @param {View3d} view3d */
export function scalpBox({ surface, home }) {
  return surface ? home.box : new THREE.Box3();
}

// The displayed strands of the selected groom, or the growth area while none are displayed.
/** @param {View3d} view3d */
export function selectedBox(view3d) {
  const { hair } = view3d.liveHair;
  if (!hair) return scalpBox(view3d);
  const { origin, step } = hair.packet;
  return new THREE.Box3(new THREE.Vector3().fromArray(origin), new THREE.Vector3().fromArray(origin.map((low, k) => low + 65535 * step[k])));
}

// Body and hair.
/** @param {View3d} view3d */
export function wholeBox(view3d) {
  const box = selectedBox(view3d).clone();
  if (view3d.surface) box.union(new THREE.Box3().setFromArray(view3d.surface.positions));
  return box;
}

/** Fits the bounding sphere of a box; direction points from its centre to the camera. @param {View3d} view3d @param {THREE.Box3} box @param {number[]} [direction] */
export function fitBox(view3d, box, direction) {
  if (box.isEmpty()) return;
  const { camera, controls } = view3d;
  const sphere = box.getBoundingSphere(new THREE.Sphere());
  const towards = direction ? new THREE.Vector3().fromArray(direction) : camera.position.clone().sub(controls.target);
  const distance = (MARGIN * Math.max(1e-4, sphere.radius)) / (Math.sin((Math.PI * camera.fov) / 360) * Math.min(1, camera.aspect));
  camera.setShift(0, 0);
  controls.target.copy(sphere.center);
  camera.position.copy(sphere.center).addScaledVector(towards.normalize(), distance);
  camera.far = Math.max(camera.far, 8 * distance);
  camera.updateProjectionMatrix();
  controls.update();
  view3d.draw();
}

/** Turns the camera about its target. @param {View3d} view3d @param {number} azimuth radians to the right @param {number} elevation radians upwards */
export function orbitBy({ camera, controls }, azimuth, elevation) {
  const offset = new THREE.Spherical().setFromVector3(camera.position.clone().sub(controls.target));
  offset.theta += azimuth;
  offset.phi -= elevation;
  camera.position.setFromSpherical(offset.makeSafe()).add(controls.target);
  controls.update();
}

/** @typedef {{ left: number, low: number, right: number, high: number }} UvBox */

// UVs of the growth area.
/** @param {import('../paint/surface.js').Surface} surface @returns {UvBox | null} */
export function scalpUvBox({ uvs, growthMask, triangles }) {
  if (!uvs) return null;
  const box = { left: Infinity, low: Infinity, right: -Infinity, high: -Infinity };
  for (let t = 0; t < triangles; ++t) {
    for (let i = 6 * t; growthMask[t] && i < 6 * t + 6; i += 2) {
      box.left = Math.min(box.left, uvs[i]);
      box.right = Math.max(box.right, uvs[i]);
      box.low = Math.min(box.low, uvs[i + 1]);
      box.high = Math.max(box.high, uvs[i + 1]);
    }
  }
  return box.right > box.left ? box : null;
}

/** Shows a box of the UV plane; null: all UDIM squares. @param {import('./uv_view.js').UvView} uvView @param {UvBox | null} box */
export function fitUvBox(uvView, box) {
  const { extent, section: { clientWidth: width, clientHeight: height }, udims } = uvView;
  if (box) {
    const zoom = Math.min(width / (box.right - box.left), height / (box.high - box.low)) / Math.min(width / extent[0], height / extent[1]);
    Object.assign(uvView, { zoom: Math.min(64, zoom), center: [(box.left + box.right) / 2, (box.low + box.high) / 2] });
  } else {
    const [left, low] = [Math.min(...(udims ?? []).map(({ u }) => u), Infinity), Math.min(...(udims ?? []).map(({ v }) => v), Infinity)];
    Object.assign(uvView, { zoom: 1, center: [left, low].map((corner, k) => (Number.isFinite(corner) ? corner : 0) + extent[k] / 2) });
  }
  uvView.draw();
}
