import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyedFrames, valueAtFrame, withKey, withoutKey } from '../src/state/keyframes.js';

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
