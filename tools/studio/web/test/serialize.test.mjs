import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from '../src/ui/dom.js';

test('calls during an operation repeat it once', async () => {
  const pending = [];
  const run = serialize(() => new Promise((resolve) => { pending.push(resolve); }));
  const first = run();
  assert.equal(pending.length, 1);
  assert.equal(run(), first);
  assert.equal(run(), first);
  pending[0]();
  await new Promise(setImmediate);
  assert.equal(pending.length, 2);
  pending[1]();
  await first;
  assert.equal(pending.length, 2);
  run();
  assert.equal(pending.length, 3);
});
