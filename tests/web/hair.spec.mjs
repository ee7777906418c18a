// Brushes on hair in the 3-D view: combing moves tips and keeps roots, lengths and the head; strokes are undone, survive a
// kill, are saved, and reach the commands and the renderer.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { centerOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const HEAD = 0.1; // radius of the ball of the scene

// A page with a hair tool and its strands displayed.
async function openGroomMode(lab, name, change = (scene) => scene) {
  const studio = await lab.openStudio(lab.scene(name, (all) => change({ ...all, forces: [] })));
  const page = await lab.openPage(studio);
  await page.click('#tools-hair');
  await page.waitForFunction(() => coif.brushed.packet !== null && coif.hairInput.place([1, 1]) !== null);
  await page.evaluate(() => { Object.assign(coif.brush, { radius: 0.03, strength: 1, hardness: 0.5, userSized: true }); });
  return { studio, page };
}

const finish = (page) => page.evaluate(() => coif.hairInput.finish());

// A stroke with the mouse, in pixels from the centre of the view.
async function drag(page, from, to, steps = 12) {
  const [x, y] = await centerOf(page);
  await page.mouse.move(x + from[0], y + from[1]);
  await page.mouse.down();
  await page.mouse.move(x + to[0], y + to[1], { steps });
  await page.mouse.up();
  await finish(page);
}

const chooseTool = (page, id) => page.click(`#tools [data-tool="${id}"]`);

// Quantised positions of the displayed strands, and what they were quantised with.
const shown = (page) => page.evaluate(() => {
  const { packet, offsets, flags } = coif.brushed;
  return { positions: [...packet.positions], offsets: [...offsets], origin: packet.origin, step: packet.step, flags: [...flags] };
});

function pointOf({ positions, origin, step }, point) {
  return [0, 1, 2].map((k) => origin[k] + step[k] * positions[3 * point + k]);
}

const distance = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));

// Indices of the strands that differ.
function moved(before, after) {
  const found = [];
  for (let s = 0; s + 1 < before.offsets.length; ++s) {
    for (let i = 3 * before.offsets[s]; i < 3 * before.offsets[s + 1]; ++i) {
      if (before.positions[i] !== after.positions[i]) {
        found.push(s);
        break;
      }
    }
  }
  return found;
}

// The strands of the groom as the command generates them: rest positions per strand, from an OBJ file.
async function strandsOfCommand(lab, scene, out) {
  const folder = join(lab.folder, out);
  const groom = await lab.run('groom', join(lab.folder, scene), '--out', folder);
  expect(groom.code, groom.err).toBe(0);
  const file = join(folder, 'hair.obj');
  const exported = await lab.run('convert', join(folder, 'hair.groom'), file);
  expect(exported.code, exported.err).toBe(0);
  const [points, strands] = [[], []];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('v ')) points.push(line.split(' ').slice(1, 4).map(Number));
    if (line.startsWith('l ')) strands.push(line.trim().split(/\s+/).slice(1).map((i) => points[Number(i) - 1]));
  }
  return strands;
}

