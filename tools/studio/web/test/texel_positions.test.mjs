import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMap, createSquare } from './support.mjs';
import { TexelPositions } from '../src/paint/texel_positions.js';

test('the position of a texel is that of its UV', () => {
  const surface = createSquare(4);
  const map = createMap();
  const texels = new TexelPositions(surface, map);
  assert.deepEqual(texels.tileNumbers(), [0, 1, 2, 3]);
  for (const number of texels.tileNumbers()) {
    const tile = texels.tile(number);
    for (let i = 0; i < 4096; ++i) {
      const [u, v] = map.uvOfTexel(number, i);
      assert.ok(tile.triangle[i] >= 0);
      assert.ok(Math.abs(tile.position[3 * i] - (u - 0.5)) < 1e-6 && Math.abs(tile.position[3 * i + 1] - (v - 0.5)) < 1e-6);
      assert.equal(surface.hitAtUv(u, v) === null, false);
    }
  }
});

test('texels outside the growth area have no triangle, except a border of one texel', () => {
  const surface = createSquare(4);
  surface.growthMask.fill(0);
  surface.growthMask.fill(1, 0, 2); // the lower left quad: u, v < 1/4
  const map = createMap();
  const texels = new TexelPositions(surface, map);
  const tile = texels.tile(2); // lower left
  const triangleAt = (x, y) => tile.triangle[(y - 64) * 64 + x];
  assert.ok(triangleAt(31, 127) >= 0 && triangleAt(32, 127) >= 0);
  assert.equal(triangleAt(34, 127), -1);
  assert.equal(texels.tile(1), null);
});

test('ray casts and closest triangles agree with the geometry', () => {
  const surface = createSquare(8);
  for (const [x, y] of [[0.01, 0.02], [-0.4, 0.33], [0.49, -0.49]]) {
    const hit = surface.raycast([x, y, 2], [0, 0, -1]);
    assert.ok(Math.abs(hit.distance - 2) < 1e-6 && Math.hypot(hit.point[0] - x, hit.point[1] - y) < 1e-6);
    assert.equal(surface.closestTriangle([x, y, 0.3]).triangle, hit.triangle);
    assert.ok(Math.abs(surface.closestTriangle([x, y, 0.3]).distance - 0.3) < 1e-6);
    const [u, v] = surface.uvAtHit(hit);
    assert.ok(Math.hypot(u - x - 0.5, v - y - 0.5) < 1e-6);
  }
  assert.equal(surface.raycast([0, 0, 2], [0, 0, -1], 1.5), null);
  assert.equal(surface.raycast([2, 0, 2], [0, 0, -1]), null);
});
