// carried_hair: strands that stay as they grew while the head under them moves: each goes with the triangle that
// its root stands on.

const CELL = 0.004; // metres, of a grid to find vertices in

// Whole numbers of cells, as one key.
const keyOf = (x, y, z) => (Math.floor(x / CELL) * 73856093) ^ (Math.floor(y / CELL) * 19349663) ^ (Math.floor(z / CELL) * 83492791);

// The corners of a triangle at every vertex, and a function that finds the vertex nearest to a place.
function vertexFinder({ positions, indices }) {
  const cells = new Map();
  for (let v = 0; v < positions.length; v += 3) {
    const key = keyOf(positions[v], positions[v + 1], positions[v + 2]);
    const cell = cells.get(key);
    if (cell) cell.push(v); else cells.set(key, [v]);
  }
  const triangle = new Int32Array(positions.length / 3).fill(-1);
  for (let c = 0; c < indices.length; ++c) triangle[indices[c]] = c - (c % 3);
  const nearest = (x, y, z) => {
    let best = -1;
    let least = Infinity;
    for (let reach = 1; reach <= 4 && best < 0; ++reach) {
      for (let k = 0; k < (2 * reach + 1) ** 3; ++k) {
        const at = [k % (2 * reach + 1), Math.floor(k / (2 * reach + 1)) % (2 * reach + 1), Math.floor(k / (2 * reach + 1) ** 2)].map((n) => CELL * (n - reach));
        for (const v of cells.get(keyOf(x + at[0], y + at[1], z + at[2])) ?? []) {
          const far = (positions[v] - x) ** 2 + (positions[v + 1] - y) ** 2 + (positions[v + 2] - z) ** 2;
          if (far < least && triangle[v / 3] >= 0) [best, least] = [v / 3, far];
        }
      }
    }
    return best < 0 ? -1 : triangle[best];
  };
  return nearest;
}

// Where a triangle stands: its first corner and three axes at right angles, into a list of twelve numbers.
function frameOf(out, positions, indices, c) {
  const [i, j, k] = [3 * indices[c], 3 * indices[c + 1], 3 * indices[c + 2]];
  const [ox, oy, oz] = [positions[i], positions[i + 1], positions[i + 2]];
  let [ax, ay, az] = [positions[j] - ox, positions[j + 1] - oy, positions[j + 2] - oz];
  const [bx, by, bz] = [positions[k] - ox, positions[k + 1] - oy, positions[k + 2] - oz];
  let [nx, ny, nz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  const a = 1 / (Math.sqrt(ax * ax + ay * ay + az * az) || 1);
  const n = 1 / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
  [ax, ay, az, nx, ny, nz] = [a * ax, a * ay, a * az, n * nx, n * ny, n * nz];
  out[0] = ox; out[1] = oy; out[2] = oz;
  out[3] = ax; out[4] = ay; out[5] = az;
  out[6] = nx; out[7] = ny; out[8] = nz;
  out[9] = ny * az - nz * ay; out[10] = nz * ax - nx * az; out[11] = nx * ay - ny * ax;
}

export class CarriedHair {
  // Data: of decodeStrands, as it grew on the surface.
  constructor(data, surface) {
    Object.assign(this, { data, surface });
    const { places, lengths, low, step } = data;
    this.points = Float32Array.from(places, (word, i) => low[i % 3] + step[i % 3] * word);
    this.triangles = null;
    this.carried = { ...data, places: new Uint16Array(places.length) };
    this.out = new Float32Array(places.length);
  }

  // Found when they are first carried.
  bind() {
    const nearest = vertexFinder(this.surface);
    let at = 0;
    this.triangles = Int32Array.from(this.data.lengths, (length) => {
      const i = 3 * at;
      at += length;
      return nearest(this.points[i], this.points[i + 1], this.points[i + 2]);
    });
  }

  // On the body as it stands, null: as they grew. The first strands alone, where not all are wanted.
  on(body, strands = this.data.strands) {
    if (!body) return this.data;
    if (!this.triangles) this.bind();
    const { points, out, triangles, surface: { positions, indices }, data: { lengths } } = this;
    const [was, is] = [new Float64Array(12), new Float64Array(12)];
    let i = 0;
    for (let s = 0; s < Math.min(strands, lengths.length); ++s) {
      const end = i + 3 * lengths[s];
      if (triangles[s] < 0) {
        for (; i < end; ++i) out[i] = points[i];
        continue;
      }
      frameOf(was, positions, indices, triangles[s]);
      frameOf(is, body, indices, triangles[s]);
      for (; i < end; i += 3) {
        const x = points[i] - was[0];
        const y = points[i + 1] - was[1];
        const z = points[i + 2] - was[2];
        const a = x * was[3] + y * was[4] + z * was[5];
        const n = x * was[6] + y * was[7] + z * was[8];
        const b = x * was[9] + y * was[10] + z * was[11];
        out[i] = is[0] + a * is[3] + n * is[6] + b * is[9];
        out[i + 1] = is[1] + a * is[4] + n * is[7] + b * is[10];
        out[i + 2] = is[2] + a * is[5] + n * is[8] + b * is[11];
      }
    }
    return this.pack(i);
  }

  // In a box again, as strands come: axis by axis, because this is done for every picture of a head that moves.
  pack(count) {
    const { out, carried: { places } } = this;
    const [low, step] = [[0, 0, 0], [0, 0, 0]];
    for (let axis = 0; axis < 3; ++axis) {
      let least = out[axis];
      let most = least;
      for (let i = axis; i < count; i += 3) {
        if (out[i] < least) least = out[i]; else if (out[i] > most) most = out[i];
      }
      const scale = most > least ? 65535 / (most - least) : 0;
      for (let i = axis; i < count; i += 3) places[i] = (out[i] - least) * scale + 0.5;
      low[axis] = least;
      step[axis] = (most - least) / 65535;
    }
    return Object.assign(this.carried, { low, step });
  }
}