test('combing moves tips but not roots, keeps lengths, and leaves the head free; one undo step', async ({ lab }) => {
  const { page } = await openGroomMode(lab, 'comb.json');
  const before = await shown(page);
  await drag(page, [-60, -40], [60, -40]);
  const after = await shown(page);
  const changed = moved(before, after);
  expect.soft(changed.length, 'strands that moved').toBeGreaterThan(50);
  expect.soft(changed.length, 'the others stay').toBeLessThan(0.8 * (before.offsets.length - 1));
  let [right, farthest, deepest, worst] = [0, 0, Infinity, 0];
  const sideways = await page.evaluate(() => coif.view3d.camera.matrixWorld.elements.slice(0, 3)); // of the view
  for (const s of changed) {
    const [first, end] = [before.offsets[s], before.offsets[s + 1]];
    expect(distance(pointOf(before, first), pointOf(after, first)), 'roots').toBe(0);
    const from = pointOf(before, end - 1);
    const tip = pointOf(after, end - 1).reduce((sum, x, k) => sum + sideways[k] * (x - from[k]), 0);
    right += tip > 0 ? 1 : 0;
    farthest = Math.max(farthest, tip);
    let [lengthBefore, lengthAfter] = [0, 0];
    for (let p = first + 1; p < end; ++p) {
      lengthBefore += distance(pointOf(before, p - 1), pointOf(before, p));
      lengthAfter += distance(pointOf(after, p - 1), pointOf(after, p));
      deepest = Math.min(deepest, Math.hypot(...pointOf(after, p)));
    }
    worst = Math.max(worst, Math.abs(lengthAfter / lengthBefore - 1));
  }
  expect.soft(right / changed.length, 'tips that moved along the drag').toBeGreaterThan(0.8);
  expect.soft(farthest, 'metres').toBeGreaterThan(0.01);
  expect.soft(worst, 'change of length, with positions of 16 bits').toBeLessThan(0.01);
  expect.soft(deepest, 'distance from the centre of the head').toBeGreaterThan(HEAD - 0.002);
  expect.soft(await page.evaluate(() => coif.state.undo), 'one step').toBe(1);
  expect.soft(await page.evaluate(() => coif.state.scene.grooms[0].edits)).toBe('comb_hair.guides');

  // Undo and redo to the bit; the strands come back.
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.undo === 0 && coif.brushed.guideCount === 0);
  expect.soft(moved(before, await shown(page)).length, 'after undo').toBe(0);
  await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => coif.state.redo === 0 && coif.brushed.guideCount > 0);
  await expect.poll(async () => moved(after, await shown(page)).length, 'after redo').toBe(0);
});

test('a kill loses no finished stroke; saved strokes reach the commands, modifiers and the renderer', async ({ lab }) => {
  const first = await openGroomMode(lab, 'kept.json', (all) => ({ ...all, image: { width: 60, height: 48, samples: 4 } }));
  const plain = await strandsOfCommand(lab, 'kept.json', 'plain');
  await drag(first.page, [-60, -40], [60, -40]);
  await drag(first.page, [40, 30], [-40, -60]);
  const wanted = await shown(first.page);
  await first.studio.kill('SIGKILL');

  const studio = await lab.openStudio('kept.json');
  const page = await lab.openPage(studio);
  await page.click('#tools-hair');
  await page.waitForFunction(() => coif.brushed.guideCount > 0);
  expect.soft(moved(wanted, await shown(page)).length, 'strands that differ after the kill').toBe(0);
  expect.soft(await page.evaluate(() => coif.state.undo), 'steps to undo').toBe(2);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  expect.soft(existsSync(join(lab.folder, 'kept_hair.guides'))).toBe(true);
  expect.soft(JSON.parse(readFileSync(join(lab.folder, 'kept.json'), 'utf8')).grooms[0].edits).toBe('kept_hair.guides');

  const combed = await strandsOfCommand(lab, 'kept.json', 'combed');
  expect(combed.length).toBe(plain.length);
  let [changed, worst, deepest] = [0, 0, Infinity];
  combed.forEach((strand, s) => {
    const was = plain[s];
    expect(distance(strand[0], was[0]), 'root').toBeLessThan(1e-6);
    if (distance(strand.at(-1), was.at(-1)) < 1e-6) return;
    changed += 1;
    for (let k = 1; k < strand.length; ++k) {
      worst = Math.max(worst, Math.abs(distance(strand[k], strand[k - 1]) / distance(was[k], was[k - 1]) - 1));
      deepest = Math.min(deepest, Math.hypot(...strand[k]));
    }
  });
  expect.soft(changed, 'strands of the command').toBeGreaterThan(100);
  expect.soft(worst, 'change of a segment').toBeLessThan(1e-4);
  expect.soft(deepest, 'distance from the centre of the head').toBeGreaterThan(HEAD - 0.0005);
  // The displayed strands are the first of the groom.
  const here = await shown(page);
  let apart = 0;
  for (let s = 0; s < 200; ++s) apart = Math.max(apart, distance(pointOf(here, here.offsets[s + 1] - 1), combed[s].at(-1)));
  expect.soft(apart, 'page and command, metres').toBeLessThan(1e-4);
  const rendered = await lab.run('render', join(lab.folder, 'kept.json'), '--rest', '--out', join(lab.folder, 'combed'), '--frames', '1', '--format', 'png');
  expect.soft(rendered.code, rendered.err).toBe(0);
});

