// Rest pose, live simulation, cache playback.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dabAt, newLayer, rootPositionsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

async function imageOf(page, hair) {
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
  const studio = await lab.openStudio(lab.scene('drag.json'));
  const page = await lab.openPage(studio);
  const frames = [];
  await page.exposeFunction('seen', (frame) => frames.push(frame));
  await page.evaluate(() => {
    const source = new EventSource(`/api/events?token=${new URLSearchParams(location.search).get('token')}`);
    source.addEventListener('frame', (event) => globalThis.seen(JSON.parse(event.data).frame));
  });
  const until = (frame) => expect.poll(() => frames.at(-1)).toBe(frame);
  await page.click('#tab-simulate');
  const press = (name) => page.click(`#panel-simulate button:text-is("${name}")`);
  for (const frame of [2, 3]) {
    await press('Step');
    await until(frame);
  }
  expect.soft(frames.every((frame) => frame <= 3), `a step is one frame: ${frames}`).toBe(true);
  await press('Reset');
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
  await press('Step');
  await until(2);
  await page.waitForFunction((was) => {
    const { array, count } = coif.view3d.bodyMesh.geometry.attributes.position;
    let sum = 0;
    for (let i = 0; i < count; ++i) sum += array[3 * i];
    return Math.abs(sum / count - was - 50 * 0.0008) < 1e-4;
  }, before);
  await press('Reset head position');
  await press('Step');
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
  await expect.soft(page.locator('#play'), 'the simulation is playing').toHaveText('Pause');
  // Potential energy changes its sign with gravity.
  const before = await frames(3);
  await page.click('#tab-scene');
  await page.fill('input[type=search]', '/sim/gravity');
  const boxes = page.locator('.row[data-path="/sim/gravity"] input');
  await boxes.nth(1).fill('20');
  await boxes.nth(1).press('Enter');
  await page.waitForFunction(() => coif.state.scene.sim.gravity?.[1] === 20);
  const after = await frames(8);
  expect.soft(Math.sign(before), `the sign of gravity reverses the motion: ${before}, ${after}`).toBe(-Math.sign(after));
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
  const to = async (frame, offset) => {
    await page.fill('input[aria-label="Frame number"]', String(frame));
    await page.press('input[aria-label="Frame number"]', 'Enter');
    await page.waitForFunction((wanted) => {
      const { array } = coif.view3d.bodyMesh.geometry.attributes.position;
      return Math.abs(array[0] - coif.view3d.surface.positions[3 * coif.view3d.surface.indices[0]] - wanted) < 1e-5;
    }, offset);
  };
  expect.soft(Math.abs(await moved()), 'the head starts at rest').toBeLessThan(1e-6);
  await to(6, 0.05);
  expect.soft(await page.evaluate(() => coif.view3d.posed && !coif.view3d.roots.visible), 'roots are hidden while the head is posed').toBeTruthy();
  await to(1, 0);
  expect.soft(await page.evaluate(() => !coif.view3d.posed && coif.view3d.roots.visible), 'roots are visible at rest').toBeTruthy();
  await page.click('#tab-simulate');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.strandMesh.mesh.visible);
  const root = () => page.evaluate(() => { const { packet: data } = coif.view3d.liveHair.hair; return data.origin[0] + data.step[0] * data.positions[0]; });
  const before = await root();
  await to(11, 0.1);
  await page.waitForFunction((was) => { const { packet: data } = coif.view3d.liveHair.hair; return Math.abs(data.origin[0] + data.step[0] * data.positions[0] - was - 0.1) < 1e-4; }, before);
  expect.soft(Math.abs(await root() - before - 0.1), 'hair at rest follows the head').toBeLessThan(1e-4);
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
  const image = (hair) => imageOf(page, hair);
  const apart = (a, b) => a.reduce((sum, x, i) => sum + Math.abs(x - b[i]), 0) / a.length;
  await page.selectOption('select[aria-label=Hair]', 'live');
  await page.click('#preview');
  await page.waitForSelector('.toast.bad:has-text("press Play or Step")');
  const rest = await image('rest');
  await page.keyboard.press('Escape');
  await page.click('#tab-simulate');
  await page.click('#panel-simulate button:text-is("Reset")');
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('frame 1'));
  const still = await image('live');
  await page.keyboard.press('Escape');
  await stepLive(page, 8);
  const blown = await image('live');
  expect.soft(rest, 'the first live frame equals the rest pose').toHaveLength(still.length);
  expect.soft(apart(rest, still), 'the first live frame equals the rest pose').toBeLessThan(0.2);
  expect.soft(apart(rest, blown), 'wind moves the hair').toBeGreaterThan(1);
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
  const images = [];
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
    images.push(await imageOf(page, 'live'));
    await page.close();
    await studio.kill('SIGINT');
  }
  const differ = (a, b) => a.filter((value, i) => value !== b[i]).length;
  const [held, keyed, left] = images;
  expect.soft(held, 'values that differ between dragged and keyframed head').toHaveLength(keyed.length);
  expect.soft(differ(held, keyed), 'values that differ between dragged and keyframed head').toBe(0);
  expect.soft(differ(held, left), 'the image differs from that of the initial pose').toBeGreaterThan(0.1 * held.length);
});

