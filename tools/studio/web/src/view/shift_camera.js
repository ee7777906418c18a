// Perspective camera with film shift, and the conversion from the scene's camera parameters.

import * as THREE from 'three';
import { valueAtFrame } from '../state/keyframes.js';

const FILM_HEIGHT = 24; // mm, default of the scene

export class ShiftCamera extends THREE.PerspectiveCamera {
  /** Offset of the image centre to the right and up, in image heights. @param {number} x @param {number} y */
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

  // The lens as parameters of the scene's camera.
  get sceneLens() {
    const [x, y] = this.shift ?? [0, 0];
    const round = (/** @type {number} */ value) => Number(value.toFixed(5));
    return { fov: this.fov, film_offset_x: round(FILM_HEIGHT * x), film_offset_y: round(FILM_HEIGHT * y) };
  }
}

/** Vertical field of view in degrees and film shift of the scene's camera at a frame. @param {any} camera @param {number} frame @param {number} aspect */
export function lensAtFrame(camera, frame, aspect) {
  const valueOf = (/** @type {string} */ key, /** @type {number} */ fallback) => valueAtFrame(camera[key] ?? fallback, frame);
  const filmWidth = valueOf('film_width', 0);
  const filmHeight = filmWidth > 0 ? filmWidth / aspect : valueOf('film_height', FILM_HEIGHT);
  const focalLength = valueOf('focal_length', 0);
  return {
    fov: focalLength > 0 ? (360 / Math.PI) * Math.atan(filmHeight / (2 * focalLength)) : valueOf('fov', 28),
    shift: [valueOf('film_offset_x', 0) / filmHeight, valueOf('film_offset_y', 0) / filmHeight],
  };
}
