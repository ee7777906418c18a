// The UV view: the map in the UV plane with the wireframe of the mesh.

import { regionColor } from '../state/regions.js';
import { heat, REGIONS } from './map_texture.js';
import { createUvWireframe } from './uv_wireframe.js';

/** @typedef {Pick<import('../paint/paint_map.js').Udim, 'number' | 'u' | 'v' | 'x' | 'y'>} Udim */

export class UvView {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.canvas = /** @type {HTMLCanvasElement} */ (section.querySelector('canvas'));
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    this.zoom = 1;
    this.center = [0.5, 0.5];
    this.extent = [1, 1]; // of the UV plane visible at zoom 1
    this.frameRequest = 0;
    /** @type {import('./map_texture.js').MapTexture | null} */ this.mapTexture = null;
    this.mode = 0;
    /** @type {Udim[] | null} */ this.udims = null;
    this.udimKey = '';
    /** @type {import('../paint/surface.js').Surface | null} */ this.surface = null;
    /** @type {ReturnType<typeof createUvWireframe>[] | null} */ this.wireframes = null;
    /** @type {OffscreenCanvas | null} coloured map */ this.mapCanvas = null;
    /** @type {ImageData | null} */ this.mapImage = null;
    /** @type {(number[] | null)[] | null} brush ring, UVs */ this.ring = null;
    /** @type {number[][] | null} lasso or gradient in progress, pixels */ this.trail = null;
    /** @type {number[] | null} */ this.cursor = null;
    // Palettes of packed ABGR pixels by display mode.
    const pack = (/** @type {number[]} */ [r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
    const toBytes = (/** @type {number[]} */ color) => color.map((x) => Math.round(255 * x));
    const palette = (/** @type {(i: number) => number[]} */ color) => Uint32Array.from({ length: 256 }, (_, i) => pack(color(i)));
    const grey = palette((i) => [i, i, i]);
    this.regionPalette = (/** @type {Map<number, string> | undefined} */ colors) => palette((i) => toBytes(regionColor(i, colors)));
    this.palettes = [grey, palette((i) => toBytes(heat(i / 255))), grey, this.regionPalette(undefined)];
    new ResizeObserver(() => this.draw()).observe(section);
    section.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY / 400));
    }, { passive: false });
    /** @type {Map<number, number[]>} navigating pointers by id */ this.pointers = new Map();
    this.canvas.addEventListener('pointerdown', (event) => {
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
      section.setPointerCapture(event.pointerId);
    });
    section.addEventListener('pointermove', (event) => this.navigate(event));
    for (const name of /** @type {const} */ (['pointerup', 'pointercancel'])) section.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    this.canvas.addEventListener('keydown', (event) => {
      const [x, y] = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] })[event.key] ?? [0, 0];
      if (x || y) this.pan(x, y);
      const factor = /** @type {Record<string, number>} */ ({ '+': 1.25, '=': 1.25, '-': 0.8 })[event.key];
      if (factor) this.zoomAt(section.clientWidth / 2, section.clientHeight / 2, factor);
    });
  }

  /** Zooms with a fixed point in pixels. @param {number} x @param {number} y @param {number} factor */
  zoomAt(x, y, factor) {
    const before = this.toUv(x, y);
    this.zoom = Math.min(64, Math.max(0.5, this.zoom * factor));
    const after = this.toUv(x, y);
    this.center = this.center.map((m, k) => m + before[k] - after[k]);
    this.draw();
  }

  /** One pointer pans, two also zoom. @param {PointerEvent} event */
  navigate({ pointerId, clientX, clientY }) {
    const before = this.pointers.get(pointerId);
    if (!before) return;
    const now = [clientX, clientY];
    const other = [...this.pointers].find(([id]) => id !== pointerId)?.[1];
    const weight = other ? 0.5 : 1; // each of two fingers contributes half of the pan
    this.pan(weight * (now[0] - before[0]), weight * (now[1] - before[1]));
    if (other) {
      const distance = (/** @type {number[]} */ p) => Math.max(1, Math.hypot(p[0] - other[0], p[1] - other[1]));
      const box = this.section.getBoundingClientRect();
      this.zoomAt((now[0] + other[0]) / 2 - box.left, (now[1] + other[1]) / 2 - box.top, distance(now) / distance(before));
    }
    this.pointers.set(pointerId, now);
  }

  // Pixels per UV unit.
  scale() {
    return 0.95 * this.zoom * Math.min(this.section.clientWidth / this.extent[0], this.section.clientHeight / this.extent[1]);
  }

  /** @param {number} x @param {number} y */
  toUv(x, y) {
    const s = this.scale();
    return [this.center[0] + (x - this.section.clientWidth / 2) / s, this.center[1] - (y - this.section.clientHeight / 2) / s];
  }

  /** @param {number} u @param {number} v */
  toPixels(u, v) {
    const s = this.scale();
    return [(u - this.center[0]) * s + this.section.clientWidth / 2, (this.center[1] - v) * s + this.section.clientHeight / 2];
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const s = this.scale();
    this.center = [this.center[0] - dx / s, this.center[1] + dy / s];
    this.draw();
  }

  /** @param {import('../paint/surface.js').Surface} surface */
  setSurface(surface) {
    this.surface = surface;
    this.wireframes = null;
    this.draw();
  }

  /** Frames all UDIM squares of a map when they changed. @param {import('../paint/paint_map.js').PaintMap | undefined} map */
  setUdims(map) {
    const udims = map?.udims ?? [{ number: 1001, u: 0, v: 0, x: 0, y: 0 }];
    const key = udims.map((udim) => udim.number).join();
    if (key !== this.udimKey) {
      this.udimKey = key;
      this.wireframes = null;
      const [left, right] = [Math.min(...udims.map((s) => s.u)), Math.max(...udims.map((s) => s.u)) + 1];
      const [low, high] = [Math.min(...udims.map((s) => s.v)), Math.max(...udims.map((s) => s.v)) + 1];
      Object.assign(this, { zoom: 1, center: [(left + right) / 2, (low + high) / 2], extent: [right - left, high - low] });
    }
    this.udims = udims;
  }

  /** @param {import('./map_texture.js').MapTexture | null} mapTexture @param {number} mode */
  setMapTexture(mapTexture, mode) {
    this.mapTexture = mapTexture;
    this.mode = mode;
    this.setUdims(mapTexture?.map);
    this.mapCanvas = mapTexture ? new OffscreenCanvas(mapTexture.width, mapTexture.height) : null;
    this.mapImage = mapTexture ? new ImageData(mapTexture.width, mapTexture.height) : null;
    if (mapTexture) this.refreshTiles(mapTexture.map.tiles.keys());
    this.draw();
  }

  /** @param {Map<number, string>} colors chosen ones by region */
  setRegionColors(colors) {
    this.palettes[REGIONS] = this.regionPalette(colors);
    if (this.mapTexture && this.mode === REGIONS) this.refreshTiles(this.mapTexture.map.tiles.keys());
    this.draw();
  }

  /** Recolours the changed tiles only. @param {Iterable<number>} tiles */
  refreshTiles(tiles) {
    if (!this.mapTexture || !this.mapImage || !this.mapCanvas) return;
    const { width, height, bytes, step, map } = this.mapTexture;
    const pixels = new Uint32Array(this.mapImage.data.buffer);
    const colors = this.palettes[this.mode];
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (const number of tiles) {
      const x0 = Math.floor(((number % map.columns) * 64) / step);
      const y0 = Math.floor((Math.floor(number / map.columns) * 64) / step);
      const x1 = Math.min(width, x0 + Math.ceil(64 / step)), y1 = Math.min(height, y0 + Math.ceil(64 / step));
      for (let y = y0; y < y1; ++y) {
        for (let i = y * width + x0; i < y * width + x1; ++i) pixels[i] = colors[bytes[i]];
      }
      [left, top, right, bottom] = [Math.min(left, x0), Math.min(top, y0), Math.max(right, x1), Math.max(bottom, y1)];
    }
    if (right > left) {
      this.mapCanvas.getContext('2d')?.putImageData(this.mapImage, 0, 0, left, top, right - left, bottom - top);
      this.draw();
    }
  }

  /** Border and number of a UDIM square. @param {number} number @param {number} x @param {number} y @param {number} s */
  drawUdimLabel(number, x, y, s) {
    const { context: c } = this;
    c.strokeStyle = '#8a8a8a';
    c.lineWidth = 1;
    c.strokeRect(x + 0.5, y + 0.5, s, s);
    c.font = '12px system-ui, sans-serif';
    c.fillStyle = '#000a';
    c.fillRect(x + 4, y + 4, c.measureText(String(number)).width + 8, 18);
    c.fillStyle = '#eee';
    c.fillText(String(number), x + 8, y + 17);
  }

  // Requests a redraw; hidden views are not drawn.
  draw() {
    if (this.section.clientWidth > 0 && !this.frameRequest) {
      this.frameRequest = requestAnimationFrame(() => {
        this.frameRequest = 0;
        this.render();
      });
    }
  }

  // The brush ring; points across a UV seam are not connected.
  drawBrushRing() {
    const { context: c, ring } = this;
    if (!ring?.length) return;
    c.beginPath();
    ring.forEach((uv, i) => {
      const next = ring[(i + 1) % ring.length];
      if (uv && next && Math.hypot(next[0] - uv[0], next[1] - uv[1]) < 0.05) {
        const [from, to] = [this.toPixels(uv[0], uv[1]), this.toPixels(next[0], next[1])];
        c.moveTo(from[0], from[1]);
        c.lineTo(to[0], to[1]);
      }
    });
    this.strokeTwice();
  }

  // White between dark lines is visible on every map.
  strokeTwice() {
    for (const [strokeStyle, lineWidth] of [['#101010', 3], ['#fff', 1.4]]) {
      Object.assign(this.context, { strokeStyle, lineWidth });
      this.context.stroke();
    }
  }

  render() {
    const { context: c, canvas, section, surface, mapTexture } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = section.clientWidth * ratio;
    canvas.height = section.clientHeight * ratio;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = '#373737';
    c.fillRect(0, 0, section.clientWidth, section.clientHeight);
    const s = this.scale();
    const udims = this.udims ?? /** @type {Udim[]} */ ([]);
    if (surface?.uvs && !this.wireframes && this.udims) {
      const side = udims.length > 4 ? 768 : 1536;
      this.wireframes = udims.map((udim) => createUvWireframe(surface, udim, side));
    }
    udims.forEach((udim, i) => {
      const [x, y] = this.toPixels(udim.u, udim.v + 1);
      if (this.mapCanvas && mapTexture) {
        const { step, map } = mapTexture;
        c.imageSmoothingEnabled = this.mode !== REGIONS && s < 2 * (map.udimWidth / step);
        c.drawImage(this.mapCanvas, udim.x / step, udim.y / step, map.udimWidth / step, map.udimHeight / step, x, y, s, s);
      }
      if (this.wireframes) {
        const { seams, edges, edgeLength } = this.wireframes[i];
        c.imageSmoothingEnabled = true;
        // Edges fade out where they are too dense to see the map.
        c.globalAlpha = Math.min(1, Math.max(0, (edgeLength * s - 4) / 12));
        if (c.globalAlpha > 0) c.drawImage(edges, x, y, s, s);
        c.globalAlpha = 1;
        c.drawImage(seams, x, y, s, s);
      }
      if (mapTexture?.map.isUdim) this.drawUdimLabel(udim.number, x, y, s);
    });
    if (this.trail?.length) {
      c.beginPath();
      this.trail.forEach(([px, py]) => c.lineTo(px, py));
      this.strokeTwice();
    }
    this.drawBrushRing();
    if (this.cursor) {
      c.fillStyle = '#fff';
      c.fillRect(this.cursor[0] - 1, this.cursor[1] - 1, 2, 2);
    }
  }
}
