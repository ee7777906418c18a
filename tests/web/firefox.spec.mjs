// The studio in Firefox: opens, paints, undoes. Skipped without Firefox.

import { firefox } from '@playwright/test';
import { execFileSync, spawn } from 'node:child_process';
import { densityLayer, rootsOf, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const found = (names) => names.flatMap((name) => {
  try {
    return [execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()];
  } catch {
    return [];
  }
})[0];
const executablePath = found(['firefox-esr', 'firefox']);

// Firefox draws WebGL on an X display only, also without a window. Gives its name and a function that ends it.
async function openDisplay() {
  if (process.env.DISPLAY) return { display: process.env.DISPLAY, close: () => {} };
  const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const number = await new Promise((resolve, reject) => {
    server.stdout.on('data', (data) => resolve(String(data).trim()));
    server.on('error', reject);
    server.on('exit', () => reject(new Error('Xvfb did not start')));
  });
  return { display: `:${number}`, close: () => server.kill() };
}

test('Firefox opens a scene, paints, undoes, edits a parameter and shows strands', async ({ lab }) => {
  test.skip(!executablePath, 'Firefox is not installed');
  test.skip(!process.env.DISPLAY && !found(['Xvfb']), 'there is no display, and Xvfb is not installed');
  const { display, close } = await openDisplay();
  // The channel of installed, unmodified Firefox, which is driven by WebDriver BiDi.
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, headless: true, env: { ...process.env, DISPLAY: display }, firefoxUserPrefs: { 'webgl.force-enabled': true } });
  try {
    const studio = await lab.openStudio(lab.scene('fox.json'));
    const context = await browser.newContext({ viewport: { width: 1000, height: 640 } });
    const page = await context.newPage();
    const hasWebgl = await page.evaluate(() => Boolean(document.createElement('canvas').getContext('webgl2')));
    test.skip(!hasWebgl, 'Firefox has no WebGL 2 here');
    page.on('pageerror', (error) => lab.pageErrors.push(error.message));
    await page.goto(studio.url);
    await page.waitForSelector('body[data-ready=true]');
    await densityLayer(page);
    const before = (await rootsOf(studio)).count;
    const texels = (await texelsOf(studio)).texels;

    const box = await page.locator('#view3d').boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 50, y + 20, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await rootsOf(studio)).count).toBeLessThan(before);
    await page.waitForFunction(() => coif.paintTarget.map.activeEdits === 0);
    await page.click('button:has-text("Undo")');
    await expect.poll(async () => Buffer.compare(Buffer.from((await texelsOf(studio)).texels.buffer), Buffer.from(texels.buffer))).toBe(0);

    await page.click('#tab-scene');
    const length = page.locator('.row[data-path="/grooms/0/length"] input[data-control=number]');
    await length.fill('20 mm');
    await length.press('Enter');
    await page.waitForFunction(() => coif.state.scene.grooms[0].length === 0.02);
    await length.fill('-1');
    await length.press('Enter');
    await expect.soft(page.locator('.field-error')).toHaveText(/^Length must be at least /);
    await page.click('#tab-simulate');
    await page.click('#show-rest');
    await page.waitForFunction(() => coif.strandMesh.mesh.visible);
    await page.click('button:text-is("Step")');
    await page.waitForFunction(() => coif.liveStats.latest?.strands > 0);
  } finally {
    await browser.close();
    close();
  }
});
