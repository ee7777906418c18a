import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptsKeys, inheritedBy, resolveRef, withInheritedDefault } from '../src/state/parameter_schema.js';

const number = { description: 'Steps.', default: 8, anyOf: [{ type: 'integer' }, { $ref: '#/$defs/integer' }] };
const root = {
  $defs: { integer: { type: 'object' } },
  properties: { sim: { type: 'object', properties: { substeps: number } } },
};

test('references lead to definitions and to parameters of other sections', () => {
  assert.equal(resolveRef({ $ref: '#/$defs/integer' }, root).type, 'object');
  assert.equal(resolveRef({ $ref: '#/properties/sim/properties/substeps' }, root).default, 8);
  assert.equal(resolveRef(number, root), number);
});

test('constant parameters and texts have no keys', () => {
  assert.equal(acceptsKeys(number), true);
  assert.equal(acceptsKeys({ ...number, not: { type: 'object', required: ['keys'] } }), false);
  assert.equal(acceptsKeys({ type: 'string' }), false);
});

test('the default of an overriding section is the value of the section it inherits from', () => {
  const section = { inherits: 'sim' };
  assert.deepEqual(inheritedBy(section, {}, { sim: { substeps: 4 } }, root), { substeps: 4 });
  assert.deepEqual(inheritedBy(section, undefined, {}, root), {});
  assert.deepEqual(inheritedBy({}, {}, { sim: { substeps: 4 } }, root), {});
  assert.equal(withInheritedDefault(number, undefined, 1).default, 8);
  assert.equal(withInheritedDefault(number, 4, 1).default, 4);
  assert.equal(withInheritedDefault(number, { keys: [[1, 2], [3, 6]] }, 2).default, 4);
});

test('the values of a preset take the place of defaults and of inherited values', () => {
  const preset = { presets: { plain: { values: { substeps: 1, drag: 0 } } } };
  const whole = { properties: { sim: { properties: { preset, substeps: number } } } };
  const groom = { inherits: 'sim', properties: { preset: { $ref: '#/properties/sim/properties/preset' } } };
  assert.deepEqual(inheritedBy(whole.properties.sim, { preset: 'plain' }, {}, whole), { substeps: 1, drag: 0 });
  assert.deepEqual(inheritedBy(whole.properties.sim, { preset: 'none' }, {}, whole), {});
  assert.deepEqual(inheritedBy(groom, {}, { sim: { preset: 'plain', drag: 3 } }, whole), { preset: 'plain', substeps: 1, drag: 3 });
  assert.deepEqual(inheritedBy(groom, { preset: 'plain' }, { sim: { drag: 3, fps: 30 } }, whole), { substeps: 1, drag: 0, fps: 30 });
});
