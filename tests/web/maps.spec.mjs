// Creating, importing, connecting and removing maps.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dabAt, densityLayer, newLayer, openWithDensityMap, rootPositionsOf, rootsOf, settle, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const press = (page, name) => page.click(`#panel-paint button:text-is("${name}")`);

const maps = (page) => page.evaluate(() => coif.state.scene.grooms[0].maps.map((map) => map.name).join(' '));

const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

test('maps are duplicated, renamed, exported and imported losslessly', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('operations.json'));
  const page = await lab.openPage(studio);
  await page.click('#new-map');
  const sides = await page.locator('dialog select[name=side] option').allTextContents();
  expect.soft(sides.join(), 'offered map sizes').toBe('256,512,1024,2048,4096,8192');
  await page.keyboard.press('Escape');
  await densityLayer(page);
  const positions = await rootPositionsOf(studio);
  await dabAt(page, [...positions.subarray(0, 3)], { tool: 'set', value: 0.3, strength: 0.77, hardness: 0, radius: 0.05, symmetric: false });
  await settle(page);
  const { texels } = await texelsOf(studio);
  expect.soft(new Set(texels).size, 'the map has many different values').toBeGreaterThan(100);
  await press(page, 'Duplicate');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 2 && coif.state.layer === 1);
  expect.soft(same((await texelsOf(studio, 1)).texels, texels), 'a duplicate has the same texels').toBe(true);
  await press(page, 'Rename');
  await page.fill('dialog input[name=name]', 'second');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps[1].name === 'second');
  // The parameter refers to the new name.
  await page.click('ul.maps li:has-text("density")');
  await page.waitForFunction(() => coif.state.layer === 0);
  await press(page, 'Rename');
  await page.fill('dialog input[name=name]', 'where');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.state.scene.grooms[0].density?.map === 'where');
  // Export and import keep all 16 bits.
  for (const format of ['png', 'tif', 'exr']) {
    const bytes = Buffer.from(await (await studio.request(`/api/layers?layer=0&format=${format}`)).arrayBuffer());
    if (format === 'png') expect.soft(bytes[24] === 16 && bytes[25] === 0, `16-bit greyscale PNG, found ${bytes[24]} bits`).toBeTruthy();
    await page.evaluate(async ([base64, name]) => {
      const file = new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name);
      await coif.importFiles([file]);
    }, [bytes.toString('base64'), `back_${format}.${format}`]);
    const index = await page.evaluate(() => coif.state.layer);
    const again = (await texelsOf(studio, index)).texels;
    const worst = again.reduce((most, x, i) => Math.max(most, Math.abs(x - texels[i])), 0);
    expect.soft(worst, `largest difference after export and import as ${format}`).toBe(0);
  }
  expect.soft(await maps(page), 'names of all maps').toBe('where second back_png back_tif back_exr');
  await press(page, 'Delete');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 4);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 5);
});

test('every map target connects to its parameter', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('uses.json', (scene) => ({ ...scene, sim: { ...scene.sim, stiffness: 0.5 } })));
  const page = await lab.openPage(studio);
  const uses = { density: ['density'], length: ['length'], width: ['radius'], clump: ['modifiers', 0, 'amount'], curl: ['modifiers', 1, 'amount'],
    frizz: ['modifiers', 2, 'amount'], melanin: ['hair', 'eumelanin'], region: ['region'] };
  for (const [use, path] of Object.entries(uses)) {
    await newLayer(page, use);
    await page.waitForFunction(([name, keys]) => keys.reduce((value, key) => value?.[key], coif.state.scene.grooms[0])?.map === name, [use, path]);
  }
  await newLayer(page, 'stiffness');
  await page.waitForFunction(() => coif.state.scene.sim.stiffness.map === 'stiffness');
  const strands = await studio.request('/api/strands?groom=0&limit=50');
  expect.soft(strands.status, `hair is generated with all maps: ${strands.status === 200 ? '' : await strands.text()}`).toBe(200);
});

test('a new map multiplies the map that drives the parameter', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('over.json', (scene) => {
    scene.grooms[0].maps = [{ name: 'noise', plugin: 'density.noise' }];
    scene.grooms[0].density = { map: 'noise' };
    return scene;
  }));
  const page = await lab.openPage(studio);
  const before = await page.textContent('#root-count');
  await densityLayer(page);
  expect.soft(await page.evaluate(() => coif.state.scene.grooms[0].maps[1].base), 'the new map multiplies the previous one').toBe('noise');
  const { count, candidates } = await rootsOf(studio);
  expect(before).toContain(`${count.toLocaleString('en')} of ${candidates.toLocaleString('en')} roots`);
  await page.evaluate(() => { coif.brush.value = 0; return coif.fill(); });
  await page.waitForFunction(() => document.getElementById('root-count').textContent.startsWith('0 '));
  const bindings = () => page.evaluate(() => JSON.stringify([coif.state.scene.grooms[0].density, coif.state.scene.grooms[0].maps.map(({ name, base }) => [name, base])]));
  // Removing the map restores the scene.
  await page.click('button:has-text("Delete")');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 1);
  expect.soft(await bindings(), 'removing the map restores the previous binding').toBe('[{"map":"noise"},[["noise",null]]]');
  await page.waitForFunction((text) => document.getElementById('root-count').textContent === text, before);
});