test('mirrored strokes give mirrored hair, and a mask leaves other regions alone', async ({ lab }) => {
  const { studio, page } = await openGroomMode(lab, 'mirror.json');
  await page.check('#panel-groom label:has-text("Mirror") input');
  const before = await shown(page);
  await drag(page, [50, -20], [90, 40]);
  const after = await shown(page);
  // Displacement of the tips on both sides.
  const sums = { left: [0, 0, 0], right: [0, 0, 0] };
  let counts = [0, 0];
  for (const s of moved(before, after)) {
    const root = pointOf(before, before.offsets[s]);
    const [a, b] = [before, after].map((each) => pointOf(each, before.offsets[s + 1] - 1));
    const sum = root[0] > 0 ? sums.right : sums.left;
    counts[root[0] > 0 ? 0 : 1] += 1;
    b.forEach((x, k) => { sum[k] += x - a[k]; });
  }
  expect.soft(Math.min(...counts), 'strands on both sides').toBeGreaterThan(20);
  expect.soft(Math.abs(counts[0] / counts[1] - 1), 'as many on each').toBeLessThan(0.2);
  expect.soft(Math.abs(sums.left[0] / sums.right[0] + 1), 'sideways').toBeLessThan(0.2);
  expect.soft(Math.abs(sums.left[1] / sums.right[1] - 1), 'upwards').toBeLessThan(0.2);
  await page.uncheck('#panel-groom label:has-text("Mirror") input');

  // A map that is white on one half of the texture.
  await page.click('#tab-paint');
  await page.click('#new-map');
  await page.selectOption('dialog select[name=side]', '256');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.paintTarget.texels && coif.state.scene.grooms[0].maps?.length > 0);
  const half = Buffer.concat(Array.from({ length: 8 }, (_, i) => Buffer.from(new Uint16Array([i % 2, Math.floor(i / 2), 1, 0]).buffer)));
  await studio.request('/api/tiles?layer=0&stroke=half', { method: 'PUT', body: half });
  await page.click('#tab-groom');
  await page.waitForFunction(() => coif.brushed.guideCount > 0);
  await page.selectOption('select[aria-label="Groom: Mask map"]', '0');
  await page.fill('input[aria-label="Groom: Region number"]', '255');
  await page.press('input[aria-label="Groom: Region number"]', 'Enter');
  await page.waitForFunction(() => coif.brush.mask?.texel === 65535);
  await page.waitForFunction(() => coif.state.growingFraction < 0.9); // the map drives the density: half of the hair is gone
  await page.evaluate(() => coif.edit([{ path: '/grooms/0/density' }]));
  await page.waitForFunction(() => coif.state.growingFraction === 1 && coif.brushed.packet.strandCount > 3900);
  const unmasked = await shown(page);
  await page.evaluate(() => { coif.brush.radius = 0.2; });
  await drag(page, [-40, 0], [60, 0]);
  const masked = moved(unmasked, await shown(page));
  const uvs = await page.evaluate((strands) => strands.map((s) => {
    const { surface } = coif.paintTarget;
    const point = coif.brushed.pointAt(coif.brushed.offsets[s]);
    const { triangle } = surface.closestTriangle(point);
    return surface.uvAtHit({ triangle, point })[0];
  }), masked);
  expect.soft(masked.length).toBeGreaterThan(100);
  // Strands take the changes of guides up to some spacings away.
  expect.soft(uvs.filter((u) => u < 0.42).length / uvs.length, 'strands that moved in the masked half').toBeLessThan(0.02);
});

