// What layers are for, and tools of the brush: node paint_test.mjs PROGRAM SCENES BROWSER [TEST...]

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, folder, openPage, openStudio, runTests } from './harness.mjs';
import { dabAt, densityLayer, newLayer, placesOf, sceneOf, settle, texelsOf } from './steps.mjs';

async function a_map_of_regions_holds_whole_numbers_with_names() {
  const studio = await openStudio(sceneOf('regions.json'));
  const page = await openPage(studio);
  await newLayer(page, 'region');
  await page.waitForFunction(() => coif.canvas.numbers);
  const groom = () => page.evaluate(() => coif.state.scene.grooms[0]);
  const { region, maps } = await groom();
  check(region.map === 'region' && region.range[1] === 255 && maps[0].filter === 'nearest', `the scene reads it as numbers: ${JSON.stringify([region, maps])}`);
  for (const name of ['fringe', 'left side']) {
    await page.click('#new-region');
    await page.fill('dialog input[name=name]', name);
    await page.click('dialog button[value=yes]');
    await page.waitForFunction((wanted) => coif.state.scene.grooms[0].maps[0].comment?.includes(wanted), name);
  }
  check((await groom()).maps[0].comment === 'regions: 1 fringe, 2 left side', 'names stand in the comment');
  check(await page.evaluate(() => coif.brush.region) === 2, 'the new one is in hand');
  const places = await placesOf(studio);
  const middle = [...places.subarray(0, 3)];
  // Soft, weak and light: none of which a number can be.
  await dabAt(page, middle, { tool: 'set', value: 0.3, strength: 0.4, hardness: 0, radius: 0.03, symmetric: false });
  await page.click('.regions [data-region="1"]');
  await dabAt(page, middle, { tool: 'set', radius: 0.012 });
  await settle(page);
  const seen = new Map();
  for (const texel of (await texelsOf(studio)).texels) seen.set(texel, (seen.get(texel) ?? 0) + 1);
  check(seen.size === 3 && seen.get(257) > 50 && seen.get(514) > 100, `only 0, 1 and 2: ${JSON.stringify([...seen])}`);
  const color = await page.evaluate(() => [...document.querySelectorAll('.regions .swatch')].map((each) => getComputedStyle(each).backgroundColor));
  check(new Set(color).size === 3, `each has a colour of its own: ${color}`);
  // Only inside a region, chosen by its name.
  await newLayer(page, 'length');
  await page.waitForFunction(() => !coif.canvas.numbers && coif.state.scene.grooms[0].length?.map === 'length');
  await page.selectOption('select[aria-label="Mask layer"]', { label: 'region in region' });
  await page.selectOption('select[aria-label=Region]', { label: '1 fringe' });
  await page.waitForFunction(() => coif.brush.mask?.value === 257);
  await dabAt(page, middle, { tool: 'set', value: 0, strength: 1, hardness: 0.99, radius: 0.03 });
  await settle(page);
  const numbers = (await texelsOf(studio, 0)).texels;
  const lengths = (await texelsOf(studio, 1)).texels;
  check(lengths.every((value, i) => value === 65535 || numbers[i] === 257), 'nothing outside the region is touched');
  check(lengths.filter((value, i) => numbers[i] === 257 && value < 65535).length > 50, 'and the region is');
  await page.close();
  await studio.kill('SIGINT');
}

async function a_parameter_comes_from_a_layer_by_one_choice() {
  const studio = await openStudio(sceneOf('source.json', (scene) => {
    scene.grooms[0].modifiers = [{ plugin: 'groom.curl', radius: 0.008 }];
    return scene;
  }));
  const page = await openPage(studio);
  await newLayer(page, 'nothing yet', 'swirl');
  await page.waitForFunction(() => coif.canvas.layer !== null);
  await page.click('.tabs button:nth-child(2)');
  await page.fill('input[type=search]', '/modifiers/0/radius');
  const row = page.locator('.row[data-place="/grooms/0/modifiers/0/radius"]');
  await row.locator('select[aria-label="source of radius"]').selectOption({ label: 'layer swirl' });
  const value = () => page.evaluate(() => JSON.stringify(coif.state.scene.grooms[0].modifiers[0].radius));
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].radius.map === 'swirl');
  check(await value() === '{"map":"swirl","range":[0,0.008]}', `white is what the number was: ${await value()}`);
  await row.locator('input').nth(0).fill('0.002');
  await row.locator('input').nth(0).press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].radius.range?.[0] === 0.002);
  await row.locator('select[aria-label="source of radius"]').selectOption({ label: 'number' });
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].radius === 0.008);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].radius.range?.[0] === 0.002);
  check(await value() === '{"map":"swirl","range":[0.002,0.008]}', 'one undo brings the layer back');
  await page.close();
  await studio.kill('SIGINT');
}

