import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUvs, detectUnit, formatLength, guessHairline, helperNames, scalpNames } from '../src/project/mesh_packet.js';

test('the unit is found by the size of a body or of a head', () => {
  const scaleOf = (size) => detectUnit(size).best.scale;
  assert.equal(scaleOf([10, 17, 3]), 0.1);
  assert.equal(scaleOf([100, 172, 30]), 0.01);
  assert.equal(scaleOf([1000, 1700, 300]), 0.001);
  assert.equal(scaleOf([0.001, 0.0017, 0.0003]), 1000);
  assert.equal(scaleOf([1, 1.8, 0.3]), 1);
  assert.equal(scaleOf([18, 28, 22]), 0.01);
  assert.equal(scaleOf([7, 11, 9]), 0.0254);
  assert.equal(detectUnit([10, 17, 3]).isPlausible(1), false);
  assert.equal(detectUnit([0.5, 0.45, 0.25]).isPlausible(1), true); // a bust
  assert.equal(formatLength(1.704), '1.7 m');
  assert.equal(formatLength(0.0017), '1.7 mm');
});

test('names tell scalps and helpers', () => {
  assert.deepEqual(scalpNames(['body', 'Head_Scalp', 'hairCap', 'eyes']), ['Head_Scalp', 'hairCap']);
  assert.deepEqual(helperNames(['body', 'helper-skirt', 'joint-ground', 'jointless']), ['helper-skirt', 'joint-ground', 'jointless']);
});

test('the hairline falls from the forehead to the nape, whatever the unit', () => {
  for (const scale of [1, 0.1, 1000]) {
    // An ellipsoid of a head, 15 x 22 x 19 cm, of small triangles.
    const corners = [];
    for (let i = 0; i < 4000; ++i) {
      const y = 1 - (2 * i) / 3999, a = i * 2.399963, r = Math.sqrt(1 - y * y);
      const point = [0.075 * r * Math.cos(a), 0.11 * y, 0.095 * r * Math.sin(a)].map((x) => x / scale);
      corners.push(...point, ...point, ...point);
    }
    const { slope, offset, halfWidth, ears } = guessHairline(new Float32Array(corners), new Uint8Array(4000).fill(1), scale);
    const height = (z) => (offset + (slope * z) / scale) * scale;
    assert.ok(height(0.095) > 0.05 && height(0.095) < 0.1, `hairline in front at ${height(0.095)}`);
    assert.ok(height(-0.08) < -0.06, `hairline at the nape at ${height(-0.08)}`);
    assert.ok(ears * scale > 0 && ears * scale < 0.03, `ears at ${ears * scale}`);
    assert.ok(halfWidth * scale > 0.07 && halfWidth * scale < 0.085, `width ${halfWidth * scale}`);
  }
});

test('shared texels of the scalp are found', () => {
  const square = [0.1, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1, 0.1, 0.9, 0.9, 0.1, 0.9];
  const kept = new Uint8Array(4).fill(1);
  assert.equal(checkUvs(new Float32Array(square), kept.subarray(0, 2)).shared, 0);
  assert.ok(checkUvs(new Float32Array([...square, ...square]), kept).shared > 0.45);
  assert.equal(checkUvs(new Float32Array([...square, ...square]), Uint8Array.of(1, 1, 0, 0)).shared, 0);
  assert.equal(checkUvs(new Float32Array([...square, ...square.map((x) => x + 3)]), kept).outside, 0.5);
  assert.equal(checkUvs(new Float32Array([...square, ...square.map(() => 0)]), kept).degenerate, 0.5);
});
