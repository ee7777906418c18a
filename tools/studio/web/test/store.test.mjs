import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.location ??= { search: '?token=test', origin: 'http://127.0.0.1:1' };
const { applyServerEvent, setState, state } = await import('../src/state/store.js');

const replyOf = (scene) => ({
  path: 'a.json', text: JSON.stringify({ revision: scene }), revision: scene, scene, undo: 0, redo: 0, dirty: true, grooms: [], layers: [], bodies: [],
});
const eventOf = (scene) => ({ scene, revision: scene, undo: 0, redo: 0, dirty: true });

test('a state that was requested before an edit and arrives after it does not stay', async () => {
  const requests = [];
  globalThis.fetch = () => new Promise((resolve) => { requests.push((scene) => resolve({ ok: true, json: async () => replyOf(scene) })); });
  const settled = () => new Promise((resolve) => { setImmediate(resolve); });

  const first = applyServerEvent(eventOf(1)); // requests the state
  setState(replyOf(2)); // the reply to an edit
  const second = applyServerEvent(eventOf(2)); // nothing is to be fetched
  requests.shift()(1);
  await settled();
  assert.equal(requests.length, 1, 'the state is requested again');
  requests.shift()(2);
  await Promise.all([first, second]);
  assert.equal(state.scene.revision, 2);
  assert.equal(requests.length, 0);
});