test('the timeline plays the live simulation without a cache', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('moves.json'));
  const page = await lab.openPage(studio);
  await page.click('#timeline-play');
  await page.waitForFunction(() => /frame \d+/.test(document.getElementById('status').textContent));
  await expect.soft(page.locator('#play'), 'the simulation is playing').toHaveText('Pause');
  await expect.soft(page.locator('#timeline-play'), 'the simulation is playing').toHaveAttribute('aria-label', 'Pause');
  await page.click('#timeline-play');
  await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('paused'));
  await expect.soft(page.locator('#play'), 'the simulation is paused').toHaveText('Play');
  await expect.soft(page.locator('#timeline-play'), 'the simulation is paused').toHaveAttribute('aria-label', 'Play');
});

test('a frame that arrives after the simulation was left does not say paused', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('left.json'));
  const page = await lab.openPage(studio);
  await page.click('#tab-simulate');
  await page.click('#play');
  await page.waitForFunction(() => coif.liveStats.latest !== undefined && coif.liveStats.totalFrames > 2);
  await page.click('#panel-simulate button:text-is("Roots")');
  await page.waitForFunction(() => document.getElementById('status').textContent === '');
  // The event of the stop, whenever it arrives.
  await page.evaluate(() => coif.serverEvents.frame({ ...coif.liveStats.latest, frames: 1 }));
  expect.soft(await page.textContent('#status')).toBe('');
  // While it is stopped, not left, it does.
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('play').textContent === 'Pause');
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('play').textContent === 'Play');
  await page.evaluate(() => coif.serverEvents.frame({ ...coif.liveStats.latest, frames: 1 }));
  expect.soft(await page.textContent('#status')).toMatch(/^paused, frame \d+$/);
});

test('the rest pose displays all grooms', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('grooms.json', (scene) => {
    scene.grooms.push({ ...scene.grooms[0], name: 'fringe', count: 50 });
    return scene;
  }));
  const page = await lab.openPage(studio);
  // Visible strands: 7 segments of two triangles each.
  const strands = () => page.evaluate(() => coif.view3d.scene.children.filter((child) => child.name === 'strands' && child.visible)
    .map((child) => child.geometry.index.count / 42).sort((a, b) => a - b));
  await page.click('#tab-simulate');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.view3d.scene.children.filter((child) => child.name === 'strands' && child.visible).length === 2);
  expect.soft(String(await strands()), 'all grooms are displayed').toBe('50,4000');
  await page.click('label:has-text("Other grooms")');
  await page.waitForFunction(() => coif.view3d.scene.children.filter((child) => child.name === 'strands' && child.visible).length === 1);
  expect.soft(String(await strands()), 'only the selected groom is displayed').toBe('4000');
  await page.click('label:has-text("Other grooms")');
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('play').textContent === 'Pause');
  await page.waitForFunction(() => coif.strandMesh.lengths.length === 2000);
  await page.click('#play');
  await page.waitForFunction(() => coif.strandMesh.mesh.visible);
  expect.soft(String(await strands()), 'the selected groom has fewer live strands, the other is displayed').toBe('50,2000');
  // The other groom follows the head rigidly.
  const away = await page.evaluate(() => {
    const { backgroundGrooms, surface } = coif.view3d;
    const hair = backgroundGrooms.hair.get(1).attached;
    const turn = (p, i) => [0.8 * p[i] + 0.6 * p[i + 2] + 0.3, p[i + 1] - 0.1, 0.8 * p[i + 2] - 0.6 * p[i]];
    const moved = surface.positions.slice();
    for (let i = 0; i < moved.length; i += 3) moved.set(turn(surface.positions, i), i);
    const { positions: positions, origin: low, step } = hair.deform(moved);
    let most = 0;
    for (let i = 0; i < positions.length; i += 3) {
      turn(hair.restPoints, i).forEach((x, k) => { most = Math.max(most, Math.abs(x - low[k] - step[k] * positions[i + k])); });
    }
    return most;
  });
  expect.soft(away, 'the other groom follows the head').toBeLessThan(2e-5);
  // The software renderer draws it too.
  const without = await page.evaluate(() => {
    const { liveHair, camera, surface, backgroundGrooms: others } = coif.view3d;
    const { softwareView: soft, hair: { packet: data } } = liveHair;
    const pixels = (shown) => { soft.draw(camera, surface, data.body, null, shown); return soft.pixels.slice(); };
    const [a, b] = [pixels(others), pixels(undefined)];
    return a.filter((pixel, i) => pixel !== b[i]).length;
  });
  expect.soft(without, 'the software renderer draws the other groom').toBeGreaterThan(100);
});

