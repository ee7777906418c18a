// Arrows of a flow map on the surface: the direction that hair is combed in, at some of the roots.

import * as THREE from 'three';
import { tangentFrame } from '../paint/flow_texels.js';

const ARROWS = 1500;
const LIFT = 0.0015; // metres above the surface
const LENGTH = 0.03; // of the diagonal of the growth area
const SHORTEST = 0.06; // strength of a direction that is shown

/** @typedef {{ point: number[], uv: number[], tangent: number[], bitangent: number[], normal: number[] }} Sample */

const add = (/** @type {number[]} */ a, /** @type {number[]} */ b, /** @type {number} */ s) => a.map((x, k) => x + s * b[k]);

export class FlowArrows {
  /** @param {import('./view3d.js').View3d} view3d */
  constructor(view3d) {
    this.view3d = view3d;
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xffffff }));
    Object.assign(this.lines, { visible: false, frustumCulled: false, name: 'flow' });
    view3d.scene.add(this.lines);
    /** @type {Sample[]} */ this.samples = [];
    /** @type {any} */ this.sampledRoots = null;
    this.count = 0; // of the arrows drawn
    this.request = 0;
  }

  // Points of the surface, again when other roots are displayed.
  findSamples() {
    const { roots, surface } = this.view3d;
    if (roots === this.sampledRoots) return;
    this.sampledRoots = roots;
    this.samples = [];
    const positions = roots?.geometry.attributes.position.array ?? [];
    for (let i = 0; i < Math.min(ARROWS, positions.length / 3); ++i) {
      const point = [...positions.subarray(3 * i, 3 * i + 3)];
      const { triangle } = surface.closestTriangle(point);
      const uv = surface.uvAtHit({ triangle, point });
      const normal = surface.normal(triangle);
      if (uv) this.samples.push({ point: add(point, normal, LIFT), uv, normal, ...tangentFrame(surface, triangle) });
    }
  }

  /** Draws them once for all changes of a frame. @param {import('../paint/paint_map.js').PaintMap} red @param {import('../paint/paint_map.js').PaintMap} green */
  show(red, green) {
    cancelAnimationFrame(this.request);
    this.request = requestAnimationFrame(() => this.draw(red, green));
  }

  /** @param {import('../paint/paint_map.js').PaintMap} red @param {import('../paint/paint_map.js').PaintMap} green */
  draw(red, green) {
    this.findSamples();
    const length = LENGTH * this.view3d.home.size;
    /** @type {number[]} */ const points = [];
    for (const { point, uv, tangent, bitangent, normal } of this.samples) {
      const [u, v] = [red, green].map((map) => (2 * (map.texelAtUv(uv[0], uv[1]) ?? 32768)) / 65535 - 1);
      const strength = Math.hypot(u, v);
      if (strength < SHORTEST) continue;
      const along = add(tangent.map((x) => (u / strength) * x), bitangent, v / strength);
      const across = [1, 2, 0].map((k, i) => normal[k] * along[(i + 2) % 3] - normal[(i + 2) % 3] * along[k]);
      const tip = add(point, along, length);
      const barb = add(point, along, 0.65 * length);
      points.push(...point, ...tip, ...tip, ...add(barb, across, 0.2 * length), ...tip, ...add(barb, across, -0.2 * length));
    }
    this.count = points.length / 18;
    this.lines.geometry.dispose();
    this.lines.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    this.lines.visible = true;
    this.view3d.draw();
  }

  hide() {
    cancelAnimationFrame(this.request);
    if (!this.lines.visible) return;
    this.lines.visible = false;
    this.view3d.draw();
  }
}
