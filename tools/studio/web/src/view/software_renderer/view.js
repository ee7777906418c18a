// soft_view: the head and hair that moves, drawn by the processor itself. Where there is no graphics card the
// browser draws WebGL on the processor too, triangle by triangle, and takes from live hair the time it is solved
// in; lines of a pixel and a plain head take a tenth of that. With a graphics card it is never used.

import { Backdrop } from './mesh.js';
import { drawStrands, projectionOf } from './lines.js';

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
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.section;
    if (this.canvas.width !== width || this.canvas.height !== height || !this.image) {
      Object.assign(this.canvas, { width, height });
      this.image = this.context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.depth = new Float32Array(width * height);
      this.backdrop.resize(width, height);
      this.rows = [0, height]; // that hair was drawn in
    }
  }

  // Hair: what decodeStrands gave, with tints, four bytes per point, and radius. Where there was none, the picture is
  // the backdrop's already, with the others on it. All of it is put into the canvas: browsers copy the whole for a part of it.
  draw(camera, surface, body, hair, others) {
    this.resize();
    const { canvas: { width, height }, backdrop, pixels, depth } = this;
    const view = projectionOf(camera, width, height);
    const [top, bottom] = backdrop.draw(view, surface, body ?? surface.positions, others) ? [0, height] : this.rows;
    pixels.set(backdrop.pixels.subarray(top * width, bottom * width), top * width);
    depth.set(backdrop.depth.subarray(top * width, bottom * width), top * width);
    this.rows = hair ? drawStrands({ pixels, depth, width, height }, backdrop.far, view, hair) : [0, 0];
    this.context.putImageData(this.image, 0, 0);
  }
}