test('the texture of a parameter is painted and stays a texture in the scene', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('texture.json', (scene) => {
    scene.grooms[0].density = { texture: 'assets/cub_maps.png', channel: 'green' };
    return scene;
  }));
  const page = await lab.openPage(studio);
  await page.waitForFunction(() => coif.paintTarget.texels);
  expect.soft(await page.locator('.maps li[aria-selected=true]').textContent(), 'the texture is a map').toContain('assets/cub_maps.png');
  expect.soft(await page.locator('#panel-paint button[data-tip="Rename the selected map"]').isDisabled(), 'it has no name').toBe(true);
  const before = (await rootsOf(studio)).count;
  await page.evaluate(() => { coif.brush.value = 0; return coif.fill(); });
  await settle(page);
  expect.soft((await rootsOf(studio)).count, `roots after painting all black, ${before} before`).toBe(0);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  const saved = JSON.parse(readFileSync(join(lab.folder, 'texture.json'), 'utf8')).grooms[0];
  expect.soft(JSON.stringify([saved.density, saved.maps]), 'saved').toBe('[{"texture":"assets/cub_maps.png","channel":"green"},null]');
});

test('channels of one image are painted independently', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('channels.json', (scene) => {
    const map = (name, more) => ({ name, plugin: 'density.texture', path: 'assets/cub_maps.png', ...more });
    scene.grooms[0].maps = [map('a', { channel: 'red' }), map('b', { channel: 'green' }), map('c', { channel: 'green', invert: true })];
    return scene;
  }));
  const page = await lab.openPage(studio);
  const chosen = () => page.locator('.maps li[aria-selected=true]').allTextContents();
  await page.waitForFunction(() => coif.paintTarget.texels);
  expect.soft(String(await chosen()), 'the first map is selected').toBe('a512 × 512, rednot used');
  const before = await Promise.all([0, 1].map(async (i) => (await texelsOf(studio, i)).texels));
  expect.soft(before[0].some((texel, i) => texel !== before[1][i]), 'the channels differ').toBe(true);
  await page.click('.maps li:nth-child(3)');
  expect.soft(String(await chosen()), 'the third map is selected').toBe('c512 × 512, green, invertednot used');
  await page.waitForFunction(() => coif.paintTarget.map?.id === coif.state.layer);
  const point = [...(await rootPositionsOf(studio)).subarray(0, 3)];
  const at = await page.evaluate(() => coif.state.layer);
  const other = 1 - at;
  await dabAt(page, point, { tool: 'set', value: 0.5, strength: 1, hardness: 0.9, radius: 0.02, symmetric: false });
  await settle(page);
  expect.soft((await texelsOf(studio, at)).texels.some((texel) => texel === 32768), 'the stroke is stored in its channel').toBe(true);
  expect.soft((await texelsOf(studio, other)).texels.every((texel, i) => texel === before[other][i]), 'other channels are unchanged').toBe(true);
  await page.click('.maps li:nth-child(2)');
  expect.soft(String(await chosen()), 'two maps of one channel share a layer').toBe('b512 × 512, greennot used');
  expect.soft(await page.evaluate(() => coif.state.layer), 'two maps of one channel share a layer').toBe(at);
});

