// Layers of painted maps: order, visibility, opacity, blend modes, and what is stored.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dabAt, differingTexels, noActiveEdits, openWithDensityMap, rootsOf, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const TOP = [0, 0.1, 0];

const texelAtTop = (page) => page.evaluate(() => {
  const { surface, map } = coif.paintTarget;
  const { triangle } = surface.closestTriangle([0, 0.1, 0]);
  const [u, v] = surface.uvAtHit({ triangle, point: [0, 0.1, 0] });
  return map.texelAtUv(u, v);
});

async function addLayer(page, name) {
  await page.click('#new-layer');
  await page.fill('dialog input[name=name]', name);
  await page.click('dialog button[value=yes]');
  await page.waitForFunction((wanted) => coif.paintTarget.stack?.layers[coif.paintTarget.layer]?.name === wanted, name);
}

const names = (page) => page.locator('ul.layers li .name').allTextContents();
const isComposed = (page, texel) => page.waitForFunction((wanted) => {
  const { surface, map } = coif.paintTarget;
  const [u, v] = surface.uvAtHit({ triangle: surface.closestTriangle([0, 0.1, 0]).triangle, point: [0, 0.1, 0] });
  return Math.abs(map.texelAtUv(u, v) - wanted) <= 1;
}, texel);

test('layers are composed as they are ordered, shown, blended and faded, and survive save and reload', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'layers.json');
  const ground = { tool: 'set', radius: 0.03, value: 0.25, strength: 1, hardness: 0.9, pressure: false };
  await dabAt(page, TOP, ground);
  const under = await texelAtTop(page);
  expect(under).toBe(16384);
  await addLayer(page, 'stubble');
  expect(await names(page), 'top first').toEqual(['stubble', 'base']);
  expect(await texelAtTop(page), 'an empty layer changes nothing').toBe(under);

  const before = (await rootsOf(studio)).count;
  await dabAt(page, TOP, { ...ground, value: 1 });
  await noActiveEdits(page);
  expect(await texelAtTop(page)).toBe(65535);
  await expect.poll(() => differingTexels(page), 'the server composes the same texels').toBe(0);
  expect((await rootsOf(studio)).count, 'roots grow by the composition').toBeGreaterThan(before);

  await page.click('ul.layers li:first-child button[aria-label="Hide stubble"]');
  await isComposed(page, under);
  await page.click('ul.layers li:first-child button[aria-label="Show stubble"]');
  await isComposed(page, 65535);
  await page.locator('input[aria-label="Layer opacity"]').fill('0.5');
  await isComposed(page, 16384 + 0.5 * (65535 - 16384));
  await page.selectOption('select[aria-label="Layer blend mode"]', 'min');
  await isComposed(page, under);
  await page.selectOption('select[aria-label="Layer blend mode"]', 'add');
  await isComposed(page, under + 0.5 * 65535);

  await page.click('#panel-paint button:text-is("Down")');
  await page.waitForFunction(() => coif.paintTarget.layer === 0);
  expect(await names(page)).toEqual(['base', 'stubble']);
  await isComposed(page, under); // covered by the opaque base
  await page.keyboard.press('Control+z');
  await isComposed(page, under + 0.5 * 65535);

  await page.click('text=Save');
  await page.waitForFunction(() => !coif.state.dirty);
  const scene = JSON.parse(readFileSync(join(lab.folder, 'layers.json'), 'utf8'));
  const [map] = scene.grooms[0].maps;
  expect(map.layers.map(({ name, opacity, blend_mode: mode }) => [name, opacity, mode])).toEqual([['base', undefined, undefined], ['stubble', 0.5, 'add']]);
  for (const file of [map.path, map.layers[0].path, map.layers[1].path, map.layers[1].mask]) expect(existsSync(join(lab.folder, file)), file).toBe(true);
  const saved = (await texelsOf(studio)).texels;
  await studio.kill('SIGTERM');

  const again = await lab.openStudio('layers.json');
  expect((await texelsOf(again)).texels).toEqual(saved);
  const reloaded = await lab.openPage(again);
  expect(await reloaded.evaluate(() => [coif.paintTarget.stack.layers.map((layer) => layer.name), coif.state.dirty])).toEqual([['base', 'stubble'], false]);
  const drawn = await lab.run('groom', join(lab.folder, 'layers.json'), '--out', join(lab.folder, 'out'));
  expect(drawn.code, drawn.err).toBe(0);
});

