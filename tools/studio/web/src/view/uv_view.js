// viewuv: the map itself, flat, with the triangles that lie in it.

import { regionColor } from '../state/regions.js';
import { heat } from './map_texture.js';
import { makeWires } from './uv_wireframe.js';

export class ViewUv {
  constructor(section) {
    this.section = section;
    this.canvas = section.querySelector('canvas');
    this.context = this.canvas.getContext('2d');
    this.zoom = 1;
    this.middle = [0.5, 0.5];
    this.extent = [1, 1]; // how much of the texture plane is seen at zoom 1
    // Whole pixels, as the machine stores them: alpha, blue, green, red from the top.
    const pixel = ([r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
    const bytes = (color) => color.map((x) => Math.round(255 * x));
    // By mode: clay and grey, heat, regions.
    const palette = (color) => Uint32Array.from({ length: 256 }, (_, i) => pixel(color(i)));
    const grey = palette((i) => [i, i, i]);
    this.palette = [grey, palette((i) => bytes(heat(i / 255))), grey, palette((i) => bytes(regionColor(i)))];
    new ResizeObserver(() => this.draw()).observe(section);
    section.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY / 400));
    }, { passive: false });
    this.hands = new Map(); // places of pointers that move the view, by their numbers
    this.canvas.addEventListener('pointerdown', (event) => {
      this.hands.set(event.pointerId, [event.clientX, event.clientY]);
      section.setPointerCapture(event.pointerId);
    });
    section.addEventListener('pointermove', (event) => this.moveBy(event));
    for (const name of ['pointerup', 'pointercancel']) {
      section.addEventListener(name, (event) => this.hands.delete(event.pointerId));
    }
    this.canvas.addEventListener('keydown', (event) => {
      const [x, y] = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key] ?? [0, 0];
      if (x || y) this.pan(x, y);
      const share = { '+': 1.25, '=': 1.25, '-': 0.8 }[event.key];
      if (share) this.zoomAt(section.clientWidth / 2, section.clientHeight / 2, share);
    });
  }

  // Nearer by a share; what lies at that place stays there.
  zoomAt(x, y, share) {
    const before = this.uv(x, y);
    this.zoom = Math.min(64, Math.max(0.5, this.zoom * share));
    const after = this.uv(x, y);
    this.middle = this.middle.map((m, k) => m + before[k] - after[k]);
    this.draw();
  }

  // One pointer shifts the map, two fingers also bring it nearer.
  moveBy({ pointerId, clientX, clientY }) {
    const before = this.hands.get(pointerId);
    if (!before) return;
    const now = [clientX, clientY];
    const other = [...this.hands].find(([id]) => id !== pointerId)?.[1];
    const share = other ? 0.5 : 1; // of two fingers each moves half of it
    this.pan(share * (now[0] - before[0]), share * (now[1] - before[1]));
    if (other) {
      const apart = (p) => Math.max(1, Math.hypot(p[0] - other[0], p[1] - other[1]));
      const box = this.section.getBoundingClientRect();
      this.zoomAt((now[0] + other[0]) / 2 - box.left, (now[1] + other[1]) / 2 - box.top, apart(now) / apart(before));
    }
    this.hands.set(pointerId, now);
  }

  scale() {
    return 0.95 * this.zoom * Math.min(this.section.clientWidth / this.extent[0], this.section.clientHeight / this.extent[1]);
  }

  uv(x, y) {
    const s = this.scale();
    return [this.middle[0] + (x - this.section.clientWidth / 2) / s, this.middle[1] - (y - this.section.clientHeight / 2) / s];
  }

  pixel(u, v) {
    const s = this.scale();
    return [(u - this.middle[0]) * s + this.section.clientWidth / 2, (this.middle[1] - v) * s + this.section.clientHeight / 2];
  }

  pan(dx, dy) {
    const s = this.scale();
    this.middle = [this.middle[0] - dx / s, this.middle[1] + dy / s];
    this.draw();
  }

  setSurface(surface) {
    this.surface = surface;
    this.lines = null;
    this.draw();
  }

  // The triangles of each square are drawn once, into pictures of their own.
  makeLines() {
    const side = this.squares.length > 4 ? 768 : 1536;
    this.lines = this.squares.map((square) => makeWires(this.surface, square, side));
  }

  // Sees all squares of a layer when they are others than before.
  lookAt(layer) {
    const squares = layer?.squares ?? [{ number: 1001, u: 0, v: 0, x: 0, y: 0 }];
    const key = squares.map((square) => square.number).join();
    if (key !== this.key) {
      this.key = key;
      this.lines = null;
      const [left, right] = [Math.min(...squares.map((s) => s.u)), Math.max(...squares.map((s) => s.u)) + 1];
      const [low, high] = [Math.min(...squares.map((s) => s.v)), Math.max(...squares.map((s) => s.v)) + 1];
      Object.assign(this, { zoom: 1, middle: [(left + right) / 2, (low + high) / 2], extent: [right - left, high - low] });
    }
    this.squares = squares;
  }

  setShown(shown, mode) {
    Object.assign(this, { shown, mode });
    this.lookAt(shown?.layer);
    this.picture = shown ? new OffscreenCanvas(shown.width, shown.height) : null;
    this.image = shown ? new ImageData(shown.width, shown.height) : null;
    if (shown) {
      this.refreshShown(shown.layer.tiles.keys());
    }
    this.draw();
  }

  // Only the tiles that changed are coloured anew.
  refreshShown(numbers) {
    const { width, height, bytes, step, layer } = this.shown;
    const pixels = new Uint32Array(this.image.data.buffer);
    const colors = this.palette[this.mode];
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (const number of numbers) {
      const x0 = Math.floor(((number % layer.columns) * 64) / step);
      const y0 = Math.floor((Math.floor(number / layer.columns) * 64) / step);
      const x1 = Math.min(width, x0 + Math.ceil(64 / step));
      const y1 = Math.min(height, y0 + Math.ceil(64 / step));
      for (let y = y0; y < y1; ++y) {
        for (let i = y * width + x0; i < y * width + x1; ++i) {
          pixels[i] = colors[bytes[i]];
        }
      }
      [left, top, right, bottom] = [Math.min(left, x0), Math.min(top, y0), Math.max(right, x1), Math.max(bottom, y1)];
    }
    if (right > left) {
      this.picture.getContext('2d').putImageData(this.image, 0, 0, left, top, right - left, bottom - top);
      this.draw();
    }
  }

  // The border and the number of a UDIM tile.
  label(number, x, y, s) {
    const { context: c } = this;
    c.strokeStyle = '#8a8a8a';
    c.lineWidth = 1;
    c.strokeRect(x + 0.5, y + 0.5, s, s);
    c.font = '12px system-ui, sans-serif';
    c.fillStyle = '#000a';
    c.fillRect(x + 4, y + 4, c.measureText(number).width + 8, 18);
    c.fillStyle = '#eee';
    c.fillText(number, x + 8, y + 17);
  }

  draw() {
    if (this.section.clientWidth > 0 && !this.asked) {
      this.asked = requestAnimationFrame(() => {
        this.asked = 0;
        this.paint();
      });
    }
  }

  // Points of the brush's ring in the map; where the map is cut they are far apart and not joined.
  paintRing() {
    const { context: c, ring } = this;
    if (!ring?.length) return;
    c.beginPath();
    ring.forEach((uv, i) => {
      const next = ring[(i + 1) % ring.length];
      if (uv && next && Math.hypot(next[0] - uv[0], next[1] - uv[1]) < 0.05) {
        c.moveTo(...this.pixel(...uv));
        c.lineTo(...this.pixel(...next));
      }
    });
    for (const [color, width] of [['#101010', 3], ['#fff', 1.4]]) {
      Object.assign(c, { strokeStyle: color, lineWidth: width });
      c.stroke();
    }
  }

  paint() {
    const { context: c, canvas, section } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = section.clientWidth * ratio;
    canvas.height = section.clientHeight * ratio;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = '#373737';
    c.fillRect(0, 0, section.clientWidth, section.clientHeight);
    const s = this.scale();
    if (this.surface?.uvs && !this.lines && this.squares) {
      this.makeLines();
    }
    (this.squares ?? []).forEach((square, i) => {
      const [x, y] = this.pixel(square.u, square.v + 1);
      if (this.picture) {
        const { step, layer } = this.shown;
        c.imageSmoothingEnabled = this.mode !== 3 && s < 2 * (layer.squareWidth / step);
        c.drawImage(this.picture, square.x / step, square.y / step, layer.squareWidth / step, layer.squareHeight / step, x, y, s, s);
      }
      if (this.lines) {
        const { outlines, edges, length } = this.lines[i];
        c.imageSmoothingEnabled = true;
        // Edges that lie too close together would hide the map.
        c.globalAlpha = Math.min(1, Math.max(0, (length * s - 4) / 12));
        if (c.globalAlpha > 0) c.drawImage(edges, x, y, s, s);
        c.globalAlpha = 1;
        c.drawImage(outlines, x, y, s, s);
      }
      if (this.shown?.layer.tiled) {
        this.label(square.number, x, y, s);
      }
    });
    if (this.lasso?.length) {
      c.strokeStyle = '#fff';
      c.beginPath();
      this.lasso.forEach(([px, py]) => c.lineTo(px, py));
      c.stroke();
    }
    this.paintRing();
    if (this.cursor) {
      c.fillStyle = '#fff';
      c.fillRect(this.cursor[0] - 1, this.cursor[1] - 1, 2, 2);
    }
  }
}