async function a_colour_comes_from_a_layer_between_two() {
  const studio = await openStudio(sceneOf('dye.json', (scene) => {
    scene.grooms[0].hair = { ...scene.grooms[0].hair, dye: [0.5, 0.1, 0.1], dye_amount: 1 };
    return scene;
  }));
  const page = await openPage(studio);
  await newLayer(page, 'nothing yet', 'sun');
  await page.waitForFunction(() => coif.canvas.layer !== null);
  await page.click('.tabs button:nth-child(2)');
  await page.fill('input[type=search]', '/hair/dye');
  const row = page.locator('.row[data-place="/grooms/0/hair/dye"]');
  await row.locator('select[aria-label="source of dye"]').selectOption({ label: 'layer sun' });
  const value = () => page.evaluate(() => JSON.stringify(coif.state.scene.grooms[0].hair.dye));
  await page.waitForFunction(() => coif.state.scene.grooms[0].hair.dye.map === 'sun');
  check(await value() === '{"map":"sun","range":[[0.5,0.1,0.1],[0.5,0.1,0.1]]}', `nothing changes yet: ${await value()}`);
  await row.locator('input[aria-label="dye third where sun is 0"]').fill('0.4');
  await row.locator('input[aria-label="dye third where sun is 0"]').press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].hair.dye.range[0][2] === 0.4);
  check(await value() === '{"map":"sun","range":[[0.5,0.1,0.4],[0.5,0.1,0.1]]}', `one end has another colour: ${await value()}`);
  const strands = await studio.ask('/api/strands?groom=0&limit=50');
  check(strands.status === 200, `and hair has it: ${strands.status}`);
  await row.locator('select[aria-label="source of dye"]').selectOption({ label: 'colour' });
  await page.waitForFunction(() => Array.isArray(coif.state.scene.grooms[0].hair.dye));
  check(await value() === '[0.5,0.1,0.1]', `white is what stays: ${await value()}`);
  await page.close();
  await studio.kill('SIGINT');
}

async function every_use_of_a_layer_is_taken_by_the_scene() {
  const studio = await openStudio(sceneOf('uses.json', (scene) => ({ ...scene, sim: { ...scene.sim, stiffness: 0.5 } })));
  const page = await openPage(studio);
  const uses = { density: ['density'], length: ['length'], width: ['radius'], clump: ['modifiers', 0, 'amount'], curl: ['modifiers', 1, 'amount'],
    frizz: ['modifiers', 2, 'amount'], melanin: ['hair', 'eumelanin'], region: ['region'] };
  for (const [use, path] of Object.entries(uses)) {
    await newLayer(page, use);
    await page.waitForFunction(([name, keys]) => keys.reduce((value, key) => value?.[key], coif.state.scene.grooms[0])?.map === name, [use, path], { timeout: 10000 })
      .catch(async () => check(false, `${use} is put to use: ${await page.textContent('#toasts')}`));
  }
  await newLayer(page, 'stiffness');
  await page.waitForFunction(() => coif.state.scene.sim.stiffness.map === 'stiffness', null, { timeout: 10000 }).catch(async () => check(false, `stiffness: ${await page.textContent('#toasts')}`));
  const strands = await studio.ask('/api/strands?groom=0&limit=50');
  check(strands.status === 200, `hair grows with all of them: ${strands.status === 200 ? '' : await strands.text()}`);
  await page.close();
  await studio.kill('SIGINT');
}

