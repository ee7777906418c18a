// Preview and final renders, AOVs, regions, exposure.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/studio.mjs';

const middleOf = (page) => page.evaluate(async () => {
  const image = document.querySelector('#render-view .frame img');
  await image.decode();
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.drawImage(image, image.naturalWidth / 2, image.naturalHeight / 2, 1, 1, 0, 0, 1, 1);
  return [image.naturalWidth, image.naturalHeight, ...context.getImageData(0, 0, 1, 1).data];
});

const same = (a, b) => a.join() === b.join();

async function fullFrame(page, ...layers) {
  await page.click('#tab-render');
  await page.fill('input[aria-label=Width]', '60');
  await page.fill('input[aria-label=Height]', '44');
  await page.fill('input[aria-label=Samples]', '2');
  for (const layer of layers) await page.click(`button[data-aov="${layer}"]`);
  await page.click('#final-render');
  await page.waitForFunction(() => document.body.dataset.renderState === 'done');
  await page.waitForFunction(() => coif.renderImages.isIdle);
}

const answered = async (page, studio, layer) => {
  const bytes = Buffer.from(await (await studio.request(`/api/image?aov=${layer}`)).arrayBuffer()).toString('base64');
  return page.evaluate(async (text) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    context.drawImage(bitmap, bitmap.width / 2, bitmap.height / 2, 1, 1, 0, 0, 1, 1);
    return [bitmap.width, bitmap.height, ...context.getImageData(0, 0, 1, 1).data];
  }, bytes);
};

async function statesOf(studio) {
  const events = (await studio.request('/api/events')).body.getReader();
  await studio.request('/api/render', { method: 'POST', body: JSON.stringify({ overrides: ['image/width=32', 'image/height=32', 'image/samples=1'], draft: true, frame: 1 }) });
  let heard = '';
  while (!/"state": "(draft|rendering|failed)"/.test(heard)) heard += Buffer.from((await events.read()).value).toString();
  await events.cancel();
  await studio.request('/api/cancel', { method: 'POST' });
  return [...heard.matchAll(/"state": "(\w+)"/g)].map(([, state]) => state);
}

const finished = (page) => page.waitForFunction(() => ['done', 'failed', 'cancelled'].includes(document.body.dataset.renderState));

