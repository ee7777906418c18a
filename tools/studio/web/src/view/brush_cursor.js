// The brush on the surface: a ring at its radius, one where full strength ends, the mirrored ring, and a red ring with
// the reason where nothing would be painted.

import * as THREE from 'three';
import { carryHit } from '../paint/posed_surface.js';
import { element } from '../ui/dom.js';

/** @typedef {import('../paint/brush.js').Hit} Hit */
/** @typedef {import('../paint/surface.js').Surface} Surface */

const RING_POINTS = 48;
// Line loops half a pixel apart, so that the width does not depend on the pixel ratio. White between dark lines is visible
// on skin, on heat maps and among roots.
const [DARK, WHITE, RED] = [0x101010, 0xffffff, 0xff5040];
const WIDE = [DARK, DARK, WHITE, WHITE, WHITE, DARK, DARK];
const NARROW = [DARK, WHITE, DARK];

const cross = (/** @type {number[]} */ a, /** @type {number[]} */ b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const normalize = (/** @type {number[]} */ a) => { const l = Math.hypot(...a) || 1; return a.map((x) => x / l); };

class Ring {
  /** @param {number[]} colors of the loops, from the inside @param {number} opacity */
  constructor(colors, opacity = 1) {
    this.colors = colors;
    this.group = new THREE.Group();
    for (const color of colors) {
      const loop = new THREE.LineLoop(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color, opacity, depthTest: false, transparent: true }));
      loop.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * RING_POINTS), 3));
      loop.frustumCulled = false;
      loop.renderOrder = 5;
      this.group.add(loop);
    }
    this.group.visible = false;
  }

  /** Lays a circle around a hit on the surface; returns the hits of its points. @param {Surface} surface @param {Hit | null} hit @param {number} radius @param {number} pixelSize @param {boolean} refused */
  lay(surface, hit, radius, pixelSize, refused) {
    this.group.visible = hit !== null;
    if (!hit) return [];
    const n = hit.normal;
    const u = normalize(cross(n, Math.abs(n[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0]));
    const v = cross(n, u);
    const loops = /** @type {any[]} */ (this.group.children);
    const hits = [];
    for (let i = 0; i < RING_POINTS; ++i) {
      const [c, s] = [Math.cos((2 * Math.PI * i) / RING_POINTS) * radius, Math.sin((2 * Math.PI * i) / RING_POINTS) * radius];
      const flat = hit.point.map((x, k) => x + c * u[k] + s * v[k]);
      const on = surface.raycast(flat.map((x, k) => x + radius * n[k]), n.map((x) => -x), 2 * radius);
      const point = on ? on.point : flat;
      hits.push(on);
      loops.forEach((loop, j) => {
        const offset = ((j - (loops.length - 1) / 2) * 0.5 * pixelSize) / radius;
        loop.geometry.attributes.position.array.set(point.map((/** @type {number} */ x, /** @type {number} */ k) => x + offset * (x - hit.point[k])), 3 * i);
      });
    }
    loops.forEach((loop, j) => {
      loop.geometry.attributes.position.needsUpdate = true;
      loop.material.color.set(refused && this.colors[j] === WHITE ? RED : this.colors[j]);
    });
    return hits;
  }
}

export class BrushCursor {
  /** @param {import('./view3d.js').View3d} view3d */
  constructor(view3d) {
    this.view3d = view3d;
    this.rings = { outer: new Ring(WIDE), core: new Ring(NARROW, 0.7), mirrored: new Ring(NARROW), mirroredCore: new Ring(NARROW, 0.5) };
    for (const ring of Object.values(this.rings)) view3d.scene.add(ring.group);
    this.reason = element('div', { className: 'badge refusal', hidden: true, role: 'status' });
    view3d.section.append(this.reason);
  }

  /**
   * @param {Hit | null} hit on the rest pose
   * @param {{ radius: number, hardness: number, mirrored: Hit | null, refusal: string, pixel?: number[] }} look refusal: why nothing is painted here, or ''
   * @returns {(Hit | null)[]} hits of the points of the outer ring, on the rest pose
   */
  show(hit, { radius, hardness, mirrored, refusal, pixel }) {
    const { view3d, rings } = this;
    const { surface, shownSurface: shown } = view3d;
    const drawn = carryHit(surface, shown, hit);
    const twin = carryHit(surface, shown, mirrored);
    const pixelSize = drawn ? view3d.pixelSizeAt(drawn.point) : 1;
    const core = hardness > 0.03 && hardness < 0.98 && !refusal ? hardness * radius : 0;
    const hits = rings.outer.lay(shown, drawn, radius, pixelSize, refusal !== '');
    rings.core.lay(shown, core ? drawn : null, core, pixelSize, false);
    rings.mirrored.lay(shown, twin, radius, pixelSize, false);
    rings.mirroredCore.lay(shown, core ? twin : null, core, pixelSize, false);
    this.reason.hidden = refusal === '' || !pixel;
    if (refusal && pixel) {
      this.reason.textContent = refusal;
      Object.assign(this.reason.style, { left: `${Math.min(pixel[0] + 16, view3d.section.clientWidth - 260)}px`, top: `${pixel[1] + 18}px`, bottom: 'auto' });
    }
    view3d.draw();
    return hits.map((on) => (on ? carryHit(shown, surface, on) : null));
  }

  hide() {
    this.show(null, { radius: 1, hardness: 0, mirrored: null, refusal: '' });
  }
}
