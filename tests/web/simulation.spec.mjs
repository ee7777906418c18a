// Rest pose, live simulation, cache playback.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dabAt, newLayer, placesOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

async function pictureOf(page, hair) {
  await page.click('#tab-render');
  await page.selectOption('select[aria-label=Hair]', hair);
  await page.evaluate(() => { document.body.dataset.renderState = ''; });
  await page.click('#preview');
  await page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.renderState));
  await page.waitForFunction(() => coif.renderImages.isIdle && document.querySelector('#render-view .frame img').naturalWidth > 0);
  return page.evaluate(async () => {
    const image = document.querySelector('#render-view .frame img');
    await image.decode();
    const c = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext('2d');
    c.drawImage(image, 0, 0);
    return [...c.getImageData(0, 0, image.naturalWidth, image.naturalHeight).data];
  });
}

async function stepLive(page, frames) {
  await page.click('#tab-simulate');
  for (let frame = 2; frame <= frames; ++frame) {
    await page.click('#panel-simulate button:text-is("Step")');
    await page.waitForFunction((wanted) => document.getElementById('status').textContent.includes(`frame ${wanted}`), frame);
  }
}

test('the simulation steps, resets and follows head drags', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('hand.json'));
  const page = await lab.openPage(studio);
  const frames = [];
  await page.exposeFunction('seen', (frame) => frames.push(frame));
  await page.evaluate(() => {
    const source = new EventSource(`/api/events?token=${new URLSearchParams(location.search).get('token')}`);
    source.addEventListener('frame', (event) => globalThis.seen(JSON.parse(event.data).frame));
  });
  const until = (frame) => expect.poll(() => frames.at(-1)).toBe(frame);
  await page.click('#tab-simulate');
  const deed = (name) => page.click(`#panel-simulate button:text-is("${name}")`);
  for (const frame of [2, 3]) {
    await deed('Step');
    await until(frame);
  }
  expect.soft(frames.every((frame) => frame <= 3), `a step is one frame: ${frames}`).toBeTruthy();
  await deed('Reset');
  await until(1);
  const middle = () => page.evaluate(() => {
    const { array, count } = coif.view3d.bodyMesh.geometry.attributes.position;
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
    const { array, count } = coif.view3d.bodyMesh.geometry.attributes.position;
    let sum = 0;
    for (let i = 0; i < count; ++i) sum += array[3 * i];
    return Math.abs(sum / count - was - 50 * 0.0008) < 1e-4;
  }, before);
  await deed('Reset head pose');
  await deed('Step');
  await until(3);
  await page.waitForFunction((was) => {
    const { array, count } = coif.view3d.bodyMesh.geometry.attributes.position;
    let sum = 0;
    for (let i = 0; i < count; ++i) sum += array[3 * i];
    return Math.abs(sum / count - was) < 1e-4;
  }, before);
});

test('parameter edits reach the running simulation', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('live.json', (scene) => ({ ...scene, forces: [] })));
  const page = await lab.openPage(studio);
  const heights = [];
  await page.exposeFunction('seen', (height) => heights.push(height));
  await page.evaluate(() => {
    const source = new EventSource(`/api/events?token=${new URLSearchParams(location.search).get('token')}`);
    source.addEventListener('frame', (event) => globalThis.seen(JSON.parse(event.data).potential));
  });
  await page.click('#tab-simulate');
  await page.click('#play');
  const frames = async (count) => {
    const until = heights.length + count;
    await expect.poll(() => heights.length).toBeGreaterThanOrEqual(until);
    return heights[heights.length - 1];
  };
  await frames(5);
  expect.soft((await page.textContent('#play')) === 'Pause', 'it plays').toBeTruthy();
  // Upside down: the energy of height changes its sign with gravity.
  const before = await frames(3);
  await page.click('#tab-scene');
  await page.fill('input[type=search]', '/sim/gravity');
  const boxes = page.locator('.row[data-path="/sim/gravity"] input');
  await boxes.nth(1).fill('20');
  await boxes.nth(1).press('Enter');
  await page.waitForFunction(() => coif.state.scene.sim.gravity?.[1] === 20);
  const after = await frames(8);
  expect.soft(Math.sign(before) === -Math.sign(after), `gravity turned over: ${before}, ${after}`).toBeTruthy();
});

