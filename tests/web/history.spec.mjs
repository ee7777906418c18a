// Undo, saving, crash recovery and concurrent pages.

import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { centerOf, dabAt, densityLayer, differingTexels, noActiveEdits, openWithDensityMap, placesOf, rootsOf, settle, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

test('a hundred strokes are undone and redone exactly', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('undo.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const before = (await texelsOf(studio)).texels;
  const places = await placesOf(studio);
  for (let i = 0; i < 100; ++i) {
    await dabAt(page, [...places.subarray(6 * i, 6 * i + 3)], { tool: 'set', value: (i % 10) / 10, strength: 0.7, hardness: 0.2, radius: 0.012, symmetric: false });
  }
  await settle(page);
  const painted = (await texelsOf(studio)).texels;
  expect.soft(!Buffer.from(before.buffer).equals(Buffer.from(painted.buffer)), 'something was painted').toBeTruthy();
  for (let i = 0; i < 100; ++i) await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo >= 100);
  expect.soft(Buffer.from(before.buffer).equals(Buffer.from((await texelsOf(studio)).texels.buffer)), 'undone to the bit').toBeTruthy();
  for (let i = 0; i < 100; ++i) await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => coif.state.redo === 0);
  expect.soft(Buffer.from(painted.buffer).equals(Buffer.from((await texelsOf(studio)).texels.buffer)), 'done again to the bit').toBeTruthy();
  await page.waitForFunction(async () => { await coif.paintTarget.map.update(); return true; });
  const seen = await page.evaluate(() => Array.from(coif.paintTarget.map.tiles[0].subarray(0, 64)));
  expect.soft(seen.every((value, x) => value === painted[x]), 'the page shows what the program has').toBeTruthy();
});

test('a killed studio restores finished strokes', async ({ lab }) => {
  const scene = lab.scene('kill.json');
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const places = await placesOf(studio);
  await dabAt(page, [...places.subarray(0, 3)], { tool: 'set', value: 0.25, strength: 1, hardness: 0.5, radius: 0.02, symmetric: false });
  await settle(page);
  const first = (await texelsOf(studio)).texels;
  // In the middle of the next stroke.
  await page.evaluate(([place]) => {
    const { surface } = coif.paintTarget;
    globalThis.halfway = new coif.Painter();
    const { triangle } = surface.closestTriangle(place);
    globalThis.halfway.begin(() => ({ triangle, point: place, normal: surface.normal(triangle) }), 0, 0, 1);
  }, [[...places.subarray(60, 63)]]);
  await studio.kill('SIGKILL');
  const again = await lab.openStudio(scene, '--port', String(studio.port));
  expect.soft(Buffer.from(first.buffer).equals(Buffer.from((await texelsOf(again)).texels.buffer)), 'the finished stroke is back to the bit').toBeTruthy();
  const fresh = await lab.openPage(again);
  await fresh.waitForFunction(() => coif.paintTarget.map !== null && coif.state.dirty);
  expect.soft(await fresh.evaluate(() => coif.state.undo) === 3, 'and can be undone').toBeTruthy();
});

test('an undo past a save survives a crash', async ({ lab }) => {
  const scene = lab.scene('past.json');
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const places = await placesOf(studio);
  const before = (await texelsOf(studio)).texels;
  await dabAt(page, [...places.subarray(0, 3)], { tool: 'set', value: 0.25, strength: 1, hardness: 0.5, radius: 0.02, symmetric: false });
  await settle(page);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  for (const [key, redo] of [['Control+z', 1], ['Control+Shift+z', 0], ['Control+z', 1]]) {
    await page.keyboard.press(key);
    await page.waitForFunction((left) => coif.state.redo === left, redo);
  }
  const undone = (await texelsOf(studio)).texels;
  expect.soft(Buffer.from(before.buffer).equals(Buffer.from(undone.buffer)), 'the stroke is undone').toBeTruthy();
  await studio.kill('SIGKILL');
  const again = await lab.openStudio(scene, '--port', String(studio.port));
  expect.soft(Buffer.from(before.buffer).equals(Buffer.from((await texelsOf(again)).texels.buffer)), 'and stays so').toBeTruthy();
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
  expect.soft(readFileSync(join(lab.folder, name), 'utf8') === before.replace('"count": 200', '"count": 333'), 'one number and no other byte').toBeTruthy();
  // What is wrong is said, and the old value stays.
  await box.fill('-5');
  await box.press('Enter');
  await page.waitForSelector('.toast.bad');
  expect.soft((await page.textContent('.toast.bad')).includes('below'), 'a mistake is explained').toBeTruthy();
  expect.soft(await page.evaluate(() => coif.state.scene.grooms[0].count) === 333, 'and changes nothing').toBeTruthy();
});

