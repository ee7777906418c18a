import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMap, createSquare, settings } from './support.mjs';
import { editTexels, falloff, Stroke } from '../src/paint/brush.js';
import { TexelPositions } from '../src/paint/texel_positions.js';

const surface = createSquare(8);
const hitAt = (x, y) => surface.raycast([x, y, 1], [0, 0, -1]);

const run = (steps) => { for (const each of steps) void each; };

function paint(map, options, ...points) {
  const stroke = new Stroke(map, new TexelPositions(surface, map), settings(options), 'id');
  for (const [x, y] of points) stroke.extendTo(hitAt(x, y), 1, undefined);
  run(stroke.work());
  return stroke;
}

test('falloff is 1 in the core, 0 at the radius and monotonic between', () => {
  assert.equal(falloff(0.4, 1, 0.5), 1);
  assert.equal(falloff(1, 1, 0.5), 0);
  assert.ok(Math.abs(falloff(0.75, 1, 0.5) - 0.5) < 1e-12);
  for (let d = 0; d < 1; d += 0.05) assert.ok(falloff(d, 1, 0.2) >= falloff(d + 0.05, 1, 0.2));
});

test('a dab blends texels by their distance on the surface', () => {
  const map = createMap();
  const options = { value: 0.25, strength: 0.8 };
  paint(map, options, [0.1, -0.05]);
  const texels = new TexelPositions(surface, map);
  let inside = 0;
  for (const number of texels.tileNumbers()) {
    const tile = texels.tile(number);
    for (let i = 0; i < 4096; ++i) {
      const distance = Math.hypot(tile.position[3 * i] - 0.1, tile.position[3 * i + 1] + 0.05);
      const expected = Math.round(65535 + (map.quantize(0.25) - 65535) * 0.8 * falloff(distance, 0.2, 0.5));
      assert.ok(Math.abs(map.tiles[number][i] - expected) <= 1, `tile ${number}, texel ${i}`);
      inside += distance < 0.1;
    }
  }
  assert.ok(inside > 400);
});

test('within a stroke a texel takes its strongest dab', () => {
  const [once, twice] = [createMap(), createMap()];
  paint(once, { strength: 0.5 }, [0, 0]);
  const stroke = paint(twice, { strength: 0.5 }, [0, 0]);
  run(stroke.dab(hitAt(0, 0), 1));
  assert.deepEqual(twice.tiles.map((tile) => [...tile]), once.tiles.map((tile) => [...tile]));
});

test('add and subtract saturate', () => {
  const map = createMap({ texel: 60000 });
  paint(map, { tool: 'add', strength: 0.5, hardness: 0.99 }, [0, 0]);
  assert.equal(map.texelAt(64, 64), 65535);
  paint(map, { tool: 'subtract', strength: 0.25, hardness: 0.99 }, [0, 0]);
  assert.equal(map.texelAt(64, 64), Math.round(65535 - 0.25 * 65535));
});

test('dabs follow the spacing', () => {
  const stroke = new Stroke(createMap(), new TexelPositions(surface, createMap()), settings({ radius: 0.05, spacing: 1 }), 'id');
  stroke.extendTo(hitAt(-0.2, 0), 1);
  stroke.extendTo(hitAt(0.2, 0), 1, (t) => hitAt(-0.2 + 0.4 * t, 0));
  run(stroke.work());
  assert.equal(stroke.dabCount, 9);
});

test('the mask protects texels, on the mirrored side too', () => {
  const mask = createMap({ texel: 0 });
  for (let number = 0; number < mask.tiles.length; ++number) {
    for (let i = 0; i < 4096; ++i) if (mask.atlasTexel(number, i)[0] >= 64) mask.writableTile(number)[i] = 257;
  }
  const map = createMap();
  assert.ok(surface.isUvMirrored);
  paint(map, { symmetric: true, hardness: 0.99, mask: { map: mask, texel: 257 } }, [0.2, 0]);
  assert.equal(map.texelAt(90, 64), 0);
  assert.ok([...Array(128).keys()].every((y) => [...Array(64).keys()].every((x) => map.texelAt(x, y) === 65535)));
});

test('a symmetric stroke is mirrored exactly', () => {
  const map = createMap();
  paint(map, { symmetric: true, strength: 0.63, value: 0.3 }, [0.13, 0.07], [0.3, 0.2]);
  let painted = 0;
  for (let y = 0; y < 128; ++y) {
    for (let x = 0; x < 128; ++x) {
      assert.equal(map.texelAt(x, y), map.texelAt(127 - x, y));
      painted += map.texelAt(x, y) !== 65535;
    }
  }
  assert.ok(painted > 100);
});

test('region maps take whole ids', () => {
  const map = createMap({ texel: 0 });
  paint(map, { isRegionMap: true, region: 3, strength: 0.2, hardness: 0 }, [0, 0]);
  assert.deepEqual(new Set(map.tiles.flatMap((tile) => [...tile])), new Set([0, 3 * 257]));
});

test('blur keeps a constant and smooths a step', () => {
  const constant = createMap({ texel: 30000 });
  paint(constant, { tool: 'smooth' }, [0, 0]);
  assert.ok(constant.tiles.every((tile) => tile.every((texel) => texel === 30000)));
  const step = createMap();
  run(editTexels(new Stroke(step, new TexelPositions(surface, step), settings(), 'id'), (paint, [x]) => Object.assign(paint, { texel: x < 0 ? 0 : 65535, amount: 1 })));
  paint(step, { tool: 'smooth', hardness: 0.9 }, [0, 0]);
  const middle = step.texelAt(63, 64);
  assert.ok(middle > 0 && middle < 65535, `${middle}`);
});

test('a lasso has an edge of a pixel, or a soft one', async () => {
  const { PolygonMask } = await import('../src/paint/polygon_mask.js');
  const mask = new PolygonMask([[10, 10], [50, 10], [50, 50], [10, 50]]);
  assert.equal(mask.coverage(30, 30, 0), 1);
  assert.equal(mask.coverage(10, 30, 0), 0.5);
  assert.equal(mask.coverage(9.75, 30, 0), 0.25);
  assert.equal(mask.coverage(5, 30, 0), 0);
  assert.equal(mask.coverage(15, 30, 10), 0.5);
  assert.equal(mask.coverage(30, 30, 10), 1);
  assert.equal(mask.coverage(9.75, 30, 10), 0);
});
