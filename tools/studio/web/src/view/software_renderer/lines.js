// soft_lines: strands as lines of a pixel or a few, with what is nearer in front, drawn by the processor into an
// array of pixels. One long loop on purpose: it runs for every segment of every strand of every picture.

// The same lamp and formula as of the ribbons, see strands.js.
const LAMP = [-0.45, 0.7, 0.55].map((x) => x / Math.hypot(0.45, 0.7, 0.55));
const NEARER = 1.0002; // hair that lies on skin is seen
const FINE = 65536; // parts of a pixel that lines are stepped in

// Rows of a view-projection: clip x, y and w of a place, in pixels. Matrices as of three, by columns.
export function projectionOf(camera, width, height) {
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

const BLOCK = 3;
const SIDE = 1 << BLOCK; // of squares of pixels
const blocksOf = (pixels) => ((pixels - 1) >> BLOCK) + 1;

// How near the farthest of what is seen is, in each square of pixels: what is farther than that is not seen there.
export function farthest({ depth, width, height }) {
  const far = new Float32Array(blocksOf(width) * blocksOf(height));
  for (let top = 0, block = 0; top < height; top += SIDE) {
    const last = Math.min(top + SIDE, height) * width;
    for (let left = 0; left < width; left += SIDE, ++block) {
      const many = Math.min(SIDE, width - left);
      let least = Infinity;
      for (let row = top * width + left; row < last && least > 0; row += width) { // nothing is farther than the ground
        for (let at = row; at < row + many; ++at) {
          if (depth[at] < least) least = depth[at];
        }
      }
      far[block] = least;
    }
  }
  return far;
}

const within = (at, size) => Math.max(0, Math.min(size, Math.floor(at)));

let points = new Float32Array(0); // of the picture that is drawn: x and y in pixels, nearness

// Places come as whole numbers in a box: the box goes into the matrix. Gives the rows of
// pixels they lie in, and how near the nearest is.
function project(view, { places, low, step }) {
  const count = places.length / 3;
  if (points.length < 3 * count) points = new Float32Array(3 * count);
  const rows = [view.x, view.y, view.w].map((row) => [
    row[0] * step[0], row[1] * step[1], row[2] * step[2], row[0] * low[0] + row[1] * low[1] + row[2] * low[2] + row[3]]);
  const [[xx, xy, xz, x0], [yx, yy, yz, y0], [wx, wy, wz, w0]] = rows;
  let top = Infinity;
  let bottom = -Infinity;
  let nearest = 0;
  for (let i = 0; i < 3 * count; i += 3) {
    const a = places[i];
    const b = places[i + 1];
    const c = places[i + 2];
    const near = 1 / (wx * a + wy * b + wz * c + w0);
    points[i] = near * (xx * a + xy * b + xz * c + x0);
    const y = near * (yx * a + yy * b + yz * c + y0);
    points[i + 1] = y;
    points[i + 2] = near * NEARER;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
    if (near > nearest) nearest = near;
  }
  return { top, bottom, nearest };
}

// Onto: pixels and depth (nearness) of a width and height; far: of what was there before the first line, segments
// that begin and end behind it are left out. Hair: what decodeStrands gave, with tints, four bytes per point, and
// radius. Gives the rows of pixels that may have changed: the first, and the one after the last.
export function drawStrands({ pixels, depth, width, height }, far, view, hair) {
  const rows = project(view, hair);
  const { places, low: [bx, by, bz], step: [sx, sy, sz], lengths, tints } = hair;
  const [lx, ly, lz] = view.lamp;
  const ex = view.eye[0] - bx;
  const ey = view.eye[1] - by;
  const ez = view.eye[2] - bz;
  const right = width - 1;
  const bottom = height - 1;
  const across2 = 2 * hair.radius * view.pixels;
  const blocks = blocksOf(width);
  let i = 0;
  for (let s = 0; s < lengths.length; ++s) {
    const end = i + 3 * lengths[s] - 3;
    for (; i < end; i += 3) {
      let x = points[i];
      let y = points[i + 1];
      let near = points[i + 2];
      let x1 = points[i + 3];
      let y1 = points[i + 4];
      let near1 = points[i + 5];
      if (!(near > 0 && near1 > 0)) continue; // behind the eye
      if (!(x >= 0 && y >= 0 && x <= right && y <= bottom && x1 >= 0 && y1 >= 0 && x1 <= right && y1 <= bottom)) {
        // The part between the borders.
        let from = 0;
        let to = 1;
        const dx = x1 - x;
        const dy = y1 - y;
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
        const dn = near1 - near;
        x1 = Math.min(right, Math.max(0, x + to * dx));
        y1 = Math.min(bottom, Math.max(0, y + to * dy));
        near1 = near + to * dn;
        x = Math.min(right, Math.max(0, x + from * dx));
        y = Math.min(bottom, Math.max(0, y + from * dy));
        near += from * dn;
      }
      if (near < far[(y >> BLOCK) * blocks + (x >> BLOCK)] && near1 < far[(y1 >> BLOCK) * blocks + (x1 >> BLOCK)]) continue;
      // Light on a fibre: see strands.js.
      const px = places[i];
      const py = places[i + 1];
      const pz = places[i + 2];
      const tx = sx * (places[i + 3] - px);
      const ty = sy * (places[i + 4] - py);
      const tz = sz * (places[i + 5] - pz);
      const vx = ex - sx * px;
      const vy = ey - sy * py;
      const vz = ez - sz * pz;
      const t2 = 1 / (tx * tx + ty * ty + tz * tz + 1e-24);
      const v2 = 1 / (vx * vx + vy * vy + vz * vz + 1e-24);
      const l = tx * lx + ty * ly + tz * lz;
      const e = tx * vx + ty * vy + tz * vz;
      const across = Math.sqrt(Math.max(0, 1 - l * l * t2));
      const gloss = across * Math.sqrt(Math.max(0, 1 - e * e * t2 * v2)) - l * e * t2 * Math.sqrt(v2);
      let matt = 0.6 + 0.6 * across;
      let white = 0;
      if (gloss > 0.7) { // else below a thousandth
        const g2 = gloss * gloss;
        const g8 = g2 * g2 * g2 * g2;
        const shine = g8 * g8 * g8;
        matt += 0.35 * shine;
        white = 12.75 * shine;
      }
      const t = (4 * i) / 3;
      const red = Math.min(255, matt * tints[t] + white);
      const green = Math.min(255, matt * tints[t + 1] + white);
      const blue = Math.min(255, matt * tints[t + 2] + white);
      const color = 0xff000000 | (blue << 16) | (green << 8) | red;
      // The line, along the axis that it runs more in.
      const dx = x1 - x;
      const dy = y1 - y;
      const flat = Math.abs(dx) > Math.abs(dy);
      const steps = Math.ceil(flat ? Math.abs(dx) : Math.abs(dy)) || 1;
      const wide = across2 * near;
      const mn = (near1 - near) / steps;
      const mx = ((FINE * dx) / steps) | 0;
      const my = ((FINE * dy) / steps) | 0;
      let fx = (FINE * x) | 0;
      let fy = (FINE * y) | 0;
      if (wide < 1.5) {
        for (let k = 0; k < steps; ++k) {
          const at = (fy >> 16) * width + (fx >> 16);
          if (near > depth[at]) {
            depth[at] = near;
            pixels[at] = color;
          }
          fx += mx;
          fy += my;
          near += mn;
        }
      } else {
        const next = flat ? width : 1;
        const many = Math.round(wide);
        for (let k = 0; k < steps; ++k) {
          let at = (fy >> 16) * width + (fx >> 16);
          for (let w = 0; w < many; ++w, at += next) {
            if (near > depth[at]) {
              depth[at] = near;
              pixels[at] = color;
            }
          }
          fx += mx;
          fy += my;
          near += mn;
        }
      }
    }
    i = end + 3;
  }
  const more = 2 + across2 * rows.nearest; // a line is drawn below its places, as far as it is wide
  return [within(rows.top, height), within(rows.bottom + more, height)];
}
