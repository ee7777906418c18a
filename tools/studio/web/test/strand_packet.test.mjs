import assert from 'node:assert/strict';
import { test } from 'node:test';
import './support.mjs';
import { decodeStrandPacket, usesBuffer } from '../src/hair/strand_packet.js';

// Two strands of 2 and 3 points; the parts as requested.
function packet({ strands = true, body = null, frame = 7 } = {}) {
  const colors = Uint8Array.from({ length: 24 }, (_, i) => i);
  const positions = Uint16Array.from({ length: 15 }, (_, i) => 100 * i);
  const bytes = new ArrayBuffer(44 + (strands ? 24 + 4 : 0) + 30 + 2 + (body ? 4 + 4 * body.length : 0));
  const view = new DataView(bytes);
  [0, (strands ? 1 : 0) | (body ? 2 : 0), 2, 5, frame].forEach((word, i) => view.setUint32(4 * i, word, true));
  [1, 2, 3, 0.5, 0.25, 2].forEach((x, i) => view.setFloat32(20 + 4 * i, x, true));
  let at = 44;
  if (strands) {
    new Uint8Array(bytes, at, 24).set(colors);
    new Uint16Array(bytes, at + 24, 2).set([2, 3]);
    at += 28;
  }
  new Uint16Array(bytes, at, 15).set(positions);
  at += 32;
  if (body) {
    view.setUint32(at, body.length / 3, true);
    new Float32Array(bytes, at + 4, body.length).set(body);
  }
  return bytes;
}

test('a full packet is decoded', () => {
  const decoded = decodeStrandPacket(packet({ body: [1, 2, 3, 4, 5, 6] }));
  assert.deepEqual([decoded.strandCount, decoded.pointCount, decoded.frame], [2, 5, 7]);
  assert.deepEqual([decoded.origin, decoded.step], [[1, 2, 3], [0.5, 0.25, 2]]);
  assert.deepEqual([...decoded.lengths], [2, 3]);
  assert.equal(decoded.colors[23], 23);
  assert.equal(decoded.positions[14], 1400);
  assert.deepEqual([...decoded.body], [1, 2, 3, 4, 5, 6]);
});

test('omitted parts come from the previous packet', () => {
  const first = decodeStrandPacket(packet({ body: [1, 2, 3] }));
  const bytes = packet({ strands: false, frame: 8 });
  const second = decodeStrandPacket(bytes, first);
  assert.equal(second.frame, 8);
  assert.equal(second.lengths, first.lengths);
  assert.equal(second.body, first.body);
  assert.ok(usesBuffer(second, bytes) && usesBuffer(second, first.body.buffer) && !usesBuffer(first, bytes));
});

test('an empty packet is null', () => assert.equal(decodeStrandPacket(new ArrayBuffer(0)), null));
