// backdrop: the head for soft_view and hair that goes with it, with how near it is in every pixel. Drawn anew only
// when it or the eye has moved; what of it stands still costs a copy.

import { turnOutward } from './mesh_orientation.js';
import { SkinLight } from './vertex_lighting.js';
import { drawStrands, farthest } from './lines.js';

const GROUND = 0xff373737;
const SKIN = 0.42 * 255; // as the view shows it where nothing is painted

export class Backdrop {
  constructor() {
    this.key = '';
  }

  resize(width, height) {
    Object.assign(this, { width, height, key: '', pixels: new Uint32Array(width * height), depth: new Float32Array(width * height) });
  }

  // Positions: of the vertices as they stand, another array when they have moved; others: see other_grooms. Gives
  // whether it is another picture than before.
  draw(view, surface, positions, others) {
    const key = [...view.x, ...view.y, ...view.w, others?.version].join();
    if (key === this.key && surface === this.surface && positions === this.positions) {
      return false;
    }
    if (surface !== this.surface) this.take(surface);
    Object.assign(this, { key, positions });
    this.pixels.fill(GROUND);
    this.depth.fill(0);
    this.project(view, positions);
    this.skin.shine(this.light, positions, view.eye, 0.35 * SKIN, SKIN);
    this.fill();
    this.far = farthest(this);
    others?.list().forEach((hair) => drawStrands(this, this.far, view, hair));
    return true;
  }

  take(surface) {
    const vertices = surface.positions.length / 3;
    Object.assign(this, {
      surface, indices: turnOutward(surface), skin: new SkinLight(surface),
      points: new Float32Array(3 * vertices), light: new Float32Array(vertices), // x and y in pixels, nearness
    });
  }

  project({ x: [xx, xy, xz, x0], y: [yx, yy, yz, y0], w: [wx, wy, wz, w0] }, p) {
    const { points } = this;
    for (let i = 0; i < p.length; i += 3) {
      const a = p[i];
      const b = p[i + 1];
      const c = p[i + 2];
      const near = 1 / (wx * a + wy * b + wz * c + w0);
      points[i] = near * (xx * a + xy * b + xz * c + x0);
      points[i + 1] = near * (yx * a + yy * b + yz * c + y0);
      points[i + 2] = near;
    }
  }

  // Triangle by triangle and row by row, each pixel whose middle it covers; nearness and light run evenly over a
  // triangle.
  fill() {
    const { indices, points: q, light, pixels, depth, width, height } = this;
    for (let i = 0; i < indices.length; i += 3) {
      const a = 3 * indices[i];
      const b = 3 * indices[i + 1];
      const c = 3 * indices[i + 2];
      const ax = q[a];
      const ay = q[a + 1];
      const bx = q[b];
      const by = q[b + 1];
      const cx = q[c];
      const cy = q[c + 1];
      const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      if (!(area < 0)) continue; // turned away
      const high = by < cy ? (ay < by ? ay : by) : ay < cy ? ay : cy;
      const deep = by > cy ? (ay > by ? ay : by) : ay > cy ? ay : cy;
      if (!(high < height && deep > 0)) continue;
      const top = high > 0 ? (high + 0.5) | 0 : 0;
      const bottom = deep < height ? (deep + 0.5) | 0 : height;
      if (top >= bottom) continue; // between the middles of pixels
      const an = q[a + 2];
      const bn = q[b + 2] - an;
      const cn = q[c + 2] - an;
      if (!(an > 0 && bn + an > 0 && cn + an > 0)) continue; // behind the eye
      const al = light[a / 3];
      const bl = light[b / 3] - al;
      const cl = light[c / 3] - al;
      const nx = (bn * (cy - ay) - cn * (by - ay)) / area;
      const ny = (cn * (bx - ax) - bn * (cx - ax)) / area;
      const lx = (bl * (cy - ay) - cl * (by - ay)) / area;
      const ly = (cl * (bx - ax) - bl * (cx - ax)) / area;
      const ab = (bx - ax) / (by - ay);
      const bc = (cx - bx) / (cy - by);
      const ca = (ax - cx) / (ay - cy);
      for (let y = top; y < bottom; ++y) {
        // Edges that run down bound it on the left, those that run up on the right.
        const middle = y + 0.5;
        let left = 0;
        let right = width;
        let x = ax + (middle - ay) * ab;
        if (by > ay) left = x > left ? x : left; else if (by < ay) right = x < right ? x : right;
        x = bx + (middle - by) * bc;
        if (cy > by) left = x > left ? x : left; else if (cy < by) right = x < right ? x : right;
        x = cx + (middle - cy) * ca;
        if (ay > cy) left = x > left ? x : left; else if (ay < cy) right = x < right ? x : right;
        if (!(left < right)) continue;
        const first = (left + 0.5) | 0;
        const end = y * width + ((right + 0.5) | 0);
        let near = an + (first + 0.5 - ax) * nx + (middle - ay) * ny;
        let shade = al + (first + 0.5 - ax) * lx + (middle - ay) * ly;
        for (let at = y * width + first; at < end; ++at) {
          if (near > depth[at]) {
            depth[at] = near;
            pixels[at] = 0xff000000 | ((shade | 0) * 0x10101);
          }
          near += nx;
          shade += lx;
        }
      }
    }
  }
}
