// Brush strokes, lasso, gradient and baking.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { centerOf, dabAt, densityLayer, newLayer, noActiveEdits, openWithDensityMap, rootPositionsOf, rootsOf, settle, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const seamPoint = (page) => page.evaluate(() => {
  const { surface } = coif.paintTarget;
  const uvs = new Map();
  for (let t = 0; t < surface.triangles; ++t) {
    for (let c = 3 * t; surface.growthMask[t] && c < 3 * t + 3; ++c) {
      const key = surface.indices[c];
      uvs.set(key, [...(uvs.get(key) ?? []), surface.uvs[2 * c]]);
    }
  }
  const seam = [...uvs].filter(([, list]) => Math.max(...list) - Math.min(...list) > 0.5).map(([vertex]) => vertex);
  const middle = seam[Math.floor(seam.length / 2)];
  return seam.length ? [...surface.positions.subarray(3 * middle, 3 * middle + 3)] : null;
});

const press = (page, name) => page.click(`#panel-paint button:text-is("${name}")`);

function writeEar(lab, name) {
  const profile = [];
  const line = (from, to, steps) => { for (let i = 0; i < steps; ++i) profile.push([0, 1].map((k) => from[k] + ((to[k] - from[k]) * i) / steps)); };
  line([-0.1, 0], [0, 0], 20);
  line([0, 0], [0, 0.002], 1);
  line([0, 0.002], [-0.04, 0.004], 8);
  line([-0.04, 0.004], [-0.04, 0.005], 1);
  line([-0.04, 0.005], [0, 0.007], 8);
  line([0, 0.007], [0.1, 0], 20);
  profile.push([0.1, 0]);
  const rows = 24;
  const lines = ['g scalp'];
  for (let z = 0; z <= rows; ++z) for (const [x, y] of profile) lines.push(`v ${x} ${y} ${(0.5 - z / rows) * 0.12}`);
  for (let z = 0; z <= rows; ++z) profile.forEach((_, i) => lines.push(`vt ${0.02 + (0.96 * i) / (profile.length - 1)} ${0.02 + (0.96 * z) / rows}`));
  for (let z = 0; z < rows; ++z) {
    for (let i = 0; i + 1 < profile.length; ++i) {
      const at = (a, b) => { const n = (z + b) * profile.length + i + a + 1; return `${n}/${n}`; };
      lines.push(`f ${at(0, 0)} ${at(1, 0)} ${at(1, 1)} ${at(0, 1)}`);
    }
  }
  writeFileSync(join(lab.folder, 'assets', name), `${lines.join('\n')}\n`);
}

const painted = (page) => page.evaluate(() => {
  const { texels, map: layer } = coif.paintTarget;
  const seen = { under: 0, back: 0, ear: 0, beside: 0 };
  for (const number of texels.tileNumbers()) {
    const tile = texels.tile(number);
    for (let i = 0; i < 4096; ++i) {
      if (tile.triangle[i] >= 0 && layer.tiles[number][i] !== 65535) {
        const [x, y] = tile.position.subarray(3 * i, 3 * i + 2);
        const up = coif.paintTarget.surface.normal(tile.triangle[i])[1];
        seen[x > 0.001 ? 'beside' : up < 0.1 ? 'back' : y < 0.0015 ? 'under' : 'ear'] += 1;
      }
    }
  }
  return seen;
});

const earScene = (lab, name) => lab.scene(name, (scene) => {
  scene.bodies[0].mesh = 'assets/ear.obj';
  return scene;
});

