// The Scene tab: entries of the scene are added, copied, renamed and removed; fields, references, ramps, textures.

import { expect, test } from './support/studio.mjs';

const entry = (page, path) => page.locator(`#outliner [data-path="${path}"]`);
const row = (page, path) => page.locator(`.inspector .row[data-path="${path}"]`);
const scene = (page) => page.evaluate(() => coif.state.scene);
const textOf = (page) => page.evaluate(() => JSON.stringify(coif.state.scene));

async function openScenePanel(lab, name, change) {
  const studio = await lab.openStudio(lab.scene(name, change));
  const page = await lab.openPage(studio);
  await page.click('#tab-scene');
  return { studio, page };
}

// Adds an entry to a list by its button.
async function add(page, path, fill = {}) {
  await entry(page, path).locator('.entry-add').click();
  for (const [name, value] of Object.entries(fill)) {
    const field = page.locator(`dialog [name=${name}]`);
    if (await field.evaluate((each) => each.tagName === 'SELECT')) await field.selectOption(value); else await field.fill(value);
  }
  await page.click('dialog button[value=yes]');
}

test('everything in a scene is added from nothing in the page', async ({ lab }) => {
  const studio = await lab.startStudio('start page');
  const page = await lab.openPage(studio, 'start');
  await page.click('text="Empty scene…"');
  await page.fill('dialog input[name=name]', 'nothing');
  await page.click('dialog button[value=yes]');
  await page.waitForSelector('body[data-ready=true]');
  await page.click('#tab-scene');
  await expect(page.locator('#scene-problem')).toHaveText(/no body yet/);
  await entry(page, '/grooms').locator('.entry-add').click();
  await expect.soft(page.locator('.toast.bad'), 'a groom needs a body').toHaveText(/A groom needs a body\. Add a body first\./);
  // A body is chosen as a file.
  await entry(page, '/bodies').locator('.entry-add').click();
  await page.click('dialog.browser button:text-is("assets")');
  await page.click('dialog.browser button:text-is("ball.obj")');
  await page.waitForFunction(() => coif.state.scene.bodies?.length === 1);
  expect.soft((await scene(page)).bodies[0], 'a path relative to the scene').toEqual({ name: 'ball', mesh: 'assets/ball.obj' });
  await add(page, '/grooms', { name: 'fur' });
  await page.waitForFunction(() => coif.state.scene.grooms?.length === 1);
  await expect(page.locator('#scene-problem')).toBeHidden();
  await expect.soft(page.locator('#root-count'), 'hair grows at once').toContainText('roots');
  // A hairstyle fitted to the body, with its modifiers and colour; one step of undo.
  const undo = await page.evaluate(() => coif.state.undo);
  await add(page, '/grooms', { style: 'straight', name: 'style' });
  await page.waitForFunction(() => coif.state.scene.grooms?.length > 1);
  const styled = (await scene(page)).grooms.slice(1);
  expect.soft([styled[0].name, styled[0].body, styled[0].group]).toEqual(['style', 'ball', 'scalp']);
  expect.soft(styled[0].modifiers.length).toBeGreaterThan(0);
  expect.soft(new Set((await scene(page)).grooms.map((groom) => groom.name)).size, 'names stay unique').toBe(1 + styled.length);
  expect.soft(await page.evaluate(() => coif.state.undo), 'one step').toBe(undo + 1);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.scene.grooms?.length === 1);
  await add(page, '/grooms/0/modifiers', { kind: 'groom.curl' });
  await add(page, '/grooms/0/maps', { kind: 'density.noise', name: 'spots' });
  await add(page, '/grooms/0/constraints', { kind: 'tie', name: 'band' });
  await add(page, '/colliders', { kind: 'capsule', name: 'shoulder' });
  await add(page, '/forces', { kind: 'wind.gust' });
  await add(page, '/lights', { kind: 'sky' });
  await add(page, '/instances', { name: 'twin' });
  await page.waitForFunction(() => coif.state.scene.instances?.length === 1);
  const all = await scene(page);
  expect.soft(all.grooms[0].modifiers).toEqual([{ plugin: 'groom.curl', name: 'curl' }]);
  expect.soft(all.grooms[0].maps).toEqual([{ plugin: 'density.noise', name: 'spots' }]);
  expect.soft(all.grooms[0].constraints).toEqual([{ type: 'tie', name: 'band' }]);
  expect.soft(all.colliders).toEqual([{ shape: 'capsule', name: 'shoulder' }]);
  expect.soft(all.forces).toEqual([{ plugin: 'wind.gust', name: 'gust' }]);
  expect.soft(all.lights).toEqual([{ type: 'sky', name: 'sky' }]);
  expect.soft(all.instances).toEqual([{ name: 'twin', body: 'ball' }]);
  expect.soft((await studio.request('/api/strands?groom=0&limit=20')).status, 'the new hair is generated').toBe(200);
});