test('previews are compared, exposed, denoised and saved', async ({ lab }) => {
  const scene = lab.scene('kept.json', (all) => ({ ...all, image: { width: 40, height: 32, samples: 3 } }));
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await page.click('#tab-render');
  await page.selectOption('select[aria-label=Camera]', 'scene');
  await page.fill('input[aria-label=Samples]', '3');
  const preview = async () => {
    await page.evaluate(() => { document.body.dataset.renderState = ''; });
    await page.click('#preview');
    await page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.renderState));
    return Buffer.from(await (await studio.request('/api/image')).arrayBuffer()).toString('base64');
  };
  const first = await preview();
  const out = join(lab.folder, 'kept');
  const grown = await lab.run('groom', join(lab.folder, scene), '--out', out);
  const rendered = await lab.run('render', join(lab.folder, scene), '--out', out, '--rest', '--frames', '1', '--format', 'png');
  expect.soft(grown.code, `coif renders the scene: ${grown.err}${rendered.err}`).toBe(0);
  expect.soft(rendered.code, `coif renders the scene: ${grown.err}${rendered.err}`).toBe(0);
  const differ = (one, other) => page.evaluate(async (both) => {
    const [a, b] = await Promise.all(both.map(async (base64) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: 'image/png' }));
      const c = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      c.drawImage(bitmap, 0, 0);
      return c.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }));
    return a.length !== b.length ? -1 : a.reduce((sum, x, i) => sum + (x !== b[i]), 0);
  }, [one, other]);
  const theirs = readFileSync(join(out, 'render0001.png')).toString('base64');
  expect.soft(await differ(first, theirs), 'values that differ between the preview and coif render').toBe(0);
  // A second preview; the first is compared with it.
  await page.fill('input[aria-label=Samples]', '5');
  const second = await preview();
  expect.soft(await differ(first, second), 'more samples change the image').toBeGreaterThan(0);
  await page.waitForFunction(() => document.querySelector('#render-view .previous').naturalWidth === 40);
  await page.locator('input[aria-label="Compare with previous"]').fill('50');
  expect.soft(await page.evaluate(() => document.querySelector('#render-view .previous').style.clipPath), 'the divider is at half of the width').toBe('inset(0px 50% 0px 0px)');
  await page.click('#side-by-side');
  const boxes = await page.evaluate(() => ['.beside', '.frame'].map((name) => document.querySelector(`#render-view ${name}`).getBoundingClientRect().toJSON()));
  expect.soft(boxes[0].width, `side by side: ${JSON.stringify(boxes)}`).toBeGreaterThan(40);
  expect.soft(boxes[0].width, `side by side: ${JSON.stringify(boxes)}`).toBe(boxes[1].width);
  expect.soft(boxes[0].right, `side by side: ${JSON.stringify(boxes)}`).toBeLessThanOrEqual(boxes[1].left);
  expect.soft(boxes[0].top, `side by side: ${JSON.stringify(boxes)}`).toBe(boxes[1].top);
  await page.click('#side-by-side');
  await expect.soft(page.locator('#render-view .divider'), 'the divider is visible').toBeVisible();
  // Exposure is applied before the view transform, as in coif render.
  const seen = async (selector) => await page.waitForFunction(() => coif.renderImages.isIdle) && page.evaluate(async (found) => {
    const image = document.querySelector(found);
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL().split(',')[1];
  }, selector);
  expect.soft(await differ(await seen('#render-view .frame img'), second), 'exposure 0 shows the rendered image').toBe(0);
  const plain = await page.evaluate(() => [...document.querySelectorAll('#render-view .frame img')].map((each) => each.src));
  await page.locator('input[aria-label=Exposure]').fill('-3');
  await page.waitForFunction((was) => document.querySelector('#render-view .frame img').src !== was[0] && document.querySelector('#render-view .previous').src !== was[2], plain);
  const dark = await lab.run('render', join(lab.folder, scene), '--out', out, '--rest', '--frames', '1', '--format', 'png', '--set', 'image/samples=5', '--set', 'image/exposure=-3');
  expect.soft(dark.code, `coif renders with another exposure: ${dark.err}`).toBe(0);
  const darker = readFileSync(join(out, 'render0001.png')).toString('base64');
  expect.soft(await differ(await seen('#render-view .frame img'), darker), 'values that differ between exposure -3 in the page and in coif render').toBe(0);
  expect.soft(await differ(await seen('#render-view .previous'), first), 'the previous image has the same exposure').toBeGreaterThan(0);
  await page.locator('input[aria-label=Exposure]').fill('0');
  await page.waitForFunction(() => coif.renderImages.stops === 0 && coif.renderImages.isIdle);
  expect.soft(await differ(await seen('#render-view .frame img'), second), 'exposure 0 restores the image').toBe(0);
  // Denoised image; the file holds both.
  await page.fill('input[aria-label=Samples]', '16');
  await expect.soft(page.locator('#denoise'), 'previews are denoised').toBeChecked();
  const noisy = await preview();
  await page.waitForFunction(() => coif.renderImages.isIdle);
  expect.soft(await differ(await seen('#render-view .frame img'), noisy), 'the denoised image is displayed').toBeGreaterThan(0);
  await page.uncheck('#denoise');
  await page.waitForFunction(() => coif.renderImages.isIdle);
  expect.soft(await differ(await seen('#render-view .frame img'), noisy), 'the noisy image is displayed again').toBe(0);
  await page.fill('input[aria-label=Samples]', '5');
  await preview();
  await page.click('#panel-render button:text-is("Save PNG")');
  await page.waitForSelector('.toast:has-text("renders/kept.0001.png")');
  expect.soft(existsSync(join(lab.folder, 'renders', 'kept.0001.png')), 'the image is saved beside the scene').toBe(true);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#panel-render button:text-is("Download PNG")')]);
  expect.soft(await differ(readFileSync(await download.path()).toString('base64'), second), 'the download equals the displayed image').toBe(0);
  // Saving writes the displayed image under a new name.
  await page.locator('input[aria-label=Exposure]').fill('-3');
  await page.waitForFunction(() => coif.renderImages.stops === -3 && coif.renderImages.isIdle);
  const shown = await seen('#render-view .frame img');
  await page.click('#panel-render button:text-is("Save PNG")');
  await page.waitForSelector('.toast:has-text("renders/kept.0001_2.png")');
  expect.soft(await differ(readFileSync(join(lab.folder, 'renders', 'kept.0001_2.png')).toString('base64'), shown), 'the saved image has the displayed exposure').toBe(0);
  expect.soft(await differ(readFileSync(join(lab.folder, 'renders', 'kept.0001.png')).toString('base64'), second), 'the first saved image is unchanged').toBe(0);
  await page.locator('input[aria-label=Exposure]').fill('0');
  await page.waitForFunction(() => coif.renderImages.stops === 0 && coif.renderImages.isIdle);
  await page.click('#panel-render button:text-is("Download EXR")');
  await page.waitForSelector('.toast.bad:has-text("final render")');
  await page.click('#render-view .back');
  await expect.soft(page.locator('#render-view'), 'the button returns to the viewport').toBeHidden();
  await page.click('#panel-render button:text-is("Show render")');
  await page.keyboard.press('Escape');
  await expect.soft(page.locator('#render-view'), 'Escape returns to the viewport').toBeHidden();
  // A render can be stopped.
  await page.fill('input[aria-label=Samples]', '60000');
  await page.click('#final-render');
  await page.waitForFunction(() => document.body.dataset.renderState === 'rendering');
  expect.soft(await page.textContent('#panel-render output.note'), 'progress and remaining time').toMatch(/\d+ of 60000 samples, .* s, about \d+ (s|min) left/);
  await page.click('#panel-render button:text-is("Stop")');
  await page.waitForFunction(() => document.body.dataset.renderState === 'cancelled');
});

