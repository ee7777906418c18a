// The view cube: shows the orientation of the camera. A click on a face looks from there, a drag orbits.

import { element } from '../ui/dom.js';
import { orbitBy } from './framing.js';

const HALF_SIZE = 23; // pixels, of an edge
const RADIANS_PER_PIXEL = 0.012;
const CLICK_PIXELS = 4; // shorter drags are clicks
/** @type {Record<string, string>} */ const FACES = {
  Front: '', Back: 'rotateY(180deg)', Left: 'rotateY(90deg)', Right: 'rotateY(-90deg)', Top: 'rotateX(90deg)', Bottom: 'rotateX(-90deg)',
};

/** @param {import('./view3d.js').View3d} view3d @param {[string, number[], string, string][]} presets name, direction */
export function createViewCube(view3d, presets) {
  const cube = element('div', { className: 'cube' }, ...presets.map(([name]) => {
    // The toolbar of standard views is the control for keyboard and screen reader.
    const face = element('div', { className: 'face', title: `View from the ${name.toLowerCase()}; drag to orbit` }, name);
    face.dataset.face = name;
    face.style.transform = `${FACES[name]} translateZ(${HALF_SIZE}px)`;
    return face;
  }));
  const holder = element('div', { className: 'view-cube', 'aria-hidden': 'true' }, cube);

  // The rotation of the view with the y axis downwards, as in CSS.
  const update = () => {
    view3d.camera.updateMatrixWorld();
    const e = view3d.camera.matrixWorldInverse.elements;
    cube.style.transform = `matrix3d(${[e[0], -e[1], e[2], 0, -e[4], e[5], -e[6], 0, e[8], -e[9], e[10], 0, 0, 0, 0, 1].map((x) => x.toFixed(5)).join()})`;
  };
  view3d.controls.addEventListener('change', update);
  update();

  let moved = 0;
  holder.addEventListener('pointerdown', (event) => {
    moved = 0;
    holder.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  holder.addEventListener('pointermove', (event) => {
    if (!(event.buttons & 1)) return;
    moved += Math.abs(event.movementX) + Math.abs(event.movementY);
    if (moved > CLICK_PIXELS) orbitBy(view3d, -event.movementX * RADIANS_PER_PIXEL, event.movementY * RADIANS_PER_PIXEL);
  });
  holder.addEventListener('pointerup', (event) => {
    if (moved > CLICK_PIXELS) return;
    const face = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each instanceof HTMLElement && each.dataset.face);
    const preset = presets.find(([name]) => name === /** @type {HTMLElement | undefined} */ (face)?.dataset.face);
    if (preset) view3d.lookFrom(preset[1]);
  });
  return holder;
}