test('a region map holds named integer ids', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('regions.json'));
  const page = await lab.openPage(studio);
  await newLayer(page, 'region');
  await page.waitForFunction(() => coif.paintTarget.isRegionMap);
  const groom = () => page.evaluate(() => coif.state.scene.grooms[0]);
  const { region, maps } = await groom();
  expect.soft(region.map, `the groom reads region ids from the map: ${JSON.stringify([region, maps])}`).toBe('region');
  expect.soft(region.range[1], `the groom reads region ids from the map: ${JSON.stringify([region, maps])}`).toBe(255);
  expect.soft(maps[0].filter, `the groom reads region ids from the map: ${JSON.stringify([region, maps])}`).toBe('nearest');
  for (const name of ['fringe', 'left side']) {
    await page.click('#new-region');
    await page.fill('dialog input[name=name]', name);
    await page.click('dialog button[value=yes]');
    await page.waitForFunction((wanted) => coif.state.scene.grooms[0].maps[0].comment?.includes(wanted), name);
  }
  expect.soft((await groom()).maps[0].comment, 'region names are stored in the comment').toBe('regions: 1 fringe, 2 left side');
  expect.soft(await page.evaluate(() => coif.brush.region), 'the new region is selected').toBe(2);
  await page.fill('input[aria-label="Colour of the selected region"]', '#e07030');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps[0].comment === 'regions: 1 fringe, 2 left side #e07030');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.regions [data-region="2"] .swatch')).backgroundColor === 'rgb(224, 112, 48)');
  const positions = await rootPositionsOf(studio);
  const middle = [...positions.subarray(0, 3)];
  // Hardness, strength and pressure do not apply to ids.
  await dabAt(page, middle, { tool: 'set', value: 0.3, strength: 0.4, hardness: 0, radius: 0.03, symmetric: false });
  await page.click('.regions [data-region="1"]');
  await dabAt(page, middle, { tool: 'set', radius: 0.012 });
  await settle(page);
  const seen = new Map();
  for (const texel of (await texelsOf(studio)).texels) seen.set(texel, (seen.get(texel) ?? 0) + 1);
  expect.soft(seen.size, `texels hold region ids only: ${JSON.stringify([...seen])}`).toBe(3);
  expect.soft(seen.get(257), `texels hold region ids only: ${JSON.stringify([...seen])}`).toBeGreaterThan(50);
  expect.soft(seen.get(514), `texels hold region ids only: ${JSON.stringify([...seen])}`).toBeGreaterThan(100);
  const color = await page.evaluate(() => [...document.querySelectorAll('.regions .swatch')].map((each) => getComputedStyle(each).backgroundColor));
  expect.soft(new Set(color).size, `every region has its own colour: ${color}`).toBe(3);
  // Removing a region takes its texels and its name, in one step of undo.
  const steps = await page.evaluate(() => coif.state.undo);
  await page.click('#remove-region');
  await page.waitForFunction(() => !coif.state.scene.grooms[0].maps[0].comment?.includes('fringe'));
  await page.waitForFunction((count) => coif.state.undo === count + 1 && coif.paintTarget.map.activeEdits === 0, steps);
  expect.soft([...new Set((await texelsOf(studio)).texels)].sort((a, b) => a - b), 'no texel of the region is left').toEqual([0, 514]);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps[0].comment?.includes('fringe'));
  expect.soft((await texelsOf(studio)).texels.filter((texel) => texel === 257).length, 'undo brings all of it back').toBe(seen.get(257));
  // Restricted to a region, selected by name.
  await newLayer(page, 'length');
  await page.waitForFunction(() => !coif.paintTarget.isRegionMap && coif.state.scene.grooms[0].length?.map === 'length');
  await page.selectOption('select[aria-label="Mask map"]', { label: 'Mask: region' });
  await page.selectOption('select[aria-label=Region]', { label: '1 fringe' });
  await page.waitForFunction(() => coif.brush.mask?.texel === 257);
  await dabAt(page, middle, { tool: 'set', value: 0, strength: 1, hardness: 0.99, radius: 0.03 });
  await settle(page);
  const numbers = (await texelsOf(studio, 0)).texels;
  const lengths = (await texelsOf(studio, 1)).texels;
  expect.soft(lengths.every((value, i) => value === 65535 || numbers[i] === 257), 'texels outside the region are unchanged').toBe(true);
  expect.soft(lengths.filter((value, i) => numbers[i] === 257 && value < 65535).length, 'texels inside the region are painted').toBeGreaterThan(50);
});

test('a parameter is bound to a map and unbound', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('source.json', (scene) => {
    scene.grooms[0].modifiers = [{ plugin: 'groom.curl', radius: 0.008 }];
    return scene;
  }));
  const page = await lab.openPage(studio);
  await newLayer(page, 'nothing yet', 'swirl');
  await page.waitForFunction(() => coif.paintTarget.map !== null);
  await page.click('#tab-scene');
  await page.fill('input[type=search]', '/modifiers/0/radius');
  const row = page.locator('.row[data-path="/grooms/0/modifiers/0/radius"]');
  await row.locator('select[aria-label="source of radius"]').selectOption({ label: 'map swirl' });
  const value = () => page.evaluate(() => JSON.stringify(coif.state.scene.grooms[0].modifiers[0].radius));
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].radius.map === 'swirl');
  expect.soft(await value(), 'the upper end of the range is the former value').toBe('{"map":"swirl","range":[0,0.008]}');
  await row.locator('input').nth(0).fill('2 mm');
  await row.locator('input').nth(0).press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].radius.range?.[0] === 0.002);
  await row.locator('select[aria-label="source of radius"]').selectOption({ label: 'number' });
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].radius === 0.008);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].radius.range?.[0] === 0.002);
  expect.soft(await value(), 'undo restores the binding').toBe('{"map":"swirl","range":[0.002,0.008]}');
});

