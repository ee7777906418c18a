// What hands do in the page beside painting: node deeds_test.mjs PROGRAM SCENES BROWSER [TEST...]

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, folder, openPage, openStudio, run, runTests } from './harness.mjs';
import { dabAt, densityLayer, newLayer, placesOf, rootsOf, sceneOf, settle, texelsOf } from './steps.mjs';

const press = (page, name) => page.click(`#pane-0 button:text-is("${name}")`);
const maps = (page) => page.evaluate(() => coif.state.scene.grooms[0].maps.map((map) => map.name).join(' '));
const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

async function layers_are_copied_renamed_and_go_out_and_in() {
  const studio = await openStudio(sceneOf('deeds.json'));
  const page = await openPage(studio);
  await page.click('#new-layer');
  const sides = await page.locator('dialog select[name=side] option').allTextContents();
  check(sides.join() === '256,512,1024,2048,4096,8192', `from 256 to 8192: ${sides}`);
  await page.keyboard.press('Escape');
  await densityLayer(page);
  const places = await placesOf(studio);
  await dabAt(page, [...places.subarray(0, 3)], { tool: 'set', value: 0.3, strength: 0.77, hardness: 0, radius: 0.05, symmetric: false });
  await settle(page);
  const { texels } = await texelsOf(studio);
  check(new Set(texels).size > 100, `there are many values (${new Set(texels).size})`);
  await press(page, 'Duplicate');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 2 && coif.state.layer === 1);
  check(same((await texelsOf(studio, 1)).texels, texels), 'a copy has every texel');
  await press(page, 'Rename');
  await page.fill('dialog input[name=name]', 'second');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps[1].name === 'second');
  // The renamed one is used by its new name.
  await page.click('ul.layers li:has-text("density")');
  await page.waitForFunction(() => coif.state.layer === 0);
  await press(page, 'Rename');
  await page.fill('dialog input[name=name]', 'where');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.state.scene.grooms[0].density?.map === 'where');
  // Out and in: what 16 bits hold is held to the last one.
  for (const format of ['png', 'tif', 'exr']) {
    const bytes = Buffer.from(await (await studio.ask(`/api/layers?layer=0&format=${format}`)).arrayBuffer());
    if (format === 'png') check(bytes[24] === 16 && bytes[25] === 0, `PNG has ${bytes[24]} bits of grey`);
    await page.evaluate(async ([base64, name]) => {
      const file = new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name);
      await coif.importFiles([file]);
    }, [bytes.toString('base64'), `back_${format}.${format}`]);
    const index = await page.evaluate(() => coif.state.layer);
    const again = (await texelsOf(studio, index)).texels;
    const worst = again.reduce((most, x, i) => Math.max(most, Math.abs(x - texels[i])), 0);
    check(worst === 0, `${format} comes back as it went (${worst})`);
  }
  check(await maps(page) === 'where second back_png back_tif back_exr', `all of them are there: ${await maps(page)}`);
  await press(page, 'Delete');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 4);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 5);
  await page.close();
  await studio.kill('SIGINT');
}