test('a dab across a UV seam paints both sides', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('seam.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const point = await seamPoint(page);
  expect.soft(point, 'the ball has a UV seam').not.toBe(null);
  const radius = 0.03;
  await dabAt(page, point, { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius, symmetric: false });
  await settle(page);
  const { width, texels } = await texelsOf(studio);
  // Expected texels, from their surface positions.
  const wanted = await page.evaluate(([point, reach]) => {
    const { texels: positions, map: layer } = coif.paintTarget;
    const out = [];
    for (const number of positions.tileNumbers()) {
      const tile = positions.tile(number);
      for (let i = 0; i < 4096; ++i) {
        if (tile.triangle[i] >= 0) {
          const x = (number % layer.columns) * 64 + (i & 63);
          const y = Math.floor(number / layer.columns) * 64 + (i >> 6);
          const d = Math.hypot(...[0, 1, 2].map((k) => tile.position[3 * i + k] - point[k])) / reach;
          const t = (d - 0.5) / 0.5;
          const amount = t <= 0 ? 1 : t >= 1 ? 0 : 1 - t * t * (3 - 2 * t);
          out.push([y * layer.width + x, Math.round(65535 * (1 - amount))]);
        }
      }
    }
    return out;
  }, [point, radius]);
  let wrong = 0;
  let left = 0;
  let right = 0;
  for (const [at, value] of wanted) {
    wrong += Math.abs(texels[at] - value) > 1;
    left += texels[at] === 0 && at % width < width / 2;
    right += texels[at] === 0 && at % width >= width / 2;
  }
  expect.soft(wrong, `texels of ${wanted.length} that differ from the analytic brush`).toBe(0);
  expect.soft(left, 'both sides of the seam are painted').toBeGreaterThan(20);
  expect.soft(right, 'both sides of the seam are painted').toBeGreaterThan(20);
});

test('black density removes roots and keeps the others', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('roots.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const before = await rootsOf(studio);
  expect.soft(before.count, 'all roots grow under a white map').toBe(4000);
  expect.soft(before.candidates, 'all roots grow under a white map').toBe(4000);
  const positions = await rootPositionsOf(studio);
  const middle = [...positions.subarray(0, 3)];
  await dabAt(page, middle, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.02, symmetric: false });
  await settle(page);
  const after = await rootsOf(studio);
  let inside = 0;
  let wrong = 0;
  for (let i = 0; i < after.candidates; ++i) {
    const d = Math.hypot(...[0, 1, 2].map((k) => positions[6 * i + k] - middle[k]));
    inside += d < 0.016;
    wrong += (d < 0.016 && after.grows[i] !== 0) || (d > 0.03 && after.grows[i] !== before.grows[i]);
  }
  expect.soft(inside, 'candidates inside the dab do not grow, others do').toBeGreaterThan(10);
  expect.soft(wrong, 'candidates inside the dab do not grow, others do').toBe(0);
  await page.waitForFunction((text) => document.getElementById('root-count').textContent.startsWith(`${text} `), after.count.toLocaleString('en'));
  // coif groom gives the same result after saving.
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  expect.soft(existsSync(join(lab.folder, 'roots.previous.json')), 'the previous version of the scene is kept').toBe(true);
  const grown = await lab.run('groom', join(lab.folder, 'roots.json'), '--out', join(lab.folder, 'grown'));
  expect.soft(grown.code, `coif groom generates the roots of the studio: ${grown.err}`).toBe(0);
  expect.soft(grown.err, `coif groom generates the roots of the studio: ${grown.err}`).toContain(` ${after.count} strands`);
});

