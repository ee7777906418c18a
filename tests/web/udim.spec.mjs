// UDIM maps, large maps and float maps.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dabAt, densityLayer, rootPositionsOf, rootsOf, settle, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

function writeQuarters(lab, name, tiles = 2) {
  const side = 16;
  const lines = ['g scalp'];
  for (let y = 0; y <= side; ++y) for (let x = 0; x <= side; ++x) lines.push(`v ${(x / side - 0.5) * 0.2} 0 ${(0.5 - y / side) * 0.2}`);
  // Each quad has texture coordinates of its own, inside its tile.
  for (let y = 0; y < side; ++y) {
    for (let x = 0; x < side; ++x) {
      for (const [i, k] of [[0, 0], [1, 0], [1, 1], [0, 1]]) lines.push(`vt ${((x + i) / side) * tiles} ${((y + k) / side) * tiles}`);
    }
  }
  for (let y = 0; y < side; ++y) {
    for (let x = 0; x < side; ++x) {
      const corner = (i, k, n) => `${(y + k) * (side + 1) + x + i + 1}/${4 * (y * side + x) + n + 1}`;
      lines.push(`f ${corner(0, 0, 0)} ${corner(1, 0, 1)} ${corner(1, 1, 2)} ${corner(0, 1, 3)}`);
    }
  }
  writeFileSync(join(lab.folder, 'assets', name), `${lines.join('\n')}\n`);
}

const quarters = (lab, name) => {
  writeQuarters(lab, 'quarters.obj');
  return lab.scene(name, (scene) => {
    scene.bodies[0].mesh = 'assets/quarters.obj';
    return scene;
  });
};

const same = (a, b) => Buffer.from(a.buffer).equals(Buffer.from(b.buffer));

function exr(width, height, values) {
  const text = (...words) => Buffer.from(words.map((word) => `${word}\0`).join(''), 'latin1');
  const numbers = (type, ...list) => {
    const buffer = Buffer.alloc(4 * list.length);
    list.forEach((value, i) => buffer[type](value, 4 * i));
    return buffer;
  };
  const ints = (...list) => numbers('writeInt32LE', ...list);
  const floats = (...list) => numbers('writeFloatLE', ...list);
  const attribute = (name, type, value) => [text(name, type), ints(value.length), value];
  const box = ints(0, 0, width - 1, height - 1);
  const header = Buffer.concat([ints(20000630, 2),
    ...attribute('channels', 'chlist', Buffer.concat([text('Y'), ints(2, 0, 1, 1), Buffer.from([0])])),
    ...attribute('compression', 'compression', Buffer.from([0])), ...attribute('dataWindow', 'box2i', box),
    ...attribute('displayWindow', 'box2i', box), ...attribute('lineOrder', 'lineOrder', Buffer.from([0])),
    ...attribute('pixelAspectRatio', 'float', floats(1)), ...attribute('screenWindowCenter', 'v2f', floats(0, 0)),
    ...attribute('screenWindowWidth', 'float', floats(1)), Buffer.from([0])]);
  const offsets = Buffer.alloc(8 * height);
  const rows = [];
  for (let y = 0; y < height; ++y) {
    offsets.writeBigUInt64LE(BigInt(header.length + offsets.length + y * (8 + 4 * width)), 8 * y);
    rows.push(ints(y, 4 * width), floats(...values.slice(y * width, (y + 1) * width)));
  }
  return Buffer.concat([header, offsets, ...rows]);
}

