import './support.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const { labelAt, labelOf } = await import('../src/state/labels.js');
const { duplicateEdits, entriesOf, insertEdits, kindsOf, moveEdits, referencesTo, removeEdits, renameEdits, uniqueName } = await import('../src/state/scene_entries.js');

const text = { type: 'string' };
const of = (properties, required = []) => ({ type: 'object', properties, required });
const list = (items) => ({ type: 'array', items });
const plugin = { type: 'string', enum: ['groom.curl', 'groom.comb'] };
const root = {
  $defs: { curl: { properties: { map_radius: {} } } },
  properties: {
    bodies: list(of({ name: text, parent: { ...text, refers_to: 'bodies' }, affects: { type: ['string', 'array'], refers_to: 'grooms' } }, ['name'])),
    grooms: list(of({
      name: text, body: { ...text, refers_to: 'bodies' },
      maps: list(of({ plugin: text, name: text, base: { ...text, refers_to: '.' } })),
      modifiers: list({ ...of({ plugin, name: text }), allOf: [{ if: { properties: { plugin: { const: 'groom.curl' } } }, then: { $ref: '#/$defs/curl' } }] }),
    }, ['name', 'body'])),
    instances: list(of({ name: text, body: { ...text, refers_to: 'bodies' } }, ['body'])),
    lights: list(of({ name: text, type: { anyOf: [{ enum: ['disk', 'sky'] }] } })),
    sim: of({ damping: {} }),
  },
};
const scene = () => ({
  bodies: [{ name: 'head', affects: 'hair brows' }, { name: 'hat', parent: 'head' }],
  grooms: [
    { name: 'hair', body: 'head', length: { map: 'a', range: [0, 0.2] }, maps: [{ name: 'a' }, { name: 'b', base: 'a' }], modifiers: [{ plugin: 'groom.curl' }, { plugin: 'groom.comb', name: 'down' }] },
    { name: 'brows', body: 'hat' },
  ],
  instances: [{ body: 'head' }, { body: 'hat' }],
  sim: { damping: { map: 'a' } },
});

test('the tree has every list and every entry with its label', () => {
  const entries = entriesOf(scene(), root);
  const labels = Object.fromEntries(entries.map((entry) => [entry.path, entry.label]));
  assert.equal(labels['/bodies'], 'Bodies');
  assert.equal(labels['/bodies/1'], 'hat');
  assert.equal(labels['/grooms/0/modifiers/0'], 'Curl');
  assert.equal(labels['/grooms/0/modifiers/1'], 'down (Comb)');
  assert.equal(labels['/instances/0'], 'head');
  assert.equal(labels['/lights'], 'Lights', 'also without entries');
  assert.equal(labels['/sim'], 'Simulation');
  assert.deepEqual(entries.filter((entry) => entry.level === 1).map((entry) => entry.path), ['/bodies', '/grooms', '/instances', '/lights', '/sim']);
});

test('a new name is followed by everything that refers to it', () => {
  assert.deepEqual(renameEdits('/bodies/0', 'face', scene(), root), [
    { path: '/bodies/0/name', value: 'face' }, { path: '/bodies/1/parent', value: 'face' }, { path: '/grooms/0/body', value: 'face' }, { path: '/instances/0/body', value: 'face' },
  ]);
  assert.deepEqual(renameEdits('/grooms/1', 'eyebrows', scene(), root)[1], { path: '/bodies/0/affects', value: 'hair eyebrows' });
  assert.deepEqual(renameEdits('/grooms/1', 'eye brows', scene(), root)[1], { path: '/bodies/0/affects', value: ['hair', 'eye brows'] });
  assert.deepEqual(renameEdits('/grooms/0/maps/0', 'c', scene(), root).map(({ path }) => path),
    ['/grooms/0/maps/0/name', '/grooms/0/length/map', '/grooms/0/maps/1/base', '/sim/damping/map']);
  assert.deepEqual(renameEdits('/grooms/0/modifiers/0', 'big', scene(), root), [{ path: '/grooms/0/modifiers/0/name', value: 'big' }]);
  assert.equal(referencesTo('bodies', 'nobody', scene(), root).length, 0);
});

