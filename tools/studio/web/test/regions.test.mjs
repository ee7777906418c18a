import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentWithNames, regionColors, regionHexColor, regionNames } from '../src/state/regions.js';

test('names and colours of regions share the comment of the map', () => {
  const comment = 'by hand; regions: 1 fringe #e07030, 2 left side, 3 #00ff00';
  assert.deepEqual([...regionNames(comment)], [[1, 'fringe'], [2, 'left side']]);
  assert.deepEqual([...regionColors(comment)], [[1, '#e07030'], [3, '#00ff00']]);
  assert.equal(regionHexColor(1, regionColors(comment)), '#e07030');
  assert.match(regionHexColor(2, regionColors(comment)), /^#[0-9a-f]{6}$/);
  const names = regionNames(comment);
  names.set(2, 'right side');
  assert.equal(commentWithNames(comment, names), 'by hand; regions: 1 fringe #e07030, 2 right side, 3 #00ff00');
  names.delete(1);
  assert.equal(commentWithNames(comment, names, new Map()), 'by hand; regions: 2 right side');
  assert.equal(commentWithNames('by hand', new Map(), new Map()), 'by hand');
});