test('a final render equals that of the command line', async ({ lab }) => {
  const scene = lab.scene('final.json');
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await page.click('#tab-render');
  await page.fill('input[aria-label=Width]', '48');
  await page.fill('input[aria-label=Height]', '40');
  await page.fill('input[aria-label=Samples]', '4');
  await page.selectOption('select[aria-label=Camera]', 'scene');
  await page.click('button[data-aov="N"]');
  await page.click('#final-render');
  await page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.renderState));
  const sets = ['image/width=48', 'image/height=40', 'image/samples=4'].flatMap((set) => ['--set', set]);
  const out = join(lab.folder, 'final');
  const grown = await lab.run('groom', join(lab.folder, scene), '--out', out, ...sets);
  const rendered = await lab.run('render', join(lab.folder, scene), '--out', out, '--rest', '--frames', '1', '--format', 'png', ...sets);
  expect.soft(grown.code, `coif renders the scene: ${grown.err}${rendered.err}`).toBe(0);
  expect.soft(rendered.code, `coif renders the scene: ${grown.err}${rendered.err}`).toBe(0);
  const theirs = readFileSync(join(out, 'render0001.png')).toString('base64');
  const same = await page.evaluate(async ([other]) => {
    const pixels = async (blob) => {
      const bitmap = await createImageBitmap(blob);
      const c = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      c.drawImage(bitmap, 0, 0);
      return { width: bitmap.width, height: bitmap.height, data: c.getImageData(0, 0, bitmap.width, bitmap.height).data };
    };
    const token = new URLSearchParams(location.search).get('token');
    const mine = await pixels(await (await fetch('/api/image', { headers: { 'X-Coif-Token': token } })).blob());
    const bytes = Uint8Array.from(atob(other), (c) => c.charCodeAt(0));
    const theirPixels = await pixels(new Blob([bytes], { type: 'image/png' }));
    return mine.width === 48 && mine.height === 40 && mine.data.length === theirPixels.data.length &&
      mine.data.every((value, i) => value === theirPixels.data[i]) && mine.data.some((value) => value > 60 && value < 250);
  }, [theirs]);
  expect.soft(same, 'all pixels equal those of coif render').toBe(true);
  const normal = Buffer.from(await (await studio.request('/api/image?aov=N')).arrayBuffer());
  expect.soft(normal.readUInt32BE(16), 'an AOV can be displayed').toBe(48);
  expect.soft(normal.readUInt32BE(20), 'an AOV can be displayed').toBe(40);
  const missing = await studio.request('/api/image?aov=nothing');
  expect.soft(missing.status, 'an unknown AOV is reported with the available ones').toBe(422);
  expect.soft((await missing.json()).error, 'an unknown AOV is reported with the available ones').toContain('its channels');
});

