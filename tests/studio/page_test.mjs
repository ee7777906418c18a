// The studio in a real browser: node page_test.mjs PROGRAM SCENES BROWSER [TEST...]

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { check, folder, openPage, openStudio, run, runTests } from './harness.mjs';
import { dabAt, densityLayer, placesOf, rootsOf, sceneOf, settle, texelsOf } from './steps.mjs';

// The corner of the ball's map: places on it where u is 0 on one side and 1 on the other.
const seamPlace = (page) => page.evaluate(() => {
  const { surface } = coif.canvas;
  const uvs = new Map();
  for (let t = 0; t < surface.triangles; ++t) {
    for (let c = 3 * t; surface.ground[t] && c < 3 * t + 3; ++c) {
      const key = surface.indices[c];
      uvs.set(key, [...(uvs.get(key) ?? []), surface.uvs[2 * c]]);
    }
  }
  const seam = [...uvs].filter(([, list]) => Math.max(...list) - Math.min(...list) > 0.5).map(([vertex]) => vertex);
  const middle = seam[Math.floor(seam.length / 2)];
  return seam.length ? [...surface.positions.subarray(3 * middle, 3 * middle + 3)] : null;
});

async function a_dab_over_a_seam_paints_both_sides_alike() {
  const studio = await openStudio(sceneOf('seam.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  const place = await seamPlace(page);
  check(place !== null, 'the ball has a seam');
  const radius = 0.03;
  await dabAt(page, place, { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius, symmetric: false });
  await settle(page);
  const { width, texels } = await texelsOf(studio);
  // What a texel should be, from its place on the surface alone.
  const wanted = await page.evaluate(([point, reach]) => {
    const { texels: places, layer } = coif.canvas;
    const out = [];
    for (const number of places.all()) {
      const tile = places.tile(number);
      for (let i = 0; i < 4096; ++i) {
        if (tile.owner[i] >= 0) {
          const x = (number % layer.columns) * 64 + (i & 63);
          const y = Math.floor(number / layer.columns) * 64 + (i >> 6);
          const d = Math.hypot(...[0, 1, 2].map((k) => tile.place[3 * i + k] - point[k])) / reach;
          const t = (d - 0.5) / 0.5;
          const amount = t <= 0 ? 1 : t >= 1 ? 0 : 1 - t * t * (3 - 2 * t);
          out.push([y * layer.width + x, Math.round(65535 * (1 - amount))]);
        }
      }
    }
    return out;
  }, [place, radius]);
  let wrong = 0;
  let left = 0;
  let right = 0;
  for (const [at, value] of wanted) {
    wrong += Math.abs(texels[at] - value) > 1;
    left += texels[at] === 0 && at % width < width / 2;
    right += texels[at] === 0 && at % width >= width / 2;
  }
  check(wrong === 0, `every texel is what its place says (${wrong} of ${wanted.length} are not)`);
  check(left > 20 && right > 20, `both sides of the seam are painted (${left}, ${right})`);
  await page.close();
  await studio.kill('SIGINT');
}

async function painted_black_has_no_roots_and_nothing_else_moves() {
  const studio = await openStudio(sceneOf('roots.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  const before = await rootsOf(studio);
  check(before.count === 4000 && before.candidates === 4000, `all 4000 grow at first (${before.count})`);
  const places = await placesOf(studio);
  const middle = [...places.subarray(0, 3)];
  await dabAt(page, middle, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.02, symmetric: false });
  await settle(page);
  const after = await rootsOf(studio);
  let inside = 0;
  let wrong = 0;
  for (let i = 0; i < after.candidates; ++i) {
    const d = Math.hypot(...[0, 1, 2].map((k) => places[6 * i + k] - middle[k]));
    inside += d < 0.016;
    wrong += (d < 0.016 && after.grows[i] !== 0) || (d > 0.03 && after.grows[i] !== before.grows[i]);
  }
  check(inside > 10 && wrong === 0, `${inside} candidates inside, ${wrong} wrong`);
  await page.waitForFunction((text) => document.getElementById('roots').textContent.startsWith(`${text} `), after.count.toLocaleString('en'));
  // From the command line: the same once it is saved.
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  check(existsSync(join(folder, 'roots.previous.json')), 'the version before is kept');
  const grown = await run('groom', join(folder, 'roots.json'), '--out', join(folder, 'grown'));
  check(grown.code === 0 && grown.err.includes(` ${after.count} strands`), `coif groom grows ${after.count}: ${grown.err}`);
  await page.close();
  await studio.kill('SIGINT');
}

async function a_hundred_strokes_are_undone_and_done_again() {
  const studio = await openStudio(sceneOf('undo.json'));
  const page = await openPage(studio);
  await densityLayer(page);
  const before = (await texelsOf(studio)).texels;
  const places = await placesOf(studio);
  for (let i = 0; i < 100; ++i) {
    await dabAt(page, [...places.subarray(6 * i, 6 * i + 3)], { tool: 'set', value: (i % 10) / 10, strength: 0.7, hardness: 0.2, radius: 0.012, symmetric: false });
  }
  await settle(page);
  const painted = (await texelsOf(studio)).texels;
  check(!Buffer.from(before.buffer).equals(Buffer.from(painted.buffer)), 'something was painted');
  for (let i = 0; i < 100; ++i) await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo >= 100);
  check(Buffer.from(before.buffer).equals(Buffer.from((await texelsOf(studio)).texels.buffer)), 'undone to the bit');
  for (let i = 0; i < 100; ++i) await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => coif.state.redo === 0);
  check(Buffer.from(painted.buffer).equals(Buffer.from((await texelsOf(studio)).texels.buffer)), 'done again to the bit');
  await page.waitForFunction(async () => { await coif.canvas.layer.update(); return true; });
  const seen = await page.evaluate(() => Array.from(coif.canvas.layer.tiles[0].subarray(0, 64)));
  check(seen.every((value, x) => value === painted[x]), 'the page shows what the program has');
  await page.close();
  await studio.kill('SIGINT');
}

async function a_killed_program_loses_nothing() {
  const scene = sceneOf('kill.json');
  const studio = await openStudio(scene);
  const page = await openPage(studio);
  await densityLayer(page);
  const places = await placesOf(studio);
  await dabAt(page, [...places.subarray(0, 3)], { tool: 'set', value: 0.25, strength: 1, hardness: 0.5, radius: 0.02, symmetric: false });
  await settle(page);
  const first = (await texelsOf(studio)).texels;
  // In the middle of the next stroke.
  await page.evaluate(([place]) => {
    const { surface } = coif.canvas;
    globalThis.halfway = new coif.Painter();
    const { triangle } = surface.nearest(place);
    globalThis.halfway.begin(() => ({ triangle, point: place, normal: surface.normal(triangle) }), 0, 0, 1);
  }, [[...places.subarray(60, 63)]]);
  await studio.kill('SIGKILL');
  const again = await openStudio(scene, '--port', String(studio.port));
  check(Buffer.from(first.buffer).equals(Buffer.from((await texelsOf(again)).texels.buffer)), 'the finished stroke is back to the bit');
  const fresh = await openPage(again);
  await fresh.waitForFunction(() => coif.canvas.layer !== null && coif.state.dirty);
  check(await fresh.evaluate(() => coif.state.undo) === 3, 'and can be undone');
  await page.close();
  await fresh.close();
  await again.kill('SIGINT');
}

async function what_was_undone_past_a_save_is_undone_after_a_crash() {
  const scene = sceneOf('past.json');
  const studio = await openStudio(scene);
  const page = await openPage(studio);
  await densityLayer(page);
  const places = await placesOf(studio);
  const before = (await texelsOf(studio)).texels;
  await dabAt(page, [...places.subarray(0, 3)], { tool: 'set', value: 0.25, strength: 1, hardness: 0.5, radius: 0.02, symmetric: false });
  await settle(page);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  for (const [key, redo] of [['Control+z', 1], ['Control+Shift+z', 0], ['Control+z', 1]]) {
    await page.keyboard.press(key);
    await page.waitForFunction((left) => coif.state.redo === left, redo);
  }
  const undone = (await texelsOf(studio)).texels;
  check(Buffer.from(before.buffer).equals(Buffer.from(undone.buffer)), 'the stroke is undone');
  await studio.kill('SIGKILL');
  const again = await openStudio(scene, '--port', String(studio.port));
  check(Buffer.from(before.buffer).equals(Buffer.from((await texelsOf(again)).texels.buffer)), 'and stays so');
  await page.close();
  await again.kill('SIGINT');
}

async function a_mirrored_stroke_is_the_same_on_both_sides() {
  // A sheet whose map is turned over at u = 1/2.
  const lines = [];
  const side = 16;
  for (let y = 0; y <= side; ++y) for (let x = 0; x <= side; ++x) lines.push(`v ${(x / side - 0.5) * 0.2} ${0.002 * Math.abs(x - side / 2)} ${(y / side - 0.5) * 0.2}`);
  for (let y = 0; y <= side; ++y) for (let x = 0; x <= side; ++x) lines.push(`vt ${x / side} ${y / side}`);
  for (let y = 0; y < side; ++y) {
    for (let x = 0; x < side; ++x) {
      const at = (i, k) => { const n = (y + k) * (side + 1) + x + i + 1; return `${n}/${n}`; };
      lines.push(`f ${at(0, 0)} ${at(0, 1)} ${at(1, 1)} ${at(1, 0)}`);
    }
  }
  writeFileSync(join(folder, 'assets', 'sheet.obj'), `${lines.join('\n')}\n`);
  const studio = await openStudio(sceneOf('mirror.json', (scene) => {
    scene.bodies[0].mesh = 'assets/sheet.obj';
    delete scene.grooms[0].group;
    return scene;
  }));
  const page = await openPage(studio);
  await densityLayer(page);
  check(await page.evaluate(() => coif.canvas.surface.mirrored), 'the map is known to be symmetric');
  for (const [tool, place] of [['set', [0.041, 0.01, 0.013]], ['add', [0.013, 0.003, -0.02]], ['subtract', [0.002, 0, 0.05]], ['smooth', [0.03, 0.006, 0.01]]]) {
    await dabAt(page, place, { tool, value: 0.3, strength: 0.63, hardness: 0.21, radius: 0.033, symmetric: true });
  }
  await settle(page);
  const { width, height, texels } = await texelsOf(studio);
  let wrong = 0;
  let painted = 0;
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      painted += texels[y * width + x] !== 65535;
      wrong += texels[y * width + x] !== texels[y * width + width - 1 - x];
    }
  }
  check(painted > 1000 && wrong === 0, `${painted} texels painted, ${wrong} differ from the other side`);
  await page.close();
  await studio.kill('SIGINT');
}

