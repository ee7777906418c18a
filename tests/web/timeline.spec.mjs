// The timeline: a row per animated parameter, keys, loop range.

import { expect, test } from './support/studio.mjs';

const animated = (scene) => ({
  ...scene, sim: { ...scene.sim, first_frame: 1, last_frame: 41 },
  bodies: [{ ...scene.bodies[0], rotate: { keys: [[1, [0, 0, 0]], [21, [0, 40, 0]]] } }],
  grooms: [{ ...scene.grooms[0], hair: { eumelanin: { keys: [[5, 1], [25, 3]] } } }],
});
const keysOf = (page, pick) => page.evaluate(pick);
const rotation = (page) => keysOf(page, () => coif.state.scene.bodies[0].rotate.keys?.map(([frame]) => frame));

test('keys are dragged, stepped, added and deleted in rows', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('keys.json', animated));
  const page = await lab.openPage(studio);
  await expect(page.locator('.key-rows')).toBeHidden();
  await page.click('#timeline-keys');
  await expect(page.locator('.key-row .track-label')).toHaveText(['ball rotate', 'hair hair eumelanin']);
  const row = page.locator('.key-row').first();
  await expect(row.locator('.key')).toHaveCount(2);
  let track = null; // the row may be built again meanwhile
  await expect.poll(async () => { track = await row.locator('.track').boundingBox(); return track; }).not.toBeNull();
  const xOf = (frame) => track.x + 24 + ((track.width - 48) * (frame - 1)) / 40;
  const y = track.y + track.height / 2;
  // By pointer; one step of undo.
  const steps = await page.evaluate(() => coif.state.undo);
  await page.mouse.move(xOf(21), y);
  await page.mouse.down();
  await page.mouse.move(xOf(26), y, { steps: 3 });
  await page.mouse.move(xOf(31), y, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => coif.state.scene.bodies[0].rotate.keys[1][0] === 31);
  expect(await page.evaluate(() => coif.state.scene.bodies[0].rotate.keys[1][1]), 'the key keeps its value').toEqual([0, 40, 0]);
  expect(await page.evaluate(() => coif.state.undo)).toBe(steps + 1);
  // By arrow keys, with the focus kept.
  for (let i = 0; i < 2; ++i) {
    await expect(row.locator('.key').nth(1)).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((frame) => coif.state.scene.bodies[0].rotate.keys[1][0] === frame, 30 - i);
  }
  // A double click adds a key on the curve.
  await page.mouse.dblclick(xOf(15), y);
  await expect.poll(() => rotation(page)).toEqual([1, 15, 29]);
  expect(await page.evaluate(() => coif.state.scene.bodies[0].rotate.keys[1][1][1])).toBeCloseTo(20, 9);
  // A click goes to the frame of a key, Delete and a right click remove it.
  await page.mouse.click(xOf(15), y);
  await expect(page.locator('#timeline input')).toHaveValue('15');
  await row.locator('.key[data-frame="15"]').focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => rotation(page)).toEqual([1, 29]);
  await row.locator('.key[data-frame="29"]').click({ button: 'right' });
  await expect.poll(() => rotation(page)).toEqual([1]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => rotation(page)).toEqual([1, 29]);
  await page.click('#timeline-keys');
  await expect(page.locator('.key-rows')).toBeHidden();
});

test('playback repeats the loop range', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('loop.json', animated));
  const page = await lab.openPage(studio);
  await page.focus('.loop-handle.loopLast');
  const ruler = await page.locator('.ruler').boundingBox();
  const xOf = (frame) => ruler.x + 24 + ((ruler.width - 48) * (frame - 1)) / 40;
  await page.mouse.move(xOf(41) + 10, ruler.y + 6);
  await page.mouse.down();
  await page.mouse.move(xOf(30), ruler.y + 6, { steps: 2 });
  await page.mouse.move(xOf(9), ruler.y + 6, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator('.loop-handle.loopLast')).toHaveAttribute('aria-valuenow', '9');
  await page.focus('.loop-handle.loopFirst');
  for (let i = 0; i < 4; ++i) await page.keyboard.press('ArrowRight');
  await expect(page.locator('.loop-handle.loopFirst')).toHaveAttribute('aria-valuenow', '5');
  await page.evaluate(() => {
    globalThis.seen = [];
    const source = new EventSource(`/api/events?token=${new URLSearchParams(location.search).get('token')}`);
    source.addEventListener('frame', (event) => seen.push(JSON.parse(event.data).frame));
  });
  await page.click('#timeline-play');
  await page.waitForFunction(() => coif.liveStats.totalFrames > 30);
  const seen = await page.evaluate(() => globalThis.seen);
  expect(Math.max(...seen), `frames ${seen}`).toBeLessThanOrEqual(9);
  expect(Math.min(...seen.slice(seen.findIndex((frame, i) => i > 0 && frame < seen[i - 1]))), `after the first round: ${seen}`).toBeGreaterThanOrEqual(5);
  // The plots have axes: labels of frames below, of values on the left.
  await page.click('#tab-simulate');
  await expect(page.locator('#panel-simulate .uplot')).not.toHaveCount(0);
  await expect(page.locator('#panel-simulate .plot').first().locator('.u-axis')).toHaveCount(2);
  await page.dblclick('.loop-handle.loopLast');
  await expect(page.locator('.loop-handle.loopLast')).toHaveAttribute('aria-valuenow', '41');
});
