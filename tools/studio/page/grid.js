// grid: numbers scattered in space, averaged smoothly. Quadratic B-splines on a grid of cells.

const spline = (x) => {
  const a = Math.abs(x);
  return a < 0.5 ? 0.75 - a * a : a < 1.5 ? 0.5 * (1.5 - a) * (1.5 - a) : 0;
};

export class Grid {
  constructor(cell) {
    this.cell = cell;
    this.cells = new Map();
  }

  key(x, y, z) {
    return ((x + 65536) * 131072 + (y + 65536)) * 131072 + z + 65536;
  }

  add(place, value) {
    const key = this.key(...this.home(place));
    const found = this.cells.get(key);
    if (found) {
      found.sum += value;
      found.count += 1;
    } else {
      this.cells.set(key, { sum: value, count: 1 });
    }
  }

  home(place) {
    return [0, 1, 2].map((k) => Math.floor(place[k] / this.cell));
  }

  // The average around a place, null where nothing is near.
  at(place) {
    const [cx, cy, cz] = this.home(place);
    let sum = 0;
    let weight = 0;
    for (let z = cz - 1; z <= cz + 1; ++z) {
      for (let y = cy - 1; y <= cy + 1; ++y) {
        for (let x = cx - 1; x <= cx + 1; ++x) {
          const found = this.cells.get(this.key(x, y, z));
          if (found) {
            const w = spline(place[0] / this.cell - x - 0.5) * spline(place[1] / this.cell - y - 0.5) *
              spline(place[2] / this.cell - z - 0.5);
            sum += w * found.sum;
            weight += w * found.count;
          }
        }
      }
    }
    return weight > 0 ? sum / weight : null;
  }
}
