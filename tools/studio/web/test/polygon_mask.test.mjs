import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PolygonMask } from '../src/paint/polygon_mask.js';

const star = Array.from({ length: 10 }, (_, i) => {
  const radius = i % 2 ? 8.3 : 21.7;
  return [30.2 + radius * Math.cos((Math.PI * i) / 5), 25.9 + radius * Math.sin((Math.PI * i) / 5)];
});

// Winding number by summing angles: another algorithm than the even-odd crossing count.
function winding(polygon, x, y) {
  let angle = 0;
  polygon.forEach(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length];
    angle += Math.atan2((ax - x) * (by - y) - (ay - y) * (bx - x), (ax - x) * (bx - x) + (ay - y) * (by - y));
  });
  return Math.abs(angle) > Math.PI;
}

test('the mask equals the exact point-in-polygon test', () => {
  const mask = new PolygonMask(star);
  let inside = 0;
  for (let y = 0; y < 60; y += 0.37) {
    for (let x = 0; x < 60; x += 0.41) {
      assert.equal(mask.contains(x, y), winding(star, x, y), `${x}, ${y}`);
      inside += mask.contains(x, y);
    }
  }
  assert.ok(inside > 1000);
});

test('points outside the bounding box are outside', () => {
  const mask = new PolygonMask([[0, 0], [10, 0], [10, 10], [0, 10]]);
  assert.ok(!mask.contains(-5, 5) && !mask.contains(5, 1e9) && !mask.contains(NaN, 5));
  assert.ok(mask.contains(5, 5));
});