test('add, subtract, spacing and masks are exact', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('exact.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await page.evaluate(() => { coif.brush.value = 0.5; return coif.fill(); });
  const positions = await rootPositionsOf(studio);
  const plain = { strength: 0.25, hardness: 0.99, radius: 0.02, symmetric: false };
  await dabAt(page, [...positions.subarray(0, 3)], { ...plain, tool: 'add' });
  await dabAt(page, [...positions.subarray(0, 3)], { ...plain, tool: 'subtract' });
  await dabAt(page, [...positions.subarray(0, 3)], { ...plain, tool: 'subtract' });
  await settle(page);
  const values = [...new Set((await texelsOf(studio)).texels)];
  const half = Math.round(0.5 * 65535);
  expect.soft(values, 'a quarter is added once and subtracted twice').toContain(half);
  expect.soft(Math.min(...values), 'a quarter is added once and subtracted twice').toBe(half - 16384);
  // The spacing of dabs is a fraction of the radius.
  const dabs = (spacing) => page.evaluate(async (fraction) => {
    Object.assign(coif.brush, { tool: 'set', value: 1, radius: 0.01, spacing: fraction });
    const { surface } = coif.paintTarget;
    const at = (x) => coif.paintTarget.surface.raycast([x, 0.3, 0], [0, -1, 0]);
    const painter = new coif.Painter();
    painter.begin(at, 0, 0, 1);
    painter.move(0.03, 0, 1);
    await painter.end();
    return [painter.stroke.dabCount, surface.triangles];
  }, spacing);
  const [[wide], [narrow]] = [await dabs(1), await dabs(0.1)];
  expect.soft(wide, 'number of dabs at a spacing of 1 and of 0.1 radii').toBeGreaterThanOrEqual(4);
  expect.soft(wide, 'number of dabs at a spacing of 1 and of 0.1 radii').toBeLessThanOrEqual(5);
  expect.soft(narrow, 'number of dabs at a spacing of 1 and of 0.1 radii').toBeGreaterThanOrEqual(31);
  expect.soft(narrow, 'number of dabs at a spacing of 1 and of 0.1 radii').toBeLessThanOrEqual(34);
  // A mask that differs between the sides applies to both.
  await newLayer(page, 'region');
  await page.waitForFunction(() => coif.paintTarget.isRegionMap);
  await dabAt(page, [0.05, 0.06, 0], { tool: 'set', region: 1, radius: 0.045, symmetric: false });
  await settle(page);
  await page.click('ul.maps li:has-text("density")');
  await page.waitForFunction(() => !coif.paintTarget.isRegionMap);
  await page.selectOption('select[aria-label="Mask map"]', '1');
  await page.waitForFunction(() => coif.brush.mask?.texel === 257);
  const before = (await texelsOf(studio)).texels;
  await page.evaluate(() => { coif.brush.value = 0; coif.brush.strength = 1; });
  for (const x of [0.05, -0.05]) await dabAt(page, [x, 0.06, 0], { tool: 'set', value: 0, strength: 1, radius: 0.06, symmetric: true });
  await settle(page);
  const [after, region] = [(await texelsOf(studio)).texels, (await texelsOf(studio, 1)).texels];
  const outside = after.reduce((sum, x, i) => sum + (x !== before[i] && region[i] !== 257), 0);
  const inside = after.reduce((sum, x, i) => sum + (x !== before[i]), 0);
  expect.soft(inside, 'painted texels are inside the mask').toBeGreaterThan(100);
  expect.soft(outside, 'painted texels are inside the mask').toBe(0);
});

test('roots are baked into a map', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('bake.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const positions = await rootPositionsOf(studio);
  const middle = [...positions.subarray(0, 3)];
  await dabAt(page, middle, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.03, symmetric: false });
  await settle(page);
  const { grows } = await rootsOf(studio);
  await press(page, 'New map from current roots');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps[1]?.name === 'baked' && coif.paintTarget.map?.id === 1 && coif.paintTarget.map.activeEdits === 0);
  const wrong = await page.evaluate(([all, alive, at]) => {
    const { surface, map: layer } = coif.paintTarget;
    const count = { grown: 0, dark: 0, bare: 0, light: 0 };
    for (let i = 0; i < alive.length; ++i) {
      const point = all.slice(3 * i, 3 * i + 3);
      const far = Math.hypot(...point.map((x, k) => x - at[k]));
      const word = layer.texelAtUv(...surface.uvAtHit({ triangle: surface.closestTriangle(point).triangle, point }));
      if (alive[i]) [count.grown, count.dark] = [count.grown + 1, count.dark + (word !== 65535)];
      if (far < 0.02) [count.bare, count.light] = [count.bare + 1, count.light + (word !== 0)];
    }
    return count;
  }, [Array.from({ length: 600 }, (_, i) => [...positions.subarray(6 * i, 6 * i + 3)]).flat(), [...grows.subarray(0, 600)], middle]);
  expect.soft(wrong.grown, `texels are white at roots: ${JSON.stringify(wrong)}`).toBeGreaterThan(300);
  expect.soft(wrong.dark, `texels are white at roots: ${JSON.stringify(wrong)}`).toBe(0);
  expect.soft(wrong.bare, `texels are black elsewhere: ${JSON.stringify(wrong)}`).toBeGreaterThan(5);
  expect.soft(wrong.light, `texels are black elsewhere: ${JSON.stringify(wrong)}`).toBe(0);
});