test('the timeline poses the head by its keyframes', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('keyed.json', (scene) => {
    scene.bodies[0].translate = { keys: [[1, [0, 0, 0]], [11, [0.1, 0, 0]]] };
    delete scene.bodies[0].rotate;
    scene.sim = { last_frame: 11 };
    return scene;
  }));
  const page = await lab.openPage(studio);
  const moved = () => page.evaluate(() => {
    const { array } = coif.view3d.bodyMesh.geometry.attributes.position;
    return array[0] - coif.view3d.surface.positions[3 * coif.view3d.surface.indices[0]];
  });
  const to = async (frame, way) => {
    await page.fill('input[aria-label="Frame number"]', String(frame));
    await page.press('input[aria-label="Frame number"]', 'Enter');
    await page.waitForFunction((wanted) => {
      const { array } = coif.view3d.bodyMesh.geometry.attributes.position;
      return Math.abs(array[0] - coif.view3d.surface.positions[3 * coif.view3d.surface.indices[0]] - wanted) < 1e-5;
    }, way);
  };
  expect.soft(Math.abs(await moved()) < 1e-6, 'as the page begins it is at rest').toBeTruthy();
  await to(6, 0.05);
  expect.soft(await page.evaluate(() => coif.view3d.posed && !coif.view3d.roots.visible), 'its roots, which lie on the head at rest, are not in the way').toBeTruthy();
  await to(1, 0);
  expect.soft(await page.evaluate(() => !coif.view3d.posed && coif.view3d.roots.visible), 'and are back with it').toBeTruthy();
  await page.click('#tab-simulate');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.strandMesh.mesh.visible);
  const root = () => page.evaluate(() => { const { packet: data } = coif.view3d.liveHair.hair; return data.origin[0] + data.step[0] * data.positions[0]; });
  const before = await root();
  await to(11, 0.1);
  await page.waitForFunction((was) => { const { packet: data } = coif.view3d.liveHair.hair; return Math.abs(data.origin[0] + data.step[0] * data.positions[0] - was - 0.1) < 1e-4; }, before);
  expect.soft(Math.abs(await root() - before - 0.1) < 1e-4, 'hair at rest goes along').toBeTruthy();
});

test('the live simulation is rendered', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('blown.json', (scene) => {
    delete scene.bodies[0].rotate;
    scene.grooms[0].count = 300;
    return { ...scene, sim: { substeps: 4 }, forces: [{ plugin: 'wind.uniform', velocity: [14, 0, 0] }] };
  }));
  const page = await lab.openPage(studio);
  await page.click('#tab-render');
  await page.selectOption('select[aria-label=Camera]', 'scene');
  await page.fill('input[aria-label=Samples]', '4');
  const picture = (hair) => pictureOf(page, hair);
  const apart = (a, b) => a.reduce((sum, x, i) => sum + Math.abs(x - b[i]), 0) / a.length;
  await page.selectOption('select[aria-label=Hair]', 'live');
  await page.click('#preview');
  await page.waitForSelector('.toast.bad:has-text("press Play or Step")');
  const rest = await picture('rest');
  await page.keyboard.press('Escape');
  await page.click('#tab-simulate');
  await page.click('#panel-simulate button:text-is("Reset")');
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('frame 1'));
  const still = await picture('live');
  await page.keyboard.press('Escape');
  await stepLive(page, 8);
  const blown = await picture('live');
  expect.soft(rest.length === still.length && apart(rest, still) < 0.2, `before it moves it is as at rest: ${apart(rest, still)}`).toBeTruthy();
  expect.soft(apart(rest, blown) > 1, `then it is blown aside: ${apart(rest, blown)}`).toBeTruthy();
});

test('a request for live strands does not start the simulation', async ({ lab }) => {
  const frames = [];
  for (const requestFirst of [false, true]) {
    const studio = await lab.openStudio(lab.scene(`observed${requestFirst}.json`, (scene) => ({ ...scene, grooms: [{ ...scene.grooms[0], count: 300 }], forces: [] })));
    const read = async () => Buffer.from(await (await studio.request('/api/live')).arrayBuffer());
    if (requestFirst) expect((await read()).length).toBe(0);
    await studio.request('/api/body_drag', { method: 'PUT', body: JSON.stringify({ translate: [0.05, 0.02, -0.01], rotate: [10, 25, 5] }) });
    for (let frame = 2; frame <= 4; ++frame) {
      await studio.request('/api/live?action=step&groom=0&limit=2000', { method: 'POST' });
      await expect.poll(async () => (await read()).readUInt32LE(16)).toBe(frame);
    }
    frames.push(await read());
  }
  expect(frames[1].equals(frames[0])).toBe(true);
});