test('strokes on a layer are one step, erasing uncovers the layers below, and hidden layers refuse paint', async ({ lab }) => {
  const { page } = await openWithDensityMap(lab, 'erase.json');
  await addLayer(page, 'detail');
  const steps = await page.evaluate(() => coif.state.undo);
  const dab = { tool: 'set', radius: 0.02, value: 0, strength: 1, hardness: 0.9, pressure: false };
  await dabAt(page, TOP, dab);
  await page.waitForFunction((count) => coif.state.undo === count + 1, steps);
  expect(await texelAtTop(page)).toBe(0);
  await dabAt(page, TOP, { ...dab, tool: 'erase', strength: 0.5 });
  await isComposed(page, 32768);
  await dabAt(page, TOP, { ...dab, tool: 'erase', strength: 1 });
  await isComposed(page, 65535);
  for (let i = 0; i < 3; ++i) await page.keyboard.press('Control+z');
  await page.waitForFunction((count) => coif.state.undo === count, steps);
  await isComposed(page, 65535);
  for (let i = 0; i < 2; ++i) await page.keyboard.press('Control+Shift+z');
  await isComposed(page, 32768);
  await dabAt(page, TOP, { ...dab, tool: 'smooth', radius: 0.01 });
  expect(Math.abs(await texelAtTop(page) - 32768), 'blur works on what is seen').toBeLessThan(300);

  await page.click('ul.layers button[aria-label="Hide detail"]');
  await isComposed(page, 65535);
  const refusal = await page.evaluate(() => {
    coif.fill();
    return document.querySelector('#toasts')?.textContent;
  });
  expect(refusal).toContain('Layer detail is hidden');
  await page.click('ul.layers button[aria-label="Show detail"]');
  await isComposed(page, 32768);
  await page.click('#panel-paint button:text-is("Flatten")');
  await page.waitForFunction(() => coif.paintTarget.stack === null && !('layers' in coif.state.scene.grooms[0].maps[0]));
  await isComposed(page, 32768);
  await dabAt(page, TOP, { ...dab, tool: 'set' });
  expect(await texelAtTop(page), 'a flat map is painted itself').toBe(0);
});

test('layers are reordered by keys and by dragging', async ({ lab }) => {
  const { page } = await openWithDensityMap(lab, 'order.json');
  await addLayer(page, 'one');
  await addLayer(page, 'two');
  expect(await names(page)).toEqual(['two', 'one', 'base']);
  await page.locator('ul.layers li', { hasText: 'two' }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => names(page)).toEqual(['one', 'two', 'base']);
  await page.locator('ul.layers li', { hasText: 'base' }).dragTo(page.locator('ul.layers li', { hasText: 'one' }));
  await expect.poll(() => names(page)).toEqual(['base', 'one', 'two']);
  const thumbnail = page.locator('ul.layers li', { hasText: 'base' }).locator('canvas');
  await expect.poll(() => thumbnail.evaluate((canvas) => canvas.getContext('2d').getImageData(16, 16, 1, 1).data[0]), 'white').toBe(255);
  // The picture of the painted layer follows the paint.
  await page.evaluate(() => { coif.brush.value = 0; return coif.fill(); });
  const painted = page.locator('ul.layers li[aria-selected=true] canvas');
  await expect.poll(() => painted.evaluate((canvas) => Math.max(...canvas.getContext('2d').getImageData(0, 0, 32, 32).data.filter((_, i) => i % 4 < 3))), 'black').toBe(0);
});
