// Undo, saving, crash recovery and concurrent pages.

import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { centerOf, dabAt, densityLayer, differingTexels, noActiveEdits, openWithDensityMap, rootPositionsOf, rootsOf, settle, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

test('a hundred strokes are undone and redone exactly', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('undo.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const before = (await texelsOf(studio)).texels;
  const positions = await rootPositionsOf(studio);
  for (let i = 0; i < 100; ++i) {
    await dabAt(page, [...positions.subarray(6 * i, 6 * i + 3)], { tool: 'set', value: (i % 10) / 10, strength: 0.7, hardness: 0.2, radius: 0.012, symmetric: false });
  }
  await settle(page);
  const painted = (await texelsOf(studio)).texels;
  expect.soft(Buffer.from(before.buffer).equals(Buffer.from(painted.buffer)), 'strokes change the map').toBe(false);
  for (let i = 0; i < 100; ++i) await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo >= 100);
  expect.soft(Buffer.from(before.buffer).equals(Buffer.from((await texelsOf(studio)).texels.buffer)), 'undo restores all texels').toBe(true);
  for (let i = 0; i < 100; ++i) await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => coif.state.redo === 0);
  expect.soft(Buffer.from(painted.buffer).equals(Buffer.from((await texelsOf(studio)).texels.buffer)), 'redo restores all texels').toBe(true);
  await page.waitForFunction(async () => { await coif.paintTarget.map.update(); return true; });
  const seen = await page.evaluate(() => Array.from(coif.paintTarget.map.tiles[0].subarray(0, 64)));
  expect.soft(seen.every((value, x) => value === painted[x]), 'page and server have the same texels').toBe(true);
});

test('a killed studio restores finished strokes', async ({ lab }) => {
  const scene = lab.scene('kill.json');
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const positions = await rootPositionsOf(studio);
  await dabAt(page, [...positions.subarray(0, 3)], { tool: 'set', value: 0.25, strength: 1, hardness: 0.5, radius: 0.02, symmetric: false });
  await settle(page);
  const first = (await texelsOf(studio)).texels;
  // An unfinished stroke.
  await page.evaluate(([point]) => {
    const { surface } = coif.paintTarget;
    globalThis.halfway = new coif.Painter();
    const { triangle } = surface.closestTriangle(point);
    globalThis.halfway.begin(() => ({ triangle, point, normal: surface.normal(triangle) }), 0, 0, 1);
  }, [[...positions.subarray(60, 63)]]);
  await studio.kill('SIGKILL');
  const again = await lab.openStudio(scene, '--port', String(studio.port));
  expect.soft(Buffer.from(first.buffer).equals(Buffer.from((await texelsOf(again)).texels.buffer)), 'the finished stroke is restored exactly').toBe(true);
  const fresh = await lab.openPage(again);
  await fresh.waitForFunction(() => coif.paintTarget.map !== null && coif.state.dirty);
  expect.soft(await fresh.evaluate(() => coif.state.undo), 'undo steps are restored').toBe(2);
});

test('an undo past a save survives a crash', async ({ lab }) => {
  const scene = lab.scene('past.json');
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const positions = await rootPositionsOf(studio);
  const before = (await texelsOf(studio)).texels;
  await dabAt(page, [...positions.subarray(0, 3)], { tool: 'set', value: 0.25, strength: 1, hardness: 0.5, radius: 0.02, symmetric: false });
  await settle(page);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  for (const [key, redo] of [['Control+z', 1], ['Control+Shift+z', 0], ['Control+z', 1]]) {
    await page.keyboard.press(key);
    await page.waitForFunction((left) => coif.state.redo === left, redo);
  }
  const undone = (await texelsOf(studio)).texels;
  expect.soft(Buffer.from(before.buffer).equals(Buffer.from(undone.buffer)), 'the stroke is undone').toBe(true);
  await studio.kill('SIGKILL');
  const again = await lab.openStudio(scene, '--port', String(studio.port));
  expect.soft(Buffer.from(before.buffer).equals(Buffer.from((await texelsOf(again)).texels.buffer)), 'the undo survives a crash').toBe(true);
});

