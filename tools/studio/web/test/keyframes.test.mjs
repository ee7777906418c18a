import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyedFrames, keyedParameters, valueAtFrame, withKey, withKeyMoved, withoutKey } from '../src/state/keyframes.js';

const keyed = { keys: [[10, 5], [1, 2]], comment: 'c' };

test('values are interpolated between keys and constant outside', () => {
  assert.equal(valueAtFrame(7, 3), 7);
  assert.equal(valueAtFrame(keyed, -4), 2);
  assert.equal(valueAtFrame(keyed, 99), 5);
  assert.equal(valueAtFrame(keyed, 4), 3);
  assert.deepEqual(valueAtFrame({ keys: [[0, [0, 1, 2]], [2, [4, 1, 0]]] }, 1), [2, 1, 1]);
  assert.equal(valueAtFrame({ keys: [[0, 'a'], [2, 'b']] }, 1), 'a');
});

test('keys are inserted in order, replaced and removed', () => {
  assert.deepEqual(withKey(3, 5, 9), { keys: [[5, 9]] });
  assert.deepEqual(withKey(keyed, 4, 8), { keys: [[1, 2], [4, 8], [10, 5]], comment: 'c' });
  assert.deepEqual(withKey(keyed, 1, 8).keys, [[1, 8], [10, 5]]);
  assert.deepEqual(withoutKey(keyed, 10), { keys: [[1, 2]], comment: 'c' });
  assert.equal(withoutKey({ keys: [[3, 4]] }, 3), 4);
});

test('keyed frames are collected from the whole scene', () => {
  assert.deepEqual([...keyedFrames({ a: [{ b: keyed }], c: { keys: [[3, 0]] } })].sort((a, b) => a - b), [1, 3, 10]);
});

test('a moved key keeps its value and replaces the key it meets', () => {
  const value = { keys: [[1, 5], [10, 7], [20, 9]], comment: 'x' };
  assert.deepEqual(withKeyMoved(value, 10, 15), { keys: [[1, 5], [15, 7], [20, 9]], comment: 'x' });
  assert.deepEqual(withKeyMoved(value, 10, 20).keys, [[1, 5], [20, 7]]);
  assert.deepEqual(withKeyMoved(value, 11, 12), value);
});

test('animated parameters are labelled with the names of their entries', () => {
  const scene = { camera: { fov: { keys: [[1, 30]] } }, bodies: [{ name: 'head', rotate: { keys: [[1, [0, 0, 0]], [9, [0, 4, 0]]] } }], grooms: [{ name: 'hair', modifiers: [{ plugin: 'groom.curl', amount: { keys: [[1, 0]] } }] }] };
  assert.deepEqual(keyedParameters(scene).map(({ path, label }) => [path, label]), [
    ['/camera/fov', 'camera fov'], ['/bodies/0/rotate', 'head rotate'], ['/grooms/0/modifiers/0/amount', 'hair groom.curl amount']]);
});