async function a_layer_is_laid_over_a_map_that_is_there() {
  const studio = await openStudio(sceneOf('over.json', (scene) => {
    scene.grooms[0].maps = [{ name: 'noise', plugin: 'density.noise' }];
    scene.grooms[0].density = { map: 'noise' };
    return scene;
  }));
  const page = await openPage(studio);
  const before = await page.textContent('#roots');
  await densityLayer(page);
  check(await page.evaluate(() => coif.state.scene.grooms[0].maps[1].base) === 'noise', 'white over what was there');
  await page.waitForTimeout(300);
  check(await page.textContent('#roots') === before, 'which changes no root');
  await page.evaluate(() => { coif.brush.value = 0; return coif.fill(); });
  await page.waitForFunction(() => document.getElementById('roots').textContent.startsWith('0 '));
  const said = () => page.evaluate(() => JSON.stringify([coif.state.scene.grooms[0].density, coif.state.scene.grooms[0].maps.map(({ name, over }) => [name, over])]));
  // The layer gone, everything is as it was.
  await page.click('button:has-text("Delete")');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 1);
  check(await said() === '[{"map":"noise"},[["noise",null]]]', `without the layer the map below is used again: ${await said()}`);
  await page.waitForFunction((text) => document.getElementById('roots').textContent === text, before);
  await page.close();
  await studio.kill('SIGINT');
}

// A scalp along x with an ear on it that leans back over the left of it, 4 to 7 mm above: one surface.
function writeEar(name) {
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
  writeFileSync(join(folder, 'assets', name), `${lines.join('\n')}\n`);
}

// How many texels were painted on the scalp under the ear, and on the ear's upper side.
const painted = (page) => page.evaluate(() => {
  const { texels, layer } = coif.canvas;
  const seen = { under: 0, back: 0, ear: 0, beside: 0 };
  for (const number of texels.all()) {
    const tile = texels.tile(number);
    for (let i = 0; i < 4096; ++i) {
      if (tile.owner[i] >= 0 && layer.tiles[number][i] !== 65535) {
        const [x, y] = tile.place.subarray(3 * i, 3 * i + 2);
        const up = coif.canvas.surface.normal(tile.owner[i])[1];
        seen[x > 0.001 ? 'beside' : up < 0.1 ? 'back' : y < 0.0015 ? 'under' : 'ear'] += 1;
      }
    }
  }
  return seen;
});

const earScene = (name) => sceneOf(name, (scene) => {
  scene.bodies[0].mesh = 'assets/ear.obj';
  return scene;
});

async function an_ear_does_not_paint_the_scalp_behind_it() {
  writeEar('ear.obj');
  const studio = await openStudio(earScene('ear.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  await dabAt(page, [-0.02, 0.006, 0], { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.015, symmetric: false });
  const ear = await painted(page);
  check(ear.ear > 100 && ear.under === 0 && ear.back === 0, `the ear alone: ${JSON.stringify(ear)}`);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.canvas.layer.tiles.every((tile) => tile.every((value) => value === 65535)));
  await dabAt(page, [-0.02, 0, 0], {});
  const scalp = await painted(page);
  check(scalp.under > 100 && scalp.ear === 0 && scalp.back === 0, `the scalp alone: ${JSON.stringify(scalp)}`);
  await page.close();
  await studio.kill('SIGINT');
}

async function a_lasso_fills_only_what_is_seen() {
  writeEar('ear.obj');
  const studio = await openStudio(earScene('lasso.json'));
  const page = await openPage(studio);
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
      const [px, py] = coif.view3d.project([x, 0, z]);
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
    const { texels, layer } = coif.canvas;
    let count = 0;
    for (const number of texels.all()) {
      const tile = texels.tile(number);
      for (let i = 0; i < 4096; ++i) {
        const [x, y] = tile.place.subarray(3 * i, 3 * i + 2);
        count += tile.owner[i] >= 0 && x > -0.038 && x < -0.002 && y < 0.0015 && layer.tiles[number][i] !== 65535;
      }
    }
    return count;
  });
  check(seen.ear > 300 && seen.beside > 100 && seen.back === 0, `what is seen is filled: ${JSON.stringify(seen)}`);
  check(hidden === 0, `and nothing under the ear (${hidden})`);
  await page.close();
  await studio.kill('SIGINT');
}