test('names are followed by references, removed bodies take their grooms along, undo brings them back', async ({ lab }) => {
  const { page } = await openScenePanel(lab, 'names.json', (base) => ({
    ...base, instances: [{ name: 'twin', body: 'ball' }], forces: [{ plugin: 'wind.uniform', name: 'breeze', affects: 'hair', parent: 'ball' }],
    grooms: [{ ...base.grooms[0], name: 'hair' }],
  }));
  const before = await textOf(page);
  await entry(page, '/bodies/0').click();
  await page.keyboard.press('F2');
  await page.fill('dialog input[name=name]', 'planet');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => coif.state.scene.bodies[0].name === 'planet');
  const renamed = await scene(page);
  expect.soft([renamed.grooms[0].body, renamed.instances[0].body, renamed.forces[0].parent], 'references to the body').toEqual(['planet', 'planet', 'planet']);
  await entry(page, '/grooms/0').click();
  await row(page, '/grooms/0/name').locator('input').fill('mane');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].name === 'mane');
  expect.soft((await scene(page)).forces[0].affects, 'references to the groom, renamed in its field').toBe('mane');
  await expect.soft(row(page, '/grooms/0/body').locator('select'), 'references are lists of names').toHaveValue('planet');

  // A copy below it, moved up, and removed.
  await entry(page, '/forces/0').click();
  await page.click('#entry-duplicate');
  await page.waitForFunction(() => coif.state.scene.forces.length === 2);
  await expect.soft(entry(page, '/forces/1'), 'the copy is selected').toHaveAttribute('aria-selected', 'true');
  expect.soft((await scene(page)).forces[1]).toEqual({ ...(await scene(page)).forces[0], name: 'breeze_copy' });
  await page.click('#entry-up');
  await page.waitForFunction(() => coif.state.scene.forces[0].name === 'breeze_copy');
  await page.click('#entry-delete');
  await page.waitForFunction(() => coif.state.scene.forces.length === 1);

  await entry(page, '/bodies/0').click();
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => coif.state.scene.bodies.length === 0);
  const rest = await scene(page);
  expect.soft([rest.grooms, rest.instances, rest.forces[0].parent], 'a groom cannot be without its body').toEqual([[], [], undefined]);
  await expect.soft(page.locator('.toast').last(), 'what went with it').toContainText('Body planet deleted, with what was on it: mane, twin');
  await page.locator('.toast button:text-is("Undo")').last().click();
  await page.waitForFunction(() => coif.state.scene.bodies.length === 1);
  for (let i = 0; i < 5; ++i) await page.keyboard.press('Control+z');
  await expect.poll(() => textOf(page)).toBe(before);
});

test('entries are reached, folded and switched by keyboard', async ({ lab }) => {
  const { page } = await openScenePanel(lab, 'tree.json', (base) => ({ ...base, grooms: [{ ...base.grooms[0], modifiers: [{ plugin: 'groom.curl' }] }] }));
  await page.locator('#outliner [aria-selected=true]').focus();
  await page.keyboard.press('Home');
  await expect(entry(page, '/bodies')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect.soft(entry(page, '/bodies/0')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect.soft(entry(page, '/bodies')).toHaveAttribute('aria-expanded', 'false');
  await expect.soft(entry(page, '/bodies/0')).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect.soft(entry(page, '/bodies/0')).toBeVisible();
  await entry(page, '/grooms/0/modifiers/0').locator('.entry-toggle').click();
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].enabled === false);
  await entry(page, '/grooms/0/modifiers/0').locator('.entry-toggle').click();
  await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers[0].enabled === undefined);
});

