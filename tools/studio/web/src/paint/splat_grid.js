// grid: numbers scattered around a point of space, averaged smoothly. Quadratic B-splines on cells that
// lie in one array, so that a dab of many texels stays quick.

// Weights of the cell before, the one that x lies in and the one after; x is from 0 to 1 in it.
function weigh(x, weights) {
  weights[0] = 0.5 * (1 - x) * (1 - x);
  weights[1] = 0.75 - (x - 0.5) * (x - 0.5);
  weights[2] = 0.5 * x * x;
}

const [WX, WY, WZ] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];

export class Grid {
  // For places up to reach from the middle; others are nowhere.
  constructor(cell, middle, reach) {
    this.cell = cell;
    this.first = middle.map((x) => Math.floor((x - reach) / cell) - 1);
    this.side = Math.ceil((2 * reach) / cell) + 4;
    this.sums = new Float64Array(this.side ** 3);
    this.counts = new Float64Array(this.side ** 3);
  }

  add(x, y, z, value) {
    const { cell, first, side } = this;
    const i = ((Math.floor(z / cell) - first[2]) * side + Math.floor(y / cell) - first[1]) * side + Math.floor(x / cell) - first[0];
    this.sums[i] += value;
    this.counts[i] += 1;
  }

  // The average around a place, -1 where nothing is near.
  at(x, y, z) {
    const { cell, first, side, sums, counts } = this;
    const [fx, fy, fz] = [x / cell, y / cell, z / cell];
    const [cx, cy, cz] = [Math.floor(fx) - first[0], Math.floor(fy) - first[1], Math.floor(fz) - first[2]];
    if (Math.min(cx, cy, cz) < 1 || Math.max(cx, cy, cz) > side - 2) return -1;
    weigh(fx - Math.floor(fx), WX);
    weigh(fy - Math.floor(fy), WY);
    weigh(fz - Math.floor(fz), WZ);
    let sum = 0;
    let weight = 0;
    for (let k = 0; k < 3; ++k) {
      for (let j = 0; j < 3; ++j) {
        const row = ((cz - 1 + k) * side + cy - 1 + j) * side + cx - 1;
        const w = WZ[k] * WY[j];
        for (let i = 0; i < 3; ++i) {
          sum += w * WX[i] * sums[row + i];
          weight += w * WX[i] * counts[row + i];
        }
      }
    }
    return weight > 0 ? sum / weight : -1;
  }
}
