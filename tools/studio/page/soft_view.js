// soft_view: the head and hair that moves, drawn by the processor itself. Where there is no graphics card the
// browser draws WebGL on the processor too, triangle by triangle, and takes from live hair the time it is solved
// in; lines of a pixel and a plain head take a tenth of that. With a graphics card it is never used.

import { Backdrop } from './backdrop.js';

// The same lamp and formula as of the ribbons, see strands.js.
const LAMP = [-0.45, 0.7, 0.55].map((x) => x / Math.hypot(0.45, 0.7, 0.55));
const NEARER = 1.0002; // hair that lies on skin is seen

// Rows of a view-projection: clip x, y and w of a place, in pixels. Matrices as of three, by columns.
function projectionOf(camera, width, height) {
  camera.updateMatrixWorld();
  const v = camera.matrixWorldInverse.elements;
  const p = camera.projectionMatrix.elements;
  const row = (r) => [0, 1, 2, 3].map((c) => p[r] * v[4 * c] + p[r + 4] * v[4 * c + 1] + p[r + 8] * v[4 * c + 2] + p[r + 12] * v[4 * c + 3]);
  const [x, y, w] = [row(0), row(1), row(3)];
  return {
    x: x.map((value, k) => 0.5 * width * (value + w[k])), y: y.map((value, k) => 0.5 * height * (w[k] - value)), w,
    eye: [0, 1, 2].map((k) => camera.matrixWorld.elements[12 + k]),
    lamp: [0, 1, 2].map((k) => LAMP[0] * v[4 * k] + LAMP[1] * v[4 * k + 1] + LAMP[2] * v[4 * k + 2]),
    pixels: 0.5 * height * p[5], // of a metre at a distance of one
  };
}

export class SoftView {
  // Lies under the canvas of the view, which shows handles and rings over it.
  constructor(section) {
    this.section = section;
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'soft';
    this.canvas.hidden = true;
    section.append(this.canvas);
    this.context = this.canvas.getContext('2d', { alpha: false });
    this.backdrop = new Backdrop();
    this.points = new Float32Array(0);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.section;
    if (this.canvas.width !== width || this.canvas.height !== height || !this.image) {
      Object.assign(this.canvas, { width, height });
      this.image = this.context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.depth = new Float32Array(width * height);
      this.backdrop.resize(width, height);
    }
  }

  // Hair: what decodeStrands gave, with tints, four bytes per point, and radius.
  draw(camera, surface, body, hair) {
    this.resize();
    const { width, height } = this.canvas;
    const view = projectionOf(camera, width, height);
    this.backdrop.draw(view, surface, body ?? surface.positions);
    this.pixels.set(this.backdrop.pixels);
    this.depth.set(this.backdrop.depth);
    if (hair) this.drawHair(view, hair);
    this.context.putImageData(this.image, 0, 0);
  }

  // Places come as whole numbers in a box: the box goes into the matrix. Four numbers a point: place in pixels,
  // nearness, and whether it is in front of the eye at all.
  project(view, { places, low, step }) {
    const count = places.length / 3;
    if (this.points.length < 3 * count) this.points = new Float32Array(3 * count);
    const rows = [view.x, view.y, view.w].map((row) => [
      row[0] * step[0], row[1] * step[1], row[2] * step[2], row[0] * low[0] + row[1] * low[1] + row[2] * low[2] + row[3]]);
    const [[xx, xy, xz, x0], [yx, yy, yz, y0], [wx, wy, wz, w0]] = rows;
    const { points } = this;
    for (let i = 0; i < 3 * count; i += 3) {
      const a = places[i];
      const b = places[i + 1];
      const c = places[i + 2];
      const near = 1 / (wx * a + wy * b + wz * c + w0);
      points[i] = near * (xx * a + xy * b + xz * c + x0);
      points[i + 1] = near * (yx * a + yy * b + yz * c + y0);
      points[i + 2] = near * NEARER;
    }
  }

  drawHair(view, hair) {
    this.project(view, hair);
    const { places, low, step, lengths, tints, radius } = hair;
    const { points } = this;
    const [lx, ly, lz] = view.lamp;
    const [ex, ey, ez] = view.eye;
    const [sx, sy, sz] = step;
    let p = 0;
    for (const length of lengths) {
      for (let k = 1; k < length; ++k) {
        const i = p + 3 * k - 3;
        const near = points[i + 2];
        if (near <= 0 || points[i + 5] <= 0) continue; // behind the eye
        // Light on a fibre: see strands.js.
        const tx = sx * (places[i + 3] - places[i]);
        const ty = sy * (places[i + 4] - places[i + 1]);
        const tz = sz * (places[i + 5] - places[i + 2]);
        const vx = ex - low[0] - sx * places[i];
        const vy = ey - low[1] - sy * places[i + 1];
        const vz = ez - low[2] - sz * places[i + 2];
        const scale = 1 / Math.sqrt(tx * tx + ty * ty + tz * tz + 1e-24);
        const tl = scale * (tx * lx + ty * ly + tz * lz);
        const te = (scale * (tx * vx + ty * vy + tz * vz)) / Math.sqrt(vx * vx + vy * vy + vz * vz + 1e-24);
        const across = Math.sqrt(Math.max(0, 1 - tl * tl));
        const gloss = Math.max(0, across * Math.sqrt(Math.max(0, 1 - te * te)) - tl * te);
        const g2 = gloss * gloss;
        const g8 = g2 * g2 * g2 * g2;
        const shine = g8 * g8 * g8;
        const matt = 0.6 + 0.6 * across + 0.35 * shine;
        const white = 12.75 * shine;
        const t = (4 * i) / 3;
        const red = Math.min(255, matt * tints[t] + white);
        const green = Math.min(255, matt * tints[t + 1] + white);
        const blue = Math.min(255, matt * tints[t + 2] + white);
        const wide = Math.max(1, Math.round(2 * radius * view.pixels * near));
        this.drawLine(i, 0xff000000 | (blue << 16) | (green << 8) | red, wide);
      }
      p += 3 * length;
    }
  }

  // From point i to the next, nearer things stay. Wide: pixels across, along the axis that it runs less in.
  drawLine(i, color, wide) {
    const { points, pixels, depth } = this;
    const { width, height } = this.canvas;
    let x = points[i];
    let y = points[i + 1];
    let near = points[i + 2];
    const dx = points[i + 3] - x;
    const dy = points[i + 4] - y;
    if (Math.max(x, x + dx) < 0 || Math.min(x, x + dx) >= width || Math.max(y, y + dy) < 0 || Math.min(y, y + dy) >= height) return;
    const flat = Math.abs(dx) > Math.abs(dy);
    const steps = Math.ceil(flat ? Math.abs(dx) : Math.abs(dy)) || 1;
    if (steps > 4 * (width + height)) return;
    const mx = dx / steps;
    const my = dy / steps;
    const mn = (points[i + 5] - near) / steps;
    const next = flat ? width : 1;
    for (let s = 0; s < steps; ++s, x += mx, y += my, near += mn) {
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      let at = (y | 0) * width + (x | 0);
      for (let w = 0; w < wide; ++w, at += next) {
        if (near > depth[at]) {
          depth[at] = near;
          pixels[at] = color;
        }
      }
    }
  }
}
