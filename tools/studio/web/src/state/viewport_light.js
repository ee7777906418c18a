// Brightness of the viewport by the lights and the exposure of the scene. The viewport has one light of its own, over the
// shoulder of the viewer; only its strength follows the scene.

import { valueAtFrame } from './keyframes.js';

const LIT_FRACTION = 0.4; // of the irradiance of all lights that the visible side receives
const LIMITS = [0.2, 5];

/** @param {number[]} color linear */
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** Irradiance of a light at a point, without shadows. @param {any} light @param {number[]} point @param {number} frame */
function irradiance(light, point, frame) {
  const value = (/** @type {string} */ key, /** @type {any} */ fallback) => valueAtFrame(light[key] ?? fallback, frame);
  const emitted = value('intensity', 1) * luminance(value('color', [1, 1, 1]));
  const position = value('position', [1, 2, 2]);
  const distance2 = Math.max(1e-4, position.reduce((/** @type {number} */ sum, /** @type {number} */ x, /** @type {number} */ k) => sum + (x - point[k]) ** 2, 0));
  switch (light.type ?? 'rectangle') {
    case 'rectangle': return (emitted * value('width', 1) * value('height', 1)) / distance2;
    case 'disk': case 'sphere': return (emitted * Math.PI * value('radius', 0.2) ** 2) / distance2;
    case 'point': case 'spot': return emitted / distance2;
    case 'distant': return emitted;
    default: return Math.PI * emitted; // environment and sky
  }
}

/** Factor on the light of the viewport; about 1 for a scene that is lit as usual. @param {any} scene @param {number[]} point @param {number} frame */
export function viewportLevel(scene, point, frame) {
  const exposure = 2 ** Number(valueAtFrame(scene.image?.exposure ?? 0, frame));
  const lights = scene.lights ?? [];
  const sum = lights.reduce((/** @type {number} */ total, /** @type {any} */ light) => total + irradiance(light, point, frame), 0);
  const level = exposure * (lights.length ? (LIT_FRACTION * sum) / Math.PI : 1);
  return Number.isFinite(level) ? Math.min(LIMITS[1], Math.max(LIMITS[0], level)) : 1;
}