test('the last selected AOV is displayed', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('layer_seen.json'));
  const page = await lab.openPage(studio);
  await fullFrame(page, 'N', 'Z');
  const beauty = await middleOf(page);
  const [normal, depth] = [await answered(page, studio, 'N'), await answered(page, studio, 'Z')];
  expect.soft(same(normal, beauty), 'AOVs differ from each other').toBe(false);
  expect.soft(same(depth, beauty), 'AOVs differ from each other').toBe(false);
  expect.soft(same(normal, depth), 'AOVs differ from each other').toBe(false);
  // The reply for Z is held back until N is displayed.
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(/api\/image\?aov=Z/, async (route) => {
    await held;
    await route.continue();
  });
  const late = page.waitForRequest(/api\/image\?aov=Z/);
  await page.selectOption('select[aria-label="AOV shown"]', 'Z');
  await expect(page.locator('#render-view .fetching')).toHaveText('loading AOV Z …');
  await page.selectOption('select[aria-label="AOV shown"]', 'N');
  await page.waitForFunction(() => document.querySelector('#render-view .fetching').hidden);
  expect.soft(await middleOf(page), 'N is displayed').toEqual(normal);
  const answer = (await late).response();
  release();
  await (await answer).finished();
  await page.waitForFunction(() => coif.renderImages.isIdle);
  expect.soft(await middleOf(page), 'the late reply for Z is dropped').toEqual(normal);
  // The last pass is delivered late, after the AOV was selected.
  await page.evaluate(() => coif.serverEvents.render({ state: 'rendering', samples: 2, of: 2, seconds: 1, rendering: 1 }));
  await page.waitForFunction(() => coif.renderImages.isIdle);
  expect.soft(same(await middleOf(page), normal), 'a new render keeps the selected AOV').toBe(true);
  await page.selectOption('select[aria-label="AOV shown"]', '');
  await expect.poll(() => middleOf(page)).toEqual(beauty);
});

test('AOVs of a region are displayed at its position', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('layer_region.json'));
  const page = await lab.openPage(studio);
  await fullFrame(page, 'N');
  const whole = await answered(page, studio, 'N');
  const box = await page.locator('#render-view .frame > img').first().boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 0.25 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 0.75 * box.height, { steps: 3 });
  await page.evaluate(() => { document.body.dataset.renderState = ''; });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.waitForFunction(() => document.body.dataset.renderState === 'done' && coif.renderImages.isIdle);
  await page.selectOption('select[aria-label="AOV shown"]', 'N');
  await page.waitForFunction(() => coif.renderImages.aov);
  const seen = await middleOf(page);
  expect.soft(same(seen.slice(0, 2), [60, 44]), 'the AOV has the size of the image').toBe(true);
  expect.soft(seen.slice(2, 5).every((value, k) => Math.abs(value - whole[2 + k]) < 60), `the AOV of the region is at its position: ${seen}, ${whole}`).toBe(true);
  await expect.soft(page.locator('#render-view .patch'), 'the beauty region does not cover the AOV').toBeHidden();
  await page.selectOption('select[aria-label="AOV shown"]', '');
  await page.waitForFunction(() => !coif.renderImages.aov);
  await expect.soft(page.locator('#render-view .patch'), 'the region is displayed with the beauty image').toBeVisible();
});

