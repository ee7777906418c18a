// Strokes as hands make them: order of undo, refused and posed strokes, lines, eyedropper, brush size, symmetry, units.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { centerOf, dabAt, densityLayer, newLayer, noActiveEdits, openWithDensityMap, rootPositionsOf, settle, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const eye = (page) => page.evaluate(() => coif.view3d.camera.position.toArray().join());
const undoCount = (page) => page.evaluate(() => coif.state.undo);
const same = (a, b) => Buffer.from(a.buffer).equals(Buffer.from(b.buffer));

// A pixel of the page over the scalp, and one over the body outside it.
const pixelsOf = (page) => page.evaluate(() => {
  const { view3d, paintTarget, hit3d } = coif;
  const box = view3d.section.getBoundingClientRect();
  const found = { scalp: null, face: null };
  for (let y = 40; y < view3d.section.clientHeight - 40; y += 4) {
    for (let x = view3d.section.clientWidth / 2; x < view3d.section.clientWidth - 20; x += 16) {
      const hit = hit3d(x, y);
      if (!hit) continue;
      const grows = paintTarget.surface.trianglesInBrush(hit.triangle, hit.point, hit.normal, 0.02).some((t) => paintTarget.surface.growthMask[t]);
      if (!grows) found.face = [box.left + x, box.top + y];
      if (grows && paintTarget.surface.growthMask[hit.triangle]) found.scalp ??= [box.left + x, box.top + y + 12];
    }
  }
  return found;
});

const drag = async (page, [x, y], dx, dy, options) => {
  await page.mouse.move(x, y);
  await page.mouse.down(options);
  await page.mouse.move(x + dx, y + dy, { steps: 4 });
  await page.mouse.up(options);
};

test('undo waits for the stroke that is still on its way', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'race.json');
  const [x, y] = await centerOf(page);
  await page.evaluate(() => Object.assign(coif.brush, { value: 0, radius: 0.01 }));
  await drag(page, [x, y], 10, 0);
  await noActiveEdits(page);
  const first = (await texelsOf(studio)).texels;
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route('**/api/tiles*', async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  const before = await undoCount(page);
  await drag(page, [x, y + 25], 10, 0);
  await page.keyboard.press('Control+z');
  release();
  await page.waitForFunction(() => coif.state.redo === 1);
  expect.soft(await undoCount(page), 'the last stroke is undone').toBe(before);
  expect.soft(same((await texelsOf(studio)).texels, first), 'the stroke before it stays').toBe(true);
  await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => coif.state.redo === 0);
  expect.soft(same((await texelsOf(studio)).texels, first), 'redo brings it back').toBe(false);
});

test('a new map is one step of undo; unused maps say so and are connected', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('steps.json'));
  const page = await lab.openPage(studio);
  await newLayer(page, 'length');
  await page.waitForFunction(() => coif.state.scene.grooms[0].length?.map === 'length');
  expect.soft(await undoCount(page), 'steps').toBe(1);
  await expect.soft(page.locator('ul.maps li .uses'), 'what the map drives').toHaveText('length');
  await page.selectOption('select[aria-label="Drives"]', 'disconnect:0');
  await expect(page.locator('ul.maps li .uses')).toHaveText('not used');
  await page.selectOption('select[aria-label="Drives"]', 'connect:density');
  await expect(page.locator('ul.maps li .uses')).toHaveText('density');
  for (let i = 0; i < 3; ++i) await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.undo === 0 && coif.state.redo === 3);
  await expect.poll(() => page.evaluate(() => [coif.state.scene.grooms[0].maps?.length ?? 0, typeof coif.state.scene.grooms[0].length]), 'nothing is left').toEqual([0, 'number']);
  // The journal has the two edits of a step as one.
  await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => coif.state.redo === 2);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo === 3);
  await page.close();
  await studio.kill('SIGKILL');
  const again = await lab.openStudio('steps.json');
  const scene = JSON.parse((await (await again.request('/api/state')).json()).text);
  expect.soft(scene.grooms[0].maps?.length ?? 0, 'after a crash').toBe(0);
});

