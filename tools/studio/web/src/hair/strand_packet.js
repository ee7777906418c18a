// Decoder of the strand packets of the server: strand attributes, quantised positions and posed body vertices. Parts
// that did not change are omitted from a packet and taken from the previous one.

const HEADER_BYTES = 44;
const HAS_STRANDS = 1;
const HAS_BODY = 2;
export const COLORS_PER_STRAND = 3; // RGBA at root, middle and tip

/**
 * @typedef {object} StrandPacket
 * @property {number} strandCount
 * @property {number} pointCount
 * @property {number} frame
 * @property {number[]} origin position = origin + step * positions
 * @property {number[]} step
 * @property {Uint8Array} colors
 * @property {Uint16Array} lengths points per strand
 * @property {Uint16Array} positions view into the packet
 * @property {Float32Array | null} body view into the packet; null: rest pose
 */

/** @param {ArrayBuffer} bytes @param {StrandPacket | null} previous @returns {StrandPacket | null} null for an empty packet */
export function decodeStrandPacket(bytes, previous = null) {
  if (bytes.byteLength < HEADER_BYTES) return null;
  const view = new DataView(bytes);
  const [parts, strandCount, pointCount, frame] = [4, 8, 12, 16].map((at) => view.getUint32(at, true));
  const origin = [20, 24, 28].map((at) => view.getFloat32(at, true));
  const step = [32, 36, 40].map((at) => view.getFloat32(at, true));
  let at = HEADER_BYTES;
  let { colors, lengths, body } = /** @type {any} */ (previous ?? { body: null });
  if (parts & HAS_STRANDS) {
    colors = new Uint8Array(bytes, at, 4 * COLORS_PER_STRAND * strandCount).slice();
    lengths = new Uint16Array(bytes, at + colors.length, strandCount).slice();
    at += colors.length + 2 * (strandCount + (strandCount % 2));
  }
  const positions = new Uint16Array(bytes, at, 3 * pointCount);
  at += positions.byteLength + 2 * (pointCount % 2);
  if (parts & HAS_BODY) {
    const vertices = view.getUint32(at, true);
    body = vertices > 0 ? new Float32Array(bytes, at + 4, 3 * vertices) : null;
  }
  return { strandCount, pointCount, frame, origin, step, colors, lengths, positions, body };
}

/** Whether a decoded packet refers to this buffer. @param {StrandPacket | null | undefined} packet @param {ArrayBufferLike} buffer */
export const usesBuffer = (packet, buffer) => packet?.positions.buffer === buffer || packet?.body?.buffer === buffer;