test('a symmetric stroke is identical on both sides', async ({ lab }) => {
  // A plane whose UVs are mirrored at u = 1/2.
  const lines = [];
  const side = 16;
  for (let y = 0; y <= side; ++y) for (let x = 0; x <= side; ++x) lines.push(`v ${(x / side - 0.5) * 0.2} ${0.002 * Math.abs(x - side / 2)} ${(y / side - 0.5) * 0.2}`);
  for (let y = 0; y <= side; ++y) for (let x = 0; x <= side; ++x) lines.push(`vt ${x / side} ${y / side}`);
  for (let y = 0; y < side; ++y) {
    for (let x = 0; x < side; ++x) {
      const at = (i, k) => { const n = (y + k) * (side + 1) + x + i + 1; return `${n}/${n}`; };
      lines.push(`f ${at(0, 0)} ${at(0, 1)} ${at(1, 1)} ${at(1, 0)}`);
    }
  }
  writeFileSync(join(lab.folder, 'assets', 'sheet.obj'), `${lines.join('\n')}\n`);
  const studio = await lab.openStudio(lab.scene('mirror.json', (scene) => {
    scene.bodies[0].mesh = 'assets/sheet.obj';
    delete scene.grooms[0].group;
    return scene;
  }));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  expect.soft(await page.evaluate(() => coif.paintTarget.surface.isUvMirrored), 'mirrored UVs are detected').toBe(true);
  for (const [tool, point] of [['set', [0.041, 0.01, 0.013]], ['add', [0.013, 0.003, -0.02]], ['subtract', [0.002, 0, 0.05]], ['smooth', [0.03, 0.006, 0.01]]]) {
    await dabAt(page, point, { tool, value: 0.3, strength: 0.63, hardness: 0.21, radius: 0.033, symmetric: true });
  }
  await settle(page);
  const { width, height, texels } = await texelsOf(studio);
  let wrong = 0;
  let painted = 0;
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      painted += texels[y * width + x] !== 65535;
      wrong += texels[y * width + x] !== texels[y * width + width - 1 - x];
    }
  }
  expect.soft(painted, 'painted texels equal those of the other side').toBeGreaterThan(1000);
  expect.soft(wrong, 'painted texels equal those of the other side').toBe(0);
});

