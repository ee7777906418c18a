// backdrop: the head for soft_view and hair that goes with it, with how near it is in every pixel. Drawn anew only
// when it or the eye has moved; what of it stands still costs a copy.

import { drawStrands, farthest } from './soft_lines.js';

const GROUND = 0xff373737;
const EDGE = 1e-3; // of a triangle: none is seen through where two of them meet
const SKIN = 0.42 * 255; // as the view shows it where nothing is painted

export class Backdrop {
  constructor() {
    this.key = '';
    this.body = null;
  }

  resize(width, height) {
    Object.assign(this, { width, height, key: '', pixels: new Uint32Array(width * height), depth: new Float32Array(width * height) });
  }

  // Positions: of the vertices as they stand; others: see other_grooms. Gives whether it is another picture than
  // before.
  draw(view, surface, positions, others) {
    const key = [...view.x, ...view.y, ...view.w, others?.version].join();
    if (key === this.key && surface === this.surface && this.stands(positions)) {
      return false;
    }
    if (surface !== this.surface || this.points.length !== positions.length) {
      this.points = new Float32Array(positions.length);
      this.light = new Float32Array(positions.length / 3);
      this.normals = new Float32Array(positions.length);
      this.body = null;
    }
    if (!this.stands(positions)) {
      this.body = positions.slice();
      this.findNormals(surface.indices, positions);
    }
    Object.assign(this, { key, surface });
    this.pixels.fill(GROUND);
    this.depth.fill(0);
    this.project(view, positions);
    this.fill(surface.indices);
    this.far = farthest(this);
    others?.list().forEach((hair) => drawStrands(this, this.far, view, hair));
    return true;
  }

  stands(positions) {
    const { body } = this;
    if (body?.length !== positions.length) return false;
    for (let i = 0; i < body.length; ++i) {
      if (body[i] !== positions[i]) return false;
    }
    return true;
  }

  // Of vertices, from the faces around them, not unit.
  findNormals(indices, p) {
    const { normals } = this;
    normals.fill(0);
    for (let c = 0; c < indices.length; c += 3) {
      const i = 3 * indices[c];
      const j = 3 * indices[c + 1];
      const k = 3 * indices[c + 2];
      const ax = p[j] - p[i];
      const ay = p[j + 1] - p[i + 1];
      const az = p[j + 2] - p[i + 2];
      const bx = p[k] - p[i];
      const by = p[k + 1] - p[i + 1];
      const bz = p[k + 2] - p[i + 2];
      for (let corner = 0; corner < 3; ++corner) {
        const v = 3 * indices[c + corner];
        normals[v] += ay * bz - az * by;
        normals[v + 1] += az * bx - ax * bz;
        normals[v + 2] += ax * by - ay * bx;
      }
    }
  }

  // Vertices in pixels, and the light of a lamp at the eye on them.
  project({ x, y, w, eye }, p) {
    const { points, light, normals: n } = this;
    for (let i = 0; i < p.length; i += 3) {
      const near = 1 / (w[0] * p[i] + w[1] * p[i + 1] + w[2] * p[i + 2] + w[3]);
      points[i] = near * (x[0] * p[i] + x[1] * p[i + 1] + x[2] * p[i + 2] + x[3]);
      points[i + 1] = near * (y[0] * p[i] + y[1] * p[i + 1] + y[2] * p[i + 2] + y[3]);
      points[i + 2] = near;
      const ex = eye[0] - p[i];
      const ey = eye[1] - p[i + 1];
      const ez = eye[2] - p[i + 2];
      const lengths = (n[i] * n[i] + n[i + 1] * n[i + 1] + n[i + 2] * n[i + 2]) * (ex * ex + ey * ey + ez * ez);
      light[i / 3] = SKIN * (0.35 + (0.65 * Math.abs(n[i] * ex + n[i + 1] * ey + n[i + 2] * ez)) / Math.sqrt(lengths + 1e-30));
    }
  }

  // First what is turned to the eye, then what is turned away, of which little is seen.
  fill(indices) {
    this.fillSide(indices, 1);
    this.fillSide(indices, -1);
  }

  // Triangle by triangle, each pixel whose middle it covers; nearness and light run evenly over a triangle.
  fillSide(indices, side) {
    const { points: q, light, pixels, depth, width, height } = this;
    for (let c = 0; c < indices.length; c += 3) {
      const a = 3 * indices[c];
      const b = 3 * indices[c + 1];
      const d = 3 * indices[c + 2];
      const ax = q[a];
      const ay = q[a + 1];
      const bx = q[b] - ax;
      const by = q[b + 1] - ay;
      const dx = q[d] - ax;
      const dy = q[d + 1] - ay;
      const area = bx * dy - by * dx;
      if (!(side * area < 0)) continue;
      const top = Math.max(0, Math.ceil(ay + Math.min(0, by, dy) - 0.5));
      const bottom = Math.min(height - 1, Math.floor(ay + Math.max(0, by, dy) - 0.5));
      const low = Math.max(0, Math.ceil(ax + Math.min(0, bx, dx) - 0.5));
      const high = Math.min(width - 1, Math.floor(ax + Math.max(0, bx, dx) - 0.5));
      if (low > high || top > bottom) continue; // between the middles of pixels
      const an = q[a + 2];
      const bn = q[b + 2];
      const dn = q[d + 2];
      if (!(an > 0 && bn > 0 && dn > 0)) continue; // behind the eye
      const nearest = Math.max(an, bn, dn);
      if (nearest < depth[top * width + low] && nearest < depth[bottom * width + high]) continue;
      const scale = 1 / area;
      const ux = dy * scale;
      const uy = -dx * scale;
      const vx = -by * scale;
      const vy = bx * scale;
      const nu = bn - an;
      const nv = dn - an;
      const al = light[a / 3];
      const lu = light[b / 3] - al;
      const lv = light[d / 3] - al;
      for (let y = top; y <= bottom; ++y) {
        const py = y + 0.5 - ay;
        const px = low + 0.5 - ax;
        let u = px * ux + py * uy;
        let v = px * vx + py * vy;
        for (let x = low, at = y * width + low; x <= high; ++x, ++at, u += ux, v += vx) {
          if (u >= -EDGE && v >= -EDGE && u + v <= 1 + EDGE) {
            const near = an + u * nu + v * nv;
            if (near > depth[at]) {
              depth[at] = near;
              pixels[at] = 0xff000000 | (((al + u * lu + v * lv) | 0) * 0x10101);
            }
          }
        }
      }
    }
  }
}
