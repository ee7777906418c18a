// What layers are for, and tools of the brush: node paint_test.mjs PROGRAM SCENES BROWSER [TEST...]

import { check, openPage, openStudio, runTests } from './harness.mjs';
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
  check(await page.evaluate(() => coif.state.scene.grooms[0].maps[1].over) === 'noise', 'white over what was there');
  await page.waitForTimeout(300);
  check(await page.textContent('#roots') === before, 'which changes no root');
  await page.evaluate(() => { coif.brush.value = 0; return coif.fill(); });
  await page.waitForFunction(() => document.getElementById('roots').textContent.startsWith('0 '));
  await page.close();
  await studio.kill('SIGINT');
}

await runTests([
  a_map_of_regions_holds_whole_numbers_with_names, a_parameter_comes_from_a_layer_by_one_choice,
  every_use_of_a_layer_is_taken_by_the_scene, a_layer_is_laid_over_a_map_that_is_there,
]);
