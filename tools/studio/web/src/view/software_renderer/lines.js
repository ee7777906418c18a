// Rasteriser of strands as depth-tested lines, one pixel wide or a few. One long loop on purpose: it runs for every
// segment of every strand of every frame. Depth is 1 / w: larger is closer.

import { AMBIENT, DIFFUSE, LIGHT_DIRECTION, R, R_SHIFT, R_WIDTH, SHEEN, strandLight, TILT_SPREAD, TRT, TRT_SHIFT, TRT_WIDTH, WHITE } from '../../hair/strand_shading.js';

const DEPTH_BIAS = 1.0002; // strands lying on the skin stay visible
const FIXED_POINT = 65536; // subpixels
const TONE_STEPS = 1024; // of the tone curve, from 0 to TONE_LIMIT
const TONE_LIMIT = 4;

// Bytes of the tone curve, at equal steps of the square root of its argument.
const TONES = Uint8Array.from({ length: TONE_STEPS + 1 }, (_, i) => {
  const x = ((TONE_LIMIT * i) / TONE_STEPS) ** 2;
  return Math.min(255, Math.round(255 * Math.sqrt((x * (1 + WHITE * x)) / (1 + x))));
});

/**
 * @typedef {object} Projection
 * @property {number[]} x row of the matrix from world to pixel x (times w)
 * @property {number[]} y
 * @property {number[]} w
 * @property {number[]} eye
 * @property {number[]} light direction in world space
 * @property {number} pixelsPerMetre at distance 1
 */

// three.js matrices are column-major.
/** @param {import('../shift_camera.js').ShiftCamera} camera @param {number} width @param {number} height @returns {Projection} */
export function createProjection(camera, width, height) {
  camera.updateMatrixWorld();
  const v = camera.matrixWorldInverse.elements, p = camera.projectionMatrix.elements;
  const row = (/** @type {number} */ r) => [0, 1, 2, 3].map((c) => p[r] * v[4 * c] + p[r + 4] * v[4 * c + 1] + p[r + 8] * v[4 * c + 2] + p[r + 12] * v[4 * c + 3]);
  const [x, y, w] = [row(0), row(1), row(3)];
  const [lx, ly, lz] = LIGHT_DIRECTION;
  return {
    x: x.map((value, k) => 0.5 * width * (value + w[k])), y: y.map((value, k) => 0.5 * height * (w[k] - value)), w,
    eye: [0, 1, 2].map((k) => camera.matrixWorld.elements[12 + k]),
    light: [0, 1, 2].map((k) => lx * v[4 * k] + ly * v[4 * k + 1] + lz * v[4 * k + 2]),
    pixelsPerMetre: 0.5 * height * p[5],
  };
}

const BLOCK_SHIFT = 3;
const BLOCK_SIZE = 1 << BLOCK_SHIFT; // pixels
const blocksOf = (/** @type {number} */ pixels) => ((pixels - 1) >> BLOCK_SHIFT) + 1;

/** @typedef {{ pixels: Uint32Array, depth: Float32Array, width: number, height: number }} Framebuffer */

// Smallest depth value of each block of pixels: anything below it is hidden in the whole block (hierarchical z).
/** @param {{ depth: Float32Array, width: number, height: number }} framebuffer */
export function blockDepths({ depth, width, height }) {
  const depths = new Float32Array(blocksOf(width) * blocksOf(height));
  for (let top = 0, block = 0; top < height; top += BLOCK_SIZE) {
    const last = Math.min(top + BLOCK_SIZE, height) * width;
    for (let left = 0; left < width; left += BLOCK_SIZE, ++block) {
      const count = Math.min(BLOCK_SIZE, width - left);
      let minimum = Infinity;
      for (let row = top * width + left; row < last && minimum > 0; row += width) { // 0: background
        for (let at = row; at < row + count; ++at) {
          if (depth[at] < minimum) minimum = depth[at];
        }
      }
      depths[block] = minimum;
    }
  }
  return depths;
}

const clampRow = (/** @type {number} */ at, /** @type {number} */ size) => Math.max(0, Math.min(size, Math.floor(at)));

let points = new Float32Array(0); // projected points: x, y, depth