async function a_setting_reaches_hair_that_moves() {
  const studio = await openStudio(sceneOf('live.json', (scene) => ({ ...scene, forces: [] })));
  const page = await openPage(studio);
  const heights = [];
  await page.exposeFunction('seen', (height) => heights.push(height));
  await page.evaluate(() => {
    const source = new EventSource(`/api/events?token=${new URLSearchParams(location.search).get('token')}`);
    source.addEventListener('frame', (event) => globalThis.seen(JSON.parse(event.data).potential));
  });
  await page.click('.tabs button:nth-child(3)');
  await page.click('#play');
  const frames = async (count) => {
    const until = heights.length + count;
    while (heights.length < until) await new Promise((resolve) => setTimeout(resolve, 50));
    return heights[heights.length - 1];
  };
  await frames(5);
  check((await page.textContent('#play')) === 'Pause', 'it plays');
  // Upside down: the energy of height changes its sign with gravity.
  const before = await frames(3);
  await page.click('.tabs button:nth-child(2)');
  await page.fill('input[type=search]', '/sim/gravity');
  const boxes = page.locator('.row[data-place="/sim/gravity"] input');
  await boxes.nth(1).fill('20');
  await boxes.nth(1).press('Enter');
  await page.waitForFunction(() => coif.state.scene.sim.gravity?.[1] === 20);
  const after = await frames(8);
  check(Math.sign(before) === -Math.sign(after), `gravity turned over: ${before}, ${after}`);
  await page.close();
  await studio.kill('SIGINT');
}

