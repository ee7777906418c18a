import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkNumber } from '../src/state/field_errors.js';
import { scaleOf } from '../src/state/units.js';

test('lengths are shown in the unit of their usual value', () => {
  assert.deepEqual([4e-5, 0.0015, 0.3, 2].map((x) => scaleOf('m', x).unit), ['mm', 'mm', 'cm', 'm']);
  assert.equal(scaleOf('m', 0.3).show(0.3), 30);
  assert.equal(scaleOf('m', 4e-5).show(4e-5), 0.04);
  assert.equal(scaleOf('m', [0.2, -3, 0]).unit, 'm');
  assert.equal(scaleOf('deg', 40).unit, '°');
  assert.equal(scaleOf('1/cm2').unit, 'per cm²');
  assert.equal(scaleOf().unit, '');
});

test('units may be typed', () => {
  const length = scaleOf('m', 0.3);
  assert.equal(length.read('12'), 0.12);
  assert.equal(length.read('3cm'), 0.03);
  assert.equal(length.read(' 3,5 mm '), 0.0035);
  assert.equal(length.read('0.2 m'), 0.2);
  assert.equal(length.read('1in'), 0.0254);
  assert.equal(length.read('40 µm'), 4e-5);
  assert.equal(scaleOf('deg').read('3.14159265359rad'), 180);
  assert.equal(scaleOf('s').read('40ms'), 0.04);
  for (const text of ['', 'abc', '3 apples', '3 4', '--1', '3s']) assert.ok(Number.isNaN(length.read(text)), text);
  assert.ok(Number.isNaN(scaleOf('').read('3cm')));
});

test('what is shown reads as the same number', () => {
  for (const value of [4.2e-5, 0.0123, 0.3, 1.7, 12.25]) {
    for (const sample of [1e-4, 0.1, 5]) {
      const scale = scaleOf('m', sample);
      assert.equal(scale.read(String(scale.show(value))), value);
    }
  }
});

test('errors name limits in the unit of the field', () => {
  const scale = scaleOf('m', 0.3);
  assert.equal(checkNumber('Length', '-1', { minimum: 0 }, scale), 'Length must be at least 0.');
  assert.equal(checkNumber('Length', '3 m', { maximum: 1 }, scale), 'Length must be at most 100 cm.');
  assert.equal(checkNumber('Length', '3 apples', {}, scale), 'Length must be a number, with a unit such as cm or none.');
  assert.equal(checkNumber('Length', 'abc', {}, scale), 'Length must be a number.');
});
