// Maps in UDIM tiles, large maps and maps of floats: node tiles_test.mjs PROGRAM SCENES BROWSER [TEST...]

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, folder, openPage, openStudio, run, runTests } from './harness.mjs';
import { dabAt, densityLayer, placesOf, rootsOf, sceneOf, settle, texelsOf } from './steps.mjs';

// A sheet of 0.2 m whose quarters lie in the tiles 1001, 1002, 1011 and 1012.
function writeQuarters(name, tiles = 2) {
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
  writeFileSync(join(folder, 'assets', name), `${lines.join('\n')}\n`);
}

const quarters = (name) => {
  writeQuarters('quarters.obj');
  return sceneOf(name, (scene) => {
    scene.bodies[0].mesh = 'assets/quarters.obj';
    return scene;
  });
};

const same = (a, b) => Buffer.from(a.buffer).equals(Buffer.from(b.buffer));

async function a_dab_in_the_middle_of_four_tiles_paints_all_of_them() {
  const scene = quarters('four.json');
  const studio = await openStudio(scene);
  const page = await openPage(studio);
  await densityLayer(page);
  const maps = await page.evaluate(() => coif.state.scene.grooms[0].maps);
  check(maps[0].path === 'maps/four_density.<UDIM>.png', `one map for all tiles: ${maps[0].path}`);
  check(await page.evaluate(() => coif.state.layers[0].squares.join()) === '1001,1002,1011,1012', 'one square for each tile that has ground');
  const radius = 0.05;
  await dabAt(page, [0.01, 0, 0.005], { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius, symmetric: false });
  await settle(page);
  const { width, texels } = await texelsOf(studio);
  check(width === 512, `four squares of 256 lie in a sheet: ${width}`);
  // From its tile and place alone: the sheet on the floor is (u - 1, v - 1) tenths of a metre.
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
  check(wrong === 0, `every texel of every tile is what its place says (${wrong} are not)`);
  check(painted.every((count) => count > 500), `all four are painted: ${painted}`);
  // Roots follow, here and from the command line.
  const places = await placesOf(studio);
  const after = await rootsOf(studio);
  let inside = 0;
  let grows = 0;
  for (let i = 0; i < after.candidates; ++i) {
    if (Math.hypot(places[6 * i] - 0.01, places[6 * i + 2] - 0.005) < 0.024) {
      inside += 1;
      grows += after.grows[i];
    }
  }
  check(inside > 50 && grows === 0, `nothing grows there: ${grows} of ${inside}`);
  await studio.kill('SIGKILL');
  const again = await openStudio(scene);
  check(same(texels, (await texelsOf(again)).texels), 'a killed program has all tiles back, at their size');
  const fresh = await openPage(again);
  await fresh.keyboard.press('Control+z');
  await fresh.waitForFunction(() => coif.state.redo === 1);
  check((await texelsOf(again)).texels.every((value) => value === 65535), 'one stroke over four tiles is one undo');
  await fresh.keyboard.press('Control+Shift+z');
  await fresh.waitForFunction(() => coif.state.redo === 0);
  await fresh.keyboard.press('Control+s');
  await fresh.waitForFunction(() => !coif.state.dirty);
  for (const number of [1001, 1002, 1011, 1012]) check(existsSync(join(folder, 'maps', `four_density.${number}.png`)), `tile ${number} is a file`);
  const grown = await run('groom', join(folder, scene), '--out', join(folder, 'four'));
  check(grown.code === 0 && grown.err.includes(` ${after.count} strands`), `coif groom grows ${after.count}: ${grown.err}`);
  // Out as files and in again.
  const files = [];
  for (const number of [1001, 1002, 1011, 1012]) {
    const answer = await again.ask(`/api/layers?layer=0&format=exr&square=${number}`);
    files.push([`four.${number}.exr`, [...new Uint8Array(await answer.arrayBuffer())]]);
    check(answer.headers.get('content-disposition').includes(`four_density.${number}.exr`), 'a tile is exported with its number');
  }
  await fresh.evaluate((all) => coif.importFiles(all.map(([name, bytes]) => new File([Uint8Array.from(bytes)], name))), files);
  await fresh.waitForFunction(() => coif.canvas.layer?.id === 1);
  check(same(texels, (await texelsOf(again, 1)).texels), 'files of tiles come in as they went out');
  await page.close();
  await fresh.close();
  await again.kill('SIGINT');
}