test('saving changes only the edited bytes', async ({ lab }) => {
  const name = 'bytes.json';
  copyFileSync(join(lab.folder, 'tiny.json'), join(lab.folder, name));
  const before = readFileSync(join(lab.folder, name), 'utf8');
  const studio = await lab.openStudio(name);
  const page = await lab.openPage(studio);
  await page.click('#tab-scene');
  await page.fill('input[type=search]', '/grooms/0/count');
  const box = page.locator('.row[data-path="/grooms/0/count"] input[type=number]');
  await box.fill('333');
  await box.press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].count === 333);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  expect.soft(readFileSync(join(lab.folder, name), 'utf8'), 'only the edited number changes in the file').toBe(before.replace('"count": 200', '"count": 333'));
  // An invalid value is rejected.
  await box.fill('-5');
  await box.press('Enter');
  await expect.soft(page.locator('.field-error'), 'an invalid value is reported').toHaveText('Count must be at least 0.');
  expect.soft(await page.evaluate(() => coif.state.scene.grooms[0].count), 'an invalid value is not stored').toBe(333);
});

test('two pages stay synchronised', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('two.json'));
  const one = await lab.openPage(studio);
  const two = await lab.openPage(studio);
  await densityLayer(one);
  await two.waitForFunction(() => coif.paintTarget.map !== null);
  const positions = await rootPositionsOf(studio);
  await dabAt(one, [...positions.subarray(0, 3)], { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius: 0.03, symmetric: false });
  await settle(one);
  const sum = (page) => page.evaluate(() => coif.paintTarget.map.tiles.reduce((all, tile) => tile.reduce((a, b) => a + b, all), 0));
  const wanted = await sum(one);
  await two.waitForFunction((all) => coif.paintTarget.map.tiles.reduce((s, tile) => tile.reduce((a, b) => a + b, s), 0) === all, wanted);
  const counted = (await rootsOf(studio)).count.toLocaleString('en');
  for (const page of [one, two]) {
    await page.waitForFunction((text) => document.getElementById('root-count').textContent.startsWith(`${text} `), counted);
  }
  expect.soft(await sum(two), 'both pages have the same texels and root count').toBe(wanted);
});

test('a rejected stroke is rolled back', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'refused.json');
  let refusals = 1;
  await page.route('**/api/tiles?layer=0&stroke=*', (route) => (refusals-- > 0
    ? route.fulfill({ status: 500, body: '{"error": "disk full"}' }) : route.continue()));
  await dabAt(page, [0, 0.1, 0], { tool: 'set', value: 0, strength: 1, radius: 0.02 });
  await noActiveEdits(page);
  await page.waitForFunction(() => coif.paintTarget.map.texelAt(128, 128) !== undefined && document.querySelector('.toast.bad'));
  expect.soft(await page.textContent('#toasts'), 'the rejected stroke is reported').toMatch(/not saved: disk full/);
  await page.waitForFunction(() => !coif.paintTarget.map.updateDeferred);
  await expect.poll(() => differingTexels(page), 'page and server have the same texels after a rollback').toBe(0);
  await dabAt(page, [0, 0.1, 0], {});
  await noActiveEdits(page);
  await settle(page);
  expect.soft((await texelsOf(studio)).texels.some((word) => word === 0), 'the next stroke is stored').toBe(true);
  await expect.poll(() => differingTexels(page), 'page and server have the same texels after the next stroke').toBe(0);
});

test('concurrent strokes in one tile are merged', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'both.json');
  const other = await lab.openPage(studio);
  await other.waitForFunction(() => coif.paintTarget.texels);
  const undoSteps = async () => (await (await studio.request('/api/state')).json()).undo;
  const steps = await undoSteps();
  // Interleaved strokes of both pages, next to each other.
  for (const [each, side] of [[page, 1], [other, -1]]) {
    await each.evaluate((k) => {
      Object.assign(coif.brush, { tool: 'set', value: 0, strength: 1, radius: 0.006 });
      const { surface } = coif.paintTarget;
      globalThis.at = (i) => {
        const direction = [0.02 + 0.004 * i, 0.1, 0.008 * k - 0.02];
        const near = direction.map((x) => (0.1 * x) / Math.hypot(...direction));
        const { triangle } = surface.closestTriangle(near);
        return { triangle, point: near, normal: surface.normal(triangle) };
      };
      globalThis.mine = new coif.Painter();
      mine.begin(() => at(0), 0, 0, 1);
    }, side);
  }
  for (let i = 1; i < 5; ++i) {
    for (const each of [page, other]) {
      await each.evaluate(async (k) => {
        mine.lastSent = -1000; // a piece is due
        mine.hitAt = () => at(k);
        mine.move(0, k, 1);
        await coif.paintTarget.map.sending;
      }, i);
    }
  }
  const wanted = [];
  for (const each of [page, other]) {
    wanted.push(await each.evaluate(() => [...coif.paintTarget.map.tiles.keys()].flatMap((n) => [...mine.stroke.coverage.get(n) ?? []].flatMap((coverage, i) => (coverage === 1 ? [[n, i]] : [])))));
  }
  expect.soft(wanted[0].some(([n]) => wanted[1].some(([m]) => m === n)), 'the strokes share a tile').toBe(true);
  for (const each of [page, other]) await each.evaluate(() => mine.end());
  for (const each of [page, other]) await expect.poll(() => differingTexels(each)).toBe(0);
  const { texels, width } = await texelsOf(studio);
  const columns = width / 64;
  const word = ([n, i]) => texels[(Math.floor(n / columns) * 64 + (i >> 6)) * width + (n % columns) * 64 + (i & 63)];
  expect.soft(wanted.every((list) => list.length > 10 && list.every((texel) => word(texel) === 0)), 'both strokes are stored completely').toBe(true);
  expect.soft(await undoSteps(), 'two strokes are two steps').toBe(steps + 2);
  await studio.request('/api/undo', { method: 'POST' });
  const after = (await texelsOf(studio)).texels;
  const left = wanted.map((list) => list.filter(([n, i]) => after[(Math.floor(n / columns) * 64 + (i >> 6)) * width + (n % columns) * 64 + (i & 63)] === 0).length / list.length);
  expect.soft(Math.max(...left), 'the stroke of one page stays whole').toBe(1);
  expect.soft(Math.min(...left), 'the other is taken back but for what both painted').toBeLessThan(0.7);
  await expect.poll(() => differingTexels(page), 'page and server have the same texels').toBe(0);
  await expect.poll(() => differingTexels(other), 'page and server have the same texels').toBe(0);
});

