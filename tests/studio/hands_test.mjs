// Hands: several of them at once, what a program refuses, and what is asked before it is done:
// node hands_test.mjs PROGRAM SCENES BROWSER [TEST...]

import { check, openPage, openStudio, runTests } from './harness.mjs';
import { dabAt, densityLayer, newLayer, sceneOf, settle, texelsOf } from './steps.mjs';

const begin = async (name) => {
  const studio = await openStudio(sceneOf(name));
  const page = await openPage(studio);
  await densityLayer(page);
  return { studio, page };
};

// Texels that the page has otherwise than the program.
const differing = (page) => page.evaluate(async () => {
  const { layer } = coif.canvas;
  const theirs = new layer.constructor(layer.id);
  await theirs.update();
  return theirs.tiles.reduce((sum, tile, n) => sum + tile.filter((word, i) => word !== layer.tiles[n][i]).length, 0);
});

const middleOf = async (page, view = '#view3d') => {
  const box = await page.locator(view).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

const still = (page) => page.waitForFunction(() => coif.canvas.layer.holders === 0);

async function what_the_program_refuses_is_taken_back() {
  const { studio, page } = await begin('refused.json');
  let refusals = 1;
  await page.route('**/api/tiles?layer=0&stroke=*', (route) => (refusals-- > 0
    ? route.fulfill({ status: 500, body: '{"error": "no room on the disk"}' }) : route.continue()));
  await dabAt(page, [0, 0.1, 0], { tool: 'set', value: 0, strength: 1, radius: 0.02 });
  await still(page);
  await page.waitForFunction(() => coif.canvas.layer.at(128, 128) !== undefined && document.querySelector('.toast.bad'));
  check(/not kept: no room on the disk/.test(await page.textContent('#toasts')), 'it says so');
  await page.waitForFunction(() => !coif.canvas.layer.missed);
  check(await differing(page) === 0, 'the page shows what the program has');
  await dabAt(page, [0, 0.1, 0], {});
  await still(page);
  await settle(page);
  check((await texelsOf(studio)).texels.some((word) => word === 0), 'the next stroke is there');
  check(await differing(page) === 0, 'and they are the same again');
  await page.close();
  await studio.kill('SIGTERM');
}

async function two_pages_that_paint_in_one_tile_both_stay_in_it() {
  const { studio, page } = await begin('both.json');
  const other = await openPage(studio);
  await other.waitForFunction(() => coif.canvas.texels);
  // Strokes of both, piece by piece, beside each other.
  for (const [each, side] of [[page, 1], [other, -1]]) {
    await each.evaluate((k) => {
      Object.assign(coif.brush, { tool: 'set', value: 0, strength: 1, radius: 0.006 });
      const { surface } = coif.canvas;
      globalThis.at = (i) => {
        const way = [0.02 + 0.004 * i, 0.1, 0.008 * k - 0.02];
        const near = way.map((x) => (0.1 * x) / Math.hypot(...way));
        const { triangle } = surface.nearest(near);
        return { triangle, point: near, normal: surface.normal(triangle) };
      };
      globalThis.mine = new coif.Painter();
      mine.begin(() => at(0), 0, 0, 1);
    }, side);
  }
  for (let i = 1; i < 5; ++i) {
    for (const each of [page, other]) {
      await each.evaluate(async (k) => {
        mine.sent = -1000; // a piece is due
        mine.hitAt = () => at(k);
        mine.move(0, k, 1);
        await coif.canvas.layer.sending;
      }, i);
    }
  }
  const wanted = [];
  for (const each of [page, other]) {
    wanted.push(await each.evaluate(() => [...coif.canvas.layer.tiles.keys()].flatMap((n) => [...mine.stroke.cover.get(n) ?? []].flatMap((share, i) => (share === 1 ? [[n, i]] : [])))));
  }
  check(wanted[0].some(([n]) => wanted[1].some(([m]) => m === n)), 'they have a tile in common');
  for (const each of [page, other]) await each.evaluate(() => mine.end());
  await page.waitForTimeout(300);
  const { texels, width } = await texelsOf(studio);
  const columns = width / 64;
  const word = ([n, i]) => texels[(Math.floor(n / columns) * 64 + (i >> 6)) * width + (n % columns) * 64 + (i & 63)];
  check(wanted.every((list) => list.length > 10 && list.every((texel) => word(texel) === 0)), `both are there: ${wanted.map((list) => list.filter((texel) => word(texel) === 0).length)} of ${wanted.map((list) => list.length)}`);
  check(await differing(page) === 0 && await differing(other) === 0, 'both pages see it');
  await page.close();
  await other.close();
  await studio.kill('SIGTERM');
}

async function undo_in_the_middle_of_a_stroke_takes_all_of_it_back() {
  const { studio, page } = await begin('middle.json');
  const [x, y] = await middleOf(page);
  const steps = await page.evaluate(() => coif.state.undo);
  await page.mouse.move(x - 40, y);
  await page.mouse.down();
  for (let i = 0; i < 8; ++i) {
    await page.mouse.move(x - 40 + 8 * i, y);
    await page.waitForTimeout(60);
  }
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.redo > 0);
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.mouse.up();
  await still(page);
  check(await page.evaluate(() => coif.state.undo) === steps, 'no step of it is left');
  check((await texelsOf(studio)).texels.every((word) => word === 65535), 'nor a texel');
  check(await differing(page) === 0, 'the page shows that');
  await page.close();
  await studio.kill('SIGTERM');
}

