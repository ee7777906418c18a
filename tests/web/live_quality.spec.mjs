// Adaptive quality of the live simulation and of the viewport.

import { expect, test } from './support/studio.mjs';

const play = async (page) => {
  await page.click('#tab-simulate');
  await page.click('#play');
  await expect(page.locator('#play')).toHaveText('Pause');
};
const setSubsteps = (page, value) => page.evaluate((substeps) => coif.edit([{ path: '/sim/substeps', value: substeps }]), value);

// 500 substeps of strands with 64 points are too slow for any machine, even for a quarter of the strands: the server
// first solves fewer strands, then displays fewer.
test('a slow simulation solves and displays fewer strands and reports it', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('slow.json', (scene) => ({ ...scene, grooms: [{ ...scene.grooms[0], count: 20000, points: 64, radius: 3e-5 }] })));
  const page = await lab.openPage(studio);
  await play(page);
  await page.waitForFunction(() => coif.view3d.liveHair.hair);
  const radius = await page.evaluate(() => coif.view3d.liveHair.hair.radius);
  await setSubsteps(page, 500);
  await page.waitForFunction(() => coif.liveStats.latest?.solve_percent < 100);
  await page.waitForFunction(() => /Simulating \d+ % of the strands/.test(document.getElementById('toasts').textContent));
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('strands solved'));
  await page.waitForFunction(() => coif.liveStats.latest.strands < coif.liveStats.latest.strands_requested);
  await page.waitForFunction(() => /Simulating \d+ strands/.test(document.getElementById('toasts').textContent));
  await page.waitForFunction(() => /\d+ of \d+ strands,/.test(document.getElementById('status').textContent));
  expect(await page.inputValue('input[aria-label="Strands shown"]')).toBe('2000');
  // Fewer strands are drawn wider.
  await page.waitForFunction((before) => coif.view3d.liveHair.hair.radius > before, radius);
  // Without the real-time limit all strands are solved.
  await setSubsteps(page, 2);
  await page.click('label:has-text("Real-time")');
  await page.waitForFunction(() => coif.liveStats.latest.solve_percent === 100 && coif.liveStats.latest.substeps === 2 && coif.liveStats.latest.strands === coif.liveStats.latest.strands_requested);
  await page.waitForFunction(() => !/strands solved|of \d+ strands,/.test(document.getElementById('status').textContent));
});

test('the software renderer matches WebGL, and the viewport adapts its resolution', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('software.json'));
  const page = await lab.openPage(studio);
  await play(page);
  // Slow WebGL frames are followed by an idle interval of twice their duration, within limits.
  const rests = await page.evaluate(() => {
    const { liveHair } = coif.view3d;
    const rest = (software, drawMs) => Object.assign(Object.create(liveHair), { usesSoftwareRenderer: () => software, view: { drawMs } }).drawInterval();
    return [rest(true, 60), rest(false, 5), rest(false, 100), rest(false, 60000)];
  });
  expect.soft(rests.join(' '), 'update intervals of moving and resting hair').toBe('0 0 200 1000');
  expect.soft(await page.evaluate(() => coif.view3d.liveHair.isSoftwareGl), 'the browser has no GPU').toBeTruthy();
  await page.waitForFunction(() => !coif.view3d.liveHair.softwareView.canvas.hidden && coif.view3d.liveHair.drawCount > 2);
  // Software renderer against WebGL with the same camera.
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('play').textContent === 'Play' && coif.view3d.liveHair.softwareView.canvas.hidden);
  // The last frame of the server is displayed.
  let last;
  await expect.poll(async () => {
    last = Buffer.from(await (await studio.request('/api/live')).arrayBuffer());
    return await page.evaluate(() => coif.view3d.liveHair.hair.packet.frame) - last.readUInt32LE(16);
  }).toBe(0);
  const drawn = await page.evaluate(() => ({ frame: coif.view3d.liveHair.hair.packet.frame, positions: [...coif.view3d.liveHair.hair.packet.positions] }));
  const at = 44 + 14 * last.readUInt32LE(8);
  expect.soft(drawn.frame, 'the last frame is drawn').toBe(last.readUInt32LE(16));
  expect.soft(drawn.positions.every((word, i) => word === last.readUInt16LE(at + 2 * i)), 'the last frame is drawn').toBe(true);
  const alike = await page.evaluate(() => {
    const { view3d } = coif;
    const { softwareView: soft, hair } = view3d.liveHair;
    soft.draw(view3d.camera, view3d.surface, hair.packet.body, { ...hair.packet, pointColors: hair.strandMesh.pointColors, radius: hair.radius });
    view3d.setPixelRatio(1);
    view3d.setDrawFraction(1);
    view3d.renderer.render(view3d.scene, view3d.camera);
    const { width, height } = soft.canvas;
    const own = soft.context.getImageData(0, 0, width, height).data;
    const pixels = new Uint8Array(4 * width * height);
    const gl = view3d.renderer.getContext();
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    // Not background, in a pixel or in a neighbour: line widths differ by a pixel.
    const drawn = (data, at) => Math.abs(data[at] - 0x37) + Math.abs(data[at + 1] - 0x37) + Math.abs(data[at + 2] - 0x37) > 6;
    const near = (data, at) => [-1, 0, 1].some((y) => [-1, 0, 1].some((x) => drawn(data, at + 4 * (y * width + x))));
    const seen = { both: 0, one: 0, sums: [0, 0] };
    for (let y = 1; y < height - 1; ++y) {
      for (let x = 1; x < width - 1; ++x) {
        const [a, b] = [4 * (y * width + x), 4 * ((height - 1 - y) * width + x)];
        const [one, other] = [drawn(own, a), drawn(pixels, b)];
        seen.both += one && other;
        seen.one += (one && !near(pixels, b)) || (other && !near(own, a));
        if (one && other) [own[a + 1], pixels[b + 1]].forEach((value, k) => { seen.sums[k] += value; });
      }
    }
    return { both: seen.both / (width * height), one: seen.one / seen.both, light: seen.sums[0] / seen.sums[1] };
  });
  expect.soft(alike.both, `software and WebGL renders agree: ${JSON.stringify(alike)}`).toBeGreaterThan(0.05);
  expect.soft(alike.one, `software and WebGL renders agree: ${JSON.stringify(alike)}`).toBeLessThan(0.01);
  expect.soft(Math.abs(alike.light - 1), `software and WebGL renders agree: ${JSON.stringify(alike)}`).toBeLessThan(0.1);
  // The resolution is lower while the view moves.
  await page.evaluate(() => { for (let i = 0; i < 40; ++i) coif.view3d.adaptResolution(200); });
  expect.soft(await page.evaluate(() => coif.view3d.interactiveRatio), 'the resolution is reduced to half').toBe(0.5);
  // In one call, because the view may be refined at any time.
  expect.soft(await page.evaluate(() => {
    coif.view3d.setDrawFraction(0.25);
    return coif.view3d.roots.geometry.drawRange.count;
  }), 'a quarter of the roots is drawn').toBe(1000);
  await page.evaluate(() => coif.view3d.draw());
  await page.waitForFunction(() => coif.view3d.renderer.getPixelRatio() >= 1 && coif.view3d.roots.geometry.drawRange.count === 4000);
  expect.soft(await page.evaluate(() => coif.view3d.interactiveRatio), 'a refined frame keeps the interactive ratio').toBe(0.5);
});