test('saving writes the displayed picture, with and without a region', async ({ lab }) => {
  const scene = lab.scene('parted.json');
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await fullFrame(page, 'N', 'Z', 'strand_id');
  await page.fill('input[aria-label=Samples]', '3');
  await page.press('input[aria-label=Samples]', 'Tab');
  const box = await page.locator('#render-view .frame > img').first().boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 0.25 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 0.75 * box.height, { steps: 3 });
  await page.evaluate(() => { document.body.dataset.renderState = ''; });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.waitForFunction(() => document.body.dataset.renderState === 'done' && coif.renderImages.isIdle);
  const savedAs = async (name) => {
    await page.click('#panel-render button:text-is("Save PNG")');
    await page.waitForSelector(`.toast:has-text("renders/${name}.")`);
    return readFileSync(join(lab.folder, 'renders', name)).toString('base64');
  };
  const pixels = (base64) => page.evaluate(async (text) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'image/png' }));
    const c = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    c.drawImage(bitmap, 0, 0);
    return { width: bitmap.width, height: bitmap.height, data: [...c.getImageData(0, 0, bitmap.width, bitmap.height).data] };
  }, base64);
  const together = await pixels(await savedAs('parted.0001.png'));
  await page.click('#render-view button:text-is("Region")');
  await expect(page.locator('#render-view .patch')).toBeHidden();
  const whole = await pixels(await savedAs('parted.0001_2.png'));
  expect.soft([together.width, together.height, whole.width, whole.height].join(), 'both are whole pictures').toBe('60,44,60,44');
  const changed = { inside: 0, outside: 0 };
  together.data.forEach((value, i) => {
    const [x, y] = [Math.floor(i / 4) % 60, Math.floor(i / 240)];
    if (value !== whole.data[i]) changed[x >= 15 && x < 45 && y >= 11 && y < 33 ? 'inside' : 'outside'] += 1;
  });
  expect.soft(changed.outside, 'the region changes nothing around it').toBe(0);
  expect.soft(changed.inside, 'the region is in the picture').toBeGreaterThan(0);
  // The EXR files of the picture and of its region.
  const exr = async (query) => Buffer.from(await (await studio.request(`/api/image?format=exr${query}`)).arrayBuffer());
  const [wholeExr, regionExr] = [await exr(''), await exr('&which=region')];
  expect.soft(regionExr.length, 'the region is a file of its own').toBeLessThan(wholeExr.length);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#panel-render button:text-is("Download EXR")')]);
  expect.soft(readFileSync(await download.path()).equals(wholeExr), 'the whole picture is downloaded').toBe(true);
  expect.soft(download.suggestedFilename(), 'the name has scene and frame').toBe('parted.0001.exr');
  await expect.soft(page.locator('button:text-is("Download region EXR")')).toBeVisible();
  // Ids have colours; the background of the depth is black and the head is not.
  const layer = async (name) => (await pixels(Buffer.from(await (await studio.request(`/api/image?aov=${name}`)).arrayBuffer()).toString('base64'))).data;
  const ids = await layer('strand_id');
  expect.soft(ids.some((value, i) => i % 4 === 0 && Math.max(value, ids[i + 1], ids[i + 2]) - Math.min(value, ids[i + 1], ids[i + 2]) > 60), 'ids are hashed to colours').toBe(true);
  const depth = await layer('Z');
  expect.soft(depth[0], 'the background is black').toBe(0);
  expect.soft(depth[4 * (22 * 60 + 30)], 'the head is not').toBeGreaterThan(100);
});

