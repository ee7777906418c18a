// Brush strokes, lasso, gradient and baking.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { centerOf, dabAt, densityLayer, newLayer, noActiveEdits, openWithDensityMap, placesOf, rootsOf, settle, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const seamPlace = (page) => page.evaluate(() => {
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
  const place = await seamPlace(page);
  expect.soft(place !== null, 'the ball has a seam').toBeTruthy();
  const radius = 0.03;
  await dabAt(page, place, { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius, symmetric: false });
  await settle(page);
  const { width, texels } = await texelsOf(studio);
  // What a texel should be, from its place on the surface alone.
  const wanted = await page.evaluate(([point, reach]) => {
    const { texels: places, map: layer } = coif.paintTarget;
    const out = [];
    for (const number of places.tileNumbers()) {
      const tile = places.tile(number);
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
  }, [place, radius]);
  let wrong = 0;
  let left = 0;
  let right = 0;
  for (const [at, value] of wanted) {
    wrong += Math.abs(texels[at] - value) > 1;
    left += texels[at] === 0 && at % width < width / 2;
    right += texels[at] === 0 && at % width >= width / 2;
  }
  expect.soft(wrong === 0, `every texel is what its place says (${wrong} of ${wanted.length} are not)`).toBeTruthy();
  expect.soft(left > 20 && right > 20, `both sides of the seam are painted (${left}, ${right})`).toBeTruthy();
});

test('black density removes roots and leaves the others in place', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('roots.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const before = await rootsOf(studio);
  expect.soft(before.count === 4000 && before.candidates === 4000, `all 4000 grow at first (${before.count})`).toBeTruthy();
  const places = await placesOf(studio);
  const middle = [...places.subarray(0, 3)];
  await dabAt(page, middle, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.02, symmetric: false });
  await settle(page);
  const after = await rootsOf(studio);
  let inside = 0;
  let wrong = 0;
  for (let i = 0; i < after.candidates; ++i) {
    const d = Math.hypot(...[0, 1, 2].map((k) => places[6 * i + k] - middle[k]));
    inside += d < 0.016;
    wrong += (d < 0.016 && after.grows[i] !== 0) || (d > 0.03 && after.grows[i] !== before.grows[i]);
  }
  expect.soft(inside > 10 && wrong === 0, `${inside} candidates inside, ${wrong} wrong`).toBeTruthy();
  await page.waitForFunction((text) => document.getElementById('root-count').textContent.startsWith(`${text} `), after.count.toLocaleString('en'));
  // From the command line: the same once it is saved.
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  expect.soft(existsSync(join(lab.folder, 'roots.previous.json')), 'the version before is kept').toBeTruthy();
  const grown = await lab.run('groom', join(lab.folder, 'roots.json'), '--out', join(lab.folder, 'grown'));
  expect.soft(grown.code === 0 && grown.err.includes(` ${after.count} strands`), `coif groom grows ${after.count}: ${grown.err}`).toBeTruthy();
});

test('add, subtract, spacing and masks are exact', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('exact.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await page.evaluate(() => { coif.brush.value = 0.5; return coif.fill(); });
  const places = await placesOf(studio);
  const plain = { strength: 0.25, hardness: 0.99, radius: 0.02, symmetric: false };
  await dabAt(page, [...places.subarray(0, 3)], { ...plain, tool: 'add' });
  await dabAt(page, [...places.subarray(0, 3)], { ...plain, tool: 'subtract' });
  await dabAt(page, [...places.subarray(0, 3)], { ...plain, tool: 'subtract' });
  await settle(page);
  const values = [...new Set((await texelsOf(studio)).texels)];
  const half = Math.round(0.5 * 65535);
  expect.soft(values.includes(half) && Math.min(...values) === half - 16384, `a quarter added once and taken away twice: ${Math.min(...values)}`).toBeTruthy();
  // Dabs lie a share of the radius apart.
  const dabs = (spacing) => page.evaluate(async (share) => {
    Object.assign(coif.brush, { tool: 'set', value: 1, radius: 0.01, spacing: share });
    const { surface } = coif.paintTarget;
    const at = (x) => coif.paintTarget.surface.raycast([x, 0.3, 0], [0, -1, 0]);
    const painter = new coif.Painter();
    painter.begin(at, 0, 0, 1);
    painter.move(0.03, 0, 1);
    const count = painter.stroke.dabCount;
    await painter.end();
    return [count, surface.triangles];
  }, spacing);
  const [[wide], [narrow]] = [await dabs(1), await dabs(0.1)];
  expect.soft(wide >= 4 && wide <= 5 && narrow >= 31 && narrow <= 34, `${wide} dabs a radius apart, ${narrow} a tenth of it`).toBeTruthy();
  // A mask that differs from side to side holds on both of them.
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
  expect.soft(inside > 100 && outside === 0, `${inside} texels painted, ${outside} of them outside the mask`).toBeTruthy();
});

