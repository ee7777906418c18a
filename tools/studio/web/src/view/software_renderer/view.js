// Software renderer of the body and of moving strands. Without a GPU the browser rasterises WebGL triangles on the CPU
// and takes the time the simulation needs; one-pixel lines over a plain body cost about a tenth. Not used with a GPU.

import { createProjection, drawStrands } from './lines.js';
import { BodyRaster } from './mesh.js';

/** @typedef {import('../../hair/strand_packet.js').StrandPacket & { pointColors: Uint8Array, radius: number }} RasterStrands */

export class SoftwareView {
  /** A canvas below the one of WebGL, which displays gizmos and the brush ring on top. @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'software';
    this.canvas.hidden = true;
    section.append(this.canvas);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d', { alpha: false }));
    this.bodyRaster = new BodyRaster();
    /** @type {any} ImageData of the canvas */ this.image = null;
    this.pixels = new Uint32Array(0);
    this.depth = new Float32Array(0);
    this.strandRows = [0, 0]; // rows of pixels covered by strands of the last frame
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.section;
    if (this.canvas.width !== width || this.canvas.height !== height || !this.image) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.image = this.context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.depth = new Float32Array(width * height);
      this.bodyRaster.resize(width, height);
      this.strandRows = [0, height];
    }
  }

  // Restores the cached body image in the rows that strands covered, then draws strands. The whole image is put into the
  // canvas: browsers copy all of it even for a part.
  /**
   * @param {import('../shift_camera.js').ShiftCamera} camera
   * @param {import('../../paint/surface.js').Surface} surface
   * @param {Float32Array | null} body posed vertices; null: rest pose
   * @param {RasterStrands | null} strands
   * @param {import('../../hair/background_grooms.js').BackgroundGrooms | null | undefined} backgroundGrooms
   */
  draw(camera, surface, body, strands, backgroundGrooms) {
    this.resize();
    const { canvas: { width, height }, bodyRaster, pixels, depth } = this;
    const projection = createProjection(camera, width, height);
    const [top, bottom] = bodyRaster.draw(projection, surface, body ?? surface.positions, backgroundGrooms) ? [0, height] : this.strandRows;
    pixels.set(bodyRaster.pixels.subarray(top * width, bottom * width), top * width);
    depth.set(bodyRaster.depth.subarray(top * width, bottom * width), top * width);
    this.strandRows = strands ? drawStrands({ pixels, depth, width, height }, bodyRaster.blockDepth, projection, strands) : [0, 0];
    this.context.putImageData(this.image, 0, 0);
  }
}