test('a colour is bound to a map', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('dye.json', (scene) => {
    scene.grooms[0].hair = { ...scene.grooms[0].hair, dye: [0.5, 0.1, 0.1], dye_amount: 1 };
    return scene;
  }));
  const page = await lab.openPage(studio);
  await newLayer(page, 'nothing yet', 'sun');
  await page.waitForFunction(() => coif.paintTarget.map !== null);
  await page.click('#tab-scene');
  await page.fill('input[type=search]', '/hair/dye');
  const row = page.locator('.row[data-path="/grooms/0/hair/dye"]');
  await row.locator('select[aria-label="source of dye"]').selectOption({ label: 'map sun' });
  const value = () => page.evaluate(() => JSON.stringify(coif.state.scene.grooms[0].hair.dye));
  await page.waitForFunction(() => coif.state.scene.grooms[0].hair.dye.map === 'sun');
  expect.soft(await value(), 'both ends of the range start with the former colour').toBe('{"map":"sun","range":[[0.5,0.1,0.1],[0.5,0.1,0.1]]}');
  await row.locator('input[aria-label="dye third where sun is 0"]').fill('0.4');
  await row.locator('input[aria-label="dye third where sun is 0"]').press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].hair.dye.range[0][2] === 0.4);
  expect.soft(await value(), 'one end of the range is changed').toBe('{"map":"sun","range":[[0.5,0.1,0.4],[0.5,0.1,0.1]]}');
  const strands = await studio.request('/api/strands?groom=0&limit=50');
  expect.soft(strands.status, 'hair is generated with the colour map').toBe(200);
  await row.locator('select[aria-label="source of dye"]').selectOption({ label: 'colour' });
  await page.waitForFunction(() => Array.isArray(coif.state.scene.grooms[0].hair.dye));
  expect.soft(await value(), 'unbinding restores the colour of the upper end').toBe('[0.5,0.1,0.1]');
});

test('map names are validated', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'named.json');
  await newLayer(page, 'region');
  const rename = async (name) => {
    await page.click('ul.maps li >> nth=0');
    await page.click('button:has-text("Rename")');
    await page.fill('dialog input[name=name]', name);
    const fault = await page.$eval('dialog input[name=name]', (input) => input.validationMessage);
    await page.click('dialog button[value=no]');
    return fault;
  };
  expect.soft(await rename('  '), 'an empty name is rejected').toMatch(/must not be empty/);
  expect.soft(await rename('region'), 'a duplicate name is rejected').toMatch(/already/);
  expect.soft(await rename('a/b'), 'invalid characters are rejected').toMatch(/must not contain/);
  expect.soft(await rename('größe'), 'other characters are accepted').toBe('');
  // Shortcuts are disabled while a dialog is open.
  await page.keyboard.press('?');
  await page.keyboard.press('a');
  expect.soft(await page.evaluate(() => coif.brush.tool), 'the brush tool is kept').toBe('set');
  await page.keyboard.press('Escape');
  // A click while the list is drawn anew selects nothing.
  await expect(async () => {
    if (await page.evaluate(() => coif.state.scene.grooms[0].maps.length) > 1) {
      await page.click('ul.maps li >> nth=1');
      await page.click('button:has-text("Delete")');
    }
    await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 1, null, { timeout: 10000 });
  }).toPass();
  expect.soft(await page.evaluate(() => coif.state.scene.grooms[0].region), 'removing the map removes the binding').toBe(undefined);
});

test('a mesh without UVs is reported', async ({ lab }) => {
  writeFileSync(join(lab.folder, 'assets', 'bare.obj'), 'g scalp\nv -0.1 0 0.1\nv 0.1 0 0.1\nv 0.1 0 -0.1\nv -0.1 0 -0.1\nf 1 2 3 4\n');
  const studio = await lab.openStudio(lab.scene('bare.json', (scene) => {
    scene.bodies[0].mesh = 'assets/bare.obj';
    return scene;
  }));
  const page = await lab.openPage(studio);
  await page.click('#new-map');
  await page.waitForSelector('.toast.bad');
  expect.soft(await page.textContent('.toast.bad'), 'the error explains what to do').toContain('Unwrap it');
  await page.click('#tools button:has-text("Fill")');
  await expect.soft(page.locator('dialog'), 'no dialog is opened').toHaveCount(0);
});
