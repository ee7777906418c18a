// What is seen of pictures while they come: node picture_test.mjs PROGRAM SCENES BROWSER [TEST...]

import { check, openPage, openStudio, runTests } from './harness.mjs';
import { sceneOf } from './steps.mjs';

// The middle of what lies over the head, as a browser draws it.
const middleOf = (page) => page.evaluate(async () => {
  const image = document.querySelector('#picture .frame img');
  await image.decode();
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.drawImage(image, image.naturalWidth / 2, image.naturalHeight / 2, 1, 1, 0, 0, 1, 1);
  return [image.naturalWidth, image.naturalHeight, ...context.getImageData(0, 0, 1, 1).data];
});
const same = (a, b) => a.join() === b.join();

async function fullFrame(page, ...layers) {
  await page.click('.tabs button:nth-child(4)');
  await page.fill('input[aria-label=Width]', '60');
  await page.fill('input[aria-label=Height]', '44');
  await page.fill('input[aria-label=Samples]', '2');
  for (const layer of layers) await page.click(`button[title="layer ${layer} in the EXR file"]`);
  await page.click('text=Full frame');
  await page.waitForFunction(() => document.body.dataset.picture === 'done');
  await page.waitForFunction(() => coif.pictures.settled);
}

// As the program has it.
const answered = async (page, studio, layer) => {
  const bytes = Buffer.from(await (await studio.ask(`/api/picture?layer=${layer}`)).arrayBuffer()).toString('base64');
  return page.evaluate(async (text) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    context.drawImage(bitmap, bitmap.width / 2, bitmap.height / 2, 1, 1, 0, 0, 1, 1);
    return [bitmap.width, bitmap.height, ...context.getImageData(0, 0, 1, 1).data];
  }, bytes);
};

async function the_layer_that_was_chosen_last_is_seen() {
  const studio = await openStudio(sceneOf('layer_seen.json'));
  const page = await openPage(studio);
  await fullFrame(page, 'N', 'Z');
  const beauty = await middleOf(page);
  const [normal, depth] = [await answered(page, studio, 'N'), await answered(page, studio, 'Z')];
  check(!same(normal, beauty) && !same(depth, beauty) && !same(normal, depth), 'three different pictures');
  // A program that is slow: Z comes long after N was asked for.
  const delays = { N: 300, Z: 1500 };
  await page.route(/api\/picture\?layer=/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delays[new URL(route.request().url()).searchParams.get('layer')]));
    await route.continue();
  });
  await page.selectOption('select[aria-label="Layer shown"]', 'Z');
  check(await page.isVisible('#picture .fetching') && (await page.textContent('#picture .fetching')).includes('layer Z'), 'the page says that a layer comes');
  await page.selectOption('select[aria-label="Layer shown"]', 'N');
  check((await page.textContent('#picture .fetching')).includes('layer N'), 'and which one');
  await page.waitForFunction(() => document.querySelector('#picture .fetching').hidden);
  check(same(await middleOf(page), normal), 'N is seen as soon as it is there');
  await page.waitForTimeout(1600);
  check(same(await middleOf(page), normal), 'an older answer does not lie over it');
  // The last pass of the picture is fetched late, and the picture itself has not gone.
  await page.evaluate(() => coif.events.picture({ state: 'picture', samples: 2, of: 2, seconds: 1, rendering: 1 }));
  await page.waitForFunction(() => coif.pictures.settled);
  check(same(await middleOf(page), normal), 'nor does the picture that it is a layer of');
  await page.unroute(/api\/picture\?layer=/);
  await page.selectOption('select[aria-label="Layer shown"]', '');
  await page.waitForTimeout(300);
  check(same(await middleOf(page), beauty), 'beauty comes back');
  await page.close();
  await studio.kill('SIGINT');
}

// Layers of a region lie where the region lies.
async function layers_of_a_region_lie_in_their_place() {
  const studio = await openStudio(sceneOf('layer_region.json'));
  const page = await openPage(studio);
  await fullFrame(page, 'N');
  const whole = await answered(page, studio, 'N');
  const box = await page.locator('#picture .frame > img').first().boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 0.25 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 0.75 * box.height, { steps: 3 });
  await page.evaluate(() => { document.body.dataset.picture = ''; });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.waitForFunction(() => document.body.dataset.picture === 'done' && coif.pictures.settled);
  await page.selectOption('select[aria-label="Layer shown"]', 'N');
  await page.waitForFunction(() => coif.pictures.layer);
  const seen = await middleOf(page);
  check(same(seen.slice(0, 2), [60, 44]), `as large as the picture: ${seen}`);
  check(seen.slice(2, 5).every((value, k) => Math.abs(value - whole[2 + k]) < 60), `the region's middle is that of the picture: ${seen}, ${whole}`);
  check(await page.isHidden('#picture .patch'), 'the picture of the region does not lie over its layer');
  await page.selectOption('select[aria-label="Layer shown"]', '');
  await page.waitForFunction(() => !coif.pictures.layer);
  check(await page.isVisible('#picture .patch'), 'and is there again with the picture');
  await page.close();
  await studio.kill('SIGINT');
}

// What the program tells of a picture up to its first pixels.
async function statesOf(studio) {
  const events = (await studio.ask('/api/events')).body.getReader();
  await studio.ask('/api/render', { method: 'POST', body: JSON.stringify({ sets: ['image/width=32', 'image/height=32', 'image/samples=1'], sketch: true, frame: 1 }) });
  let heard = '';
  while (!/"state": "(sketch|picture|failed)"/.test(heard)) heard += Buffer.from((await events.read()).value).toString();
  await events.cancel();
  await studio.ask('/api/cancel', { method: 'POST' });
  return [...heard.matchAll(/"state": "(\w+)"/g)].map(([, state]) => state);
}

async function hair_is_made_ready_again_after_a_stroke() {
  const studio = await openStudio(sceneOf('ready.json', (scene) => ({ ...scene, grooms: [{ ...scene.grooms[0], count: 9000 }] })));
  const paint = (value) => studio.ask(`/api/tiles?layer=0&stroke=s${value}`, { method: 'PUT', body: Buffer.from(Uint16Array.of(1, 1, 1, value).buffer) });
  await studio.ask('/api/layers?groom=0&name=density&side=256&value=65535', { method: 'POST' });
  await studio.ask('/api/edit', { method: 'POST', body: JSON.stringify({ edits: [{ place: '/grooms/0/density', value: { map: 'density' } }], stroke: '' }) });
  // Nobody asks for a moment: what was painted is grown meanwhile.
  for (const value of [0, 30000]) {
    check((await paint(value)).status === 200, 'a tile is painted');
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const states = await statesOf(studio);
    check(!states.slice(0, -1).includes('growing') && states.at(-1) === 'sketch', `nothing has to grow first: ${states}`);
  }
  // Who asks at once gets hair as it is, not as it was.
  await paint(60000);
  const states = await statesOf(studio);
  check(states.includes('growing') && states.at(-1) === 'sketch', `what has just been painted grows: ${states}`);
  await studio.kill('SIGINT');
}

await runTests([the_layer_that_was_chosen_last_is_seen, layers_of_a_region_lie_in_their_place, hair_is_made_ready_again_after_a_stroke]);
