// What is seen of the head and of its hair: node view_test.mjs PROGRAM SCENES BROWSER [TEST...]

import { check, openPage, openStudio, runTests } from './harness.mjs';
import { dabAt, densityLayer, newLayer, placesOf, sceneOf, settle } from './steps.mjs';

const eyeOf = (page) => page.evaluate(() => [...coif.view3d.camera.position.toArray(), ...coif.view3d.controls.target.toArray(), coif.view3d.camera.fov]);
const far = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));

async function there_is_a_way_back_to_the_first_view() {
  const studio = await openStudio(sceneOf('sides.json'));
  const page = await openPage(studio);
  const first = await eyeOf(page);
  await page.keyboard.press('2');
  const [x, y, z, tx, ty, tz] = await eyeOf(page);
  check(x - tx > 5 * Math.abs(y - ty) && Math.abs(z - tz) < 1e-9, `2 looks from the left of the head: ${[x - tx, y - ty, z - tz]}`);
  await page.click('.sides button:has-text("Back")');
  const back = await eyeOf(page);
  check(back[2] - back[5] < 0 && Math.abs(back[0] - back[3]) < 1e-9, `Back from behind: ${back}`);
  // From a camera of another angle, and from far away, one key leads back.
  await page.click('.tabs button:nth-child(4)');
  await page.click('#look-through');
  await page.locator('#view3d canvas[role=img]').focus();
  await page.keyboard.press('f');
  check(far(await eyeOf(page), first) < 1e-9, `F is the view of the beginning: ${await eyeOf(page)}`);
  await page.close();
  await studio.kill('SIGINT');
}

async function the_legend_tells_the_value_under_the_brush() {
  const studio = await openStudio(sceneOf('legend.json'));
  const page = await openPage(studio);
  check(await page.locator('.legend').isHidden(), 'without a layer there is nothing to tell');
  await densityLayer(page);
  await page.keyboard.press('5');
  const top = await page.evaluate(() => coif.hit3d(coif.view3d.section.clientWidth / 2, coif.view3d.section.clientHeight / 2).point);
  await dabAt(page, top, { tool: 'set', value: 0.25, strength: 1, hardness: 0.9, radius: 0.02, symmetric: false });
  await settle(page);
  const box = await page.locator('#view3d canvas[role=img]').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  check(await page.textContent('.legend output') === 'here 0.25', `the value under the brush: ${await page.textContent('.legend output')}`);
  check((await page.textContent('.legend')).startsWith('density01'), 'the name of the layer, and what its colours mean');
  await page.mouse.move(box.x + 4, box.y + box.height / 2);
  check(await page.textContent('.legend output') === '', 'nothing beside the head');
  // The ring lies in the map too, around the same place.
  await page.keyboard.press('u');
  await page.waitForFunction(() => coif.viewuv.section.clientWidth > 0);
  const half = await page.locator('#view3d canvas[role=img]').boundingBox();
  await page.mouse.move(half.x + half.width / 2, half.y + half.height / 2);
  const ring = await page.evaluate(() => coif.viewuv.ring.map((uv) => uv && coif.canvas.surface.atUv(...uv)?.point));
  const radius = await page.evaluate(() => coif.brush.radius);
  const known = ring.filter(Boolean);
  check(known.length === 48 && known.every((p) => Math.abs(far(p, top) - radius) < 0.15 * radius), `the ring in the map is as wide as on the head: ${known.map((p) => far(p, top).toFixed(4)).slice(0, 6)}`);
  await page.keyboard.press('h');
  check(!await page.isChecked('label:has-text("Roots") input'), 'a key and its box say the same');
  await page.close();
  await studio.kill('SIGINT');
}