test('a dab across four UDIM tiles paints all of them', async ({ lab }) => {
  const scene = quarters(lab, 'four.json');
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const maps = await page.evaluate(() => coif.state.scene.grooms[0].maps);
  expect.soft(maps[0].path, 'one map for all tiles').toBe('maps/four_density.<UDIM>.png');
  expect.soft(await page.evaluate(() => coif.state.layers[0].udims.join()), 'one tile for each UDIM with faces').toBe('1001,1002,1011,1012');
  const radius = 0.05;
  await dabAt(page, [0.01, 0, 0.005], { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius, symmetric: false });
  await settle(page);
  const { width, texels } = await texelsOf(studio);
  expect.soft(width, 'four tiles of 256 in an atlas').toBe(512);
  // Expected values: the plane is (u - 1, v - 1) / 10 metres.
  let wrong = 0;
  const painted = [0, 0, 0, 0];
  for (let i = 0; i < texels.length; ++i) {
    const [x, y] = [i % 512, Math.floor(i / 512)];
    const square = (y >> 8) * 2 + (x >> 8); // in the order of their numbers
    const u = (square % 2) + ((x & 255) + 0.5) / 256;
    const v = Math.floor(square / 2) + 1 - ((y & 255) + 0.5) / 256;
    const t = (Math.hypot(0.1 * (u - 1) - 0.01, -0.1 * (v - 1) - 0.005) / radius - 0.5) / 0.5;
    const amount = t <= 0 ? 1 : t >= 1 ? 0 : 1 - t * t * (3 - 2 * t);
    wrong += Math.abs(texels[i] - Math.round(65535 * (1 - amount))) > 2;
    painted[square] += texels[i] === 0;
  }
  expect.soft(wrong, 'texels that differ from the analytic brush').toBe(0);
  expect.soft(painted.every((count) => count > 500), `all four tiles are painted: ${painted}`).toBe(true);
  // Roots follow, in the studio and in coif groom.
  const positions = await rootPositionsOf(studio);
  const after = await rootsOf(studio);
  let inside = 0;
  let grows = 0;
  for (let i = 0; i < after.candidates; ++i) {
    if (Math.hypot(positions[6 * i] - 0.01, positions[6 * i + 2] - 0.005) < 0.024) {
      inside += 1;
      grows += after.grows[i];
    }
  }
  expect.soft(inside, 'no roots grow inside the dab').toBeGreaterThan(50);
  expect.soft(grows, 'no roots grow inside the dab').toBe(0);
  await studio.kill('SIGKILL');
  const again = await lab.openStudio(scene);
  expect.soft(same(texels, (await texelsOf(again)).texels), 'a killed studio restores all tiles').toBe(true);
  const fresh = await lab.openPage(again);
  await fresh.keyboard.press('Control+z');
  await fresh.waitForFunction(() => coif.state.redo === 1);
  expect.soft((await texelsOf(again)).texels.every((value) => value === 65535), 'a stroke over four tiles is one undo step').toBe(true);
  await fresh.keyboard.press('Control+Shift+z');
  await fresh.waitForFunction(() => coif.state.redo === 0);
  await fresh.keyboard.press('Control+s');
  await fresh.waitForFunction(() => !coif.state.dirty);
  for (const number of [1001, 1002, 1011, 1012]) expect.soft(existsSync(join(lab.folder, 'maps', `four_density.${number}.png`)), `tile ${number} is saved`).toBe(true);
  const grown = await lab.run('groom', join(lab.folder, scene), '--out', join(lab.folder, 'four'));
  expect.soft(grown.code, `coif groom generates the roots of the studio: ${grown.err}`).toBe(0);
  expect.soft(grown.err, `coif groom generates the roots of the studio: ${grown.err}`).toContain(` ${after.count} strands`);
  // Export and import.
  const files = [];
  for (const number of [1001, 1002, 1011, 1012]) {
    const answer = await again.request(`/api/layers?layer=0&format=exr&udim=${number}`);
    files.push([`four.${number}.exr`, [...new Uint8Array(await answer.arrayBuffer())]]);
    expect.soft(answer.headers.get('content-disposition'), 'file name of an exported tile').toContain(`four_density.${number}.exr`);
  }
  await fresh.evaluate((all) => coif.importFiles(all.map(([name, bytes]) => new File([Uint8Array.from(bytes)], name))), files);
  await fresh.waitForFunction(() => coif.paintTarget.map?.id === 1);
  expect.soft(same(texels, (await texelsOf(again, 1)).texels), 'exported tiles are imported losslessly').toBe(true);
});