test('two pages stay synchronised', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('two.json'));
  const one = await lab.openPage(studio);
  const two = await lab.openPage(studio);
  await densityLayer(one);
  await two.waitForFunction(() => coif.paintTarget.map !== null);
  const places = await placesOf(studio);
  await dabAt(one, [...places.subarray(0, 3)], { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius: 0.03, symmetric: false });
  await settle(one);
  const sum = (page) => page.evaluate(() => coif.paintTarget.map.tiles.reduce((all, tile) => tile.reduce((a, b) => a + b, all), 0));
  const wanted = await sum(one);
  await two.waitForFunction((all) => coif.paintTarget.map.tiles.reduce((s, tile) => tile.reduce((a, b) => a + b, s), 0) === all, wanted);
  const counted = (await rootsOf(studio)).count.toLocaleString('en');
  for (const page of [one, two]) {
    await page.waitForFunction((text) => document.getElementById('root-count').textContent.startsWith(`${text} `), counted);
  }
  expect.soft(await sum(two) === wanted, 'both hold the same texels and count the same roots').toBeTruthy();
});

test('a rejected stroke is rolled back', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'refused.json');
  let refusals = 1;
  await page.route('**/api/tiles?layer=0&stroke=*', (route) => (refusals-- > 0
    ? route.fulfill({ status: 500, body: '{"error": "no room on the disk"}' }) : route.continue()));
  await dabAt(page, [0, 0.1, 0], { tool: 'set', value: 0, strength: 1, radius: 0.02 });
  await noActiveEdits(page);
  await page.waitForFunction(() => coif.paintTarget.map.texelAt(128, 128) !== undefined && document.querySelector('.toast.bad'));
  expect.soft(/not saved: no room on the disk/.test(await page.textContent('#toasts')), 'it says so').toBeTruthy();
  await page.waitForFunction(() => !coif.paintTarget.map.updateDeferred);
  expect.soft(await differingTexels(page) === 0, 'the page shows what the program has').toBeTruthy();
  await dabAt(page, [0, 0.1, 0], {});
  await noActiveEdits(page);
  await settle(page);
  expect.soft((await texelsOf(studio)).texels.some((word) => word === 0), 'the next stroke is there').toBeTruthy();
  expect.soft(await differingTexels(page) === 0, 'and they are the same again').toBeTruthy();
});