async function hair_at_rest_is_that_of_all_grooms() {
  const studio = await openStudio(sceneOf('grooms.json', (scene) => {
    scene.grooms.push({ ...scene.grooms[0], name: 'fringe', count: 50 });
    return scene;
  }));
  const page = await openPage(studio);
  // Strands that are seen: 7 pieces of two triangles each.
  const strands = () => page.evaluate(() => coif.view3d.scene.children.filter((child) => child.name === 'strands' && child.visible)
    .map((child) => child.geometry.index.count / 42).sort((a, b) => a - b));
  await page.click('.tabs button:nth-child(3)');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.view3d.scene.children.filter((child) => child.name === 'strands' && child.visible).length === 2);
  check(String(await strands()) === '50,4000', `both grooms are there: ${await strands()}`);
  await page.click('label:has-text("Other grooms")');
  await page.waitForFunction(() => coif.view3d.scene.children.filter((child) => child.name === 'strands' && child.visible).length === 1);
  check(String(await strands()) === '4000', 'or the chosen one alone');
  await page.click('label:has-text("Other grooms")');
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('play').textContent === 'Pause');
  await page.waitForFunction(() => coif.strands.lengths.length === 2000);
  await page.click('#play');
  await page.waitForFunction(() => coif.strands.lines.visible);
  check(String(await strands()) === '50,2000', `live the chosen one has fewer strands, and the other is there: ${await strands()}`);
  // It goes with the head: turned and shifted as a whole, every point is where it would be in one piece with it.
  const away = await page.evaluate(() => {
    const { others, surface } = coif.view3d;
    const hair = others.hair.get(1);
    const turn = (p, i) => [0.8 * p[i] + 0.6 * p[i + 2] + 0.3, p[i + 1] - 0.1, 0.8 * p[i + 2] - 0.6 * p[i]];
    const moved = surface.positions.slice();
    for (let i = 0; i < moved.length; i += 3) moved.set(turn(surface.positions, i), i);
    const { places, low, step } = hair.on(moved);
    let most = 0;
    for (let i = 0; i < places.length; i += 3) {
      turn(hair.points, i).forEach((x, k) => { most = Math.max(most, Math.abs(x - low[k] - step[k] * places[i + k])); });
    }
    return most;
  });
  check(away < 2e-5, `it goes with the head: ${away}`);
  // Drawn by the page itself it is in the picture too.
  const without = await page.evaluate(() => {
    const { moving, camera, surface, others } = coif.view3d;
    const { soft, hair: { data } } = moving;
    const pixels = (shown) => { soft.draw(camera, surface, data.body, null, shown); return soft.pixels.slice(); };
    const [a, b] = [pixels(others), pixels(undefined)];
    return a.filter((pixel, i) => pixel !== b[i]).length;
  });
  check(without > 100, `and in the picture by the page itself: ${without} pixels`);
  await page.close();
  await studio.kill('SIGINT');
}

// Paint melanin and see it: strands have their own colours, and the map under them is out of the way.
async function strands_have_the_colours_that_maps_give_them() {
  const studio = await openStudio(sceneOf('melanin.json'));
  const page = await openPage(studio);
  await newLayer(page, 'melanin');
  await page.waitForFunction(() => coif.canvas.texels);
  const tints = () => page.evaluate(() => {
    const { lengths, uniforms } = coif.strands;
    const reds = new Set();
    let point = 0;
    lengths.forEach((length) => {
      point += length;
      reds.add(uniforms.tints.value.image.data[4 * (point - 1)]); // at the tip
    });
    return [Math.min(...reds), Math.max(...reds)];
  });
  await page.click('.tabs button:nth-child(3)');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.strands.lengths?.length === 4000);
  const [, dark] = await tints();
  check(await page.evaluate(() => coif.view3d.uniforms.mode.value) === 0, 'no map under hair that is looked at');
  await page.click('.tabs button:nth-child(1)');
  check(await page.evaluate(() => coif.view3d.uniforms.mode.value) === 1, 'but where one paints');
  const place = [...(await placesOf(studio)).subarray(0, 3)];
  await dabAt(page, place, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.05, symmetric: false });
  await page.waitForFunction((before) => {
    const { data } = coif.strands.uniforms.tints.value.image;
    return data.some((byte, i) => i % 4 === 0 && byte > before + 40);
  }, dark);
  const [low, high] = await tints();
  check(low <= dark && high > dark + 40, `white hair among brown: ${[low, high]}, before ${dark}`);
  await page.close();
  await studio.kill('SIGINT');
}

async function the_timeline_moves_hair_where_there_is_no_cache() {
  const studio = await openStudio(sceneOf('moves.json'));
  const page = await openPage(studio);
  await page.click('#play-cache');
  await page.waitForFunction(() => /frame \d+/.test(document.getElementById('status3d').textContent));
  check(await page.textContent('#play') === 'Pause' && await page.getAttribute('#play-cache', 'aria-label') === 'Pause', 'it plays, and both buttons say so');
  await page.click('#play-cache');
  await page.waitForFunction(() => document.getElementById('status3d').textContent.startsWith('paused'));
  check(await page.textContent('#play') === 'Play' && await page.getAttribute('#play-cache', 'aria-label') === 'Play', 'and pauses');
  await page.close();
  await studio.kill('SIGINT');
}

async function a_picture_has_the_shape_of_the_view_or_of_the_scene() {
  const studio = await openStudio(sceneOf('shape.json', (scene) => ({ ...scene, image: { width: 64, height: 36, samples: 1 } })));
  const page = await openPage(studio);
  await page.click('.tabs button:nth-child(4)');
  const size = () => page.evaluate(() => ['Width', 'Height'].map((name) => Number(document.querySelector(`input[aria-label=${name}]`).value)));
  await page.selectOption('select[aria-label=Camera]', 'scene');
  check(String(await size()) === '64,36', `the scene's camera has the scene's picture: ${await size()}`);
  await page.selectOption('select[aria-label=Camera]', 'view');
  const [width, height] = await size();
  const shape = await page.evaluate(() => coif.view3d.section.clientWidth / coif.view3d.section.clientHeight);
  check(Math.abs(width / height / shape - 1) < 0.01 && Math.abs(width * height / 409600 - 1) < 0.02, `that of the view its shape: ${width} x ${height} for ${shape}`);
  await page.fill('input[aria-label=Width]', '50');
  await page.fill('input[aria-label=Samples]', '1');
  await page.selectOption('select[aria-label=Camera]', 'scene');
  check(await page.inputValue('input[aria-label=Width]') === '50', 'what was written by hand stays');
  await page.close();
  await studio.kill('SIGINT');
}

