// Point-in-polygon test for many points: a pixel grid caches the result wherever no edge passes.

/** Even-odd rule. @param {number[][]} polygon @param {number} x @param {number} y */
function isInside(polygon, x, y) {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if ((yi > y) !== (yj > y) && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

const [OUTSIDE, INSIDE, EDGE] = [1, 2, 3]; // 0: not tested yet

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box pixels */

export class PolygonMask {
  /** @param {number[][]} polygon corners in pixels, closed implicitly */
  constructor(polygon) {
    this.polygon = polygon;
    const [xs, ys] = [0, 1].map((k) => polygon.map((p) => p[k]));
    /** @type {Box} */ this.box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    this.left = Math.floor(this.box.left) - 1;
    this.top = Math.floor(this.box.top) - 1;
    this.width = Math.ceil(this.box.right) + 2 - this.left;
    this.pixels = new Uint8Array(this.width * (Math.ceil(this.box.bottom) + 2 - this.top));
    polygon.forEach((to, i) => this.markEdge(polygon[(i || polygon.length) - 1], to));
  }

  /** Marks the pixels of an edge and their neighbours. @param {number[]} from @param {number[]} to */
  markEdge([x0, y0], [x1, y1]) {
    const steps = Math.ceil(2 * Math.hypot(x1 - x0, y1 - y0)) + 1;
    for (let i = 0; i <= steps; ++i) {
      const [x, y] = [Math.floor(x0 + ((x1 - x0) * i) / steps), Math.floor(y0 + ((y1 - y0) * i) / steps)];
      for (let k = 0; k < 9; ++k) this.pixels[(y - this.top + Math.floor(k / 3) - 1) * this.width + x - this.left + (k % 3) - 1] = EDGE;
    }
  }

  /** @param {number} x @param {number} y */
  contains(x, y) {
    const { box } = this;
    if (!(x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)) return false;
    const at = (Math.floor(y) - this.top) * this.width + Math.floor(x) - this.left;
    if (this.pixels[at] === EDGE) return isInside(this.polygon, x, y);
    this.pixels[at] ||= isInside(this.polygon, Math.floor(x) + 0.5, Math.floor(y) + 0.5) ? INSIDE : OUTSIDE;
    return this.pixels[at] === INSIDE;
  }

  /** 1 well inside, 0 outside; the edge is a pixel wide and `feather` more towards the inside. @param {number} x @param {number} y @param {number} feather pixels */
  coverage(x, y, feather) {
    const isIn = this.contains(x, y);
    if (feather <= 0) {
      const { box } = this;
      if (!(x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1)) return 0;
      if (this.pixels[(Math.floor(y) - this.top) * this.width + Math.floor(x) - this.left] !== EDGE) return Number(isIn);
    } else if (!isIn) {
      return 0;
    }
    const distance = (isIn ? 1 : -1) * this.distanceToEdge(x, y);
    if (feather <= 0) return Math.max(0, Math.min(1, distance + 0.5));
    const t = Math.min(1, distance / feather);
    return t * t * (3 - 2 * t);
  }

  /** @param {number} x @param {number} y */
  distanceToEdge(x, y) {
    let least = Infinity;
    const { polygon } = this;
    for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
      const [x0, y0] = polygon[j];
      const [dx, dy] = [polygon[i][0] - x0, polygon[i][1] - y0];
      const t = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
      const d2 = (x - x0 - t * dx) ** 2 + (y - y0 - t * dy) ** 2;
      if (d2 < least) least = d2;
    }
    return Math.sqrt(least);
  }
}