test('concurrent strokes in one tile are merged', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'both.json');
  const other = await lab.openPage(studio);
  await other.waitForFunction(() => coif.paintTarget.texels);
  // Strokes of both, piece by piece, beside each other.
  for (const [each, side] of [[page, 1], [other, -1]]) {
    await each.evaluate((k) => {
      Object.assign(coif.brush, { tool: 'set', value: 0, strength: 1, radius: 0.006 });
      const { surface } = coif.paintTarget;
      globalThis.at = (i) => {
        const way = [0.02 + 0.004 * i, 0.1, 0.008 * k - 0.02];
        const near = way.map((x) => (0.1 * x) / Math.hypot(...way));
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
    wanted.push(await each.evaluate(() => [...coif.paintTarget.map.tiles.keys()].flatMap((n) => [...mine.stroke.coverage.get(n) ?? []].flatMap((share, i) => (share === 1 ? [[n, i]] : [])))));
  }
  expect.soft(wanted[0].some(([n]) => wanted[1].some(([m]) => m === n)), 'they have a tile in common').toBeTruthy();
  for (const each of [page, other]) await each.evaluate(() => mine.end());
  for (const each of [page, other]) await expect.poll(() => differingTexels(each)).toBe(0);
  const { texels, width } = await texelsOf(studio);
  const columns = width / 64;
  const word = ([n, i]) => texels[(Math.floor(n / columns) * 64 + (i >> 6)) * width + (n % columns) * 64 + (i & 63)];
  expect.soft(wanted.every((list) => list.length > 10 && list.every((texel) => word(texel) === 0)), `both are there: ${wanted.map((list) => list.filter((texel) => word(texel) === 0).length)} of ${wanted.map((list) => list.length)}`).toBeTruthy();
  expect.soft(await differingTexels(page) === 0 && await differingTexels(other) === 0, 'both pages see it').toBeTruthy();
});

test('undo during a stroke removes all of it', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'middle.json');
  const [x, y] = await centerOf(page);
  const steps = await page.evaluate(() => coif.state.undo);
  await page.mouse.move(x - 40, y);
  await page.mouse.down();
  // Until a part of the stroke has been sent.
  let isSent = false;
  page.on('requestfinished', (request) => { isSent ||= request.method() === 'PUT' && request.url().includes('/api/tiles'); });
  for (let i = 0; !isSent; ++i) await page.mouse.move(x - 40 + 8 * (i % 8), y);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo > 0);
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.mouse.up();
  await noActiveEdits(page);
  expect.soft(await page.evaluate(() => coif.state.undo) === steps, 'no step of it is left').toBeTruthy();
  expect.soft((await texelsOf(studio)).texels.every((word) => word === 65535), 'nor a texel').toBeTruthy();
  expect.soft(await differingTexels(page) === 0, 'the page shows that').toBeTruthy();
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
  const places = await placesOf(studio);
  const update = page.waitForRequest((request) => request.method() === 'GET' && request.url().includes('/api/tiles'));
  await dabAt(page, [...places.subarray(0, 3)], { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius: 0.03, symmetric: false });
  const answered = (await update).response();
  await page.evaluate((place) => {
    const { surface } = coif.paintTarget;
    const { triangle } = surface.closestTriangle(place);
    globalThis.second = new coif.Painter();
    second.begin(() => ({ triangle, point: place, normal: surface.normal(triangle) }), 0, 0, 1);
  }, [...places.subarray(6, 9)]);
  release();
  await (await answered).finished();
  await page.evaluate(() => second.end());
  await expect.poll(() => differingTexels(page)).toBe(0);
  const { width, texels } = await texelsOf(studio);
  const wrong = await page.evaluate(([all, across]) => {
    const { map: layer } = coif.paintTarget;
    return all.filter((value, i) => layer.texelAt(i % across, Math.floor(i / across)) !== value).length;
  }, [[...texels], width]);
  const inside = await page.evaluate(([place, reach]) => {
    const { texels: tiles, map: layer } = coif.paintTarget;
    let [whole, black] = [0, 0];
    for (const number of tiles.tileNumbers()) {
      const tile = tiles.tile(number);
      for (let i = 0; i < 4096; ++i) {
        if (tile.triangle[i] >= 0 && Math.hypot(...[0, 1, 2].map((k) => tile.position[3 * i + k] - place[k])) < reach) {
          whole += 1;
          black += layer.tiles[number][i] === 0;
        }
      }
    }
    return [whole, black];
  }, [[...places.subarray(6, 9)], 0.014]);
  expect.soft(inside[0] > 20 && inside[0] === inside[1], `the second stroke is whole: ${inside}`).toBeTruthy();
  expect.soft(wrong === 0, `page and program agree (${wrong} texels do not)`).toBeTruthy();
});
