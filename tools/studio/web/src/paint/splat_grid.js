// Smooth average of scattered values in space: quadratic B-splines on a dense grid around one point.

/** Weights of the previous cell, the cell of x and the next one; x in 0..1 within its cell. @param {number} x @param {Float64Array} weights */
function splineWeights(x, weights) {
  weights[0] = 0.5 * (1 - x) * (1 - x);
  weights[1] = 0.75 - (x - 0.5) * (x - 0.5);
  weights[2] = 0.5 * x * x;
}

const [WX, WY, WZ] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];

export class SplatGrid {
  /** @param {number} cell size @param {number[]} center @param {number} radius points must lie within it */
  constructor(cell, center, radius) {
    this.cell = cell;
    this.first = center.map((x) => Math.floor((x - radius) / cell) - 1);
    this.side = Math.ceil((2 * radius) / cell) + 4;
    this.sums = new Float64Array(this.side ** 3);
    this.counts = new Float64Array(this.side ** 3);
  }

  /** @param {number} x @param {number} y @param {number} z @param {number} value */
  add(x, y, z, value) {
    const { cell, first, side } = this;
    const i = ((Math.floor(z / cell) - first[2]) * side + Math.floor(y / cell) - first[1]) * side + Math.floor(x / cell) - first[0];
    this.sums[i] += value;
    this.counts[i] += 1;
  }

  /** The weighted average around a point, -1 without samples nearby. @param {number} x @param {number} y @param {number} z */
  average(x, y, z) {
    const { cell, first, side, sums, counts } = this;
    const [fx, fy, fz] = [x / cell, y / cell, z / cell];
    const [cx, cy, cz] = [Math.floor(fx) - first[0], Math.floor(fy) - first[1], Math.floor(fz) - first[2]];
    if (Math.min(cx, cy, cz) < 1 || Math.max(cx, cy, cz) > side - 2) return -1;
    splineWeights(fx - Math.floor(fx), WX);
    splineWeights(fy - Math.floor(fy), WY);
    splineWeights(fz - Math.floor(fz), WZ);
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