test('the picture is zoomed and panned', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('closer.json'));
  const page = await lab.openPage(studio);
  await page.click('#tab-render');
  for (const [name, value] of [['Width', 60], ['Height', 44], ['Samples', 1]]) await page.fill(`input[aria-label=${name}]`, String(value));
  await page.click('#preview');
  await page.waitForFunction(() => document.body.dataset.renderState === 'done' && coif.renderImages.isIdle);
  const image = page.locator('#render-view .frame > img').first();
  const before = await image.boundingBox();
  const [x, y] = [before.x + 0.25 * before.width, before.y + 0.75 * before.height];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await expect.poll(async () => (await image.boundingBox()).width).toBeGreaterThan(2 * before.width);
  const near = await image.boundingBox();
  expect.soft(near.x + 0.25 * near.width, 'the picture stays under the pointer').toBeCloseTo(x, 0);
  expect.soft(near.y + 0.75 * near.height, 'the picture stays under the pointer').toBeCloseTo(y, 0);
  await page.mouse.down();
  await page.mouse.move(x + 40, y - 25, { steps: 4 });
  await page.mouse.up();
  const moved = await image.boundingBox();
  expect.soft(moved.x - near.x, 'a drag pans').toBeCloseTo(40, 0);
  expect.soft(moved.y - near.y, 'a drag pans').toBeCloseTo(-25, 0);
  await page.click('#render-view button:text-is("100 %")');
  expect.soft((await image.boundingBox()).width, 'one pixel per pixel').toBeCloseTo(60, 0);
  await page.locator('#render-view .pair').focus();
  await page.keyboard.press('0');
  expect.soft((await image.boundingBox()).width, '0 fits').toBeCloseTo(before.width, 0);
});

test('hair is generated in the background after a stroke', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('ready.json', (scene) => ({ ...scene, grooms: [{ ...scene.grooms[0], count: 9000 }] })));
  const paint = (value) => studio.request(`/api/tiles?layer=0&stroke=s${value}`, { method: 'PUT', body: Buffer.from(Uint16Array.of(1, 1, 1, value).buffer) });
  await studio.request('/api/layers?groom=0&name=density&side=256&value=65535', { method: 'POST' });
  await studio.request('/api/edit', { method: 'POST', body: JSON.stringify({ edits: [{ path: '/grooms/0/density', value: { map: 'density' } }], stroke: '' }) });
  // The painted groom is generated in the background before a render is started.
  const generations = () => studio.log().split('generated in').length;
  for (const value of [0, 30000]) {
    const before = generations();
    expect.soft((await paint(value)).status, 'a tile is painted').toBe(200);
    await expect.poll(generations).toBeGreaterThan(before);
    const states = await statesOf(studio);
    expect.soft(states.slice(0, -1).includes('generating'), `no generation before the render: ${states}`).toBeFalsy();
    expect.soft(states.at(-1), `no generation before the render: ${states}`).toBe('draft');
  }
  // A render right after a stroke waits for the new groom, unless it is generated by then.
  const before = generations();
  await paint(60000);
  const states = await statesOf(studio);
  await expect.poll(() => states.includes('generating') || generations() > before).toBe(true);
  expect.soft(states.at(-1), `the painted groom is generated: ${states}`).toBe('draft');
});