test('values are shown in the unit that the map drives, and mistyped numbers change nothing', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('units.json', (scene) => {
    scene.grooms[0].length = 0.25;
    return scene;
  }));
  const page = await lab.openPage(studio);
  await newLayer(page, 'length');
  const value = page.locator('#panel-paint input[aria-label="Value, number"]');
  await page.waitForFunction(() => document.querySelector('#panel-paint input[aria-label="Value, number"]').max === '250');
  await expect.soft(page.locator('.row:has(input[aria-label="Value"]) label'), 'the unit').toHaveText('Value, mm');
  await value.fill('100');
  await value.press('Enter');
  expect.soft(await page.evaluate(() => coif.brush.value), '100 of 250 mm').toBeCloseTo(0.4, 2);
  await expect.soft(page.locator('.legend'), 'the legend').toContainText('250 mm');
  const [x, y] = await centerOf(page);
  await page.evaluate(() => coif.fill());
  await page.mouse.move(x, y);
  await expect.soft(page.locator('.legend output'), 'the pointer').toHaveText('length 100 mm');
  for (const [field, name] of [['Strength', 'strength'], ['Radius, mm', 'radius'], ['Value', 'value']]) {
    const before = await page.evaluate((key) => coif.brush[key], name);
    const input = page.locator(`#panel-paint input[aria-label="${field}, number"]`);
    await input.fill('');
    await input.press('Enter');
    expect.soft(await page.evaluate((key) => coif.brush[key], name), `an empty ${field}`).toBe(before);
    await expect.soft(input, `an empty ${field} shows the number again`).not.toHaveValue('');
  }
});

test('strokes off the scalp are refused in words and do not turn the view', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('face.json', (scene) => {
    scene.bodies[0].mesh = 'assets/mannequin.obj';
    scene.grooms[0].group = 'scalp';
    return scene;
  }));
  const page = await lab.openPage(studio);
  const empty = await pixelsOf(page);
  const still = await eye(page);
  await drag(page, empty.face, 30, 0);
  expect.soft(await eye(page), 'without a map').toBe(still);
  await densityLayer(page);
  await drag(page, empty.face, 15, 0);
  expect.soft(await eye(page), 'over the face').toBe(still);
  await page.mouse.move(...empty.face);
  await expect.soft(page.locator('.refusal'), 'the reason').toHaveText('Outside the scalp: nothing is painted here.');
  expect.soft(await undoCount(page), 'nothing is painted').toBe(1);
  await page.mouse.move(...empty.scalp);
  await expect.soft(page.locator('.refusal'), 'over the scalp').toBeHidden();
  // A gradient needs both ends on the surface.
  await page.keyboard.press('g');
  await page.mouse.move(...empty.scalp);
  await page.mouse.down();
  await page.mouse.move(empty.scalp[0], 60, { steps: 4 });
  const corner = await page.locator('#view3d').boundingBox();
  await page.mouse.move(corner.x + 5, corner.y + corner.height - 60);
  await page.mouse.up();
  await expect.soft(page.locator('.toast').last(), 'a gradient released beside the head').toContainText('beside the surface');
});

test('a scrubbed head is painted where it is', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('scrub.json', (scene) => {
    scene.bodies[0].translate = { keys: [[1, [0, 0, 0]], [11, [0.1, 0, 0]]] };
    return scene;
  }));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await page.fill('input[aria-label="Frame number"]', '6');
  await page.press('input[aria-label="Frame number"]', 'Enter');
  await page.waitForFunction(() => coif.view3d.posed);
  await page.evaluate(() => Object.assign(coif.brush, { value: 0, radius: 0.01, hardness: 0.9 }));
  const target = await page.evaluate(() => {
    const { view3d } = coif;
    const box = view3d.section.getBoundingClientRect();
    const [x, y] = [view3d.section.clientWidth / 2 + 20, view3d.section.clientHeight / 2];
    return { pixel: [box.left + x, box.top + y], rest: coif.hit3d(x, y).point, drawn: view3d.hit(x, y).point };
  });
  expect.soft(target.drawn[0] - target.rest[0], 'the head has moved').toBeCloseTo(0.05, 3);
  await drag(page, target.pixel, 0, 0);
  await settle(page);
  const texel = await page.evaluate((point) => {
    const { surface, map } = coif.paintTarget;
    return map.texelAtUv(...surface.uvAtHit({ triangle: surface.closestTriangle(point).triangle, point }));
  }, target.rest);
  expect.soft(texel, 'painted under the pointer').toBe(0);
  expect.soft(await page.evaluate(() => coif.view3d.posed), 'the head stays where it is').toBe(true);
});

