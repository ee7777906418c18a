// Rasteriser of the body with headlight shading, and of background grooms. The image is cached and redrawn only when
// the body, the grooms or the camera moved.

import { blockDepths, drawStrands } from './lines.js';
import { orientForCulling } from './mesh_orientation.js';
import { VertexLighting } from './vertex_lighting.js';

const BACKGROUND = 0xff373737; // ABGR
const SKIN = 0.42 * 255; // grey of the body, as in the WebGL view
const EDGE_ON = 0.35; // shade of grazing surfaces relative to facing ones

/** @typedef {import('./lines.js').Projection} Projection */

export class BodyRaster {
  constructor() {
    this.key = ''; // of the camera and the background grooms
    this.width = 0;
    this.height = 0;
    this.pixels = new Uint32Array(0);
    this.depth = new Float32Array(0);
    this.blockDepth = new Float32Array(0); // without background grooms
    /** @type {import('../../paint/surface.js').Surface | null} */ this.surface = null;
    /** @type {Float32Array | null} */ this.positions = null;
    this.indices = new Uint32Array(0);
    /** @type {any} VertexLighting */ this.lighting = null;
    this.points = new Float32Array(0); // projected vertices: x, y, depth
    this.light = new Float32Array(0); // per vertex
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.width = width;
    this.height = height;
    this.key = '';
    this.pixels = new Uint32Array(width * height);
    this.depth = new Float32Array(width * height);
  }

  // positions must be a new array when vertices moved. Returns whether the image changed.
  /**
   * @param {Projection} projection
   * @param {import('../../paint/surface.js').Surface} surface
   * @param {Float32Array} positions
   * @param {import('../../hair/background_grooms.js').BackgroundGrooms | null | undefined} backgroundGrooms
   */
  draw(projection, surface, positions, backgroundGrooms) {
    const key = [...projection.x, ...projection.y, ...projection.w, backgroundGrooms?.version].join();
    if (key === this.key && surface === this.surface && positions === this.positions) return false;
    if (surface !== this.surface) this.setSurface(surface);
    this.key = key;
    this.positions = positions;
    this.pixels.fill(BACKGROUND);
    this.depth.fill(0);
    this.projectVertices(projection, positions);
    this.lighting.shade(this.light, positions, projection.eye, EDGE_ON * SKIN, SKIN);
    this.fill();
    this.blockDepth = blockDepths(this);
    backgroundGrooms?.rasterInput().forEach((strands) => drawStrands(this, this.blockDepth, projection, strands));
    return true;
  }

  /** @param {import('../../paint/surface.js').Surface} surface */
  setSurface(surface) {
    const vertices = surface.positions.length / 3;
    this.surface = surface;
    this.indices = orientForCulling(surface);
    this.lighting = new VertexLighting(surface);
    this.points = new Float32Array(3 * vertices);
    this.light = new Float32Array(vertices);
  }

  /** @param {Projection} projection @param {Float32Array} p */
  projectVertices({ x: [xx, xy, xz, x0], y: [yx, yy, yz, y0], w: [wx, wy, wz, w0] }, p) {
    const { points } = this;
    for (let i = 0; i < p.length; i += 3) {
      const a = p[i], b = p[i + 1], c = p[i + 2];
      const z = 1 / (wx * a + wy * b + wz * c + w0);
      points[i] = z * (xx * a + xy * b + xz * c + x0);
      points[i + 1] = z * (yx * a + yy * b + yz * c + y0);
      points[i + 2] = z;
    }
  }

  // Scanline rasterisation at pixel centres with linear interpolation of depth and light.
  fill() {
    const { indices, points: q, light, pixels, depth, width, height } = this;
    for (let i = 0; i < indices.length; i += 3) {
      const a = 3 * indices[i], b = 3 * indices[i + 1], c = 3 * indices[i + 2];
      const ax = q[a], ay = q[a + 1], bx = q[b], by = q[b + 1], cx = q[c], cy = q[c + 1];
      const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      if (!(area < 0)) continue; // back face
      const high = by < cy ? (ay < by ? ay : by) : ay < cy ? ay : cy;
      const deep = by > cy ? (ay > by ? ay : by) : ay > cy ? ay : cy;
      if (!(high < height && deep > 0)) continue;
      const top = high > 0 ? (high + 0.5) | 0 : 0;
      const bottom = deep < height ? (deep + 0.5) | 0 : height;
      if (top >= bottom) continue; // no pixel centre covered
      const an = q[a + 2];
      const bn = q[b + 2] - an, cn = q[c + 2] - an;
      if (!(an > 0 && bn + an > 0 && cn + an > 0)) continue; // behind the camera
      const al = light[a / 3];
      const bl = light[b / 3] - al, cl = light[c / 3] - al;
      const nx = (bn * (cy - ay) - cn * (by - ay)) / area;
      const ny = (cn * (bx - ax) - bn * (cx - ax)) / area;
      const lx = (bl * (cy - ay) - cl * (by - ay)) / area, ly = (cl * (bx - ax) - bl * (cx - ax)) / area;
      const ab = (bx - ax) / (by - ay), bc = (cx - bx) / (cy - by), ca = (ax - cx) / (ay - cy);
      for (let y = top; y < bottom; ++y) {
        // Descending edges bound the span on the left, ascending ones on the right.
        const center = y + 0.5;
        let left = 0;
        let right = width;
        let x = ax + (center - ay) * ab;
        if (by > ay) left = x > left ? x : left; else if (by < ay) right = x < right ? x : right;
        x = bx + (center - by) * bc;
        if (cy > by) left = x > left ? x : left; else if (cy < by) right = x < right ? x : right;
        x = cx + (center - cy) * ca;
        if (ay > cy) left = x > left ? x : left; else if (ay < cy) right = x < right ? x : right;
        if (!(left < right)) continue;
        const first = (left + 0.5) | 0;
        const end = y * width + ((right + 0.5) | 0);
        let z = an + (first + 0.5 - ax) * nx + (center - ay) * ny;
        let shade = al + (first + 0.5 - ax) * lx + (center - ay) * ly;
        for (let at = y * width + first; at < end; ++at) {
          if (z > depth[at]) {
            depth[at] = z;
            pixels[at] = 0xff000000 | ((shade | 0) * 0x10101);
          }
          z += nx;
          shade += lx;
        }
      }
    }
  }
}