test('fields refuse what is no value, in a sentence, and keep the focus', async ({ lab }) => {
  const { page } = await openScenePanel(lab, 'refused.json');
  const count = row(page, '/grooms/0/count').locator('input[type=number]');
  const refuse = async (text, sentence) => {
    await count.fill('');
    if (text) await count.pressSequentially(text);
    await count.press('Enter');
    await expect.soft(row(page, '/grooms/0/count').locator('.field-error'), `typed "${text}"`).toHaveText(sentence);
    await expect.soft(count, 'the value of the scene is shown').toHaveValue('4000');
    await expect.soft(count, 'the field keeps the focus').toBeFocused();
  };
  await refuse('', 'Count must be a number.');
  await refuse('e', 'Count must be a number.');
  await refuse('2.5', 'Count must be a whole number.');
  await refuse('-5', 'Count must be at least 0.');
  // Far down in the panel, an edit does not scroll it.
  await page.locator('#panel-scene').evaluate((panel) => { panel.scrollTop = 160; });
  await count.fill('5000');
  await count.press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].count === 5000);
  await expect.soft(row(page, '/grooms/0/count').locator('.field-error'), 'no error is left').toHaveCount(0);
  expect.soft(await page.locator('#panel-scene').evaluate((panel) => panel.scrollTop), 'the panel stays where it is').toBe(160);
  await expect.soft(count, 'Enter keeps the focus').toBeFocused();
  await count.press('Enter');
  expect.soft((await scene(page)).grooms[0].count, 'a second Enter sets no key').toBe(5000);
  // What only the program can tell.
  const mesh = '/bodies/0/mesh';
  await entry(page, '/bodies/0').click();
  await row(page, mesh).locator('input').fill('missing.obj');
  await row(page, mesh).locator('input').press('Enter');
  await expect.soft(page.locator('.field-error, .toast.bad'), 'a missing file').toContainText(['missing.obj']);
  await expect.soft(row(page, mesh).locator('input')).toHaveValue('assets/ball.obj');
});

test('the usual parameters are shown, all of them on demand', async ({ lab }) => {
  const { page } = await openScenePanel(lab, 'advanced.json');
  await expect(row(page, '/grooms/0/length')).toBeVisible();
  await expect.soft(row(page, '/grooms/0/max_points'), 'an advanced parameter').toHaveCount(0);
  const basic = await page.locator('.inspector .row').count();
  expect.soft(basic, 'rows of a groom').toBeLessThan(30);
  await page.check('#advanced-parameters');
  await expect.soft(row(page, '/grooms/0/max_points')).toBeVisible();
  await page.uncheck('#advanced-parameters');
  await page.evaluate(() => coif.edit([{ path: '/grooms/0/max_points', value: 128 }]));
  await expect.soft(row(page, '/grooms/0/max_points'), 'given in the scene').toBeVisible();
});

test('a ramp is drawn along the strand', async ({ lab }) => {
  const { page } = await openScenePanel(lab, 'ramp.json', (base) => ({ ...base, grooms: [{ ...base.grooms[0], radius: 0.00005 }] }));
  const radius = row(page, '/grooms/0/radius');
  const value = () => page.evaluate(() => JSON.stringify(coif.state.scene.grooms[0].radius));
  await radius.getByLabel('ramp of radius').click();
  await expect.poll(value).toBe('{"value":0.00005,"ramp":[[0,1],[1,1]]}');
  // The tip is dragged down by half.
  await radius.locator('.ramp-numbers').scrollIntoViewIfNeeded();
  const tip = await radius.locator('.ramp-point').nth(1).boundingBox();
  const area = await radius.locator('.ramp-area').boundingBox();
  await page.mouse.move(tip.x + tip.width / 2, tip.y + tip.height / 2);
  await page.mouse.down();
  await page.mouse.move(area.x + area.width - 1, area.y + area.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => JSON.parse(await value()).ramp[1][1]).toBeCloseTo(0.5, 1);
  await radius.getByLabel('Radius: factor of the point').fill('0.25');
  await page.keyboard.press('Enter');
  await expect.poll(async () => JSON.parse(await value()).ramp[1][1]).toBe(0.25);
  await expect.soft(radius.getByLabel('Radius: factor of the point'), 'the field keeps the focus').toBeFocused();
  await radius.locator('.ramp-point').nth(0).focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => JSON.parse(await value()).ramp[0]).toEqual([0, 0.98]);
  await radius.getByRole('button', { name: 'Add' }).click();
  await expect.poll(async () => JSON.parse(await value()).ramp.length).toBe(3);
  // The number under the ramp, then without the ramp.
  await radius.getByLabel('Radius', { exact: true }).fill('0.07 mm');
  await page.keyboard.press('Enter');
  await expect.poll(async () => JSON.parse(await value()).value).toBe(0.00007);
  expect.soft(JSON.parse(await value()).ramp.length, 'the ramp stays').toBe(3);
  await radius.getByLabel('ramp of radius').click();
  await expect.poll(value).toBe('0.00007');
});