test('lines, eyedropper, brush size and stabilizer', async ({ lab }) => {
  const { page } = await openWithDensityMap(lab, 'hand.json');
  const [x, y] = await centerOf(page);
  await page.evaluate(() => Object.assign(coif.brush, { value: 0.25, strength: 1, radius: 0.006, hardness: 0.9 }));
  const valueAt = (px, py) => page.evaluate(([a, b]) => {
    const box = coif.view3d.section.getBoundingClientRect();
    const hit = coif.hit3d(a - box.left, b - box.top);
    return coif.paintTarget.map.texelAtUv(...coif.paintTarget.surface.uvAtHit(hit)) / 65535;
  }, [px, py]);
  await page.mouse.click(x - 60, y);
  await page.keyboard.down('Shift');
  await page.mouse.click(x + 60, y);
  await page.keyboard.up('Shift');
  await noActiveEdits(page);
  expect.soft(await valueAt(x, y), 'Shift-click draws a line').toBeCloseTo(0.25, 3);
  expect.soft(await valueAt(x, y + 40), 'and nothing beside it').toBe(1);
  await page.evaluate(() => { coif.brush.value = 0.9; });
  await page.keyboard.down('i');
  await page.mouse.click(x, y);
  await page.keyboard.up('i');
  expect.soft(await page.evaluate(() => coif.brush.value), 'I picks the value').toBeCloseTo(0.25, 3);
  const steps = await undoCount(page);
  const still = await eye(page);
  await page.keyboard.down('Control');
  await drag(page, [x, y], 40, 60, { button: 'right' });
  await page.keyboard.up('Control');
  const sized = await page.evaluate(() => [coif.brush.radius, coif.brush.strength]);
  expect.soft(sized[0], 'to the right: larger').toBeGreaterThan(0.0085);
  expect.soft(sized[1], 'down: weaker').toBeCloseTo(0.7, 2);
  expect.soft([await undoCount(page), await eye(page)], 'nothing else happens').toEqual([steps, still]);
  await page.evaluate(() => Object.assign(coif.brush, { value: 0, strength: 1, radius: 0.004, stabilizer: 30 }));
  await drag(page, [x - 40, y + 50], 80, 0);
  await noActiveEdits(page);
  expect.soft(await valueAt(x, y + 50), 'the brush follows').toBeLessThan(0.01);
  expect.soft(await valueAt(x + 38, y + 50), 'at the length of the string').toBe(1);
});