test('a dab does not paint surfaces behind the hit', async ({ lab }) => {
  writeEar(lab, 'ear.obj');
  const studio = await lab.openStudio(earScene(lab, 'ear.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await dabAt(page, [-0.02, 0.006, 0], { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.015, symmetric: false });
  const ear = await painted(page);
  expect.soft(ear.ear, `a dab on the ear paints the ear alone: ${JSON.stringify(ear)}`).toBeGreaterThan(100);
  expect.soft(ear.under, `a dab on the ear paints the ear alone: ${JSON.stringify(ear)}`).toBe(0);
  expect.soft(ear.back, `a dab on the ear paints the ear alone: ${JSON.stringify(ear)}`).toBe(0);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.paintTarget.map.tiles.every((tile) => tile.every((value) => value === 65535)));
  await dabAt(page, [-0.02, 0, 0], {});
  const scalp = await painted(page);
  expect.soft(scalp.under, `a dab on the scalp paints the scalp alone: ${JSON.stringify(scalp)}`).toBeGreaterThan(100);
  expect.soft(scalp.ear, `a dab on the scalp paints the scalp alone: ${JSON.stringify(scalp)}`).toBe(0);
  expect.soft(scalp.back, `a dab on the scalp paints the scalp alone: ${JSON.stringify(scalp)}`).toBe(0);
});

test('the lasso fills visible texels only', async ({ lab }) => {
  writeEar(lab, 'ear.obj');
  const studio = await lab.openStudio(earScene(lab, 'lasso.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  // From above, around the ear and some scalp beside it.
  const corners = await page.evaluate(() => {
    const { camera, controls } = coif.view3d;
    controls.target.set(0, 0, 0);
    camera.position.set(0, 0.5, 0.01);
    controls.update();
    Object.assign(coif.brush, { value: 0 });
    const box = coif.view3d.section.getBoundingClientRect();
    return [[-0.06, -0.03], [0.02, -0.03], [0.02, 0.03], [-0.06, 0.03], [-0.06, -0.03]].map(([x, z]) => {
      const [px, py] = coif.view3d.toPixels([x, 0, z]);
      return [box.left + px, box.top + py];
    });
  });
  await page.keyboard.press('l');
  await page.mouse.move(...corners[0]);
  await page.mouse.down();
  for (const corner of corners.slice(1)) await page.mouse.move(...corner, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  const seen = await painted(page);
  const hidden = await page.evaluate(() => {
    const { texels, map: layer } = coif.paintTarget;
    let count = 0;
    for (const number of texels.tileNumbers()) {
      const tile = texels.tile(number);
      for (let i = 0; i < 4096; ++i) {
        const [x, y] = tile.position.subarray(3 * i, 3 * i + 2);
        count += tile.triangle[i] >= 0 && x > -0.038 && x < -0.002 && y < 0.0015 && layer.tiles[number][i] !== 65535;
      }
    }
    return count;
  });
  expect.soft(seen.ear, `visible texels are filled: ${JSON.stringify(seen)}`).toBeGreaterThan(300);
  expect.soft(seen.beside, `visible texels are filled: ${JSON.stringify(seen)}`).toBeGreaterThan(100);
  expect.soft(seen.back, `visible texels are filled: ${JSON.stringify(seen)}`).toBe(0);
  expect.soft(hidden, 'texels occluded by the ear are not filled').toBe(0);
});

test('lasso and gradient are symmetric', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'mirrored.json');
  await page.evaluate(() => Object.assign(coif.brush, { symmetric: true, value: 0, secondaryValue: 1 }));
  const isMirrored = await page.evaluate(() => coif.paintTarget.surface.isUvMirrored);
  const symmetric = async () => page.evaluate((exact) => {
    const { map: layer, texels, surface } = coif.paintTarget;
    let [wrong, painted] = [0, 0];
    for (const number of texels.tileNumbers()) {
      const tile = texels.tile(number);
      for (let i = 0; i < 4096; ++i) {
        if (tile.triangle[i] < 0) continue;
        const word = layer.tiles[number][i];
        painted += word < 65535;
        if (exact) {
          const [n, k] = layer.mirroredTexel(number, i);
          wrong += texels.tile(n)?.triangle[k] >= 0 && layer.tiles[n][k] !== word;
        } else {
          const near = [-tile.position[3 * i], tile.position[3 * i + 1], tile.position[3 * i + 2]];
          const { triangle } = surface.closestTriangle(near);
          const uv = surface.uvAtHit({ triangle, point: near });
          wrong += i % 97 === 0 && uv && Math.abs(layer.texelAtUv(...uv) - word) > 6000;
        }
      }
    }
    return { wrong, painted };
  }, isMirrored);
  const [x, y] = await centerOf(page);
  await page.keyboard.press('1');
  await page.keyboard.press('l');
  const corners = [[20, -20], [60, -20], [60, 20], [20, 20], [20, -18]];
  await page.mouse.move(x + corners[0][0], y + corners[0][1]);
  await page.mouse.down();
  for (const [dx, dy] of corners) await page.mouse.move(x + dx, y + dy, { steps: 4 });
  await page.mouse.up();
  await noActiveEdits(page);
  await settle(page);
  const loop = await symmetric();
  expect.soft(loop.painted, `a lasso fills both sides: ${JSON.stringify(loop)}`).toBeGreaterThan(50);
  expect.soft(loop.wrong, `a lasso fills both sides: ${JSON.stringify(loop)}`).toBeLessThanOrEqual(isMirrored ? 0 : 0.01 * loop.painted);
  await page.evaluate(() => coif.gradient([0.02, 0.08, 0.05], [0.07, 0.09, 0]));
  await noActiveEdits(page);
  const shade = await symmetric();
  expect.soft(shade.painted, `a gradient is equal on both sides: ${JSON.stringify(shade)}`).toBeGreaterThan(500);
  expect.soft(shade.wrong, `a gradient is equal on both sides: ${JSON.stringify(shade)}`).toBeLessThanOrEqual(isMirrored ? 0 : 0.01 * shade.painted);
});

test('the brush radius fits the size of the body', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('large.json', (scene) => {
    scene.bodies[0].scale = 40;
    return scene;
  }));
  const page = await lab.openPage(studio);
  const radius = () => page.evaluate(() => coif.brush.radius);
  const most = await page.evaluate(() => coif.brush.maxRadius);
  const first = await radius();
  expect.soft(first, 'the initial radius fits the body').toBeGreaterThan(0.05);
  expect.soft(first, 'the initial radius fits the body').toBeLessThan(0.05 * most * 10);
  await expect.soft(page.locator('#panel-paint input[aria-label="Radius, mm"]'), 'maximum of the slider').toHaveAttribute('max', String(Math.round(1000 * most)));
  for (let i = 0; i < 60; ++i) await page.keyboard.press(']');
  expect.soft(await radius(), 'shortcuts reach the maximum radius').toBe(most);
  await expect.soft(page.locator('#panel-paint input[aria-label="Radius, mm"]'), 'the slider shows the radius').toHaveValue(String(Math.round(1000 * most)));
});
