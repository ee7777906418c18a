import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMap, tilePacket } from './support.mjs';
import { PaintMap } from '../src/paint/paint_map.js';
import { state } from '../src/state/store.js';

// The server's side of a delta record.
function applyDelta(tile, record) {
  const [header, ...parts] = record;
  if (!header) return tile;
  if (header[2] === 1) return new Uint16Array(4096).fill(header[3]);
  if (header[2] === 0) return parts[0];
  const [mask, texels] = parts;
  const out = tile.slice();
  let k = 0;
  for (let i = 0; i < 4096; ++i) if (mask[i >> 3] & (1 << (i & 7))) out[i] = texels[k++];
  assert.equal(k, header[3]);
  return out;
}

const info = { width: 100, height: 70, udims: [], atlas_columns: 1, low: 0, high: 1 };

test('a packet of uniform tiles shares one array', () => {
  const map = new PaintMap(0);
  assert.deepEqual(map.decode(tilePacket(100, 70, 123, 9), info), [0, 1, 2, 3]);
  assert.equal(map.revision, 9);
  assert.equal(map.tiles[0], map.tiles[3]);
  assert.equal(map.texelAt(99, 69), 123);
});

test('updates are requested one after the other', async () => {
  state.layers = [info];
  const requests = [];
  globalThis.fetch = () => new Promise((resolve) => {
    requests.push((texel, revision) => resolve({ ok: true, arrayBuffer: async () => tilePacket(100, 70, texel, revision) }));
  });
  const settled = () => new Promise((resolve) => { setImmediate(resolve); });
  const map = new PaintMap(0);
  const updates = [map.update(), map.update()];
  await settled();
  assert.equal(requests.length, 1);
  requests.shift()(1, 1);
  await settled();
  requests.shift()(2, 2);
  await Promise.all(updates);
  assert.equal(map.texelAt(0, 0), 2);
  assert.equal(map.revision, 2);
});

test('writing copies a shared tile', () => {
  const map = createMap();
  map.beginEdit();
  map.writableTile(0)[5] = 1;
  assert.equal(map.tiles[0][5], 1);
  assert.equal(map.tiles[1][5], 65535);
  assert.ok(!map.isUniform(0) && map.isUniform(1));
});

for (const [name, edit, kind] of [
  ['nothing', (map) => { map.writableTile(1); }, undefined],
  ['a few texels', (map) => { map.writableTile(1)[7] = 11; map.writableTile(1)[4095] = 12; }, 2],
  ['every texel', (map) => map.writableTile(1).forEach((_, i, tile) => { tile[i] = i; }), 0],
  ['the whole tile to one value', (map) => map.replaceTile(1, map.uniformTile(77)), 1],
]) {
  test(`the delta of ${name} reproduces the tile`, () => {
    const map = createMap();
    const before = map.tiles[1];
    map.beginEdit();
    edit(map);
    const record = map.encodeTileDelta(1);
    assert.equal(record[0]?.[2], kind);
    assert.deepEqual([...applyDelta(before, record)], [...map.tiles[1]]);
  });
}

test('an edit defers updates until it ends, and the update is due until its texels have arrived', async (t) => {
  const map = createMap();
  map.beginEdit();
  await map.update();
  map.beginEdit();
  assert.equal(map.endEdit(), false);
  assert.equal(map.endEdit(), true);
  assert.equal(map.updateDeferred, true);
  t.mock.method(globalThis, 'fetch', async () => new Response(tilePacket(map.width, map.height, 123, 9)));
  await map.update();
  assert.equal(map.updateDeferred, false);
  assert.equal(map.texelAt(0, 0), 123);
});

test('texels and UVs correspond in a UDIM atlas', () => {
  const map = createMap({ size: 64, udims: [1001, 1002, 1011, 1012] });
  assert.deepEqual(map.uvOfTexel(0, 0), [0.5 / 64, 1 - 0.5 / 64]);
  assert.deepEqual(map.uvOfTexel(3, 0), [1 + 0.5 / 64, 2 - 0.5 / 64]); // 1012 is the fourth square
  map.writableTile(3)[0] = 5;
  assert.equal(map.texelAtUv(...map.uvOfTexel(3, 0)), 5);
  assert.equal(map.texelAtUv(2.5, 0.5), 0);
  assert.deepEqual(map.mirroredTexel(3, 0), [3, 63]);
});

test('values are quantised in the range of the map', () => {
  const map = createMap({ low: -0.5, high: 3.5 });
  assert.equal(map.quantize(-0.5), 0);
  assert.equal(map.quantize(9), 65535);
  assert.equal(map.quantize(2.25), Math.round(65535 * 2.75 / 4));
});
