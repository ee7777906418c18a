// Takes: recorded motion of the live simulation.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/studio.mjs';

const STEPS = 6;

// Values of pixels that differ between two PNG files.
const differ = (page, ...files) => page.evaluate(async (both) => {
  const [a, b] = await Promise.all(both.map(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: 'image/png' }));
    const c = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    c.drawImage(bitmap, 0, 0);
    return c.getImageData(0, 0, bitmap.width, bitmap.height).data;
  }));
  return a.length === b.length ? a.reduce((sum, x, i) => sum + (x !== b[i]), 0) : -1;
}, files.map((file) => file.toString('base64')));

test('a take of a dragged head is rendered as it was seen', async ({ lab }) => {
  const scene = lab.scene('shaken.json', (all) => {
    all.bodies[0] = { name: 'ball', mesh: 'assets/ball.obj', pivot: [0, -0.05, 0], rotate: { keys: [[1, [0, 0, 0]], [20, [0, 40, 0]]] } };
    all.bodies.push({ name: 'eye', mesh: 'assets/ball.obj', scale: 0.9, pivot: [0, 0.02, 0.01], collide: false, material: { color: [0.9, 0.1, 0.1] } });
    all.grooms[0].count = 300;
    all.grooms.push({ ...all.grooms[0], name: 'brows', count: 60, length: 0.02 });
    return { ...all, sim: { substeps: 4 }, forces: [], image: { width: 60, height: 48, samples: 4 } };
  });
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await page.click('#tab-simulate');
  await page.click('#record');
  await expect(page.locator('#record')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#play')).toHaveText('Pause');
  await page.click('#play'); // steps instead
  const frame = async () => Buffer.from(await (await studio.request('/api/live')).arrayBuffer()).readUInt32LE(16);
  await expect(page.locator('#play')).toHaveText('Play');
  // Frames passed until the simulation paused.
  const first = await frame();
  const last = first + STEPS;
  const digits = String(last).padStart(4, '0');
  for (let step = 1; step <= STEPS; ++step) {
    await studio.request('/api/body_drag', { method: 'PUT', body: JSON.stringify({ translate: [0.008 * step, 0, 0.004 * step], rotate: [0, 6 * step, 3 * step] }) });
    await page.click('#panel-simulate button:text-is("Step")');
    await expect.poll(frame).toBe(first + step);
  }
  // The live state, rendered.
  const events = page.evaluate(() => new Promise((resolve) => {
    const source = new EventSource(`/api/events?token=${new URLSearchParams(location.search).get('token')}`);
    source.addEventListener('render', (event) => { if (['done', 'failed'].includes(JSON.parse(event.data).state)) resolve(JSON.parse(event.data).state); });
  }));
  await studio.request('/api/render', { method: 'POST', body: JSON.stringify({ live: true, final: true }) });
  expect(await events).toBe('done');
  const live = Buffer.from(await (await studio.request('/api/image')).arrayBuffer());
  await page.click('#record');
  await page.waitForSelector('.toast:has-text("shaken.take1.json")');
  const files = readdirSync(join(lab.folder, 'shaken.take1'));
  for (const name of ['hair.groom', 'brows.groom', 'hair.0001.strands', `hair.${digits}.strands`, `brows.${digits}.strands`]) expect.soft(files).toContain(name);
  const take = JSON.parse(readFileSync(join(lab.folder, 'shaken.take1.json'), 'utf8'));
  expect.soft([take.sim.first_frame, take.sim.last_frame].join(), 'the range of the take').toBe(`1,${last}`);
  expect.soft(take.bodies[0].offset_rotate.keys.at(-1)[1].join(), 'the motion of the hand').toBe(`0,${6 * STEPS},${3 * STEPS}`);
  const out = join(lab.folder, 'rendered');
  const rendered = await lab.run('render', join(lab.folder, 'shaken.take1.json'), '--cache', join(lab.folder, 'shaken.take1'), '--out', out, '--frames', String(last), '--format', 'png');
  expect.soft(rendered.code, rendered.err).toBe(0);
  const file = readFileSync(join(out, `render${digits}.png`));
  expect.soft(await differ(page, live, file), 'values that differ between the live state and the take').toBe(0);
  // The first frame is another picture.
  await lab.run('render', join(lab.folder, 'shaken.take1.json'), '--cache', join(lab.folder, 'shaken.take1'), '--out', out, '--frames', '1', '--format', 'png');
  expect.soft(await differ(page, live, readFileSync(join(out, 'render0001.png')))).toBeGreaterThan(0.1 * 60 * 48 * 4);
  // A cancelled take leaves nothing.
  await page.click('#record');
  await expect(page.locator('#cancel-recording')).toBeVisible();
  await page.click('#cancel-recording');
  await expect(page.locator('#record')).toHaveAttribute('aria-pressed', 'false');
  expect.soft(readdirSync(lab.folder).filter((name) => name.includes('take2')), 'nothing of a cancelled take').toEqual([]);
  // The studio plays the take back.
  await page.close();
  const next = await lab.openStudio('shaken.take1.json');
  const played = await lab.openPage(next);
  await played.fill('input[aria-label="Frame number"]', String(last));
  await played.press('input[aria-label="Frame number"]', 'Enter');
  await played.waitForFunction((frame) => coif.view3d.liveHair.hair?.packet.frame === frame, last);
  expect.soft(existsSync(join(lab.folder, '.shaken.take1.partial'))).toBe(false);
});
