// The start page: recent scenes, templates, new scenes.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/studio.mjs';

const inStudio = (page) => page.waitForSelector('body[data-ready=true]');
const onStartPage = (page) => page.waitForSelector('body[data-ready=start]');

test('a template becomes a scene of its own, and opened scenes are listed', async ({ lab }) => {
  const studio = await lab.startStudio('start page');
  const page = await lab.openPage(studio, 'start');
  await expect(page.locator('#start .recent')).toHaveCount(0);
  expect.soft((await studio.request('/api/state')).status, 'state without a scene').toBe(409);
  await page.click('[data-template="preset/beach"]');
  await page.fill('dialog input[name=name]', 'mine');
  await page.click('dialog button[value=yes]');
  await inStudio(page);
  const path = join(lab.folder, 'mine.json');
  const scene = JSON.parse(readFileSync(path, 'utf8'));
  expect.soft(scene.grooms[0].modifiers.length, 'modifiers of the preset').toBeGreaterThan(1);
  expect.soft(existsSync(scene.bodies[0].mesh), 'the mesh of the template is found').toBe(true);
  expect.soft(Number.parseInt(await page.textContent('#root-count'), 10), 'growing roots').toBeGreaterThan(0);

  // Another one by path, from the start page, with the unsaved change of the first one kept.
  await page.evaluate(() => coif.edit([{ path: '/grooms/0/length', value: 0.31 }]));
  await page.click('#start-page');
  await onStartPage(page);
  await expect(page.locator('#start .recent button')).toHaveText(/mine\.json/);
  const other = lab.scene('other.json');
  await page.fill('[aria-label="Path of a scene"]', other);
  await page.keyboard.press('Enter');
  await inStudio(page);
  await page.waitForFunction(() => coif.state.path === 'other.json');
  await page.click('#start-page');
  await onStartPage(page);
  await expect(page.locator('#start .recent button')).toHaveText([/other\.json/, /mine\.json/]);
  await page.click('#start .recent button:has-text("mine.json")');
  await inStudio(page);
  expect.soft(await page.evaluate(() => [coif.state.path, coif.state.scene.grooms[0].length, coif.state.dirty]), 'the restored change').toEqual(['mine.json', 0.31, true]);

  // Missing files are dropped from the list.
  await page.click('#start-page');
  await onStartPage(page);
  rmSync(join(lab.folder, other));
  await page.reload();
  await onStartPage(page);
  await expect(page.locator('#start .recent button')).toHaveText(/mine\.json/);
});

test('names are confined to the folder and files are overwritten only when asked', async ({ lab }) => {
  const studio = await lab.startStudio('new.json', ['new.json']);
  const create = (body) => studio.request('/api/project/new', { method: 'POST', body: JSON.stringify(body) });
  for (const name of ['../escape', '/tmp/escape', '.hidden', '']) expect.soft((await create({ name })).status, `name ${name}`).toBe(422);
  expect.soft((await create({ name: 'x', folder: 'missing' })).status, 'a missing folder').toBe(422);
  expect.soft((await create({ name: 'x', kind: 'scene', template: '../scenes/bob' })).status, 'a template outside').toBe(422);
  const page = await lab.openPage(studio, 'start');
  const before = readFileSync(join(lab.folder, 'tiny.json'), 'utf8');
  await page.click('text="Empty scene…"');
  expect.soft(await page.inputValue('dialog input[name=name]'), 'the name of the command line').toBe('new.json');
  await page.fill('dialog input[name=name]', 'tiny');
  await page.click('dialog button[value=yes]');
  await page.click('dialog[aria-label*="exists already"] button[value=no]');
  expect.soft(readFileSync(join(lab.folder, 'tiny.json'), 'utf8'), 'the existing scene').toBe(before);
});