test('roots are baked into a map', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('bake.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const places = await placesOf(studio);
  const middle = [...places.subarray(0, 3)];
  await dabAt(page, middle, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.03, symmetric: false });
  await settle(page);
  const { grows } = await rootsOf(studio);
  await press(page, 'Bake roots');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps[1]?.name === 'baked' && coif.paintTarget.map?.id === 1 && coif.paintTarget.map.activeEdits === 0);
  const wrong = await page.evaluate(([all, alive, at]) => {
    const { surface, map: layer } = coif.paintTarget;
    const count = { grown: 0, dark: 0, bare: 0, light: 0 };
    for (let i = 0; i < alive.length; ++i) {
      const place = all.slice(3 * i, 3 * i + 3);
      const far = Math.hypot(...place.map((x, k) => x - at[k]));
      const word = layer.texelAtUv(...surface.uvAtHit({ triangle: surface.closestTriangle(place).triangle, point: place }));
      if (alive[i]) [count.grown, count.dark] = [count.grown + 1, count.dark + (word !== 65535)];
      if (far < 0.02) [count.bare, count.light] = [count.bare + 1, count.light + (word !== 0)];
    }
    return count;
  }, [Array.from({ length: 600 }, (_, i) => [...places.subarray(6 * i, 6 * i + 3)]).flat(), [...grows.subarray(0, 600)], middle]);
  expect.soft(wrong.grown > 300 && wrong.dark === 0, `white where roots grow: ${JSON.stringify(wrong)}`).toBeTruthy();
  expect.soft(wrong.bare > 5 && wrong.light === 0, `black where none do: ${JSON.stringify(wrong)}`).toBeTruthy();
});

test('a symmetric stroke is identical on both sides', async ({ lab }) => {
  // A sheet whose map is turned over at u = 1/2.
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
  expect.soft(await page.evaluate(() => coif.paintTarget.surface.isUvMirrored), 'the map is known to be symmetric').toBeTruthy();
  for (const [tool, place] of [['set', [0.041, 0.01, 0.013]], ['add', [0.013, 0.003, -0.02]], ['subtract', [0.002, 0, 0.05]], ['smooth', [0.03, 0.006, 0.01]]]) {
    await dabAt(page, place, { tool, value: 0.3, strength: 0.63, hardness: 0.21, radius: 0.033, symmetric: true });
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
  expect.soft(painted > 1000 && wrong === 0, `${painted} texels painted, ${wrong} differ from the other side`).toBeTruthy();
});

test('a dab does not paint surfaces behind the hit', async ({ lab }) => {
  writeEar(lab, 'ear.obj');
  const studio = await lab.openStudio(earScene(lab, 'ear.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await dabAt(page, [-0.02, 0.006, 0], { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.015, symmetric: false });
  const ear = await painted(page);
  expect.soft(ear.ear > 100 && ear.under === 0 && ear.back === 0, `the ear alone: ${JSON.stringify(ear)}`).toBeTruthy();
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.paintTarget.map.tiles.every((tile) => tile.every((value) => value === 65535)));
  await dabAt(page, [-0.02, 0, 0], {});
  const scalp = await painted(page);
  expect.soft(scalp.under > 100 && scalp.ear === 0 && scalp.back === 0, `the scalp alone: ${JSON.stringify(scalp)}`).toBeTruthy();
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
  expect.soft(seen.ear > 300 && seen.beside > 100 && seen.back === 0, `what is seen is filled: ${JSON.stringify(seen)}`).toBeTruthy();
  expect.soft(hidden === 0, `and nothing under the ear (${hidden})`).toBeTruthy();
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
  expect.soft(loop.painted > 50 && loop.wrong <= (isMirrored ? 0 : 0.01 * loop.painted), `a lasso fills both sides: ${JSON.stringify(loop)}`).toBeTruthy();
  await page.evaluate(() => coif.gradient([0.02, 0.08, 0.05], [0.07, 0.09, 0]));
  await noActiveEdits(page);
  const shade = await symmetric();
  expect.soft(shade.painted > 500 && shade.wrong <= (isMirrored ? 0 : 0.01 * shade.painted), `a gradient is the same on both: ${JSON.stringify(shade)}`).toBeTruthy();
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
  expect.soft(first > 0.05 && first < 0.05 * most * 10, `a large body has a large brush: ${first} of ${most}`).toBeTruthy();
  expect.soft(await page.getAttribute('input[aria-label="Radius, mm"]', 'max') === String(Math.round(1000 * most)), 'the slider reaches as far').toBeTruthy();
  for (let i = 0; i < 60; ++i) await page.keyboard.press(']');
  expect.soft(await radius() === most, 'and so do keys').toBeTruthy();
  expect.soft(await page.inputValue('input[aria-label="Radius, mm"]') === String(Math.round(1000 * most)), 'both show the same').toBeTruthy();
});