async function adding_spacing_and_masks_are_exact() {
  const studio = await openStudio(sceneOf('exact.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  await page.evaluate(() => { coif.brush.value = 0.5; return coif.fill(); });
  const places = await placesOf(studio);
  const plain = { strength: 0.25, hardness: 0.99, radius: 0.02, symmetric: false };
  await dabAt(page, [...places.subarray(0, 3)], { ...plain, tool: 'add' });
  await dabAt(page, [...places.subarray(0, 3)], { ...plain, tool: 'subtract' });
  await dabAt(page, [...places.subarray(0, 3)], { ...plain, tool: 'subtract' });
  await settle(page);
  const values = [...new Set((await texelsOf(studio)).texels)];
  const half = Math.round(0.5 * 65535);
  check(values.includes(half) && Math.min(...values) === half - 16384, `a quarter added once and taken away twice: ${Math.min(...values)}`);
  // Dabs lie a share of the radius apart.
  const dabs = (spacing) => page.evaluate(async (share) => {
    Object.assign(coif.brush, { tool: 'set', value: 1, radius: 0.01, spacing: share });
    const { surface } = coif.canvas;
    const at = (x) => coif.view3d.bvh.cast([x, 0.3, 0], [0, -1, 0]);
    const painter = new coif.Painter();
    painter.begin(at, 0, 0, 1);
    painter.move(0.03, 0, 1);
    const count = painter.stroke.dabs;
    await painter.end();
    return [count, surface.triangles];
  }, spacing);
  const [[wide], [narrow]] = [await dabs(1), await dabs(0.1)];
  check(wide >= 4 && wide <= 5 && narrow >= 31 && narrow <= 34, `${wide} dabs a radius apart, ${narrow} a tenth of it`);
  // A mask that differs from side to side holds on both of them.
  await newLayer(page, 'region');
  await page.waitForFunction(() => coif.canvas.numbers);
  await dabAt(page, [0.05, 0.06, 0], { tool: 'set', region: 1, radius: 0.045, symmetric: false });
  await settle(page);
  await page.click('ul.layers li:has-text("density")');
  await page.waitForFunction(() => !coif.canvas.numbers);
  await page.selectOption('select[aria-label="Mask layer"]', '1');
  await page.waitForFunction(() => coif.brush.mask?.value === 257);
  const before = (await texelsOf(studio)).texels;
  await page.evaluate(() => { coif.brush.value = 0; coif.brush.strength = 1; });
  for (const x of [0.05, -0.05]) await dabAt(page, [x, 0.06, 0], { tool: 'set', value: 0, strength: 1, radius: 0.06, symmetric: true });
  await settle(page);
  const [after, region] = [(await texelsOf(studio)).texels, (await texelsOf(studio, 1)).texels];
  const outside = after.reduce((sum, x, i) => sum + (x !== before[i] && region[i] !== 257), 0);
  const inside = after.reduce((sum, x, i) => sum + (x !== before[i]), 0);
  check(inside > 100 && outside === 0, `${inside} texels painted, ${outside} of them outside the mask`);
  await page.close();
  await studio.kill('SIGINT');
}

async function roots_are_baked_into_a_map() {
  const studio = await openStudio(sceneOf('bake.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  const places = await placesOf(studio);
  const middle = [...places.subarray(0, 3)];
  await dabAt(page, middle, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.03, symmetric: false });
  await settle(page);
  const { grows } = await rootsOf(studio);
  await press(page, 'Bake roots');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps[1]?.name === 'baked' && coif.canvas.layer?.id === 1 && coif.canvas.layer.holders === 0);
  const wrong = await page.evaluate(([all, alive, at]) => {
    const { surface, layer } = coif.canvas;
    const count = { grown: 0, dark: 0, bare: 0, light: 0 };
    for (let i = 0; i < alive.length; ++i) {
      const place = all.slice(3 * i, 3 * i + 3);
      const far = Math.hypot(...place.map((x, k) => x - at[k]));
      const word = layer.atUv(...surface.uvOf({ triangle: surface.nearest(place).triangle, point: place }));
      if (alive[i]) [count.grown, count.dark] = [count.grown + 1, count.dark + (word !== 65535)];
      if (far < 0.02) [count.bare, count.light] = [count.bare + 1, count.light + (word !== 0)];
    }
    return count;
  }, [Array.from({ length: 600 }, (_, i) => [...places.subarray(6 * i, 6 * i + 3)]).flat(), [...grows.subarray(0, 600)], middle]);
  check(wrong.grown > 300 && wrong.dark === 0, `white where roots grow: ${JSON.stringify(wrong)}`);
  check(wrong.bare > 5 && wrong.light === 0, `black where none do: ${JSON.stringify(wrong)}`);
  await page.close();
  await studio.kill('SIGINT');
}

async function hair_steps_goes_back_and_follows_the_hand() {
  const studio = await openStudio(sceneOf('hand.json'));
  const page = await openPage(studio);
  const frames = [];
  await page.exposeFunction('seen', (frame) => frames.push(frame));
  await page.evaluate(() => {
    const source = new EventSource(`/api/events?token=${new URLSearchParams(location.search).get('token')}`);
    source.addEventListener('frame', (event) => globalThis.seen(JSON.parse(event.data).frame));
  });
  const until = async (frame) => { while (frames[frames.length - 1] !== frame) await new Promise((resolve) => setTimeout(resolve, 30)); };
  await page.click('.tabs button:nth-child(3)');
  const deed = (name) => page.click(`#pane-2 button:text-is("${name}")`);
  for (const frame of [2, 3]) {
    await deed('Step');
    await until(frame);
  }
  check(frames.every((frame) => frame <= 3), `a step is one frame: ${frames}`);
  await deed('Reset');
  await until(1);
  const middle = () => page.evaluate(() => {
    const { array, count } = coif.view3d.head.geometry.attributes.position;
    let sum = 0;
    for (let i = 0; i < count; ++i) sum += array[3 * i];
    return sum / count;
  });
  const before = await middle();
  const box = await page.locator('.pad').boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 70, box.y + 20, { steps: 5 });
  await page.mouse.up();
  await deed('Step');
  await until(2);
  await page.waitForFunction((was) => {
    const { array, count } = coif.view3d.head.geometry.attributes.position;
    let sum = 0;
    for (let i = 0; i < count; ++i) sum += array[3 * i];
    return Math.abs(sum / count - was - 50 * 0.0008) < 1e-4;
  }, before);
  await deed('Let go');
  await deed('Step');
  await until(3);
  await page.waitForFunction((was) => {
    const { array, count } = coif.view3d.head.geometry.attributes.position;
    let sum = 0;
    for (let i = 0; i < count; ++i) sum += array[3 * i];
    return Math.abs(sum / count - was) < 1e-4;
  }, before);
  await page.close();
  await studio.kill('SIGINT');
}

async function pictures_are_previewed_compared_and_kept() {
  const scene = sceneOf('kept.json', (all) => ({ ...all, image: { width: 40, height: 32, samples: 3 } }));
  const studio = await openStudio(scene);
  const page = await openPage(studio);
  await page.click('.tabs button:nth-child(4)');
  await page.selectOption('select[aria-label=Camera]', 'scene');
  await page.fill('input[aria-label=Samples]', '3');
  const preview = async () => {
    await page.evaluate(() => { document.body.dataset.picture = ''; });
    await page.click('#preview');
    await page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.picture));
    return Buffer.from(await (await studio.ask('/api/picture')).arrayBuffer()).toString('base64');
  };
  const first = await preview();
  const out = join(folder, 'kept');
  const grown = await run('groom', join(folder, scene), '--out', out);
  const rendered = await run('render', join(folder, scene), '--out', out, '--rest', '--frames', '1', '--format', 'png');
  check(grown.code === 0 && rendered.code === 0, `the program renders it: ${grown.err}${rendered.err}`);
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
  check(await differ(first, theirs) === 0, `a preview that is done is the program's picture (${await differ(first, theirs)} numbers differ)`);
  // Another one: the first is under the slider.
  await page.fill('input[aria-label=Samples]', '5');
  const second = await preview();
  check(await differ(first, second) > 0, 'more samples are another picture');
  await page.waitForFunction(() => document.querySelector('#picture .before').naturalWidth === 40);
  await page.locator('input[aria-label="Picture before"]').fill('50');
  check(await page.evaluate(() => document.querySelector('#picture .before').style.clipPath) === 'inset(0px 50% 0px 0px)', 'half of each is seen');
  await page.click('#side-by-side');
  const boxes = await page.evaluate(() => ['.beside', '.frame'].map((name) => document.querySelector(`#picture ${name}`).getBoundingClientRect().toJSON()));
  check(boxes[0].width > 40 && boxes[0].width === boxes[1].width && boxes[0].right <= boxes[1].left && boxes[0].top === boxes[1].top, `or one beside the other: ${JSON.stringify(boxes)}`);
  await page.click('#side-by-side');
  check(await page.locator('#picture .divider').isVisible(), 'with a line between them');
  // Exposure comes before the curve of the view: what was white comes back, as the program itself would show it.
  const seen = async (selector) => await page.waitForFunction(() => coif.pictures.settled) && page.evaluate(async (found) => {
    const image = document.querySelector(found);
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL().split(',')[1];
  }, selector);
  check(await differ(await seen('#picture .frame img'), second) === 0, 'without stops it is the picture as it was written');
  const plain = await page.evaluate(() => [...document.querySelectorAll('#picture .frame img')].map((each) => each.src));
  await page.locator('input[aria-label=Exposure]').fill('-3');
  await page.waitForFunction((was) => document.querySelector('#picture .frame img').src !== was[0] && document.querySelector('#picture .before').src !== was[2], plain);
  const dark = await run('render', join(folder, scene), '--out', out, '--rest', '--frames', '1', '--format', 'png', '--set', 'image/samples=5', '--set', 'image/exposure=-3');
  check(dark.code === 0, `the program exposes it: ${dark.err}`);
  const darker = readFileSync(join(out, 'render0001.png')).toString('base64');
  check(await differ(await seen('#picture .frame img'), darker) === 0, `three stops less are the program's picture with three stops less (${await differ(await seen('#picture .frame img'), darker)} numbers differ)`);
  check(await differ(await seen('#picture .before'), first) > 0, 'the one before is exposed alike');
  await page.locator('input[aria-label=Exposure]').fill('0');
  await page.waitForFunction(() => coif.pictures.stops === 0 && coif.pictures.settled);
  check(await differ(await seen('#picture .frame img'), second) === 0, 'and back');
  // Without noise: another picture in its place, the files hold both.
  await page.fill('input[aria-label=Samples]', '16');
  await page.check('#denoise');
  const noisy = await preview();
  await page.waitForFunction(() => coif.pictures.settled);
  check(await differ(await seen('#picture .frame img'), noisy) > 0, 'the picture is shown without noise');
  await page.uncheck('#denoise');
  await page.waitForFunction(() => coif.pictures.settled);
  check(await differ(await seen('#picture .frame img'), noisy) === 0, 'and with it');
  await page.fill('input[aria-label=Samples]', '5');
  await preview();
  await page.click('#pane-3 button:text-is("Save PNG")');
  await page.waitForSelector('.toast:has-text("renders/kept.png")');
  check(existsSync(join(folder, 'renders', 'kept.png')), 'the picture is in the folder of the scene');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#pane-3 button:text-is("Download PNG")')]);
  check(await differ(readFileSync(await download.path()).toString('base64'), second) === 0, 'and downloads as it is');
  // What is saved is what is seen, beside what was saved before.
  await page.locator('input[aria-label=Exposure]').fill('-3');
  await page.waitForFunction(() => coif.pictures.stops === -3 && coif.pictures.settled);
  const shown = await seen('#picture .frame img');
  await page.click('#pane-3 button:text-is("Save PNG")');
  await page.waitForSelector('.toast:has-text("renders/kept_2.png")');
  check(await differ(readFileSync(join(folder, 'renders', 'kept_2.png')).toString('base64'), shown) === 0, 'as it is exposed');
  check(await differ(readFileSync(join(folder, 'renders', 'kept.png')).toString('base64'), second) === 0, 'the first one stays');
  await page.locator('input[aria-label=Exposure]').fill('0');
  await page.waitForFunction(() => coif.pictures.stops === 0 && coif.pictures.settled);
  await page.click('#pane-3 button:text-is("Download EXR")');
  await page.waitForSelector('.toast.bad:has-text("full frame")');
  await page.click('#picture .back');
  check(await page.locator('#picture').isHidden(), 'back to the head');
  await page.click('#pane-3 button:text-is("Show")');
  await page.keyboard.press('Escape');
  check(await page.locator('#picture').isHidden(), 'by a key too');
  // A long one can be stopped.
  await page.fill('input[aria-label=Samples]', '60000');
  await page.click('#pane-3 button:text-is("Full frame")');
  await page.waitForFunction(() => document.body.dataset.picture === 'picture');
  check(/\d+ of 60000 samples, .* s, about \d+ (s|min) left/.test(await page.textContent('#pane-3 output.note')), `progress and time left: ${await page.textContent('#pane-3 output.note')}`);
  await page.click('#pane-3 button:text-is("Stop")');
  await page.waitForFunction(() => document.body.dataset.picture === 'cancelled');
  await page.close();
  await studio.kill('SIGINT');
}

await runTests([
  layers_are_copied_renamed_and_go_out_and_in, adding_spacing_and_masks_are_exact, roots_are_baked_into_a_map,
  hair_steps_goes_back_and_follows_the_hand, pictures_are_previewed_compared_and_kept,
]);