async function a_picture_of_the_page_is_that_of_the_program() {
  const scene = sceneOf('picture.json');
  const studio = await openStudio(scene);
  const page = await openPage(studio);
  await page.click('.tabs button:nth-child(4)');
  await page.fill('input[aria-label=Width]', '48');
  await page.fill('input[aria-label=Height]', '40');
  await page.fill('input[aria-label=Samples]', '4');
  await page.selectOption('select[aria-label=Camera]', 'scene');
  await page.click('button[title="layer N in the EXR file"]');
  await page.click('text=Full frame');
  await page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.picture));
  const sets = ['image/width=48', 'image/height=40', 'image/samples=4'].flatMap((set) => ['--set', set]);
  const out = join(folder, 'picture');
  const grown = await run('groom', join(folder, scene), '--out', out, ...sets);
  const rendered = await run('render', join(folder, scene), '--out', out, '--rest', '--frames', '1', '--format', 'png', ...sets);
  check(grown.code === 0 && rendered.code === 0, `the program renders it: ${grown.err}${rendered.err}`);
  const theirs = readFileSync(join(out, 'render0001.png')).toString('base64');
  const same = await page.evaluate(async ([other]) => {
    const pixels = async (blob) => {
      const bitmap = await createImageBitmap(blob);
      const c = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      c.drawImage(bitmap, 0, 0);
      return { width: bitmap.width, height: bitmap.height, data: c.getImageData(0, 0, bitmap.width, bitmap.height).data };
    };
    const token = new URLSearchParams(location.search).get('token');
    const mine = await pixels(await (await fetch('/api/picture', { headers: { 'X-Coif-Token': token } })).blob());
    const bytes = Uint8Array.from(atob(other), (c) => c.charCodeAt(0));
    const theirPixels = await pixels(new Blob([bytes], { type: 'image/png' }));
    return mine.width === 48 && mine.height === 40 && mine.data.length === theirPixels.data.length &&
      mine.data.every((value, i) => value === theirPixels.data[i]) && mine.data.some((value) => value > 60 && value < 250);
  }, [theirs]);
  check(same, 'pixel for pixel');
  const normal = Buffer.from(await (await studio.ask('/api/picture?layer=N')).arrayBuffer());
  check(normal.readUInt32BE(16) === 48 && normal.readUInt32BE(20) === 40, 'a layer can be looked at');
  const missing = await studio.ask('/api/picture?layer=nothing');
  check(missing.status === 422 && (await missing.json()).error.includes('its channels'), 'one that is not there is explained');
  await page.close();
  await studio.kill('SIGINT');
}