test('undo during a stroke removes all of it', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'middle.json');
  const [x, y] = await centerOf(page);
  const steps = await page.evaluate(() => coif.state.undo);
  await page.mouse.move(x - 40, y);
  await page.mouse.down();
  // Waits until a part of the stroke is sent.
  let isSent = false;
  page.on('requestfinished', (request) => { isSent ||= request.method() === 'PUT' && request.url().includes('/api/tiles'); });
  for (let i = 0; !isSent; ++i) await page.mouse.move(x - 40 + 8 * (i % 8), y);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo > 0);
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.mouse.up();
  await noActiveEdits(page);
  expect.soft(await page.evaluate(() => coif.state.undo), 'no undo step is left').toBe(steps);
  expect.soft((await texelsOf(studio)).texels.every((word) => word === 65535), 'no texel is painted').toBe(true);
  await expect.poll(() => differingTexels(page), 'page and server have the same texels').toBe(0);
});

test('a server update during a stroke does not overwrite it', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('quick.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  // The update that follows the first stroke is held back and arrives during the second one.
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route('**/api/tiles?*', async (route) => {
    if (route.request().method() === 'GET') await held;
    await route.continue();
  });
  const positions = await rootPositionsOf(studio);
  const update = page.waitForRequest((request) => request.method() === 'GET' && request.url().includes('/api/tiles'));
  await dabAt(page, [...positions.subarray(0, 3)], { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius: 0.03, symmetric: false });
  const answered = (await update).response();
  await page.evaluate((point) => {
    const { surface } = coif.paintTarget;
    const { triangle } = surface.closestTriangle(point);
    globalThis.second = new coif.Painter();
    second.begin(() => ({ triangle, point, normal: surface.normal(triangle) }), 0, 0, 1);
  }, [...positions.subarray(6, 9)]);
  release();
  await (await answered).finished();
  await page.evaluate(() => second.end());
  await expect.poll(() => differingTexels(page)).toBe(0);
  const { width, texels } = await texelsOf(studio);
  const wrong = await page.evaluate(([all, across]) => {
    const { map: layer } = coif.paintTarget;
    return all.filter((value, i) => layer.texelAt(i % across, Math.floor(i / across)) !== value).length;
  }, [[...texels], width]);
  const inside = await page.evaluate(([point, reach]) => {
    const { texels: tiles, map: layer } = coif.paintTarget;
    let [whole, black] = [0, 0];
    for (const number of tiles.tileNumbers()) {
      const tile = tiles.tile(number);
      for (let i = 0; i < 4096; ++i) {
        if (tile.triangle[i] >= 0 && Math.hypot(...[0, 1, 2].map((k) => tile.position[3 * i + k] - point[k])) < reach) {
          whole += 1;
          black += layer.tiles[number][i] === 0;
        }
      }
    }
    return [whole, black];
  }, [[...positions.subarray(6, 9)], 0.014]);
  expect.soft(inside[0], 'the second stroke is complete').toBeGreaterThan(20);
  expect.soft(inside[0], 'the second stroke is complete').toBe(inside[1]);
  expect.soft(wrong, 'texels that differ between page and server').toBe(0);
});
