// lens: the camera of the view, with a film that may be shifted, and what the scene's camera says of its own.

import * as THREE from 'three';
import { valueAt } from '../state/keyframes.js';

const FILM = 24; // millimetres from top to bottom, where the scene says nothing

export class ShiftCamera extends THREE.PerspectiveCamera {
  // Shift: how far to the right and up the middle of the picture lies, as a share of its height.
  setShift(x, y) {
    this.shift = [x, y];
    this.updateProjectionMatrix();
  }

  updateProjectionMatrix() {
    super.updateProjectionMatrix();
    const [x, y] = this.shift ?? [0, 0];
    this.projectionMatrix.elements[8] += (2 * x) / this.aspect;
    this.projectionMatrix.elements[9] += 2 * y;
    this.projectionMatrixInverse.copy(this.projectionMatrix).invert();
  }

  // The scene's words for it.
  get words() {
    const [x, y] = this.shift ?? [0, 0];
    const round = (value) => Number(value.toFixed(5));
    return { fov: this.fov, film_offset_x: round(FILM * x), film_offset_y: round(FILM * y) };
  }
}

// Angle in degrees and shift of the scene's camera at a frame, for a picture so wide for its height.
export function lensOf(camera, frame, aspect) {
  const of = (key, otherwise) => valueAt(camera[key] ?? otherwise, frame);
  const wide = of('film_width', 0);
  const film = wide > 0 ? wide / aspect : of('film_height', FILM);
  const focal = of('focal_length', 0);
  return {
    fov: focal > 0 ? (360 / Math.PI) * Math.atan(film / (2 * focal)) : of('fov', 28),
    shift: [of('film_offset_x', 0) / film, of('film_offset_y', 0) / film],
  };
}