test('each tool does what its name says', async ({ lab }) => {
  test.slow(); // many strokes
  const { page } = await openGroomMode(lab, 'tools.json');
  const lengths = (all, list) => list.map((s) => {
    let length = 0;
    for (let p = all.offsets[s] + 1; p < all.offsets[s + 1]; ++p) length += distance(pointOf(all, p - 1), pointOf(all, p));
    return length;
  });
  const heights = (all, list) => list.map((s) => Math.hypot(...pointOf(all, all.offsets[s + 1] - 1)));
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  // Applies a tool and takes it back.
  const effect = async (id, measure, modifier) => {
    await chooseTool(page, id);
    const before = await shown(page);
    if (modifier) await page.keyboard.down(modifier);
    await drag(page, [-40, -10], [40, -10], 24);
    if (modifier) await page.keyboard.up(modifier);
    const after = await shown(page);
    const list = moved(before, after);
    expect.soft(list.length, id).toBeGreaterThan(20);
    const result = mean(measure(after, list)) / mean(measure(before, list));
    const steps = await page.evaluate(() => coif.state.undo);
    await page.keyboard.press('Control+z');
    await page.waitForFunction((n) => coif.state.undo === n - 1, steps);
    await expect.poll(async () => moved(before, await shown(page)).length, `undo of ${id}`).toBe(0);
    return result;
  };
  expect.soft(await effect('lengthen', lengths), 'lengthen').toBeGreaterThan(1.1);
  expect.soft(await effect('lengthen', lengths, 'Shift'), 'shorten').toBeLessThan(0.95);
  expect.soft(await effect('cut', lengths), 'cut').toBeLessThan(0.9);
  expect.soft(await effect('comb', heights), 'combed hair leans').toBeLessThan(0.999);
  for (const id of ['clump', 'twist', 'part']) expect.soft(Math.abs(await effect(id, lengths) - 1), `lengths after ${id}`).toBeLessThan(0.01);
  // Combed hair is raised again, pressed flat, and straightened.
  await chooseTool(page, 'comb');
  await drag(page, [-60, -10], [80, 20], 30);
  expect.soft(await effect('puff', heights), 'puff').toBeGreaterThan(1.0005);
  expect.soft(await effect('puff', heights, 'Shift'), 'flatten').toBeLessThan(0.999);
  const chords = (all, list) => list.map((s) => distance(pointOf(all, all.offsets[s]), pointOf(all, all.offsets[s + 1] - 1)));
  expect.soft(await effect('hair-smooth', chords), 'smooth').toBeGreaterThan(1.001);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.undo === 0);

  // Pinned hair stays.
  await chooseTool(page, 'pin');
  await page.evaluate(() => { coif.brush.radius = 0.2; });
  await drag(page, [-60, -10], [60, -10]);
  const pinned = await shown(page);
  expect.soft(pinned.flags.filter((flag) => flag === 2).length).toBeGreaterThan(100);
  await page.evaluate(() => { coif.brush.radius = 0.03; });
  await chooseTool(page, 'comb');
  await drag(page, [-40, -10], [40, -10]);
  expect.soft(moved(pinned, await shown(page)).length, 'strands that moved although they are pinned').toBe(0);
  await page.keyboard.press('Control+z'); // the pins
  await page.waitForFunction(() => coif.brushed.flags.every((flag) => flag === 0));

  // With Shift, hair at the root of the line follows it.
  await chooseTool(page, 'draw');
  const root = await page.evaluate(() => coif.hairInput.place([coif.view3d.section.clientWidth / 2, coif.view3d.section.clientHeight / 2]).skin.point);
  await page.keyboard.down('Shift');
  await drag(page, [0, 0], [160, -10], 16);
  await page.keyboard.up('Shift');
  const drawn = await shown(page);
  expect.soft(drawn.offsets.length, 'no new strand').toBe(pinned.offsets.length);
  let nearest = 0;
  for (let s = 1; s + 1 < drawn.offsets.length; ++s) {
    if (distance(pointOf(drawn, drawn.offsets[s]), root) < distance(pointOf(drawn, drawn.offsets[nearest]), root)) nearest = s;
  }
  const [from, to] = [drawn.offsets[nearest], drawn.offsets[nearest + 1] - 1].map((p) => pointOf(drawn, p));
  const end = await page.evaluate((point) => coif.view3d.toPixels(point), to);
  const begin = await page.evaluate((point) => coif.view3d.toPixels(point), from);
  expect.soft(Math.abs(end[0] - begin[0] - 160), 'end of the drawn strand, pixels').toBeLessThan(12);

  // Deleted strands are gone, in the page and from the root count of the command.
  await chooseTool(page, 'delete');
  await drag(page, [-40, -10], [40, -10]);
  const deleted = await shown(page);
  expect.soft(deleted.flags.filter((flag) => flag & 1).length).toBeGreaterThan(20);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  const left = await strandsOfCommand(lab, 'tools.json', 'left');
  expect.soft(left.length).toBeLessThan(3990);
});