test('the UV view displays all tiles and can be painted', async ({ lab }) => {
  const studio = await lab.openStudio(quarters(lab, 'flat.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await page.click('#toggle-uv');
  await page.evaluate(() => Object.assign(coif.brush, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.01 }));
  await page.waitForFunction(() => coif.uvView.section.clientWidth > 0);
  const box = await page.locator('#uv-view').boundingBox();
  const seen = await page.evaluate(() => [[0.1, 0.1], [1.9, 1.9]].map(([u, v]) => coif.uvView.toPixels(u, v)));
  expect.soft(seen.flat().every((x) => x > 0), `all four tiles are visible: ${seen}`).toBe(true);
  expect.soft(seen.every(([x, y]) => x < box.width && y < box.height), `all four tiles are visible: ${seen}`).toBe(true);
  // Along the upper row, from 1011 into 1012.
  const [from, to] = await page.evaluate(() => [coif.uvView.toPixels(0.7, 1.5), coif.uvView.toPixels(1.3, 1.5)]);
  await page.mouse.move(box.x + from[0], box.y + from[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + to[0], box.y + to[1], { steps: 12 });
  await page.mouse.up();
  await settle(page);
  const { texels } = await texelsOf(studio);
  const at = (square, u, v) => texels[(Math.floor(square / 2) * 256 + Math.floor((1 - v) * 256)) * 512 + (square % 2) * 256 + Math.floor(u * 256)];
  expect.soft(at(2, 0.8, 0.5), 'both tiles are painted').toBe(0);
  expect.soft(at(3, 0.2, 0.5), 'both tiles are painted').toBe(0);
  expect.soft(at(2, 0.8, 0.7), 'other texels are unchanged').toBe(65535);
  expect.soft(at(0, 0.8, 0.5), 'other texels are unchanged').toBe(65535);
  // Low values are blue, high ones yellow, once the frame is drawn.
  await expect.poll(() => page.evaluate(() => {
    const { canvas } = coif.uvView;
    const ratio = canvas.width / canvas.clientWidth;
    const read = (u, v) => [...canvas.getContext('2d').getImageData(...coif.uvView.toPixels(u, v).map((x) => Math.round(x * ratio)), 1, 1).data].slice(0, 3);
    const [black, white] = [read(1.213, 1.507), read(1.213, 0.507)];
    return black[2] > black[0] && white[0] > white[2];
  })).toBe(true);
});

test('tiles of different sizes are read-only', async ({ lab }) => {
  const studio = await lab.openStudio(quarters(lab, 'odd.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  const other = await (await studio.request('/api/layers?groom=0&name=other&side=64', { method: 'POST' })).json();
  await studio.request('/api/save', { method: 'POST' });
  await page.close();
  await studio.kill('SIGINT');
  const path = (name, number) => join(lab.folder, 'maps', `odd_${name}.${number}.png`);
  expect.soft(other.layers, 'a second map of another size').toHaveLength(2);
  writeFileSync(path('density', 1012), readFileSync(path('other', 1012)));
  const again = await lab.openStudio('odd.json');
  const fresh = await lab.openPage(again);
  expect.soft((await rootsOf(again)).count, 'the map is evaluated').toBe(4000);
  const title = await fresh.locator('.maps li').first().getAttribute('data-tip');
  expect.soft(title, 'the title names the tile of another size').toContain('odd_density.1012.png: 64 x 64');
  expect.soft(title, 'the title names the tile of another size').toContain('256 x 256');
  expect.soft(await fresh.evaluate(() => coif.state.layer), 'the other map is selected').toBe(1);
});

test('a map of 8192 x 8192 is created lazily and saved concurrently', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('large.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page, 256);
  const made = await (await studio.request('/api/layers?groom=0&name=large&side=8192', { method: 'POST' })).json();
  const file = statSync(join(lab.folder, 'maps', 'large_large.png'), { throwIfNoEntry: false });
  expect.soft(!file || file.size < 4096, `the file is not written yet: ${file && file.size} bytes`).toBeTruthy();
  const id = made.layers.at(-1).id;
  const bytes = Buffer.from(await (await studio.request(`/api/tiles?layer=${id}&since=0`)).arrayBuffer());
  expect.soft(bytes.readUInt32LE(0), 'an unpainted tile is one value').toBe(8192);
  expect.soft(bytes, 'an unpainted tile is one value').toHaveLength(16 + 8 * 128 * 128);
  // A stroke while the file is written.
  const files = readdirSync(join(lab.folder, 'maps')).length;
  const saving = studio.request('/api/save', { method: 'POST' }).then(() => 'saved');
  await expect.poll(() => readdirSync(join(lab.folder, 'maps')).length, { intervals: [5] }).toBeGreaterThan(files); // the file being written
  const record = Buffer.alloc(8);
  record.writeUInt16LE(5, 0);
  record.writeUInt16LE(1, 4);
  record.writeUInt16LE(777, 6);
  const painting = studio.request(`/api/tiles?layer=${id}&stroke=s`, { method: 'PUT', body: record }).then(() => 'painted');
  expect.soft(await Promise.race([saving, painting]), 'a stroke does not wait for saving').toBe('painted');
  expect.soft(await saving, 'the file is saved').toBe('saved');
  const state = await (await studio.request('/api/state')).json();
  expect.soft(state.dirty, 'the concurrent stroke is saved too').toBe(false);
  const header = readFileSync(join(lab.folder, 'maps', 'large_large.png')).subarray(16, 24);
  expect.soft(header.readUInt32BE(0), 'size of the saved file').toBe(8192);
  expect.soft(header.readUInt32BE(4), 'size of the saved file').toBe(8192);
  await page.close();
  await studio.kill('SIGINT');
  const again = await lab.openStudio('large.json');
  const layer = (await (await again.request('/api/state')).json()).layers.find(({ path }) => path.endsWith('large_large.png'));
  const tiles = Buffer.from(await (await again.request(`/api/tiles?layer=${layer.id}&since=0`)).arrayBuffer());
  expect.soft(tiles.readUInt16LE(16 + 8 * 5 + 6), 'the saved texels are loaded').toBe(777);
  expect.soft(tiles.readUInt16LE(16 + 8 * 6 + 6), 'the saved texels are loaded').toBe(65535);
});

test('a large map is filled and inverted', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('fill.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page, 4096);
  const positions = await rootPositionsOf(studio);
  await dabAt(page, [...positions.subarray(0, 3)], { tool: 'set', value: 0.5, strength: 1, hardness: 0.5, radius: 0.01, symmetric: false });
  await page.evaluate(() => coif.invert());
  await settle(page);
  const { texels } = await texelsOf(studio);
  const counts = new Map();
  for (const value of texels) counts.set(value, (counts.get(value) ?? 0) + 1);
  expect.soft(counts.get(0), 'texels are inverted').toBeGreaterThan(16e6);
  expect.soft(counts.get(65535 - 32768), 'texels are inverted').toBeGreaterThan(100);
  await page.evaluate(() => { coif.brush.value = 0.25; return coif.fill(); });
  await settle(page);
  expect.soft((await texelsOf(studio)).texels.every((value) => value === 16384), 'texels are filled').toBe(true);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo === 1);
  expect.soft(same((await texelsOf(studio)).texels, texels), 'undo restores the texels').toBe(true);
});

test('float values outside 0 to 1 are kept', async ({ lab }) => {
  const scene = lab.scene('floats.json');
  const studio = await lab.openStudio(scene);
  const page = await lab.openPage(studio);
  const values = Array.from({ length: 64 * 64 }, (_, i) => Math.fround(-0.5 + (4 * i) / 4095));
  const bytes = [...exr(64, 64, values)];
  await page.evaluate((all) => coif.importFiles([new File([Uint8Array.from(all)], 'height.exr')]), bytes);
  await page.waitForFunction(() => coif.paintTarget.map !== null);
  const toast = await page.textContent('#toasts');
  expect.soft(toast, 'the value range is reported').toContain('from -0.5 to 3.5');
  expect.soft(await page.textContent('.maps li .size'), 'the value range is listed').toContain('-0.5 to 3.5');
  await expect.soft(page.locator('input[aria-label=Value]'), 'maximum of the brush value').toHaveAttribute('max', '3.5');
  const positions = await rootPositionsOf(studio);
  await dabAt(page, [...positions.subarray(0, 3)], { tool: 'set', value: 2.25, strength: 1, hardness: 0.9, radius: 0.03, symmetric: false });
  await settle(page);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  const answer = await studio.request('/api/layers?layer=0&format=exr');
  expect.soft(answer.status, 'EXR export').toBe(200);
  await page.click('button:has-text("Export PNG")');
  await page.waitForFunction(() => document.getElementById('toasts').textContent.includes('Use EXR'));
  await page.close();
  await studio.kill('SIGINT');
  // As 16-bit values of the range: 2.25 is 45056 of 65535 from -0.5 to 3.5.
  const again = await lab.openStudio(scene);
  const state = await (await again.request('/api/state')).json();
  expect.soft(state.layers[0].low, 'the range is restored after saving').toBe(-0.5);
  expect.soft(state.layers[0].high, 'the range is restored after saving').toBe(3.5);
  const { texels } = await texelsOf(again);
  const painted = texels.filter((value, i) => value !== Math.round((65535 * i) / 4095));
  expect.soft(painted.length, `2.25 is painted (${painted.length} texels), other texels are unchanged`).toBeGreaterThan(20);
  expect.soft(painted.filter((value) => value === 45055 || value === 45056).length, `2.25 is painted (${painted.length} texels), other texels are unchanged`).toBeGreaterThan(10);
});