test('a dragged head is rendered like a keyframed one', async ({ lab }) => {
  const [translate, rotate] = [[0.05, 0.02, -0.01], [10, 25, 5]];
  const pictures = [];
  for (const [name, motion] of [['held', {}], ['keyed', {
    translate: { keys: [[1, [0, 0, 0]], [2, translate]] }, rotate: { keys: [[1, [0, 0, 0]], [2, rotate]] },
  }], ['left', {}]]) {
    const studio = await lab.openStudio(lab.scene(`${name}.json`, (scene) => {
      scene.bodies[0] = { name: 'ball', mesh: 'assets/ball.obj', pivot: [0, -0.05, 0], ...motion };
      scene.bodies.push({ ...scene.bodies[0], name: 'eye', scale: 0.9, collide: false, material: { color: [0.9, 0.1, 0.1] } });
      scene.bodies.push({ name: 'wall', mesh: 'assets/ball.obj', scale: 1.6, collide: false, translate: [0.1, 0, -0.6] });
      scene.grooms[0].count = 300;
      scene.grooms.push({ ...scene.grooms[0], name: 'brows', count: 60, length: 0.02 });
      return { ...scene, sim: { substeps: 4 }, forces: [] };
    }));
    const page = await lab.openPage(studio);
    await page.click('#tab-render');
    await page.selectOption('select[aria-label=Camera]', 'scene');
    await page.fill('input[aria-label=Samples]', '4');
    if (name === 'held') await studio.request('/api/body_drag', { method: 'PUT', body: JSON.stringify({ translate, rotate }) });
    await stepLive(page, 4);
    pictures.push(await pictureOf(page, 'live'));
    await page.close();
    await studio.kill('SIGINT');
  }
  const differ = (a, b) => a.filter((value, i) => value !== b[i]).length;
  const [held, keyed, left] = pictures;
  expect.soft(held.length === keyed.length && differ(held, keyed) === 0, `as by keys: ${differ(held, keyed)} of ${held.length} values differ`).toBeTruthy();
  expect.soft(differ(held, left) > 0.1 * held.length, `and not where it was: ${differ(held, left)}`).toBeTruthy();
});

test('the timeline plays the live simulation without a cache', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('moves.json'));
  const page = await lab.openPage(studio);
  await page.click('#timeline-play');
  await page.waitForFunction(() => /frame \d+/.test(document.getElementById('status').textContent));
  expect.soft(await page.textContent('#play') === 'Pause' && await page.getAttribute('#timeline-play', 'aria-label') === 'Pause', 'it plays, and both buttons say so').toBeTruthy();
  await page.click('#timeline-play');
  await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('paused'));
  expect.soft(await page.textContent('#play') === 'Play' && await page.getAttribute('#timeline-play', 'aria-label') === 'Play', 'and pauses').toBeTruthy();
});

test('the rest pose displays all grooms', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('grooms.json', (scene) => {
    scene.grooms.push({ ...scene.grooms[0], name: 'fringe', count: 50 });
    return scene;
  }));
  const page = await lab.openPage(studio);
  // Strands that are seen: 7 pieces of two triangles each.
  const strands = () => page.evaluate(() => coif.view3d.scene.children.filter((child) => child.name === 'strands' && child.visible)
    .map((child) => child.geometry.index.count / 42).sort((a, b) => a - b));
  await page.click('#tab-simulate');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.view3d.scene.children.filter((child) => child.name === 'strands' && child.visible).length === 2);
  expect.soft(String(await strands()) === '50,4000', `both grooms are there: ${await strands()}`).toBeTruthy();
  await page.click('label:has-text("Other grooms")');
  await page.waitForFunction(() => coif.view3d.scene.children.filter((child) => child.name === 'strands' && child.visible).length === 1);
  expect.soft(String(await strands()) === '4000', 'or the chosen one alone').toBeTruthy();
  await page.click('label:has-text("Other grooms")');
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('play').textContent === 'Pause');
  await page.waitForFunction(() => coif.strandMesh.lengths.length === 2000);
  await page.click('#play');
  await page.waitForFunction(() => coif.strandMesh.mesh.visible);
  expect.soft(String(await strands()) === '50,2000', `live the chosen one has fewer strands, and the other is there: ${await strands()}`).toBeTruthy();
  // It goes with the head: turned and shifted as a whole, every point is where it would be in one piece with it.
  const away = await page.evaluate(() => {
    const { backgroundGrooms, surface } = coif.view3d;
    const hair = backgroundGrooms.hair.get(1).attached;
    const turn = (p, i) => [0.8 * p[i] + 0.6 * p[i + 2] + 0.3, p[i + 1] - 0.1, 0.8 * p[i + 2] - 0.6 * p[i]];
    const moved = surface.positions.slice();
    for (let i = 0; i < moved.length; i += 3) moved.set(turn(surface.positions, i), i);
    const { positions: places, origin: low, step } = hair.deform(moved);
    let most = 0;
    for (let i = 0; i < places.length; i += 3) {
      turn(hair.restPoints, i).forEach((x, k) => { most = Math.max(most, Math.abs(x - low[k] - step[k] * places[i + k])); });
    }
    return most;
  });
  expect.soft(away < 2e-5, `it goes with the head: ${away}`).toBeTruthy();
  // Drawn by the page itself it is in the picture too.
  const without = await page.evaluate(() => {
    const { liveHair, camera, surface, backgroundGrooms: others } = coif.view3d;
    const { softwareView: soft, hair: { packet: data } } = liveHair;
    const pixels = (shown) => { soft.draw(camera, surface, data.body, null, shown); return soft.pixels.slice(); };
    const [a, b] = [pixels(others), pixels(undefined)];
    return a.filter((pixel, i) => pixel !== b[i]).length;
  });
  expect.soft(without > 100, `and in the picture by the page itself: ${without} pixels`).toBeTruthy();
});

