// What the page loads, and changes of the scene file by other programs.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/studio.mjs';

const count = (urls, path) => urls.filter((url) => new URL(url).pathname === path).length;

test('the surface and its roots are requested once, at the same time, and compressed', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('load.json'));
  const context = await lab.browser.newContext();
  lab.contexts.push(context);
  const page = await context.newPage();
  const urls = [];
  const encodings = {};
  page.on('request', (request) => urls.push(request.url()));
  page.on('response', async (response) => { encodings[new URL(response.url()).pathname] = await response.headerValue('content-encoding'); });
  // Each of the two is answered only when the other was asked for.
  const asked = {};
  const both = Promise.all(['/api/mesh', '/api/root_candidates'].map((path) => new Promise((resolve) => { asked[path] = resolve; })));
  await page.route(/\/api\/(mesh|root_candidates)/, async (route) => {
    asked[new URL(route.request().url()).pathname]();
    await both;
    await route.continue();
  });
  await page.goto(studio.url, { waitUntil: 'commit' });
  await page.waitForSelector('body[data-ready=true]');
  await expect.soft(page.locator('#loading'), 'the sign of loading is gone').toHaveCount(0);
  for (const path of ['/api/project', '/api/schema', '/api/aovs', '/api/mesh', '/api/root_candidates', '/api/roots']) {
    expect.soft(count(urls, path), `requests of ${path}`).toBe(1);
  }
  for (const path of ['/studio.js', '/studio.css', '/api/schema', '/api/mesh']) expect.soft(encodings[path], `encoding of ${path}`).toBe('gzip');
  const plain = await studio.request('/api/mesh?groom=0', { headers: { 'Accept-Encoding': 'identity' } });
  expect.soft(plain.headers.get('content-encoding'), 'only for those who accept it').toBeNull();
  expect.soft((await plain.arrayBuffer()).byteLength, 'the same bytes').toBe((await (await studio.request('/api/mesh?groom=0')).arrayBuffer()).byteLength);
});

test('the page says that it loads before its script has run', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('sign.json'));
  const context = await lab.browser.newContext({ javaScriptEnabled: false });
  lab.contexts.push(context);
  const page = await context.newPage();
  await page.goto(studio.url);
  await expect.soft(page.locator('#loading')).toBeVisible();
  await expect.soft(page.locator('body')).toHaveAttribute('aria-busy', 'true');
});

test('the page is one script, small, without other hosts', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('bundle.json'));
  const script = await (await studio.request('/studio.js')).text();
  expect.soft(script.length, 'bytes of the script').toBeLessThan(1.5e6);
  const html = await studio.request('/');
  expect.soft(html.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/);
  expect.soft(await html.text(), 'sources of the page').not.toMatch(/(src|href)="https?:/);
});

test('a scene changed by another program is loaded or overwritten, as chosen', async ({ lab }) => {
  const name = lab.scene('shared.json');
  const path = join(lab.folder, name);
  const studio = await lab.openStudio(name);
  const page = await lab.openPage(studio);
  const setLength = (value) => page.evaluate((length) => coif.edit([{ path: '/grooms/0/length', value: length }]), value);
  const theirs = (seed) => writeFileSync(path, readFileSync(path, 'utf8').replace('"count": 4000', `"count": ${seed}`));
  await setLength(0.31);
  theirs(3000);
  await page.keyboard.press('Control+s');
  await expect(page.locator('.toast.bad')).toContainText('was modified by another program');
  await page.click('.toast button:text-is("Load theirs")');
  await page.waitForFunction(() => globalThis.coif?.state.scene.grooms?.[0].count === 3000);
  await page.waitForSelector('body[data-ready=true]');
  expect.soft(await page.evaluate(() => [coif.state.scene.grooms[0].length !== 0.31, coif.state.dirty]), 'theirs, without own changes').toEqual([true, false]);
  expect.soft(existsSync(join(lab.folder, `.${name}.journal.old`)), 'own changes are kept beside the scene').toBe(true);
  await expect.soft(page.locator('.toast.bad'), 'and told').toContainText('.journal.old');

  await setLength(0.32);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"count": 3000', '"count": 2000'));
  await page.keyboard.press('Control+s');
  await page.click('.toast button:text-is("Overwrite")');
  await page.waitForFunction(() => !coif.state.dirty);
  const saved = JSON.parse(readFileSync(path, 'utf8'));
  expect.soft([saved.grooms[0].count, saved.grooms[0].length], 'own').toEqual([3000, 0.32]);
  expect.soft(statSync(join(lab.folder, 'shared.previous.json')).size, 'theirs is the previous version').toBeGreaterThan(0);
});

test('a scene in another folder has paths of its own, and a broken file is told where one chooses another', async ({ lab }) => {
  const name = lab.scene('presets/inner.json', (scene) => ({ ...scene, bodies: [{ ...scene.bodies[0], mesh: '../assets/ball.obj' }] }));
  const studio = await lab.openStudio(name);
  expect.soft((await (await studio.request('/api/project')).json()).folder, 'the folder of the scene').toMatch(/\/presets$/);
  const page = await lab.openPage(studio);
  await page.evaluate(() => coif.edit([{ path: '/grooms/0/length', value: 0.02 }]));
  writeFileSync(join(lab.folder, name), '{"bodies": [');
  await page.keyboard.press('Control+s');
  await page.click('.toast button:text-is("Load theirs")');
  await page.waitForSelector('body[data-ready=start]');
  await expect.soft(page.locator('.toast.bad'), 'what is wrong with theirs').toContainText('inner.json:1:');
});
