// Rest-shape strands attached to a moving body: each strand follows the frame of the triangle at its root.

const MAX_ROOT_DISTANCE = 0.016; // metres; strands farther from the body stay at rest

// Frame of a triangle: origin and three orthonormal axes, twelve numbers.
/** @param {Float64Array} out @param {Float32Array} positions @param {Uint32Array} indices @param {number} c first corner */
function triangleFrame(out, positions, indices, c) {
  const [i, j, k] = [3 * indices[c], 3 * indices[c + 1], 3 * indices[c + 2]];
  const [ox, oy, oz] = [positions[i], positions[i + 1], positions[i + 2]];
  let [ax, ay, az] = [positions[j] - ox, positions[j + 1] - oy, positions[j + 2] - oz];
  const [bx, by, bz] = [positions[k] - ox, positions[k + 1] - oy, positions[k + 2] - oz];
  let [nx, ny, nz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  const a = 1 / (Math.sqrt(ax * ax + ay * ay + az * az) || 1), n = 1 / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
  [ax, ay, az, nx, ny, nz] = [a * ax, a * ay, a * az, n * nx, n * ny, n * nz];
  out[0] = ox; out[1] = oy; out[2] = oz;
  out[3] = ax; out[4] = ay; out[5] = az;
  out[6] = nx; out[7] = ny; out[8] = nz;
  out[9] = ny * az - nz * ay; out[10] = nz * ax - nx * az; out[11] = nx * ay - ny * ax;
}

/** @typedef {import('./strand_packet.js').StrandPacket} StrandPacket */

export class AttachedHair {
  /** @param {StrandPacket} packet rest shape @param {import('../paint/surface.js').Surface} surface */
  constructor(packet, surface) {
    this.packet = packet;
    this.surface = surface;
    const { positions, origin, step } = packet;
    this.restPoints = Float32Array.from(positions, (word, i) => origin[i % 3] + step[i % 3] * word);
    /** @type {Int32Array | null} per strand: first corner of its triangle */ this.triangles = null;
    this.deformed = { ...packet, positions: new Uint16Array(positions.length) };
    this.points = new Float32Array(positions.length);
  }

  // On first use.
  bind() {
    let at = 0;
    return Int32Array.from(this.packet.lengths, (length) => {
      const { triangle, distance } = this.surface.closestTriangle([...this.restPoints.subarray(at, at + 3)]);
      at += 3 * length;
      return distance < MAX_ROOT_DISTANCE ? 3 * triangle : -1;
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
        const x = restPoints[i] - rest[0], y = restPoints[i + 1] - rest[1], z = restPoints[i + 2] - rest[2];
        const a = x * rest[3] + y * rest[4] + z * rest[5], n = x * rest[6] + y * rest[7] + z * rest[8], b = x * rest[9] + y * rest[10] + z * rest[11];
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
