// Rest-shape strands attached to a moving body: each strand follows the frame of the triangle at its root.

const CELL_SIZE = 0.004; // metres, of the hash grid over vertices
const MAX_RINGS = 4; // of cells searched around a root

const hashCell = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => (Math.floor(x / CELL_SIZE) * 73856093) ^ (Math.floor(y / CELL_SIZE) * 19349663) ^ (Math.floor(z / CELL_SIZE) * 83492791);

// A function that gives the first corner of a triangle at the vertex closest to a point, -1 if none is near.
/** @param {{ positions: Float32Array, indices: Uint32Array }} surface */
function createTriangleFinder({ positions, indices }) {
  /** @type {Map<number, number[]>} */
  const cells = new Map();
  for (let v = 0; v < positions.length; v += 3) {
    const key = hashCell(positions[v], positions[v + 1], positions[v + 2]);
    const cell = cells.get(key);
    if (cell) cell.push(v); else cells.set(key, [v]);
  }
  const triangle = new Int32Array(positions.length / 3).fill(-1);
  for (let c = 0; c < indices.length; ++c) triangle[indices[c]] = c - (c % 3);
  return (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
    let best = -1;
    let minimum = Infinity;
    for (let ring = 1; ring <= MAX_RINGS && best < 0; ++ring) {
      const side = 2 * ring + 1;
      for (let k = 0; k < side ** 3; ++k) {
        const [dx, dy, dz] = [k % side, Math.floor(k / side) % side, Math.floor(k / side ** 2)].map((n) => CELL_SIZE * (n - ring));
        for (const v of cells.get(hashCell(x + dx, y + dy, z + dz)) ?? []) {
          const distance2 = (positions[v] - x) ** 2 + (positions[v + 1] - y) ** 2 + (positions[v + 2] - z) ** 2;
          if (distance2 < minimum && triangle[v / 3] >= 0) [best, minimum] = [v / 3, distance2];
        }
      }
    }
    return best < 0 ? -1 : triangle[best];
  };
}

// Frame of a triangle: origin and three orthonormal axes, twelve numbers.
/** @param {Float64Array} out @param {Float32Array} positions @param {Uint32Array} indices @param {number} c first corner */
function triangleFrame(out, positions, indices, c) {
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

/** @typedef {import('./strand_packet.js').StrandPacket} StrandPacket */

export class AttachedHair {
  /** @param {StrandPacket} packet rest shape @param {{ positions: Float32Array, indices: Uint32Array }} surface rest pose */
  constructor(packet, surface) {
    this.packet = packet;
    this.surface = surface;
    const { positions, origin, step } = packet;
    this.restPoints = Float32Array.from(positions, (word, i) => origin[i % 3] + step[i % 3] * word);
    /** @type {Int32Array | null} per strand: first corner of its triangle */
    this.triangles = null;
    this.deformed = { ...packet, positions: new Uint16Array(positions.length) };
    this.points = new Float32Array(positions.length);
  }

  // On first use.
  bind() {
    const findTriangle = createTriangleFinder(this.surface);
    let at = 0;
    return Int32Array.from(this.packet.lengths, (length) => {
      const i = 3 * at;
      at += length;
      return findTriangle(this.restPoints[i], this.restPoints[i + 1], this.restPoints[i + 2]);
    });
  }

  /** The first strands on a posed body; null: the rest pose. @param {Float32Array | null} body @param {number} strands @returns {StrandPacket} */
  deform(body, strands = this.packet.strandCount) {
    if (!body) return this.packet;
    const triangles = this.triangles ??= this.bind();
    const { restPoints, points, surface: { positions, indices }, packet: { lengths } } = this;
    const [rest, posed] = [new Float64Array(12), new Float64Array(12)];
    let i = 0;
    for (let s = 0; s < Math.min(strands, lengths.length); ++s) {
      const end = i + 3 * lengths[s];
      if (triangles[s] < 0) {
        for (; i < end; ++i) points[i] = restPoints[i];
        continue;
      }
      triangleFrame(rest, positions, indices, triangles[s]);
      triangleFrame(posed, body, indices, triangles[s]);
      for (; i < end; i += 3) {
        const x = restPoints[i] - rest[0];
        const y = restPoints[i + 1] - rest[1];
        const z = restPoints[i + 2] - rest[2];
        const a = x * rest[3] + y * rest[4] + z * rest[5];
        const n = x * rest[6] + y * rest[7] + z * rest[8];
        const b = x * rest[9] + y * rest[10] + z * rest[11];
        points[i] = posed[0] + a * posed[3] + n * posed[6] + b * posed[9];
        points[i + 1] = posed[1] + a * posed[4] + n * posed[7] + b * posed[10];
        points[i + 2] = posed[2] + a * posed[5] + n * posed[8] + b * posed[11];
      }
    }
    return this.quantize(i);
  }

  /** To 16-bit positions in a bounding box, as in strand packets. Runs every frame: one axis at a time for speed. @param {number} count */
  quantize(count) {
    const { points, deformed: { positions } } = this;
    const [origin, step] = [[0, 0, 0], [0, 0, 0]];
    for (let axis = 0; axis < 3; ++axis) {
      let low = points[axis];
      let high = low;
      for (let i = axis; i < count; i += 3) {
        if (points[i] < low) low = points[i]; else if (points[i] > high) high = points[i];
      }
      const scale = high > low ? 65535 / (high - low) : 0;
      for (let i = axis; i < count; i += 3) positions[i] = (points[i] - low) * scale + 0.5;
      origin[axis] = low;
      step[axis] = (high - low) / 65535;
    }
    return Object.assign(this.deformed, { origin, step });
  }
}