// Dequantisation is folded into the matrix. Returns the range of rows and the largest depth value.
/** @param {Projection} projection @param {import('../../hair/strand_packet.js').StrandPacket} strands */
function projectPoints(projection, { positions, origin, step }) {
  const count = positions.length / 3;
  if (points.length < 3 * count) points = new Float32Array(3 * count);
  const rows = [projection.x, projection.y, projection.w].map((row) => [
    row[0] * step[0], row[1] * step[1], row[2] * step[2], row[0] * origin[0] + row[1] * origin[1] + row[2] * origin[2] + row[3]]);
  const [[xx, xy, xz, x0], [yx, yy, yz, y0], [wx, wy, wz, w0]] = rows;
  let top = Infinity;
  let bottom = -Infinity;
  let nearest = 0;
  for (let i = 0; i < 3 * count; i += 3) {
    const a = positions[i], b = positions[i + 1], c = positions[i + 2];
    const z = 1 / (wx * a + wy * b + wz * c + w0);
    points[i] = z * (xx * a + xy * b + xz * c + x0);
    const y = z * (yx * a + yy * b + yz * c + y0);
    points[i + 1] = y;
    points[i + 2] = z * DEPTH_BIAS;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
    if (z > nearest) nearest = z;
  }
  return { top, bottom, nearest };
}

// Draws strands into the framebuffer. Segments with both ends behind the block depths are skipped. Returns the range
// of rows that may have changed, the last one exclusive.
/**
 * @param {Framebuffer} framebuffer
 * @param {Float32Array} hiddenBelow block depths before the first strand
 * @param {Projection} projection
 * @param {import('./view.js').RasterStrands} strands
 */