async function a_quick_second_stroke_is_not_lost() {
  const studio = await openStudio(sceneOf('quick.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  // The program's news of the first stroke come late, in the middle of the second.
  await page.route('**/api/tiles?*', async (route) => {
    const answer = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, route.request().method() === 'GET' ? 600 : 0));
    await route.fulfill({ response: answer });
  });
  const places = await placesOf(studio);
  const settings = { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius: 0.03, symmetric: false };
  await dabAt(page, [...places.subarray(0, 3)], settings);
  await page.waitForTimeout(250);
  await page.evaluate(async (place) => {
    const { surface } = coif.canvas;
    const { triangle } = surface.nearest(place);
    const second = new coif.Painter();
    second.begin(() => ({ triangle, point: place, normal: surface.normal(triangle) }), 0, 0, 1);
    await new Promise((resolve) => setTimeout(resolve, 900));
    await second.end();
  }, [...places.subarray(6, 9)]);
  await page.waitForTimeout(1500);
  const { width, texels } = await texelsOf(studio);
  const wrong = await page.evaluate(([all, across]) => {
    const { layer } = coif.canvas;
    return all.filter((value, i) => layer.at(i % across, Math.floor(i / across)) !== value).length;
  }, [[...texels], width]);
  const inside = await page.evaluate(([place, reach]) => {
    const { texels: tiles, layer } = coif.canvas;
    let [whole, black] = [0, 0];
    for (const number of tiles.all()) {
      const tile = tiles.tile(number);
      for (let i = 0; i < 4096; ++i) {
        if (tile.owner[i] >= 0 && Math.hypot(...[0, 1, 2].map((k) => tile.place[3 * i + k] - place[k])) < reach) {
          whole += 1;
          black += layer.tiles[number][i] === 0;
        }
      }
    }
    return [whole, black];
  }, [[...places.subarray(6, 9)], 0.014]);
  check(inside[0] > 20 && inside[0] === inside[1], `the second stroke is whole: ${inside}`);
  check(wrong === 0, `page and program agree (${wrong} texels do not)`);
  await page.close();
  await studio.kill('SIGINT');
}

// Maps of one picture's channels are layers of their own; those of one channel are one layer by two names.
async function maps_of_one_picture_are_chosen_and_painted_apart() {
  const studio = await openStudio(sceneOf('channels.json', (scene) => {
    const map = (name, more) => ({ name, plugin: 'density.texture', path: 'assets/cub_maps.png', ...more });
    scene.grooms[0].maps = [map('a', { channel: 'red' }), map('b', { channel: 'green' }), map('c', { channel: 'green', invert: true })];
    return scene;
  }));
  const page = await openPage(studio);
  const chosen = () => page.locator('.layers li[aria-selected=true]').allTextContents();
  await page.waitForFunction(() => coif.canvas.texels);
  check(String(await chosen()) === 'a512 × 512, red', `the first is chosen: ${await chosen()}`);
  const before = await Promise.all([0, 1].map(async (i) => (await texelsOf(studio, i)).texels));
  check(before[0].some((texel, i) => texel !== before[1][i]), 'the two are not alike');
  await page.click('.layers li:nth-child(3)');
  check(String(await chosen()) === 'c512 × 512, green, inverted', `the third alone is chosen: ${await chosen()}`);
  await page.waitForFunction(() => coif.canvas.layer?.id === coif.state.layer);
  const place = [...(await placesOf(studio)).subarray(0, 3)];
  const at = await page.evaluate(() => coif.state.layer);
  const other = 1 - at;
  await dabAt(page, place, { tool: 'set', value: 0.5, strength: 1, hardness: 0.9, radius: 0.02, symmetric: false });
  await settle(page);
  check((await texelsOf(studio, at)).texels.some((texel) => texel === 32768), 'what is painted is in its channel');
  check((await texelsOf(studio, other)).texels.every((texel, i) => texel === before[other][i]), 'and in no other');
  await page.click('.layers li:nth-child(2)');
  check(String(await chosen()) === 'b512 × 512, green' && await page.evaluate(() => coif.state.layer) === at, 'the same channel by its other name');
  await page.close();
  await studio.kill('SIGINT');
}