test('a body is removed with its grooms and instances; other references are dropped', () => {
  const { edits, removed } = removeEdits('/bodies/0', scene(), root);
  assert.deepEqual(removed, ['/bodies/0', '/grooms/0', '/instances/0']);
  assert.deepEqual(edits, [{ path: '/bodies/1/parent' }, { path: '/bodies/0' }, { path: '/grooms/0' }, { path: '/instances/0' }].sort((a, b) => edits.findIndex((e) => e.path === a.path) - edits.findIndex((e) => e.path === b.path)));
  assert.deepEqual(removeEdits('/grooms/1', scene(), root).edits, [{ path: '/bodies/0/affects', value: 'hair' }, { path: '/grooms/1' }]);
  assert.deepEqual(removeEdits('/grooms/0/maps/0', scene(), root).edits, [
    { path: '/grooms/0/length', value: 0.2 }, { path: '/grooms/0/maps/1/base' }, { path: '/sim/damping', value: 1 }, { path: '/grooms/0/maps/0' },
  ]);
});

test('elements of one list are removed from its end', () => {
  const two = { ...scene(), grooms: [{ name: 'x', body: 'head' }, { name: 'y', body: 'hat' }, { name: 'z', body: 'head' }] };
  assert.deepEqual(removeEdits('/bodies/0', two, root).edits.filter(({ path }) => path.startsWith('/grooms')).map(({ path }) => path), ['/grooms/2', '/grooms/0']);
});

test('copies follow their original with a name of their own, neighbours are swapped', () => {
  const { edits, path } = duplicateEdits('/grooms/0/modifiers/0', scene());
  assert.equal(path, '/grooms/0/modifiers/1');
  assert.deepEqual(edits.map((each) => [each.path, each.value.plugin]), [['/grooms/0/modifiers/1', 'groom.curl'], ['/grooms/0/modifiers/-', 'groom.comb']]);
  assert.deepEqual(duplicateEdits('/bodies/1', scene()).edits, [{ path: '/bodies/-', value: { name: 'hat_copy', parent: 'head' } }]);
  assert.deepEqual(insertEdits('/lights', 0, { type: 'sky' }, scene()), [{ path: '/lights/-', value: { type: 'sky' } }]);
  assert.deepEqual(moveEdits('/bodies/1', -1, scene()).edits.map((each) => each.value.name), ['head', 'hat']);
  assert.deepEqual(moveEdits('/bodies/1', 1, scene()).edits, []);
});

test('labels and choices', () => {
  assert.equal(labelOf('strands_per_cm2'), 'Strands per cm²');
  assert.equal(labelOf('fps'), 'FPS');
  assert.equal(labelAt('/grooms/0/hair/dye_amount'), 'Dye amount');
  assert.equal(uniqueName([{ name: 'hair' }, { name: 'hair2' }], 'hair'), 'hair3');
  assert.deepEqual(kindsOf(root.properties.lights.items, root), { key: 'type', choices: ['disk', 'sky'] });
  assert.equal(kindsOf(root.properties.instances.items, root), null);
});

test('every list of the scene schema can be added to in the outliner', () => {
  const schema = JSON.parse(readFileSync(process.env.COIF_SCHEMA ?? new URL('../../../../scenes/scene.schema.json', import.meta.url), 'utf8'));
  const paths = entriesOf({ grooms: [{ name: 'hair' }] }, schema).map((entry) => entry.path);
  assert.deepEqual(paths, ['/bodies', '/grooms', '/grooms/0', '/grooms/0/maps', '/grooms/0/modifiers', '/grooms/0/constraints', '/colliders', '/forces', '/instances', '/lights', '/sim', '/camera', '/image']);
});