test('symmetry axis, feather, size by pressure', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'axis.json');
  const positions = await rootPositionsOf(studio);
  const side = [...Array(500).keys()].map((i) => [...positions.subarray(6 * i, 6 * i + 3)]).find((p) => p[2] > 0.05 && Math.abs(p[0]) < 0.04);
  await page.evaluate(() => { coif.brush.axis = 2; });
  await dabAt(page, side, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.01, symmetric: true });
  await settle(page);
  const valueAt = (p) => page.evaluate((point) => {
    const { surface, map } = coif.paintTarget;
    const { triangle } = surface.closestTriangle(point);
    return surface.growthMask[triangle] ? map.texelAtUv(...surface.uvAtHit({ triangle, point })) : -1;
  }, p);
  expect.soft(await valueAt([side[0], side[1], -side[2]]), 'mirrored at z').toBe(0);
  expect.soft(await valueAt([-side[0], side[1], side[2]]), 'not at x').toBe(Math.abs(side[0]) < 0.012 ? await valueAt([-side[0], side[1], side[2]]) : 65535);
  // A quarter of the pressure is a quarter of the radius.
  await page.evaluate(async () => {
    Object.assign(coif.brush, { value: 1, symmetric: false });
    await coif.fill();
    Object.assign(coif.brush, { value: 0, pressure: false, sizePressure: true, radius: 0.04, hardness: 0.99 });
    const painter = new coif.Painter();
    painter.begin(() => coif.paintTarget.surface.raycast([0, 0.5, 0], [0, -1, 0]), 0, 0, 0.25);
    await painter.end();
  });
  const reach = await page.evaluate(() => {
    const { texels, map, surface } = coif.paintTarget;
    const { point } = surface.raycast([0, 0.5, 0], [0, -1, 0]);
    let most = 0;
    for (const number of texels.tileNumbers()) {
      const tile = texels.tile(number);
      for (let i = 0; i < 4096; ++i) if (tile.triangle[i] >= 0 && map.tiles[number][i] < 65535) most = Math.max(most, Math.hypot(...[0, 1, 2].map((k) => tile.position[3 * i + k] - point[k])));
    }
    return most;
  });
  expect.soft(reach, 'radius at a quarter of the pressure').toBeLessThan(0.0101);
  expect.soft(reach, 'radius at a quarter of the pressure').toBeGreaterThan(0.006);
  // The lasso has soft edges and strength.
  const [x, y] = await centerOf(page);
  await page.evaluate(async () => { Object.assign(coif.brush, { value: 1 }); await coif.fill(); Object.assign(coif.brush, { value: 0, strength: 0.5, feather: 20 }); });
  await page.keyboard.press('l');
  await page.mouse.move(x - 40, y - 40);
  await page.mouse.down();
  for (const [dx, dy] of [[40, -40], [40, 40], [-40, 40], [-40, -39]]) await page.mouse.move(x + dx, y + dy, { steps: 3 });
  await page.mouse.up();
  await noActiveEdits(page);
  const texels = new Set((await texelsOf(studio)).texels);
  expect.soft(Math.min(...texels), 'half the strength').toBeGreaterThanOrEqual(32767);
  expect.soft(Math.min(...texels), 'half the strength').toBeLessThan(33000);
  expect.soft(texels.size, 'a soft edge').toBeGreaterThan(50);
});

test('exports are named after the map, new maps may have any name, imports ask what they drive', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'names.json');
  const rename = page.locator('#panel-paint button:text-is("Rename")').first();
  await rename.click();
  await page.fill('dialog input[name=name]', 'hairline');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps[0].name === 'hairline');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('#panel-paint button:text-is("Export PNG")')]);
  expect.soft(file.suggestedFilename(), 'name of the exported file').toBe('hairline.png');
  await newLayer(page, 'length', 'Länge vorn 2');
  expect.soft(await page.evaluate(() => coif.state.scene.grooms[0].maps[1].path), 'its file').toMatch(/^maps\/names_L_+nge_vorn_2\.png$/);
  const bytes = Buffer.from(await (await studio.request('/api/layers?layer=0&format=png')).arrayBuffer());
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#panel-paint button:text-is("Import")')]);
  await chooser.setFiles({ name: 'length.png', mimeType: 'image/png', buffer: bytes });
  await page.waitForSelector('dialog select[name=target]');
  await page.selectOption('dialog select[name=target]', 'nothing yet');
  await page.click('dialog button[value=yes]');
  await expect(page.locator('ul.maps li').nth(2).locator('.uses')).toHaveText('not used');
  expect.soft(await page.evaluate(() => coif.state.scene.grooms[0].length.map), 'the length stays as it was').toBe('Länge vorn 2');
  expect.soft(existsSync(join(lab.folder, 'names.json')) && JSON.parse(readFileSync(join(lab.folder, 'names.json'), 'utf8')).grooms.length, 'the file is untouched').toBe(1);
});

test('a map of the roots is complete whatever the mask', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'bakemask.json');
  await page.selectOption('select[aria-label="Mask map"]', '0');
  await page.fill('input[aria-label="Region number"]', '7');
  await page.press('input[aria-label="Region number"]', 'Enter');
  await page.waitForFunction(() => coif.brush.mask?.texel === 7 * 257);
  await page.click('#panel-paint button:text-is("New map from current roots")');
  await page.waitForFunction(() => coif.paintTarget.map?.id === 1 && coif.paintTarget.map.activeEdits === 0);
  expect.soft(Math.max(...new Set((await texelsOf(studio, 1)).texels)), 'white at the roots').toBe(65535);
});
