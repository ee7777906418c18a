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
}