test('a guide is drawn on bald skin, undone and redone, survives a kill, is simulated and rendered', async ({ lab }) => {
  const { studio, page } = await openGroomMode(lab, 'bald.json', (all) => ({ ...all, grooms: [{ ...all.grooms[0], density: 0 }], image: { width: 60, height: 48, samples: 4 } }));
  expect.soft((await shown(page)).offsets.length, 'no hair').toBe(1);
  // Other tools say what is missing.
  const refusal = page.waitForSelector('.toast.bad:has-text("no hair grows here yet")');
  await drag(page, [-20, 10], [40, 10]);
  await refusal;
  await chooseTool(page, 'draw');
  await drag(page, [20, 10], [150, -60], 16);
  await page.waitForFunction(() => coif.brushed.guideCount === 1);
  const drawn = await shown(page);
  expect.soft(drawn.offsets.length, 'one strand').toBe(2);
  expect.soft(drawn.flags).toEqual([4]);
  expect.soft(Math.abs(Math.hypot(...pointOf(drawn, 0)) - HEAD), 'its root is on the skin').toBeLessThan(0.001);
  const pixel = (point) => page.evaluate(([at]) => coif.view3d.toPixels(at).map((x, k) => x - [coif.view3d.section.clientWidth, coif.view3d.section.clientHeight][k] / 2), [point]);
  const tip = await pixel(pointOf(drawn, drawn.offsets[1] - 1));
  expect.soft(Math.hypot(tip[0] - 150, tip[1] + 60), 'it ends where the pointer did, pixels').toBeLessThan(8);
  expect.soft(await page.evaluate(() => coif.state.undo), 'one step').toBe(1);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.undo === 0 && coif.brushed.guideCount === 0 && coif.brushed.offsets.length === 1);
  await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => coif.brushed.guideCount === 1 && coif.brushed.offsets.length === 2);
  expect.soft(await shown(page)).toEqual(drawn);
  await studio.kill('SIGKILL');

  const again = await lab.openStudio('bald.json');
  const reopened = await lab.openPage(again);
  await reopened.click('#tools-hair');
  await reopened.waitForFunction(() => coif.brushed.guideCount === 1);
  expect.soft((await shown(reopened)).positions).toEqual(drawn.positions);
  // A second one, then undone alone.
  await chooseTool(reopened, 'draw');
  await reopened.evaluate(() => { Object.assign(coif.brush, { radius: 0.03, strength: 1 }); });
  await drag(reopened, [-20, 10], [-120, -80], 16);
  await reopened.waitForFunction(() => coif.brushed.guideCount === 2);
  await reopened.keyboard.press('Control+z');
  await reopened.waitForFunction(() => coif.brushed.flags[1] === 5 && coif.brushed.pending === 0);
  const left = await shown(reopened);
  for (let i = 0; i < drawn.offsets[1]; ++i) expect.soft(distance(pointOf(left, i), pointOf(drawn, i)), 'the first one stays, metres').toBeLessThan(5e-5);
  await reopened.keyboard.press('Control+s');
  await reopened.waitForFunction(() => !coif.state.dirty);
  const strands = await strandsOfCommand(lab, 'bald.json', 'bald');
  expect(strands.length).toBe(1);
  expect.soft(distance(strands[0].at(-1), pointOf(drawn, drawn.offsets[1] - 1)), 'page and command, metres').toBeLessThan(1e-4);
  const simulated = await lab.run('sim', join(lab.folder, 'bald.json'), '--out', join(lab.folder, 'bald'), '--frames', '1-2');
  expect.soft(simulated.code, simulated.err).toBe(0);
  const rendered = await lab.run('render', join(lab.folder, 'bald.json'), '--rest', '--out', join(lab.folder, 'bald'), '--frames', '1', '--format', 'png');
  expect.soft(rendered.code, rendered.err).toBe(0);
});