async function the_flat_view_shows_all_tiles_and_takes_paint() {
  const studio = await openStudio(quarters('flat.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  await page.click('#toggle-uv');
  await page.evaluate(() => Object.assign(coif.brush, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.01 }));
  await page.waitForTimeout(300);
  const box = await page.locator('#viewuv').boundingBox();
  const seen = await page.evaluate(() => [[0.1, 0.1], [1.9, 1.9]].map(([u, v]) => coif.viewuv.pixel(u, v)));
  check(seen.flat().every((x) => x > 0) && seen.every(([x, y]) => x < box.width && y < box.height), `all four are in sight: ${seen}`);
  // Along the upper row, from 1011 into 1012.
  const [from, to] = await page.evaluate(() => [coif.viewuv.pixel(0.7, 1.5), coif.viewuv.pixel(1.3, 1.5)]);
  await page.mouse.move(box.x + from[0], box.y + from[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + to[0], box.y + to[1], { steps: 12 });
  await page.mouse.up();
  await settle(page);
  const { texels } = await texelsOf(studio);
  const at = (square, u, v) => texels[(Math.floor(square / 2) * 256 + Math.floor((1 - v) * 256)) * 512 + (square % 2) * 256 + Math.floor(u * 256)];
  check(at(2, 0.8, 0.5) === 0 && at(3, 0.2, 0.5) === 0, 'both tiles are painted');
  check(at(2, 0.8, 0.7) === 65535 && at(0, 0.8, 0.5) === 65535, 'and nothing beside them');
  const color = await page.evaluate(() => {
    const { canvas } = coif.viewuv;
    const ratio = canvas.width / canvas.clientWidth;
    const read = (u, v) => [...canvas.getContext('2d').getImageData(...coif.viewuv.pixel(u, v).map((x) => Math.round(x * ratio)), 1, 1).data].slice(0, 3);
    return [read(1.213, 1.507), read(1.213, 0.507)];
  });
  check(color[0][2] > color[0][0] && color[1][0] > color[1][2], `black is blue and white is yellow: ${color}`);
  await page.close();
  await studio.kill('SIGINT');
}

async function tiles_of_different_sizes_are_used_and_a_word_says_why_they_are_not_painted() {
  const studio = await openStudio(quarters('odd.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  const other = await (await studio.ask('/api/layers?groom=0&name=other&side=64', { method: 'POST' })).json();
  await studio.ask('/api/save', { method: 'POST' });
  await page.close();
  await studio.kill('SIGINT');
  const path = (name, number) => join(folder, 'maps', `odd_${name}.${number}.png`);
  check(other.layers.length === 2, 'a second map of another size');
  writeFileSync(path('density', 1012), readFileSync(path('other', 1012)));
  const again = await openStudio('odd.json');
  const fresh = await openPage(again);
  check((await rootsOf(again)).count === 4000, 'it is used');
  const title = await fresh.locator('.layers li').first().getAttribute('title');
  check(title.includes('odd_density.1012.png: 64 x 64') && title.includes('256 x 256'), `which file is the odd one: ${title}`);
  check(await fresh.evaluate(() => coif.state.layer) === 1, 'and the other one can be painted');
  await fresh.close();
  await again.kill('SIGINT');
}

async function a_layer_of_8192_begins_at_once_and_is_written_beside_the_work() {
  const studio = await openStudio(sceneOf('large.json'));
  const page = await openPage(studio);
  await densityLayer(page, 256);
  const made = await (await studio.ask('/api/layers?groom=0&name=large&side=8192', { method: 'POST' })).json();
  const file = statSync(join(folder, 'maps', 'large_large.png'), { throwIfNoEntry: false });
  check(!file || file.size < 4096, `its file is not written yet: ${file && file.size} bytes`);
  const id = made.layers.at(-1).id;
  const bytes = Buffer.from(await (await studio.ask(`/api/tiles?layer=${id}&since=0`)).arrayBuffer());
  check(bytes.readUInt32LE(0) === 8192 && bytes.length === 16 + 8 * 128 * 128, `a tile that was never painted is one number: ${bytes.length} bytes`);
  // Somebody goes on painting while it is written.
  const saving = studio.ask('/api/save', { method: 'POST' }).then(() => 'saved');
  await new Promise((resolve) => setTimeout(resolve, 30));
  const record = Buffer.alloc(8);
  record.writeUInt16LE(5, 0);
  record.writeUInt16LE(1, 4);
  record.writeUInt16LE(777, 6);
  const painting = studio.ask(`/api/tiles?layer=${id}&stroke=s`, { method: 'PUT', body: record }).then(() => 'painted');
  check(await Promise.race([saving, painting]) === 'painted', 'a stroke does not wait for the file');
  check(await saving === 'saved', 'the file is written');
  const state = await (await studio.ask('/api/state')).json();
  check(!state.dirty, 'with what was painted meanwhile');
  const header = readFileSync(join(folder, 'maps', 'large_large.png')).subarray(16, 24);
  check(header.readUInt32BE(0) === 8192 && header.readUInt32BE(4) === 8192, 'at its size');
  await page.close();
  await studio.kill('SIGINT');
  const again = await openStudio('large.json');
  const layer = (await (await again.ask('/api/state')).json()).layers.find(({ path }) => path.endsWith('large_large.png'));
  const tiles = Buffer.from(await (await again.ask(`/api/tiles?layer=${layer.id}&since=0`)).arrayBuffer());
  check(tiles.readUInt16LE(16 + 8 * 5 + 6) === 777 && tiles.readUInt16LE(16 + 8 * 6 + 6) === 65535, 'and is read back');
  await again.kill('SIGINT');
}

async function a_whole_large_layer_is_filled_and_inverted_tile_by_tile() {
  const studio = await openStudio(sceneOf('fill.json'));
  const page = await openPage(studio);
  await densityLayer(page, 4096);
  const places = await placesOf(studio);
  await dabAt(page, [...places.subarray(0, 3)], { tool: 'set', value: 0.5, strength: 1, hardness: 0.5, radius: 0.01, symmetric: false });
  await page.evaluate(() => coif.invert());
  await settle(page);
  const { texels } = await texelsOf(studio);
  const counts = new Map();
  for (const value of texels) counts.set(value, (counts.get(value) ?? 0) + 1);
  check(counts.get(0) > 16e6 && counts.get(65535 - 32768) > 100, `inverted: ${counts.get(0)} black, ${counts.get(32767)} half`);
  await page.evaluate(() => { coif.brush.value = 0.25; return coif.fill(); });
  await settle(page);
  check((await texelsOf(studio)).texels.every((value) => value === 16384), 'filled');
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo === 1);
  check(same((await texelsOf(studio)).texels, texels), 'and undone');
  await page.close();
  await studio.kill('SIGINT');
}

// One channel of floats, without compression, as OpenEXR's file layout has it.
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

async function floats_beyond_0_and_1_are_kept() {
  const scene = sceneOf('floats.json');
  const studio = await openStudio(scene);
  const page = await openPage(studio);
  const values = Array.from({ length: 64 * 64 }, (_, i) => Math.fround(-0.5 + (4 * i) / 4095));
  const bytes = [...exr(64, 64, values)];
  await page.evaluate((all) => coif.importFiles([new File([Uint8Array.from(all)], 'height.exr')]), bytes);
  await page.waitForFunction(() => coif.canvas.layer !== null);
  const toast = await page.textContent('#toasts');
  check(toast.includes('from -0.5 to 3.5'), `what it holds is said: ${toast}`);
  check((await page.textContent('.layers li .size')).includes('-0.5 to 3.5'), 'and stands in the list');
  check(await page.locator('input[aria-label=Value]').getAttribute('max') === '3.5', 'the brush reaches as far');
  const places = await placesOf(studio);
  await dabAt(page, [...places.subarray(0, 3)], { tool: 'set', value: 2.25, strength: 1, hardness: 0.9, radius: 0.03, symmetric: false });
  await settle(page);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  const answer = await studio.ask('/api/layers?layer=0&format=exr');
  check(answer.status === 200, 'it is exported');
  await page.click('button:has-text("Export PNG")');
  await page.waitForFunction(() => document.getElementById('toasts').textContent.includes('EXR keeps it'));
  await page.close();
  await studio.kill('SIGINT');
  // Read back as words of the range: 2.25 is 45056 of 65535 from -0.5 to 3.5.
  const again = await openStudio(scene);
  const state = await (await again.ask('/api/state')).json();
  check(state.layers[0].low === -0.5 && state.layers[0].high === 3.5, 'the range is there after saving');
  const { texels } = await texelsOf(again);
  const painted = texels.filter((value, i) => value !== Math.round((65535 * i) / 4095));
  check(painted.length > 20 && painted.filter((value) => value === 45055 || value === 45056).length > 10, `2.25 is painted (${painted.length} texels), the others are as they were`);
  await again.kill('SIGINT');
}

await runTests([
  a_dab_in_the_middle_of_four_tiles_paints_all_of_them, the_flat_view_shows_all_tiles_and_takes_paint,
  tiles_of_different_sizes_are_used_and_a_word_says_why_they_are_not_painted,
  a_layer_of_8192_begins_at_once_and_is_written_beside_the_work,
  a_whole_large_layer_is_filled_and_inverted_tile_by_tile, floats_beyond_0_and_1_are_kept,
]);