test('a region render is displayed at its position', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('crop.json'));
  const page = await lab.openPage(studio);
  await page.click('#tab-paint');
  await page.click('#new-map');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.paintTarget.map);
  await page.click('#tab-render');
  for (const [name, value] of [['Width', 80], ['Height', 60], ['Samples', 2]]) await page.fill(`input[aria-label=${name}]`, String(value));
  await page.click('#preview');
  await finished(page);
  await page.waitForFunction(() => document.querySelector('#render-view img').naturalWidth === 80);
  const undo = await page.evaluate(() => coif.state.undo);
  const box = await page.locator('#render-view img').first().boundingBox();
  const at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
  await page.evaluate(() => { document.body.dataset.renderState = ''; });
  await page.keyboard.down('Shift');
  await page.mouse.move(...at(0.25, 0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.75, 0.9), { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await finished(page);
  await page.waitForFunction(() => document.querySelector('#render-view .patch').naturalWidth > 0);
  const patch = await page.evaluate(() => {
    const made = document.querySelector('#render-view .patch');
    return [made.naturalWidth, made.naturalHeight, made.style.left, made.style.top];
  });
  expect.soft(patch[0], `size and position of the region: ${patch}`).toBe(40);
  expect.soft(patch[1], `size and position of the region: ${patch}`).toBeGreaterThanOrEqual(24);
  expect.soft(patch[1], `size and position of the region: ${patch}`).toBeLessThanOrEqual(25);
  expect.soft(patch[2], `size and position of the region: ${patch}`).toBe('25%');
  expect.soft(patch[3], `size and position of the region: ${patch}`).toBe('50%');
  expect.soft(await page.evaluate(() => document.querySelector('#render-view img').naturalWidth), 'the full image is kept below the region').toBe(80);
  expect.soft(await page.evaluate(() => coif.state.undo), 'the image view does not paint').toBe(undo);
});

test('the resolution follows the viewport or the scene', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('shape.json', (scene) => ({ ...scene, image: { width: 64, height: 36, samples: 1 } })));
  const page = await lab.openPage(studio);
  await page.click('#tab-render');
  const size = () => page.evaluate(() => ['Width', 'Height'].map((name) => Number(document.querySelector(`input[aria-label=${name}]`).value)));
  await page.selectOption('select[aria-label=Camera]', 'scene');
  expect.soft(String(await size()), 'the scene camera uses the image size of the scene').toBe('64,36');
  await page.selectOption('select[aria-label=Camera]', 'view');
  const [width, height] = await size();
  const shape = await page.evaluate(() => coif.view3d.section.clientWidth / coif.view3d.section.clientHeight);
  expect.soft(Math.abs(width / height / shape - 1), 'the viewport camera uses the aspect ratio of the viewport').toBeLessThan(0.01);
  expect.soft(Math.abs(width * height / 409600 - 1), 'the viewport camera uses the aspect ratio of the viewport').toBeLessThan(0.02);
  await page.fill('input[aria-label=Width]', '50');
  await page.fill('input[aria-label=Samples]', '1');
  await page.selectOption('select[aria-label=Camera]', 'scene');
  await expect.soft(page.locator('input[aria-label=Width]'), 'an edited size is kept').toHaveValue('50');
});

test('the AOV list comes from the renderer and every entry can be rendered', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('aovs.json', (scene) => ({ ...scene, grooms: [{ ...scene.grooms[0], count: 200 }] })));
  const page = await lab.openPage(studio);
  await page.click('#tab-render');
  const names = await page.locator('[data-aov]').evaluateAll((all) => all.map((each) => each.dataset.aov));
  for (const name of ['hair_lobes', 'lights', 'backward', 'mask', 'shadow_catcher', 'light_passes']) expect.soft(names).toContain(name);
  for (const name of names) await page.click(`[data-aov="${name}"]`);
  await page.fill('input[aria-label=Width]', '32');
  await page.fill('input[aria-label=Height]', '24');
  await page.fill('input[aria-label=Samples]', '1');
  await page.click('#final-render');
  await page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.renderState));
  expect(await page.evaluate(() => document.body.dataset.renderState)).toBe('done');
  // Every AOV that is offered for display is in the file.
  const shown = await page.locator('select[aria-label="AOV shown"] option').evaluateAll((all) => all.map((each) => each.value).filter(Boolean));
  expect(shown).toContain('N');
  for (const aov of shown) expect.soft((await studio.request(`/api/image?aov=${aov}`)).status, aov).toBe(200);
});
