// What the page draws and paints follows changes of bodies and groups.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const heightOf = (page) => page.evaluate(() => {
  const { positions } = coif.paintTarget.surface;
  const heights = positions.filter((_, i) => i % 3 === 1);
  return Math.max(...heights) - Math.min(...heights);
});

test('a body is drawn and painted again when its mesh changes', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('changes.json'));
  const page = await lab.openPage(studio);
  const before = await heightOf(page);
  await page.evaluate(() => coif.edit([{ path: '/bodies/0/scale', value: 2 }]));
  await expect.poll(() => heightOf(page)).toBeCloseTo(2 * before, 4);
  expect.soft(await page.evaluate(() => coif.view3d.bodyMesh.geometry.attributes.position.array.every(Number.isFinite))).toBe(true);
  const camera = () => page.evaluate(() => coif.view3d.camera.position.toArray().map((x) => x.toFixed(4)).join());
  const looksFrom = await camera();
  await page.evaluate(() => coif.edit([{ path: '/bodies/0/material', value: { color: [0.5, 0.4, 0.3] } }]));
  expect.soft(await camera(), 'the camera after a change of the material').toBe(looksFrom);

  // A group that the body does not have is refused with a sentence, and nothing changes.
  const refusal = await page.evaluate(() => coif.edit([{ path: '/grooms/0/group', value: 'nowhere' }]).then(() => '', (error) => error.message));
  expect.soft(refusal, 'the refusal').toMatch(/body "\w+" has no group "nowhere"/);
  expect.soft(await page.evaluate(() => coif.state.scene.grooms[0].group)).not.toBe('nowhere');
  await expect(page.locator('#scene-problem')).toBeHidden();
  await page.evaluate(() => coif.edit([{ path: '/grooms/0/group', value: '' }]));
  await page.waitForFunction(() => coif.paintTarget.surface.growthMask.every((grows) => grows === 1));
});

test('a wrong group and missing objects are told until they are mended', async ({ lab }) => {
  const scene = lab.scene('wrong.json', (all) => ({ ...all, grooms: [{ ...all.grooms[0], group: 'nowhere' }] }));
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await expect(page.locator('#scene-problem')).toContainText('has no group "nowhere"');
  await expect(page.locator('#root-count')).not.toContainText('NaN');
  await page.evaluate(() => coif.edit([{ path: '/grooms/0/group', value: '' }]));
  await expect(page.locator('#scene-problem')).toBeHidden();
  await expect(page.locator('#root-count')).toContainText('per cm²');
  writeFileSync(join(lab.folder, 'nothing.json'), '{}');
  const empty = await lab.openPage(await lab.openStudio('nothing.json'));
  await expect(empty.locator('#scene-problem')).toContainText('no body yet');
  await empty.click('#new-map');
  await expect(empty.locator('.toast')).toContainText('no groom yet');
});

test('displayed roots and strands are those that grow', async ({ lab }) => {
  const name = lab.scene('sparse.json', (all) => ({ ...all, grooms: [{ ...all.grooms[0], count: 200000,
    maps: [{ name: 'top', plugin: 'density.hairline', point: [0, 0.09, 0], normal: [0, 1, 0], width: 0.001 }], density: { map: 'top' } }] }));
  const studio = await lab.openStudio(name);
  const page = await lab.openPage(studio);
  const { count } = await rootsOf(studio, 0);
  expect(count, 'growing roots, far fewer than candidates').toBeLessThan(40000);
  const shown = await page.evaluate(() => coif.view3d.roots.geometry.attributes.alive.array.reduce((sum, alive) => sum + alive, 0));
  expect.soft(shown, 'displayed roots that grow').toBeGreaterThan(0.99 * Math.min(count, 15000));
  const packet = Buffer.from(await (await studio.request('/api/strands?groom=0&limit=2000')).arrayBuffer());
  expect.soft(packet.readUInt32LE(8), 'strands of a preview of 2000').toBeGreaterThan(1700);
  // Roots that grow later are displayed as well.
  await page.evaluate(() => coif.edit([{ path: '/grooms/0/density', value: 1 }]));
  await expect.poll(() => page.evaluate(() => coif.view3d.roots.geometry.attributes.alive.array.every((alive) => alive === 1))).toBe(true);
});