test('strand colours follow maps', async ({ lab }) => {
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
  expect.soft(await page.evaluate(() => coif.view3d.uniforms.mode.value), 'no map is displayed in the simulation panel').toBe(0);
  await page.click('#tab-paint');
  expect.soft(await page.evaluate(() => coif.view3d.uniforms.mode.value), 'the map is displayed in the paint panel').toBe(1);
  const point = [...(await rootPositionsOf(studio)).subarray(0, 3)];
  await dabAt(page, point, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.05, symmetric: false });
  await page.waitForFunction((before) => {
    const { data } = coif.strandMesh.uniforms.colors.value.image;
    return data.some((byte, i) => i % 4 === 0 && byte > before + 40);
  }, dark);
  const [low, high] = await tints();
  expect.soft(low, `strand colours follow the map: ${[low, high]}, before ${dark}`).toBeLessThanOrEqual(dark);
  expect.soft(high, `strand colours follow the map: ${[low, high]}, before ${dark}`).toBeGreaterThan(dark + 40);
});

test('a cache is played back with its statistics', async ({ lab }) => {
  const scene = lab.scene('cache.json', (made) => {
    made.grooms[0].count = 200;
    return made;
  });
  const cache = join(lab.folder, 'cache');
  const made = await lab.run('sim', join(lab.folder, scene), '--out', cache, '--frames', '1-5');
  expect.soft(made.code, `coif sim: ${made.err}`).toBe(0);
  const notes = readFileSync(join(cache, 'hair.sim.stats.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const studio = await lab.openStudio(scene, '--cache', cache);
  const page = await lab.openPage(studio);
  await page.click('#tab-simulate');
  const values = (name) => page.evaluate((plot) => coif.plots[plot].values, name);
  for (const [plot, note, scale] of [['kinetic', 'kinetic', 1], ['potential', 'potential', 1], ['elastic', 'elastic', 1], ['stretch', 'max_stretch', 1], ['ms', 'seconds', 1000]]) {
    const seen = await values(plot);
    expect.soft(notes, `${note} of five frames: ${seen}`).toHaveLength(5);
    expect.soft(seen, `${note} of five frames: ${seen}`).toHaveLength(5);
    expect.soft(seen.every((value, i) => value === scale * notes[i][note]), `${note} of five frames: ${seen}`).toBe(true);
  }
  // The timeline, by pointer and by keys.
  await page.fill('input[aria-label="Frame number"]', '4');
  await page.press('input[aria-label="Frame number"]', 'Enter');
  await page.waitForFunction(() => coif.view3d.scene.children.some((child) => child.name === 'strands' && child.visible));
  const text = await page.evaluate(() => coif.plots.kinetic.output.textContent);
  expect.soft(text, 'the plot shows the value of frame 4').toContain(`${notes[3].kinetic.toPrecision(3)} J/kg`);
  await page.focus('#timeline canvas');
  await page.keyboard.press('ArrowRight');
  await expect.soft(page.locator('#timeline canvas'), 'an arrow key advances one frame').toHaveAttribute('aria-valuenow', '5');
});

test('points of strands are drawn as dots', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('nodes.json', (scene) => ({ ...scene, grooms: [{ ...scene.grooms[0], count: 60 }] })));
  const page = await lab.openPage(studio);
  await page.click('#tab-simulate');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.strandMesh.mesh.visible);
  // Pixels in the colours of dots: points and roots.
  const dots = () => page.evaluate(() => {
    const { renderer, scene, camera } = coif.view3d;
    renderer.render(scene, camera);
    const gl = renderer.getContext();
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const counts = { points: 0, roots: 0 };
    for (let i = 0; i < pixels.length; i += 4) {
      const [red, green, blue] = pixels.subarray(i, i + 3);
      counts.points += Number(red > 250 && Math.abs(green - 217) < 4 && Math.abs(blue - 51) < 4);
      counts.roots += Number(red > 250 && Math.abs(green - 38) < 4 && Math.abs(blue - 26) < 4);
    }
    return counts;
  });
  expect.soft(await dots(), 'dots before').toEqual({ points: 0, roots: 0 });
  await page.check('#show-nodes');
  const { points, roots } = await dots();
  expect.soft(points, 'pixels of points').toBeGreaterThan(200);
  expect.soft(roots, 'pixels of roots').toBeGreaterThan(20);
  expect.soft(points, 'seven points per root').toBeGreaterThan(3 * roots);
  await page.uncheck('#show-nodes');
  expect.soft(await dots(), 'dots after').toEqual({ points: 0, roots: 0 });
});