const touchOf = async (page) => {
  const session = await page.context().newCDPSession(page);
  return (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
};

async function two_fingers_move_the_view_and_a_palm_does_nothing() {
  const { studio, page } = await begin('fingers.json');
  const touch = await touchOf(page);
  const [x, y] = await middleOf(page);
  await page.evaluate(() => { coif.brush.touch = true; });
  const far = () => page.evaluate(() => coif.view3d.camera.position.distanceTo(coif.view3d.controls.target));
  const before = await far();
  await touch('touchStart', [x - 20, y]);
  await touch('touchStart', [x - 20, y], [x + 20, y]);
  for (let i = 1; i < 8; ++i) await touch('touchMove', [x - 20 - 5 * i, y], [x + 20 + 5 * i, y]);
  await touch('touchEnd');
  await still(page);
  check(await far() < 0.7 * before, `it comes nearer: ${await far()} of ${before}`);
  check((await texelsOf(studio)).texels.every((word) => word === 65535) && await differing(page) === 0, 'nothing is painted');

  // A pen that paints, and a palm that comes to lie beside it.
  const shaken = await far();
  await page.evaluate(([px, py]) => {
    const send = (type, id, kind, dx, more = {}) => coif.view3d.canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: id, pointerType: kind, clientX: px + dx, clientY: py, pressure: 1, buttons: 1, button: type === 'pointermove' ? -1 : 0, ...more }));
    coif.view3d.section.setPointerCapture = () => {};
    send('pointerdown', 71, 'pen', 0);
    send('pointerdown', 72, 'touch', 60);
    send('pointermove', 72, 'touch', 90);
    send('pointermove', 71, 'pen', 20);
    send('pointerup', 72, 'touch', 90);
    send('pointermove', 71, 'pen', 40);
    send('pointerup', 71, 'pen', 40);
    // The other end of the pen takes away what it painted.
    globalThis.erase = () => {
      send('pointerdown', 73, 'pen', 0, { button: 5, buttons: 32 });
      for (let i = 1; i <= 10; ++i) send('pointermove', 73, 'pen', 4 * i, { buttons: 32 });
      send('pointerup', 73, 'pen', 40, { button: 5, buttons: 0 });
    };
  }, [x, y]);
  await still(page);
  check(Math.abs(await far() - shaken) < 1e-6 && await page.evaluate(() => coif.state.undo) === 3, 'one stroke, and the view stays');
  const dark = (await texelsOf(studio)).texels.filter((word) => word === 0).length;
  await page.evaluate(() => erase());
  await still(page);
  await page.waitForFunction(() => coif.state.undo === 4);
  const left = (await texelsOf(studio)).texels.filter((word) => word === 0).length;
  check(dark > 50 && left < 0.2 * dark, `the pen paints ${dark} texels, its eraser leaves ${left}`);
  await page.close();
  await studio.kill('SIGTERM');
}