async function pens_fingers_and_keys_do_what_painters_expect() {
  const studio = await openStudio(sceneOf('hands.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  const input = await page.context().newCDPSession(page);
  const box = await page.locator('#view3d').boundingBox();
  const middle = await page.evaluate(() => {
    // Somewhere on the ground that is seen.
    const { view3d, canvas } = coif;
    for (let y = 10; y < view3d.section.clientHeight; y += 5) {
      const hit = coif.hit3d(view3d.section.clientWidth / 2, y);
      if (hit && canvas.surface.ground[hit.triangle]) return [view3d.section.clientWidth / 2, y + 20];
    }
    return null;
  });
  const [x, y] = [box.x + middle[0], box.y + middle[1]];
  await page.evaluate(() => Object.assign(coif.brush, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.012 }));
  const least = () => page.evaluate(() => coif.canvas.layer.tiles.reduce((low, tile) => tile.reduce((a, b) => Math.min(a, b), low), 65535));
  // Half the pressure is half the paint.
  for (const [type, buttons] of [['mouseMoved', 0], ['mousePressed', 1], ['mouseReleased', 0]]) {
    await input.send('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', buttons, pointerType: 'pen', force: 0.5, clickCount: 1 });
  }
  await settle(page);
  const light = await least();
  check(Math.abs(light - 32768) < 700, `a pen pressed by half: ${light}`);
  // A finger turns the view, or paints where that is ticked.
  const touch = async () => {
    await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await input.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + 25, y: y + 5 }] });
    await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.evaluate(() => coif.canvas.layer.sending);
  };
  const eye = () => page.evaluate(() => coif.view3d.camera.position.toArray().join());
  const before = await eye();
  await touch();
  check(await eye() !== before && await least() === light, 'a finger turns the view');
  const turned = await eye();
  await page.evaluate(() => { coif.brush.touch = true; });
  await touch();
  check(await eye() === turned && await least() === 0, `with Finger ticked it paints (${await least()})`);
  // Keys.
  const radius = await page.evaluate(() => coif.brush.radius);
  await page.keyboard.press(']');
  check(await page.evaluate(() => coif.brush.radius) > 1.1 * radius, '] makes the brush larger');
  await page.keyboard.press('[');
  await page.keyboard.press('x');
  check(await page.evaluate(() => [coif.brush.value, coif.brush.other].join()) === '1,0', 'X swaps');
  for (const [key, tool] of Object.entries({ b: 'set', a: 'add', s: 'subtract', m: 'smooth', e: 'smear', l: 'lasso', g: 'gradient', v: 'look' })) {
    await page.keyboard.press(key);
    check(await page.evaluate(() => coif.brush.tool) === tool, `${key} is ${tool}`);
  }
  // A slider that was moved does not swallow them.
  await page.focus('#pane-0 input[type=range]');
  await page.keyboard.press('x');
  check(await page.evaluate(() => [coif.brush.value, coif.brush.other].join()) === '0,1', 'X swaps with the focus on a slider');
  // The focus stays on a control whose panel is built anew.
  await page.click('.tabs button:nth-child(2)');
  await page.fill('input[type=search]', '/grooms/0/');
  const count = page.locator('.row[data-place="/grooms/0/count"] input[type=number]');
  await count.fill('3000');
  await count.press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].count === 3000);
  check(await page.evaluate(() => document.activeElement.closest('[data-place]')?.dataset.place) === '/grooms/0/count', 'a number that was set keeps the focus');
  await page.close();
  await studio.kill('SIGINT');
}

async function a_mesh_without_a_map_says_what_to_do() {
  writeFileSync(join(folder, 'assets', 'bare.obj'), 'g scalp\nv -0.1 0 0.1\nv 0.1 0 0.1\nv 0.1 0 -0.1\nv -0.1 0 -0.1\nf 1 2 3 4\n');
  const studio = await openStudio(sceneOf('bare.json', (scene) => {
    scene.bodies[0].mesh = 'assets/bare.obj';
    return scene;
  }));
  const page = await openPage(studio);
  await page.click('#new-layer');
  await page.waitForSelector('.toast.bad');
  check((await page.textContent('.toast.bad')).includes('unwrap it'), 'what to do is said');
  await page.click('#tools button:has-text("Fill")');
  check(await page.locator('dialog').count() === 0, 'and nothing is begun');
  await page.close();
  await studio.kill('SIGINT');
}

await runTests([
  a_map_of_regions_holds_whole_numbers_with_names, a_parameter_comes_from_a_layer_by_one_choice, a_colour_comes_from_a_layer_between_two,
  every_use_of_a_layer_is_taken_by_the_scene, a_layer_is_laid_over_a_map_that_is_there,
  an_ear_does_not_paint_the_scalp_behind_it, a_lasso_fills_only_what_is_seen, a_mesh_without_a_map_says_what_to_do,
  a_quick_second_stroke_is_not_lost, maps_of_one_picture_are_chosen_and_painted_apart, pens_fingers_and_keys_do_what_painters_expect,
]);
