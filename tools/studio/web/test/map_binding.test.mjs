import assert from 'node:assert/strict';
import { test } from 'node:test';
import './support.mjs';
import { bindToMap, isMappable, mapNamesFor, unbindMap } from '../src/state/map_binding.js';
import { fromHex, toHex } from '../src/state/color.js';

test('white gives the current number', () => {
  assert.deepEqual(bindToMap(undefined, 0.008, 'm', { type: 'number' }), { map: 'm', range: [0, 0.008] });
  assert.deepEqual(bindToMap(1, 1, 'm', { type: 'number' }), { map: 'm' });
  assert.deepEqual(bindToMap(5, 5, 'm', { type: 'number', minimum: 2 }), { map: 'm', range: [2, 5] });
});

test('another map keeps the range, ramp and comment', () => {
  const value = { map: 'a', range: [1, 2], ramp: [[0, 1]], comment: 'c' };
  assert.deepEqual(bindToMap(value, value, 'b', { type: 'number' }), { map: 'b', range: [1, 2], ramp: [[0, 1]], comment: 'c' });
});

test('colours start with equal ends, vectors at zero', () => {
  const color = { type: 'array', items: { minimum: 0, maximum: 1 } };
  assert.deepEqual(bindToMap([1, 0, 0], [1, 0, 0], 'm', color).range, [[1, 0, 0], [1, 0, 0]]);
  assert.deepEqual(bindToMap([1, 2, 3], [1, 2, 3], 'm', { type: 'array', items: {} }).range, [[0, 0, 0], [1, 2, 3]]);
});

test('unbinding gives the value at white', () => {
  assert.equal(unbindMap({ map: 'm', range: [0, 0.3] }, { default: 9 }), 0.3);
  assert.equal(unbindMap({ map: 'm' }, { default: 9 }), 1);
  assert.deepEqual(unbindMap({ map: 'm', range: [0, 3], ramp: [1] }, {}), { value: 3, ramp: [1] });
  assert.equal(unbindMap({ keys: [] }, { default: 9 }), 9);
});

test('the texture of a number is a map without a name, that of a colour is not', () => {
  const value = { texture: 'mask.png', channel: 'green', range: [1, 2] };
  assert.deepEqual(bindToMap(value, value, 'b', { type: 'number' }), { map: 'b', range: [1, 2] });
  assert.equal(unbindMap(value, { type: 'number', default: 9 }), 2);
  assert.deepEqual(unbindMap({ texture: 'dye.png' }, { type: 'array', items: { minimum: 0, maximum: 1 }, default: [1, 1, 1] }), [1, 1, 1]);
});

test('a groom parameter offers the maps of its groom', () => {
  const scene = { grooms: [{ maps: [{ name: 'a' }] }, { maps: [{ name: 'b' }, { name: 'a' }] }] };
  assert.deepEqual(mapNamesFor('/grooms/0/length', scene), ['a']);
  assert.deepEqual(mapNamesFor('/sim/stiffness', scene), ['a', 'b']);
  assert.ok(isMappable({ anyOf: [{ type: 'number' }, { $ref: '#/$defs/mapped_number' }] }) && !isMappable({ type: 'number' }));
});

test('colours survive the sRGB round trip', () => {
  assert.equal(toHex([0.35, 0.2, 0.1]), '#a07c59');
  assert.deepEqual(fromHex('#ff8000'), [1, 0.2159, 0]);
  assert.equal(toHex(fromHex('#4080c0')), '#4080c0');
  assert.deepEqual(fromHex('#ffffff', [8, 2, 1]), [8, 8, 8]);
});