async function fingers_mouse_and_keys_move_the_map() {
  const { studio, page } = await begin('map.json');
  await page.click('#toggle-uv');
  await page.waitForFunction(() => coif.viewuv.section.clientWidth > 0);
  const touch = await touchOf(page);
  const [x, y] = await middleOf(page, '#viewuv');
  const seen = () => page.evaluate(() => ({ zoom: coif.viewuv.zoom, middle: [...coif.viewuv.middle] }));
  const first = await seen();
  await touch('touchStart', [x, y]);
  for (let i = 1; i < 5; ++i) await touch('touchMove', [x + 5 * i, y]);
  await touch('touchEnd');
  const shifted = await seen();
  check(shifted.middle[0] < first.middle[0] && shifted.zoom === first.zoom, 'a finger shifts it');
  await touch('touchStart', [x - 10, y], [x + 10, y]);
  for (let i = 1; i < 8; ++i) await touch('touchMove', [x - 10 - 3 * i, y], [x + 10 + 3 * i, y]);
  await touch('touchEnd');
  const nearer = await seen();
  check(nearer.zoom > 2, `two bring it nearer: ${nearer.zoom}`);
  await page.focus('#viewuv canvas');
  await page.keyboard.press('-');
  await page.keyboard.press('ArrowUp');
  const keyed = await seen();
  check(keyed.zoom < nearer.zoom && keyed.middle[1] > nearer.middle[1], 'so do keys');
  // Beside the ground of the map a drag of the mouse moves it.
  const [left] = [(await page.locator('#viewuv').boundingBox()).x + 4];
  await page.evaluate(() => { coif.viewuv.zoom = 0.5; });
  await page.mouse.move(left, y);
  await page.mouse.down();
  await page.mouse.move(left + 20, y, { steps: 3 });
  await page.mouse.up();
  check((await seen()).middle[0] < keyed.middle[0], 'and the mouse beside it');
  check((await texelsOf(studio)).texels.every((word) => word === 65535), 'nothing is painted by that');
  await page.close();
  await studio.kill('SIGTERM');
}

async function lasso_and_gradient_are_mirrored_too() {
  const { studio, page } = await begin('mirrored.json');
  await page.evaluate(() => Object.assign(coif.brush, { symmetric: true, value: 0, other: 1 }));
  const isMirrored = await page.evaluate(() => coif.canvas.surface.mirrored);
  const symmetric = async () => page.evaluate((exact) => {
    const { layer, texels, surface } = coif.canvas;
    let [wrong, painted] = [0, 0];
    for (const number of texels.all()) {
      const tile = texels.tile(number);
      for (let i = 0; i < 4096; ++i) {
        if (tile.owner[i] < 0) continue;
        const word = layer.tiles[number][i];
        painted += word < 65535;
        if (exact) {
          const [n, k] = layer.opposite(number, i);
          wrong += texels.tile(n)?.owner[k] >= 0 && layer.tiles[n][k] !== word;
        } else {
          const near = [-tile.place[3 * i], tile.place[3 * i + 1], tile.place[3 * i + 2]];
          const { triangle } = surface.nearest(near);
          const uv = surface.uvOf({ triangle, point: near });
          wrong += i % 97 === 0 && uv && Math.abs(layer.atUv(...uv) - word) > 6000;
        }
      }
    }
    return { wrong, painted };
  }, isMirrored);
  const [x, y] = await middleOf(page);
  await page.keyboard.press('1');
  await page.keyboard.press('l');
  const corners = [[20, -20], [60, -20], [60, 20], [20, 20], [20, -18]];
  await page.mouse.move(x + corners[0][0], y + corners[0][1]);
  await page.mouse.down();
  for (const [dx, dy] of corners) await page.mouse.move(x + dx, y + dy, { steps: 4 });
  await page.mouse.up();
  await still(page);
  await settle(page);
  const loop = await symmetric();
  check(loop.painted > 50 && loop.wrong <= (isMirrored ? 0 : 0.01 * loop.painted), `a lasso fills both sides: ${JSON.stringify(loop)}`);
  await page.evaluate(() => coif.gradient([0.02, 0.08, 0.05], [0.07, 0.09, 0]));
  await still(page);
  const shade = await symmetric();
  check(shade.painted > 500 && shade.wrong <= (isMirrored ? 0 : 0.01 * shade.painted), `a gradient is the same on both: ${JSON.stringify(shade)}`);
  await page.close();
  await studio.kill('SIGTERM');
}