// A request as no browser would send it.
function rawRequest(port, path, headers, body) {
  return new Promise((resolve) => {
    const made = request({ host: '127.0.0.1', port, path, method: body === undefined ? 'GET' : 'PUT', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    made.on('error', () => resolve(0));
    made.end(body);
  });
}

async function strangers_are_turned_away() {
  const studio = await openStudio(sceneOf('guard.json'));
  const { port, token } = studio;
  const host = `127.0.0.1:${port}`;
  check(await rawRequest(port, '/api/state', { Host: host, 'X-Coif-Token': token }) === 200, 'who has the token may ask');
  check(await rawRequest(port, '/api/state', { Host: host }) === 401, 'nobody without the token');
  check(await rawRequest(port, '/', { Host: host }) === 401, 'not even the page');
  check(await rawRequest(port, '/api/state', { Host: host, 'X-Coif-Token': `${token.slice(1)}0` }) === 401, 'nor with a wrong one');
  check(await rawRequest(port, '/api/state', { Host: `evil.example:${port}`, 'X-Coif-Token': token }) === 403, 'a foreign Host');
  check(await rawRequest(port, '/api/state', { Host: host, Origin: 'http://evil.example', 'X-Coif-Token': token }) === 403, 'a foreign Origin');
  check(await rawRequest(port, '/../../etc/passwd', { Host: host, 'X-Coif-Token': token }) === 404, 'a path upwards');
  check(await rawRequest(port, '/%2e%2e/%2e%2e/etc/passwd', { Host: host, 'X-Coif-Token': token }) === 404, 'an encoded path upwards');
  check(await rawRequest(port, '/api/tiles?layer=0', { Host: host, 'X-Coif-Token': token, 'Content-Length': String(2 ** 31) }, '') === 413, 'a body that is too large');
  const kept = await studio.ask('/api/picture?name=../../escape.png', { method: 'POST' });
  check(kept.status === 422 && !existsSync(join(folder, '..', '..', 'escape.png')), 'a picture outside the folder');
  const layer = await studio.ask('/api/layers?groom=0&name=..%2Fx&side=256', { method: 'POST' });
  check(layer.status === 422 && (await layer.json()).error.includes('name'), 'a layer outside the folder');
  const page = await studio.ask('/');
  check(page.headers.get('content-security-policy').includes("default-src 'none'"), 'a strict policy');
  const second = await run('studio', join(folder, 'guard.json'), '--no-open');
  check(second.code === 1 && second.err.includes('open on this scene already'), `a second studio: ${second.err}`);
  await studio.kill('SIGINT');
}

async function two_pages_stay_in_step() {
  const studio = await openStudio(sceneOf('two.json'));
  const one = await openPage(studio);
  const two = await openPage(studio);
  await densityLayer(one);
  await two.waitForFunction(() => coif.canvas.layer !== null);
  const places = await placesOf(studio);
  await dabAt(one, [...places.subarray(0, 3)], { tool: 'set', value: 0, strength: 1, hardness: 0.5, radius: 0.03, symmetric: false });
  await settle(one);
  const sum = (page) => page.evaluate(() => coif.canvas.layer.tiles.reduce((all, tile) => tile.reduce((a, b) => a + b, all), 0));
  const wanted = await sum(one);
  await two.waitForFunction((all) => coif.canvas.layer.tiles.reduce((s, tile) => tile.reduce((a, b) => a + b, s), 0) === all, wanted);
  const counted = (await rootsOf(studio)).count.toLocaleString('en');
  for (const page of [one, two]) {
    await page.waitForFunction((text) => document.getElementById('roots').textContent.startsWith(`${text} `), counted);
  }
  check(await sum(two) === wanted, 'both hold the same texels and count the same roots');
  await one.close();
  await two.close();
  await studio.kill('SIGINT');
}

async function saving_changes_only_what_was_changed() {
  const name = 'bytes.json';
  copyFileSync(join(folder, 'tiny.json'), join(folder, name));
  const before = readFileSync(join(folder, name), 'utf8');
  const studio = await openStudio(name);
  const page = await openPage(studio);
  await page.click('.tabs button:nth-child(2)');
  await page.fill('input[type=search]', '/grooms/0/count');
  const box = page.locator('.row[data-place="/grooms/0/count"] input[type=number]');
  await box.fill('333');
  await box.press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].count === 333);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  check(readFileSync(join(folder, name), 'utf8') === before.replace('"count": 200', '"count": 333'), 'one number and no other byte');
  // What is wrong is said, and the old value stays.
  await box.fill('-5');
  await box.press('Enter');
  await page.waitForSelector('.toast.bad');
  check((await page.textContent('.toast.bad')).includes('below'), 'a mistake is explained');
  check(await page.evaluate(() => coif.state.scene.grooms[0].count) === 333, 'and changes nothing');
  await page.close();
  await studio.kill('SIGINT');
}

await runTests([
  a_dab_over_a_seam_paints_both_sides_alike, painted_black_has_no_roots_and_nothing_else_moves,
  a_hundred_strokes_are_undone_and_done_again, a_killed_program_loses_nothing,
  what_was_undone_past_a_save_is_undone_after_a_crash,
  a_mirrored_stroke_is_the_same_on_both_sides, a_setting_reaches_hair_that_moves,
  a_picture_of_the_page_is_that_of_the_program, strangers_are_turned_away, two_pages_stay_in_step,
  saving_changes_only_what_was_changed,
]);