test('strands of a file are brushed too, and edits can be removed', async ({ lab }) => {
  await lab.run('groom', join(lab.folder, lab.scene('source.json')), '--out', join(lab.folder, 'source'));
  const converted = await lab.run('convert', join(lab.folder, 'source', 'hair.groom'), join(lab.folder, 'strands.ply'));
  expect(converted.code, converted.err).toBe(0);
  const { page } = await openGroomMode(lab, 'file.json', (all) => ({ ...all, grooms: [{ name: 'hair', body: all.grooms[0].body, file: 'strands.ply' }] }));
  const before = await shown(page);
  await drag(page, [-60, -40], [60, -40]);
  const after = await shown(page);
  expect.soft(moved(before, after).length).toBeGreaterThan(50);
  await page.click('#panel-groom button:has-text("Remove edits")');
  await page.waitForFunction(() => coif.state.undo === 2 && coif.brushed.guideCount === 0);
  await expect.poll(async () => moved(before, await shown(page)).length, 'strands that differ without edits').toBe(0);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.brushed.guideCount > 0);
  await expect.poll(async () => moved(after, await shown(page)).length, 'strands that differ after undo').toBe(0);
  // From the simulation back to the rest pose, and the same tool after a reload.
  await page.click('#tab-simulate');
  await page.click('#panel-simulate button:text-is("Step")');
  await page.waitForFunction(() => /frame 2/.test(document.getElementById('status').textContent));
  await page.click('#tab-groom');
  await page.waitForFunction(() => coif.view3d.liveHair.hair?.packet === coif.brushed.packet);
  await page.reload();
  await page.waitForSelector('body[data-ready=true]');
  await page.waitForFunction(() => coif.brushed.guideCount > 0 && coif.view3d.liveHair.hair?.packet === coif.brushed.packet);
  expect.soft(moved(after, await shown(page)).length, 'strands that differ after a reload').toBe(0);
  // The paint tools come back with their tab.
  await page.click('#tab-paint');
  expect.soft(await page.getAttribute('#tools [data-tool="set"]', 'aria-pressed')).toBe('true');
});

test('strokes on a flow map give the direction that the comb modifier combs in', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('flow.json', (all) => ({ ...all, forces: [] })));
  const page = await lab.openPage(studio);
  await page.click('#tab-paint');
  await page.click('#new-flow-map');
  await page.waitForFunction(() => coif.paintTarget.flow && coif.state.scene.grooms[0].modifiers?.[0].flow_map === coif.state.scene.grooms[0].maps[0].path);
  expect.soft(await page.evaluate(() => coif.state.undo), 'one step').toBe(1);
  await page.evaluate(() => { Object.assign(coif.brush, { radius: 0.05, strength: 1, hardness: 0.9, userSized: true }); });
  const [x, y] = await centerOf(page);
  await page.mouse.move(x - 60, y + 40);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 40, { steps: 20 });
  await page.mouse.up();
  await page.waitForFunction(() => coif.state.undo === 2);
  // Arrows show the direction where it was painted.
  await page.waitForFunction(() => coif.flowArrows.lines.visible && coif.flowArrows.count > 20);
  const arrows = await page.evaluate(() => [...coif.flowArrows.lines.geometry.attributes.position.array]);
  const right = await page.evaluate(() => coif.view3d.camera.matrixWorld.elements.slice(0, 3));
  let along = 0;
  for (let i = 0; i < arrows.length; i += 18) along += [0, 1, 2].reduce((sum, k) => sum + right[k] * (arrows[i + 3 + k] - arrows[i + k]), 0) > 0 ? 1 : 0;
  expect.soft(along / (arrows.length / 18), 'arrows to the right').toBeGreaterThan(0.9);
  const begin = await page.evaluate(() => coif.hit3d(coif.view3d.section.clientWidth / 2, coif.view3d.section.clientHeight / 2 + 40).point);
  const sideways = await page.evaluate(() => coif.view3d.camera.matrixWorld.elements.slice(0, 3));
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  // Tips of strands under the stroke lie to the right of their roots, much more than without the stroke.
  const lean = async (out) => {
    const near = (await strandsOfCommand(lab, 'flow.json', out)).filter((strand) => distance(strand[0], begin) < 0.03);
    expect(near.length).toBeGreaterThan(20);
    return near.reduce((sum, strand) => sum + strand.at(-1).reduce((all, value, k) => all + sideways[k] * (value - strand[0][k]), 0), 0) / near.length;
  };
  const painted = await lean('painted');
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.undo === 1);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  const plain = await lean('plain');
  expect.soft(painted - plain, 'metres to the right').toBeGreaterThan(0.02);
  await expect.soft(page.locator('#panel-paint .maps .uses').first()).toHaveText('comb flow map');
  // Other tools say why they cannot be used.
  await page.click('#tools [data-tool="add"]');
  await page.mouse.move(x, y + 40);
  await expect.soft(page.locator('.refusal')).toHaveText(/Flow maps hold directions/);
});
