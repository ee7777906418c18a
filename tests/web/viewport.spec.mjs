// The viewport: resolution, lost graphics context, brightness of strands; what a save and a restart tell.

import { dabAt, densityLayer, openWithDensityMap, settle } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

test('the resolution of the viewport is raised again when drawing is fast', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('ratio.json'));
  const page = await lab.openPage(studio);
  const [low, high, plain, supersampled] = await page.evaluate(() => {
    const { view3d } = coif;
    const ratios = [];
    for (let i = 0; i < 40; ++i) view3d.adaptResolution(200);
    ratios.push(view3d.interactiveRatio);
    for (let i = 0; i < 40; ++i) view3d.adaptResolution(5);
    ratios.push(view3d.interactiveRatio);
    view3d.adaptRefinement(1000);
    ratios.push(view3d.stillRatio);
    for (let i = 0; i < 3; ++i) view3d.adaptRefinement(20);
    return [...ratios, view3d.stillRatio];
  });
  expect.soft(low).toBe(0.5);
  expect.soft(high).toBe(1);
  expect.soft(plain).toBe(1);
  expect.soft(supersampled).toBe(2);
});

test('a lost graphics context is told, and the view comes back', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('lost.json'));
  const page = await lab.openPage(studio);
  const note = page.locator('#view3d .context-lost');
  await expect(note).toBeHidden();
  await page.evaluate(() => { globalThis.lost = coif.view3d.renderer.getContext().getExtension('WEBGL_lose_context'); lost.loseContext(); });
  await expect(note).toContainText('graphics driver');
  await page.evaluate(() => lost.restoreContext());
  await expect(note).toBeHidden();
  await page.waitForFunction(() => {
    const { view3d } = coif;
    view3d.renderer.render(view3d.scene, view3d.camera);
    const gl = view3d.renderer.getContext();
    const pixel = new Uint8Array(4);
    gl.readPixels(gl.drawingBufferWidth / 2, gl.drawingBufferHeight / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return Math.max(...pixel.subarray(0, 3)) > 70; // the ball, brighter than the background
  });
});

// Mean and largest brightness of the pixels that strands cover.
const strandLight = (page) => page.evaluate(() => {
  const { view3d } = coif;
  const gl = view3d.renderer.getContext();
  view3d.setPixelRatio(1);
  view3d.setDrawFraction(1);
  const read = () => {
    view3d.renderer.render(view3d.scene, view3d.camera);
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  const strands = view3d.scene.getObjectByName('strands');
  const shown = read();
  strands.visible = false;
  const without = read();
  strands.visible = true;
  let [sum, count, most] = [0, 0, 0];
  for (let i = 0; i < shown.length; i += 4) {
    if (shown[i] === without[i] && shown[i + 1] === without[i + 1] && shown[i + 2] === without[i + 2]) continue;
    sum += shown[i + 1];
    count += 1;
    most = Math.max(most, shown[i + 1]);
  }
  return { mean: sum / count, most, count };
});

test('dark hair has a highlight, blond hair is blond, and strands follow lights and exposure', async ({ lab }) => {
  const hair = (eumelanin) => (scene) => {
    Object.assign(scene.grooms[0], { hair: { eumelanin, pheomelanin: 0 } });
    return { ...scene, lights: [{ type: 'distant', intensity: 6 }] };
  };
  const lightOf = async (name, eumelanin, change) => {
    const studio = await lab.openStudio(lab.scene(name, hair(eumelanin)));
    const page = await lab.openPage(studio);
    await page.click('#tab-simulate');
    await page.click('#show-rest');
    await page.waitForFunction(() => coif.view3d.scene.getObjectByName('strands')?.visible);
    const before = await strandLight(page);
    if (!change) return before;
    await page.evaluate((edits) => coif.edit(edits), change);
    return [before, await strandLight(page)];
  };
  const dark = await lightOf('dark.json', 8);
  expect.soft(dark.count, JSON.stringify(dark)).toBeGreaterThan(500);
  expect.soft(dark.most, `a highlight on dark hair: ${JSON.stringify(dark)}`).toBeGreaterThan(3 * dark.mean);
  expect.soft(dark.mean, `dark hair is dark: ${JSON.stringify(dark)}`).toBeLessThan(70);
  const [blond, exposed] = await lightOf('blond.json', 0.1, [{ path: '/image/exposure', value: 1 }]);
  expect.soft(blond.mean, `blond hair is bright: ${JSON.stringify(blond)}`).toBeGreaterThan(1.8 * dark.mean);
  expect.soft(exposed.mean, `one stop more: ${JSON.stringify(exposed)}`).toBeGreaterThan(1.15 * blond.mean);
});

test('a save says what it writes, and a restart how much it has restored', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'progress.json');
  await dabAt(page, [0, 0.1, 0], { tool: 'set', radius: 0.02, value: 0 });
  await settle(page);
  await page.evaluate(() => {
    globalThis.labels = [];
    const button = [...document.querySelectorAll('#toolbar button')].find((each) => each.textContent === 'Save');
    new MutationObserver(() => labels.push(button.textContent)).observe(button, { childList: true, subtree: true, characterData: true });
  });
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty && labels.at(-1) === 'Save');
  expect(await page.evaluate(() => labels)).toContain('Saving progress_density.png, 1 of 1');
  await dabAt(page, [0, 0.1, 0], { value: 0.5 });
  await page.evaluate(() => coif.edit([{ path: '/grooms/0/count', value: 3000 }]));
  await settle(page);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo === 1);
  await studio.kill('SIGKILL');
  const again = await lab.openStudio('progress.json');
  const fresh = await lab.openPage(again);
  await expect(fresh.locator('.toast').first(), 'three operations of which one can be undone').toContainText('(1 undo step)');
});