test('lengths and angles are shown in the units of artists, and units may be typed', async ({ lab }) => {
  const { page } = await openScenePanel(lab, 'units.json', (base) => ({ ...base, grooms: [{ ...base.grooms[0], length: 0.09, radius: 6e-5 }] }));
  const length = row(page, '/grooms/0/length');
  const field = length.getByLabel('Length', { exact: true });
  await expect(field).toHaveValue('9');
  await expect.soft(length.locator('small')).toHaveText('cm');
  await expect.soft(row(page, '/grooms/0/radius').getByLabel('Radius', { exact: true })).toHaveValue('0.06');
  await expect.soft(row(page, '/grooms/0/radius').locator('small')).toHaveText('mm');
  const value = () => page.evaluate(() => coif.state.scene.grooms[0].length);
  for (const [typed, metres] of [['12', 0.12], ['30 mm', 0.03], ['0.2m', 0.2], ['2in', 0.0508]]) {
    await field.fill(typed);
    await field.press('Enter');
    await expect.poll(value, typed).toBe(metres);
  }
  await expect(field).toHaveValue('5.08');
  await field.press('ArrowUp');
  await expect.poll(value, 'the second digit').toBe(0.0518);
  await field.fill('3 apples');
  await field.press('Enter');
  await expect.soft(length.locator('.field-error')).toHaveText('Length must be a number, with a unit such as cm or none.');
  await expect.soft(field, 'the value of the scene').toHaveValue('5.18');
  await field.fill('20 m');
  await field.press('Enter');
  await expect.soft(length.locator('.field-error')).toHaveText('Length must be at most 1000 cm.');
});

test('values are read from images and edited as such', async ({ lab }) => {
  const { page } = await openScenePanel(lab, 'images.json');
  const length = row(page, '/grooms/0/length');
  await length.getByLabel('source of length').selectOption({ label: 'image file…' });
  await page.click('dialog.browser button:text-is("assets")');
  await page.click('dialog.browser button:text-is("eye_blue.png")');
  const value = () => page.evaluate(() => coif.state.scene.grooms[0].length);
  await expect.poll(async () => (await value()).texture).toBe('assets/eye_blue.png');
  await length.getByLabel('Length: channel').selectOption('green');
  await expect.poll(async () => (await value()).channel).toBe('green');
  await length.getByLabel('Length: invert').check();
  await expect.poll(async () => (await value()).invert).toBe(true);
  await length.getByLabel('source of length').selectOption({ label: 'number' });
  await expect.poll(async () => typeof await value()).toBe('number');
});

test('everything that the schema knows of a scene has a row', async ({ lab }) => {
  const { page } = await openScenePanel(lab, 'all.json', (base) => ({
    ...base, colliders: [{ name: 'c' }], forces: [{ plugin: 'wind.gust' }], instances: [{ name: 'i', body: base.bodies[0].name }], lights: [{ name: 'l' }],
    grooms: [{ ...base.grooms[0], maps: [{ plugin: 'density.noise', name: 'm' }], modifiers: [{ plugin: 'groom.curl' }], constraints: [{ name: 'k' }] }],
  }));
  const missing = await page.evaluate(() => {
    const root = coif.state.schema;
    const resolve = (schema) => (schema.$ref ? { ...schema.$ref.slice(2).split('/').reduce((at, key) => at[key], root), ...schema } : schema);
    const paths = [];
    const walk = (schema, path, value) => {
      const whole = resolve(schema);
      const rules = (whole.allOf ?? []).filter((rule) => rule.if.properties.plugin.const === value?.plugin).map((rule) => resolve(rule.then));
      for (const [name, child] of [whole, ...rules].flatMap((each) => Object.entries(each.properties ?? {}))) {
        const own = resolve(child);
        if (['plugin', '$schema', 'coif'].includes(name) || (path === '' && name === 'comment')) continue;
        const isList = own.type === 'array' && own.items && resolve(own.items).type === 'object';
        if (own.type === 'object' && own.properties) walk(own, `${path}/${name}`, value?.[name]);
        else if (!isList) paths.push(`${path}/${name}`);
        else if (value?.[name]?.length) walk(own.items, `${path}/${name}/0`, value[name][0]);
      }
    };
    walk(root, '', coif.state.scene);
    const search = document.querySelector('#panel-scene input[type=search]');
    return [paths.length, paths.filter((path) => {
      search.value = path;
      search.dispatchEvent(new Event('input'));
      return !document.querySelector(`.inspector .row[data-path="${path}"] :is(input, select)`);
    })];
  });
  expect.soft(missing[0], 'parameters').toBeGreaterThan(250);
  expect.soft(missing[1], 'parameters without a row').toEqual([]);
});