test('strands take their colours from maps', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('melanin.json'));
  const page = await lab.openPage(studio);
  await newLayer(page, 'melanin');
  await page.waitForFunction(() => coif.paintTarget.texels);
  const tints = () => page.evaluate(() => {
    const { lengths, uniforms } = coif.strandMesh;
    const reds = new Set();
    let point = 0;
    lengths.forEach((length) => {
      point += length;
      reds.add(uniforms.colors.value.image.data[4 * (point - 1)]); // at the tip
    });
    return [Math.min(...reds), Math.max(...reds)];
  });
  await page.click('#tab-simulate');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.strandMesh.lengths?.length === 4000);
  const [, dark] = await tints();
  expect.soft(await page.evaluate(() => coif.view3d.uniforms.mode.value) === 0, 'no map under hair that is looked at').toBeTruthy();
  await page.click('#tab-paint');
  expect.soft(await page.evaluate(() => coif.view3d.uniforms.mode.value) === 1, 'but where one paints').toBeTruthy();
  const place = [...(await placesOf(studio)).subarray(0, 3)];
  await dabAt(page, place, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.05, symmetric: false });
  await page.waitForFunction((before) => {
    const { data } = coif.strandMesh.uniforms.colors.value.image;
    return data.some((byte, i) => i % 4 === 0 && byte > before + 40);
  }, dark);
  const [low, high] = await tints();
  expect.soft(low <= dark && high > dark + 40, `white hair among brown: ${[low, high]}, before ${dark}`).toBeTruthy();
});

test('a cache is played back with its statistics', async ({ lab }) => {
  const scene = lab.scene('cache.json', (made) => {
    made.grooms[0].count = 200;
    return made;
  });
  const cache = join(lab.folder, 'cache');
  const made = await lab.run('sim', join(lab.folder, scene), '--out', cache, '--frames', '1-5');
  expect.soft(made.code === 0, `it is simulated: ${made.err}`).toBeTruthy();
  const notes = readFileSync(join(cache, 'hair.sim.stats.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const studio = await lab.openStudio(scene, '--cache', cache);
  const page = await lab.openPage(studio);
  await page.click('#tab-simulate');
  const values = (name) => page.evaluate((plot) => coif.plots[plot].values, name);
  for (const [plot, note, scale] of [['kinetic', 'kinetic', 1], ['potential', 'potential', 1], ['elastic', 'elastic', 1], ['stretch', 'max_stretch', 1], ['ms', 'seconds', 1000]]) {
    const seen = await values(plot);
    expect.soft(notes.length === 5 && seen.length === 5 && seen.every((value, i) => value === scale * notes[i][note]), `${note} of five frames: ${seen}`).toBeTruthy();
  }
  // The slider, by hand and by key.
  await page.fill('input[aria-label="Frame number"]', '4');
  await page.press('input[aria-label="Frame number"]', 'Enter');
  await page.waitForFunction(() => coif.view3d.scene.children.some((child) => child.name === 'strands' && child.visible));
  const text = await page.evaluate(() => coif.plots.kinetic.output.textContent);
  expect.soft(text.includes(`${notes[3].kinetic.toPrecision(3)} J/kg`), `the plot says what frame 4 has: ${text}`).toBeTruthy();
  await page.focus('#timeline canvas');
  await page.keyboard.press('ArrowRight');
  expect.soft(await page.getAttribute('#timeline canvas', 'aria-valuenow') === '5', 'an arrow key goes on by one').toBeTruthy();
});