test('strokes of two people at once are one step of undo each', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('people.json'));
  const [one, two] = [await lab.openPage(studio), await lab.openPage(studio)];
  await densityLayer(one);
  await two.waitForFunction(() => coif.paintTarget.texels && coif.paintTarget.map);
  const before = await one.evaluate(() => coif.state.undo);
  // Parts of both strokes are sent in turns.
  const send = (stroke, column, value) => {
    const record = new Uint16Array([column, 0, 1, value]);
    return studio.request(`/api/tiles?layer=0&stroke=${stroke}`, { method: 'PUT', body: Buffer.from(record.buffer) });
  };
  for (let i = 0; i < 4; ++i) {
    await send('one', i, 100);
    await send('two', i, 200);
  }
  for (const page of [one, two]) await page.waitForFunction((steps) => coif.state.undo === steps + 2, before);
  await one.keyboard.press('Control+z');
  await two.waitForFunction(() => coif.paintTarget.map.tiles[3]?.[0] === 100 || coif.state.redo === 1);
});

test('the drag of a gradient is drawn in the UV view', async ({ lab }) => {
  const { page } = await openWithDensityMap(lab, 'uvline.json');
  await page.click('#toggle-uv');
  await page.keyboard.press('g');
  const at = await page.evaluate(() => {
    const { uvView, paintTarget: { surface } } = coif;
    const hit = (x) => ({ triangle: surface.closestTriangle([x, 0.09, 0]).triangle, point: [x, 0.09, 0] });
    const box = document.getElementById('uv-view').getBoundingClientRect();
    return [-0.02, 0.03].map((x) => uvView.toPixels(...surface.uvAtHit(hit(x)))).map(([x, y]) => [x + box.left, y + box.top]);
  });
  await page.mouse.move(...at[0]);
  await page.mouse.down();
  await page.mouse.move(...at[1], { steps: 4 });
  expect(await page.evaluate(() => coif.uvView.trail?.length), 'the line of the drag').toBe(2);
  const white = await page.evaluate((ends) => {
    const box = document.getElementById('uv-view').getBoundingClientRect();
    const { canvas } = coif.uvView;
    const ratio = canvas.width / canvas.clientWidth;
    const [x, y] = [0, 1].map((k) => ratio * ((ends[0][k] + ends[1][k]) / 2 - [box.left, box.top][k]));
    const { data } = canvas.getContext('2d').getImageData(x - 4, y - 4, 9, 9);
    return data.filter((_, i) => i % 4 === 0).reduce((most, value) => Math.max(most, value), 0);
  }, at);
  expect(white).toBeGreaterThan(230);
  await page.mouse.up();
});

test('the simulation rests during renders, behind them, and when the page is hidden', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('rests.json'));
  const page = await lab.openPage(studio);
  await page.click('#tab-simulate');
  await page.click('#play');
  await page.waitForFunction(() => coif.liveStats.totalFrames > 2);
  await page.click('#tab-render');
  await page.fill('input[aria-label=Width]', '160');
  await page.fill('input[aria-label=Height]', '120');
  await page.fill('input[aria-label=Samples]', '32');
  await page.press('input[aria-label=Samples]', 'Enter');
  const frames = await page.evaluate(() => new Promise((resolve) => {
    const source = new EventSource(`/api/events?token=${new URLSearchParams(location.search).get('token')}`);
    const seen = [];
    let rendering = false;
    source.addEventListener('frame', () => { if (rendering) seen.push('frame'); });
    source.addEventListener('render', (event) => {
      const { state, samples } = JSON.parse(event.data);
      if (state === 'rendering' && samples >= 4) rendering = true;
      if (state === 'done') { source.close(); resolve(seen); }
    });
    document.getElementById('preview').click();
  }));
  expect.soft(frames, 'frames of the simulation after the fourth sample').toEqual([]);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !coif.view3d.isOccluded);
  const before = await page.evaluate(() => coif.liveStats.totalFrames);
  await page.waitForFunction((count) => coif.liveStats.totalFrames > count + 2, before); // goes on after the render
  // Hidden pages close their stream, and the server stops without one.
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.waitForFunction(() => {
    const { totalFrames } = coif.liveStats;
    const still = globalThis.restingAt === totalFrames;
    globalThis.restingAt = totalFrames;
    return still;
  }, null, { polling: 1500 });
  const resting = await page.evaluate(() => coif.liveStats.totalFrames);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.waitForFunction((count) => coif.liveStats.totalFrames > count, resting);
});
