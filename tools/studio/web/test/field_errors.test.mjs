import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkNumber, explainError } from '../src/state/field_errors.js';

test('numbers that cannot be used are told in a sentence', () => {
  const count = { type: 'integer', minimum: 0, maximum: 100 };
  for (const text of ['', ' ', 'abc', 'NaN', '1e999']) assert.equal(checkNumber('Count', text, count), 'Count must be a number.');
  assert.equal(checkNumber('Count', '2.5', count), 'Count must be a whole number.');
  assert.equal(checkNumber('Count', '-5', count), 'Count must be at least 0.');
  assert.equal(checkNumber('Count', '500', count), 'Count must be at most 100.');
  assert.equal(checkNumber('Count', '7', count), '');
  assert.equal(checkNumber('Length', '0.25', { type: 'number' }), '');
});

test('messages of the program become sentences about the field', () => {
  const labelAt = () => 'Count';
  const of = (message) => explainError(message, labelAt);
  assert.deepEqual(of('demo.json: /grooms/0/count: -5 is below 0'), { path: '/grooms/0/count', text: 'Count must be at least 0.' });
  assert.equal(of('demo.json: /grooms/0/count: found "abc", expected an integer').text, 'Count must be an integer.');
  assert.equal(of('demo.json: /grooms/0/body: "nix" is not the name of one of the bodies (known: "ball", "hat")').text, 'Count: there is no body "nix". Choose "ball" or "hat".');
  assert.equal(of('demo.json: /sim/solver: "foo" is not a choice here (known: "pbd", "der")').text, 'Count must be "pbd" or "der".');
  assert.deepEqual(of('cannot be opened'), { path: '', text: 'cannot be opened.' });
});
