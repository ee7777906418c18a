// loop: a line around something on the screen, and what lies in it.

// Even-odd.
function isInside(polygon, x, y) {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if ((yi > y) !== (yj > y) && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) {
      odd = !odd;
    }
  }
  return odd;
}

const [OUT, IN, EDGE] = [1, 2, 3];

// Pixels that the line does not cross are in or out as a whole: each is asked for once.
export class Loop {
  constructor(polygon) {
    this.polygon = polygon;
    const [xs, ys] = [0, 1].map((k) => polygon.map((p) => p[k]));
    this.box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    this.left = Math.floor(this.box.left) - 1;
    this.top = Math.floor(this.box.top) - 1;
    this.wide = Math.ceil(this.box.right) + 2 - this.left;
    this.pixels = new Uint8Array(this.wide * (Math.ceil(this.box.bottom) + 2 - this.top));
    polygon.forEach((to, i) => this.mark(polygon[(i || polygon.length) - 1], to));
  }

  // The pixels of an edge and those around them.
  mark([x0, y0], [x1, y1]) {
    const steps = Math.ceil(2 * Math.hypot(x1 - x0, y1 - y0)) + 1;
    for (let i = 0; i <= steps; ++i) {
      const [x, y] = [Math.floor(x0 + ((x1 - x0) * i) / steps), Math.floor(y0 + ((y1 - y0) * i) / steps)];
      for (let k = 0; k < 9; ++k) {
        this.pixels[(y - this.top + Math.floor(k / 3) - 1) * this.wide + x - this.left + (k % 3) - 1] = EDGE;
      }
    }
  }

  holds(x, y) {
    const { box } = this;
    if (!(x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)) return false;
    const at = (Math.floor(y) - this.top) * this.wide + Math.floor(x) - this.left;
    if (this.pixels[at] === EDGE) return isInside(this.polygon, x, y);
    this.pixels[at] ||= isInside(this.polygon, Math.floor(x) + 0.5, Math.floor(y) + 0.5) ? IN : OUT;
    return this.pixels[at] === IN;
  }
}
