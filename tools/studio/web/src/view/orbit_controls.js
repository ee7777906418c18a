// Camera navigation: orbits about the surface point under the pointer and zooms towards it.

import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

const ROTATING = [0, 3]; // values of OrbitControls.state, which three's type declarations omit: by mouse, by touch

export class PointerOrbitControls extends OrbitControls {
  /**
   * @param {import('./shift_camera.js').ShiftCamera} camera
   * @param {HTMLCanvasElement} canvas
   * @param {(event: MouseEvent) => import('three').Vector3 | null} pick the surface point under the pointer
   */
  constructor(camera, canvas, pick) {
    super(camera, canvas);
    this.enableDamping = false;
    this.zoomToCursor = true;
    /** @type {import('three').Vector3 | null} centre of the rotation of the drag in progress */ this.pivot = null;
    // At the target, capturing listeners run before those of OrbitControls.
    canvas.addEventListener('wheel', (event) => this.focusAt(pick(event)), { capture: true, passive: true });
    canvas.addEventListener('pointerdown', (event) => {
      this.pivot = pick(event);
      this.focusAt(this.pivot);
    }, { capture: true });
    this.addEventListener('end', () => { this.pivot = null; });
  }

  // Moves the target along the viewing direction to the distance of a point: zooming approaches the point, and panning
  // moves it with the pointer. The view does not change.
  /** @param {import('three').Vector3 | null} point */
  focusAt(point) {
    if (!point) return;
    const { position } = this.object;
    this.target.sub(position).setLength(Math.max(this.minDistance, position.distanceTo(point))).add(position);
  }

  /** @param {number | null} [deltaTime] */
  update(deltaTime = null) {
    const { pivot, object, target } = this;
    if (!pivot || !ROTATING.includes(/** @type {any} */ (this).state)) return super.update(deltaTime);
    const inverse = object.quaternion.clone().invert();
    const before = target.clone();
    const changed = super.update(deltaTime);
    // The rotation R about the target becomes one about the pivot: everything is moved by pivot + R (target - pivot) - target.
    const rotation = object.quaternion.clone().multiply(inverse);
    const shift = before.clone().sub(pivot).applyQuaternion(rotation).add(pivot).sub(before);
    object.position.add(shift);
    target.add(shift);
    return changed;
  }
}