async function a_page_without_its_program_says_so() {
  const studio = await openStudio(sceneOf('lost.json'));
  const page = await openPage(studio);
  await page.waitForTimeout(300);
  check(await page.locator('#lost').isHidden(), 'all is well at first');
  await studio.kill('SIGKILL');
  await page.waitForSelector('#lost:not([hidden])');
  const words = await page.textContent('#lost');
  check(words.includes('start it again, coif studio lost.json') && words.includes('whose address it prints') && words.includes('Everything that was done here is kept'), `and what to do: ${words}`);
  // Another one in its place is not the same: the page says where to go, and nothing that was delivered is lost.
  const again = await openStudio('lost.json', '--port', String(studio.port));
  await page.waitForFunction(() => document.getElementById('lost').textContent.includes('another coif studio answers'));
  const where = await page.textContent('#lost');
  check(where.includes(`127.0.0.1:${studio.port}/?token=`) && where.includes('then close this page'), `and that: ${where}`);
  check(await page.evaluate(() => coif.canvas.away), 'nothing is painted that nobody keeps');
  await page.close();
  // What was not saved is said when it is back.
  const next = await openPage(again);
  check(await next.locator('.toast').count() === 0, 'nothing was lost, nothing is said');
  await densityLayer(next);
  await again.kill('SIGKILL');
  await next.close();
  const third = await openStudio('lost.json');
  const last = await openPage(third);
  check(/^Work that was not saved is back: 3 steps/.test(await last.textContent('#toasts')), `work that is back is told: ${await last.textContent('#toasts')}`);
  await last.close();
  await third.kill('SIGINT');
}

async function keys_and_hands_stand_on_a_card() {
  const studio = await openStudio(sceneOf('card.json'));
  const page = await openPage(studio);
  await page.keyboard.press('?');
  await page.waitForSelector('dialog.help');
  check((await page.textContent('dialog.help')).includes('swap value'), 'the card says what keys do');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.click('#help');
  await page.click('dialog.help button');
  await page.waitForSelector('dialog', { state: 'detached' });
  // Names in words, with units; a search in words finds them.
  await page.click('.tabs button:nth-child(2)');
  await page.fill('input[type=search]', 'hair radius');
  const row = page.locator('.row[data-place="/sim/hair_radius"]');
  check(await row.locator('label').textContent() === 'hair radius m' && await row.isVisible(), `name and unit: ${await row.locator('label').textContent()}`);
  check((await row.getAttribute('title')).includes('0 to 0.01; default 0.00004'), `range and default: ${await row.getAttribute('title')}`);
  check(await row.locator('input[type=number]').inputValue() === '4e-5', 'a small number is whole');
  // A colour is chosen by eye: linear numbers, on the screen's curve in the chooser.
  await page.fill('input[type=search]', 'reflectance');
  const color = page.locator('.row[data-place="/grooms/0/hair/reflectance"] input[type=color]');
  check(await color.inputValue() === '#a07c59', `0.35, 0.2, 0.1 on the screen: ${await color.inputValue()}`);
  await color.fill('#ff8000');
  await page.waitForFunction(() => coif.state.scene.grooms[0].hair?.reflectance);
  const chosen = await page.evaluate(() => coif.state.scene.grooms[0].hair.reflectance.join());
  check(chosen === '1,0.2159,0', `and back: ${chosen}`);
  await page.fill('input[type=search]', 'gravity');
  check(await page.locator('.row[data-place="/sim/gravity"] input[type=color]').count() === 0, 'a force is no colour');
  check(await page.locator('.row[data-place="/sim/gravity"] .vector input').evaluateAll((all) => all.length === 3 && all.every((each) => each.scrollWidth <= each.clientWidth && each.clientWidth > 50)), 'its numbers are read whole');
  await page.close();
  await studio.kill('SIGINT');
}

await runTests([
  there_is_a_way_back_to_the_first_view, the_legend_tells_the_value_under_the_brush, hair_at_rest_is_that_of_all_grooms,
  strands_have_the_colours_that_maps_give_them, the_timeline_moves_hair_where_there_is_no_cache,
  a_picture_has_the_shape_of_the_view_or_of_the_scene, a_page_without_its_program_says_so, keys_and_hands_stand_on_a_card,
]);