export function drawStrands({ pixels, depth, width, height }, hiddenBelow, projection, strands) {
  const rows = projectPoints(projection, strands);
  const { positions, origin: [ox, oy, oz], step: [sx, sy, sz], lengths, pointColors } = strands;
  const [lx, ly, lz] = projection.light;
  const ex = projection.eye[0] - ox, ey = projection.eye[1] - oy, ez = projection.eye[2] - oz;
  const level = strandLight.level.value;
  const [cx, cy, cz] = strandLight.center.value.map((x, k) => x - strands.origin[k]);
  const right = width - 1;
  const bottom = height - 1;
  const widthScale = 2 * strands.radius * projection.pixelsPerMetre;
  const blocks = blocksOf(width);
  let i = 0;
  for (let s = 0; s < lengths.length; ++s) {
    const end = i + 3 * lengths[s] - 3;
    for (; i < end; i += 3) {
      let x = points[i], y = points[i + 1], z = points[i + 2];
      let x1 = points[i + 3], y1 = points[i + 4], z1 = points[i + 5];
      if (!(z > 0 && z1 > 0)) continue; // behind the camera
      if (!(x >= 0 && y >= 0 && x <= right && y <= bottom && x1 >= 0 && y1 >= 0 && x1 <= right && y1 <= bottom)) {
        // Clip to the viewport.
        let from = 0;
        let to = 1;
        const dx = x1 - x, dy = y1 - y;
        if (dx !== 0) {
          const a = -x / dx;
          const b = (right - x) / dx;
          from = Math.max(from, Math.min(a, b));
          to = Math.min(to, Math.max(a, b));
        } else if (!(x >= 0 && x <= right)) continue;
        if (dy !== 0) {
          const a = -y / dy;
          const b = (bottom - y) / dy;
          from = Math.max(from, Math.min(a, b));
          to = Math.min(to, Math.max(a, b));
        } else if (!(y >= 0 && y <= bottom)) continue;
        if (!(from < to)) continue;
        const dn = z1 - z;
        x1 = Math.min(right, Math.max(0, x + to * dx));
        y1 = Math.min(bottom, Math.max(0, y + to * dy));
        z1 = z + to * dn;
        x = Math.min(right, Math.max(0, x + from * dx));
        y = Math.min(bottom, Math.max(0, y + from * dy));
        z += from * dn;
      }
      if (z < hiddenBelow[(y >> BLOCK_SHIFT) * blocks + (x >> BLOCK_SHIFT)] && z1 < hiddenBelow[(y1 >> BLOCK_SHIFT) * blocks + (x1 >> BLOCK_SHIFT)]) continue;
      // Shading, see strand_shading.js.
      const px = positions[i], py = positions[i + 1], pz = positions[i + 2];
      const tx = sx * (positions[i + 3] - px), ty = sy * (positions[i + 4] - py), tz = sz * (positions[i + 5] - pz);
      const vx = ex - sx * px, vy = ey - sy * py, vz = ez - sz * pz;
      const t2 = 1 / Math.sqrt(tx * tx + ty * ty + tz * tz + 1e-24), v2 = 1 / Math.sqrt(vx * vx + vy * vy + vz * vz + 1e-24);
      const tl = t2 * (tx * lx + ty * ly + tz * lz), tv = t2 * v2 * (tx * vx + ty * vy + tz * vz);
      const sinTL = Math.sqrt(Math.max(0, 1 - tl * tl)), sinTV = Math.sqrt(Math.max(0, 1 - tv * tv));
      const lv = v2 * (lx * vx + ly * vy + lz * vz);
      const near = Math.max(0, Math.min(1, 0.5 + (0.5 * (lv - tl * tv)) / Math.max(1e-3, sinTL * sinTV)));
      const nx = sx * px - cx, ny = sy * py - cy, nz = sz * pz - cz;
      const facing = 0.5 + (0.5 * (nx * lx + ny * ly + nz * lz)) / Math.sqrt(nx * nx + ny * ny + nz * nz + 1e-24);
      const t = (4 * i) / 3;
      const h = tl + tv + TILT_SPREAD * (pointColors[t + 3] / 255 - 0.5);
      const hr = (h - R_SHIFT) / R_WIDTH, ht = (h - TRT_SHIFT) / TRT_WIDTH;
      const white = level * facing * (SHEEN + R * Math.sqrt(near) * Math.exp(-hr * hr));
      const tinted = (level * facing * TRT * near * Math.exp(-ht * ht)) / 255;
      const own = (level * (AMBIENT + DIFFUSE * sinTL * facing)) / 65025;
      const r = pointColors[t], g = pointColors[t + 1], b = pointColors[t + 2];
      const scale = TONE_STEPS / TONE_LIMIT;
      const red = TONES[Math.min(TONE_STEPS, (scale * Math.sqrt(white + r * (tinted + own * r))) | 0)];
      const green = TONES[Math.min(TONE_STEPS, (scale * Math.sqrt(white + g * (tinted + own * g))) | 0)];
      const blue = TONES[Math.min(TONE_STEPS, (scale * Math.sqrt(white + b * (tinted + own * b))) | 0)];
      const color = 0xff000000 | (blue << 16) | (green << 8) | red;
      // Step along the major axis.
      const dx = x1 - x, dy = y1 - y;
      const isFlat = Math.abs(dx) > Math.abs(dy);
      const steps = Math.ceil(isFlat ? Math.abs(dx) : Math.abs(dy)) || 1;
      const lineWidth = widthScale * z;
      const mn = (z1 - z) / steps;
      const mx = ((FIXED_POINT * dx) / steps) | 0, my = ((FIXED_POINT * dy) / steps) | 0;
      let fx = (FIXED_POINT * x) | 0, fy = (FIXED_POINT * y) | 0;
      if (lineWidth < 1.5) {
        for (let k = 0; k < steps; ++k) {
          const at = (fy >> 16) * width + (fx >> 16);
          if (z > depth[at]) {
            depth[at] = z;
            pixels[at] = color;
          }
          fx += mx;
          fy += my;
          z += mn;
        }
      } else {
        const next = isFlat ? width : 1;
        const thickness = Math.round(lineWidth);
        for (let k = 0; k < steps; ++k) {
          let at = (fy >> 16) * width + (fx >> 16);
          for (let w = 0; w < thickness; ++w, at += next) {
            if (z > depth[at]) {
              depth[at] = z;
              pixels[at] = color;
            }
          }
          fx += mx;
          fy += my;
          z += mn;
        }
      }
    }
    i = end + 3;
  }
  const margin = 2 + widthScale * rows.nearest; // wide lines extend below their points
  return [clampRow(rows.top, height), clampRow(rows.bottom + margin, height)];
}