async function fields_show_what_the_scene_has() {
  const { studio, page } = await begin('fields.json');
  await page.click('.tabs button:nth-child(2)');
  await page.fill('#pane-1 input[type=search]', 'no such thing');
  check(await page.isVisible('#pane-1 p.note'), 'a search that finds nothing says so');
  await page.fill('#pane-1 input[type=search]', 'substeps');
  const row = '#pane-1 .row[data-place="/sim/substeps"]';
  const number = `${row} input[type=number]`;
  const steps = await page.evaluate(() => coif.state.undo);
  const box = await page.locator(`${row} input[type=range]`).boundingBox();
  await page.mouse.move(box.x + 10, box.y + box.height / 2);
  await page.mouse.down();
  for (let i = 1; i < 6; ++i) {
    await page.mouse.move(box.x + 10 + (i * (box.width - 20)) / 5, box.y + box.height / 2);
    await page.waitForTimeout(150);
  }
  await page.mouse.up();
  await page.waitForFunction(() => coif.state.scene.sim.substeps > 4);
  await page.waitForTimeout(200);
  check(await page.evaluate(() => coif.state.undo) === steps + 1, 'a drag of a slider is one step');
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.scene.sim.substeps === 4);
  await page.waitForFunction((field) => document.querySelector(field).value === '4', number);
  check(await page.inputValue(`${row} input[type=range]`) === '4', 'undone, the slider stands where it was');
  await page.fill(number, '');
  await page.press(number, 'Tab');
  check(await page.inputValue(number) === '4' && await page.evaluate(() => coif.state.scene.sim.substeps) === 4, 'an empty field is what it was');
  await page.fill(number, '-3');
  await page.press(number, 'Enter');
  await page.waitForSelector('.toast.bad');
  await page.waitForFunction((field) => document.querySelector(field).value === '4', number);
  check(true, 'what is refused is not shown');
  await page.close();
  await studio.kill('SIGTERM');
}

async function names_are_checked_before_they_are_taken() {
  const { studio, page } = await begin('named.json');
  await newLayer(page, 'region');
  const rename = async (name) => {
    await page.click('ul.layers li >> nth=0');
    await page.click('button:has-text("Rename")');
    await page.fill('dialog input[name=name]', name);
    const fault = await page.$eval('dialog input[name=name]', (input) => input.validationMessage);
    await page.click('dialog button[value=no]');
    return fault;
  };
  check(/needs a name/.test(await rename('  ')), 'a blank is none');
  check(/already/.test(await rename('region')), 'one that is taken is told');
  check(/has no/.test(await rename('a/b')), 'so are letters that do not go');
  check(await rename('größe') === '', 'others do');
  // Keys are not meant for what lies under a question.
  await page.keyboard.press('?');
  await page.keyboard.press('a');
  check(await page.evaluate(() => coif.brush.tool) === 'set', 'the tool stays');
  await page.keyboard.press('Escape');
  await page.click('ul.layers li >> nth=1');
  await page.click('button:has-text("Delete")');
  await page.waitForFunction(() => coif.state.scene.grooms[0].maps.length === 1);
  check(await page.evaluate(() => coif.state.scene.grooms[0].region) === undefined, 'without its map there are no regions');
  await page.close();
  await studio.kill('SIGTERM');
}

async function the_brush_suits_the_ground() {
  const studio = await openStudio(sceneOf('large.json', (scene) => {
    scene.bodies[0].scale = 40;
    return scene;
  }));
  const page = await openPage(studio);
  const radius = () => page.evaluate(() => coif.brush.radius);
  const most = await page.evaluate(() => coif.brush.most);
  const first = await radius();
  check(first > 0.05 && first < 0.05 * most * 10, `a large body has a large brush: ${first} of ${most}`);
  check(await page.getAttribute('input[aria-label="Radius, mm"]', 'max') === String(Math.round(1000 * most)), 'the slider reaches as far');
  for (let i = 0; i < 60; ++i) await page.keyboard.press(']');
  check(await radius() === most, 'and so do keys');
  check(await page.inputValue('input[aria-label="Radius, mm"]') === String(Math.round(1000 * most)), 'both show the same');
  await page.close();
  await studio.kill('SIGTERM');
}

async function a_page_that_is_opened_again_and_again_is_heard() {
  const { studio, page } = await begin('again.json');
  let refused = 0;
  page.on('response', (answer) => { refused += answer.url().includes('/api/events') && answer.status() !== 200; });
  for (let i = 0; i < 45; ++i) {
    await page.reload();
    await page.waitForSelector('body[data-ready=true]');
  }
  await page.waitForTimeout(2500);
  check(refused === 0 && await page.locator('#lost').isHidden(), `${refused} times there was no room for it`);
  await page.close();
  await studio.kill('SIGTERM');
}

await runTests([
  what_the_program_refuses_is_taken_back, two_pages_that_paint_in_one_tile_both_stay_in_it,
  undo_in_the_middle_of_a_stroke_takes_all_of_it_back, two_fingers_move_the_view_and_a_palm_does_nothing,
  fingers_mouse_and_keys_move_the_map, lasso_and_gradient_are_mirrored_too, fields_show_what_the_scene_has,
  names_are_checked_before_they_are_taken, the_brush_suits_the_ground, a_page_that_is_opened_again_and_again_is_heard,
]);
