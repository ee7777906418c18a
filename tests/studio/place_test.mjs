// Camera, lights and pictures by hand: node place_test.mjs PROGRAM SCENES BROWSER [TEST...]

import { check, openPage, openStudio, runTests } from './harness.mjs';
import { sceneOf } from './steps.mjs';

// Where a place of space is on the page.
const onPage = (page, place) => page.evaluate((at) => {
  const box = coif.view3d.section.getBoundingClientRect();
  const [x, y] = coif.view3d.project(at);
  return [box.left + x, box.top + y];
}, place);

async function a_light_and_the_camera_are_placed_by_hand() {
  const light = { name: 'key', type: 'disk', position: [0.3, 0.3, 0.2], look_at: [0, 0.2, 0], intensity: 5 };
  const studio = await openStudio(sceneOf('lights.json', (scene) => ({ ...scene, lights: [light] })));
  const page = await openPage(studio);
  await page.click('.tabs button:nth-child(4)');
  await page.click('#see-all');
  const undo = await page.evaluate(() => coif.state.undo);
  const drag = async (from, by) => {
    const [x, y] = await onPage(page, from);
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let i = 1; i <= 5; ++i) await page.mouse.move(x + (by[0] * i) / 5, y + (by[1] * i) / 5);
    await page.mouse.up();
    return [x + by[0], y + by[1]];
  };
  const wanted = await drag(light.position, [60, -40]);
  await page.waitForFunction((before) => coif.state.scene.lights[0].position[0] !== before && !coif.gizmos.held, light.position[0]);
  await page.waitForTimeout(300);
  const moved = await page.evaluate(() => coif.state.scene.lights[0]);
  const seen = await onPage(page, moved.position);
  check(Math.hypot(seen[0] - wanted[0], seen[1] - wanted[1]) < 3, `it stands where it was let go: ${seen}, ${wanted}`);
  check(JSON.stringify(moved.look_at) === JSON.stringify(light.look_at), 'and looks where it did');
  check(await page.evaluate(() => coif.state.undo) === undo + 1, 'one drag is one step');
  // The aim sticks to the body.
  const [hx, hy] = await onPage(page, [0, 0.02, 0]);
  const [ax, ay] = await onPage(page, light.look_at);
  await drag(light.look_at, [hx - ax, hy - ay]);
  await page.waitForFunction(() => coif.state.scene.lights[0].look_at[1] !== 0.2);
  await page.waitForTimeout(300);
  const distance = await page.evaluate(() => coif.canvas.surface.nearest(coif.state.scene.lights[0].look_at).distance);
  check(distance < 1e-3, `the aim lies on the body (${distance} m off)`);
  // The numbers follow.
  await page.click('.tabs button:nth-child(2)');
  await page.fill('input[type=search]', '/lights/0/position');
  const shown = await page.locator('.row[data-place="/lights/0/position"] input').first().inputValue();
  check(Number(shown) === moved.position[0], `the panel says so: ${shown}`);
  await page.locator('#view3d canvas[role=img]').focus();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.waitForFunction((before) => coif.state.scene.lights[0].position[0] === before, light.position[0]);
  // The view becomes the scene's camera, and the other way round.
  await page.click('.tabs button:nth-child(4)');
  await page.evaluate(() => { coif.view3d.camera.position.set(0.1, 0.3, 0.5); coif.view3d.controls.update(); });
  await page.click('#keep-camera');
  await page.waitForFunction(() => coif.state.scene.camera.position[1] === 0.3);
  await page.evaluate(() => { coif.view3d.camera.position.set(1, 1, 1); coif.view3d.controls.update(); });
  await page.click('#look-through');
  const eye = await page.evaluate(() => coif.view3d.camera.position.toArray());
  check(Math.hypot(eye[0] - 0.1, eye[1] - 0.3, eye[2] - 0.5) < 1e-6, `the view is the camera's: ${eye}`);
  await page.close();
  await studio.kill('SIGINT');
}

// What the newest picture holds, as the page has it.
const finished = (page) => page.waitForFunction(() => ['done', 'failed', 'cancelled'].includes(document.body.dataset.picture));

async function a_region_lies_in_its_place_over_the_picture() {
  const studio = await openStudio(sceneOf('crop.json'));
  const page = await openPage(studio);
  await page.click('.tabs button:nth-child(1)');
  await page.click('#new-layer');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.canvas.layer);
  await page.click('.tabs button:nth-child(4)');
  for (const [name, value] of [['Width', 80], ['Height', 60], ['Samples', 2]]) await page.fill(`input[aria-label=${name}]`, String(value));
  await page.click('#preview');
  await finished(page);
  await page.waitForFunction(() => document.querySelector('#picture img').naturalWidth === 80);
  const undo = await page.evaluate(() => coif.state.undo);
  const box = await page.locator('#picture img').first().boundingBox();
  const at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
  await page.evaluate(() => { document.body.dataset.picture = ''; });
  await page.keyboard.down('Shift');
  await page.mouse.move(...at(0.25, 0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.75, 0.9), { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await finished(page);
  await page.waitForFunction(() => document.querySelector('#picture .patch').naturalWidth > 0);
  const patch = await page.evaluate(() => {
    const made = document.querySelector('#picture .patch');
    return [made.naturalWidth, made.naturalHeight, made.style.left, made.style.top];
  });
  check(patch[0] === 40 && patch[1] >= 24 && patch[1] <= 25 && patch[2] === '25%' && patch[3] === '50%', `only the region is rendered and lies in its place: ${patch}`);
  check(await page.evaluate(() => document.querySelector('#picture img').naturalWidth) === 80, 'the picture under it is whole');
  check(await page.evaluate(() => coif.state.undo) === undo, 'and nothing is painted under the picture');
  await page.close();
  await studio.kill('SIGINT');
}

// A camera whose film is shifted sees the head where its picture has it.
async function the_view_is_shifted_as_the_camera_is() {
  const camera = { position: [0, 0, 0.5], look_at: [0, 0, 0], fov: 30, film_offset_x: 6, film_offset_y: -3 };
  const studio = await openStudio(sceneOf('shifted.json', (scene) => ({ ...scene, camera, image: { width: 60, height: 40, samples: 1 } })));
  const page = await openPage(studio);
  await page.click('.tabs button:nth-child(4)');
  await page.click('#look-through');
  // What is looked at lies a quarter of the height to the left of the middle, and an eighth above it.
  const { at, size } = await page.evaluate(() => ({ at: coif.view3d.project([0, 0, 0]), size: [coif.view3d.section.clientWidth, coif.view3d.section.clientHeight] }));
  check(Math.abs(at[0] - (size[0] / 2 - 0.25 * size[1])) < 0.5 && Math.abs(at[1] - (size[1] / 2 - 0.125 * size[1])) < 0.5, `the middle is off by as much as the film: ${at} of ${size}`);
  const hit = await page.evaluate(([x, y]) => coif.view3d.hit(x, y)?.point, at);
  check(hit && Math.hypot(hit[0], hit[1]) < 1e-3, `a ray goes where it is seen: ${hit}`);
  await page.evaluate(() => { coif.view3d.camera.position.set(0, 0.1, 0.5); coif.view3d.controls.update(); });
  await page.click('#keep-camera');
  await page.waitForFunction(() => coif.state.scene.camera.position[1] === 0.1);
  const kept = await page.evaluate(() => coif.state.scene.camera);
  check(kept.film_offset_x === 6 && kept.film_offset_y === -3 && kept.fov === 30, `the scene keeps the shift: ${JSON.stringify(kept)}`);
  await page.close();
  await studio.kill('SIGINT');
}

// Without a cache the timeline shows where keys have the body, and hair at rest with it.
async function the_head_stands_as_its_keys_have_it() {
  const studio = await openStudio(sceneOf('keyed.json', (scene) => {
    scene.bodies[0].translate = { keys: [[1, [0, 0, 0]], [11, [0.1, 0, 0]]] };
    delete scene.bodies[0].rotate;
    scene.sim = { last_frame: 11 };
    return scene;
  }));
  const page = await openPage(studio);
  const moved = () => page.evaluate(() => {
    const { array } = coif.view3d.head.geometry.attributes.position;
    return array[0] - coif.view3d.surface.positions[3 * coif.view3d.surface.indices[0]];
  });
  const to = async (frame, way) => {
    await page.fill('input[aria-label="Frame number"]', String(frame));
    await page.press('input[aria-label="Frame number"]', 'Enter');
    await page.waitForFunction((wanted) => {
      const { array } = coif.view3d.head.geometry.attributes.position;
      return Math.abs(array[0] - coif.view3d.surface.positions[3 * coif.view3d.surface.indices[0]] - wanted) < 1e-5;
    }, way);
  };
  check(Math.abs(await moved()) < 1e-6, 'as the page begins it is at rest');
  await to(6, 0.05);
  check(await page.evaluate(() => coif.view3d.posed && !coif.view3d.roots.visible), 'its roots, which lie on the head at rest, are not in the way');
  await to(1, 0);
  check(await page.evaluate(() => !coif.view3d.posed && coif.view3d.roots.visible), 'and are back with it');
  await page.click('.tabs button:nth-child(3)');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.strands.lines.visible);
  const root = () => page.evaluate(() => { const { data } = coif.view3d.moving.hair; return data.low[0] + data.step[0] * data.places[0]; });
  const before = await root();
  await to(11, 0.1);
  await page.waitForFunction((was) => { const { data } = coif.view3d.moving.hair; return Math.abs(data.low[0] + data.step[0] * data.places[0] - was - 0.1) < 1e-4; }, before);
  check(Math.abs(await root() - before - 0.1) < 1e-4, 'hair at rest goes along');
  await page.close();
  await studio.kill('SIGINT');
}

// The pixels of a preview of hair at rest or live.
async function pictureOf(page, hair) {
  await page.click('.tabs button:nth-child(4)');
  await page.selectOption('select[aria-label=Hair]', hair);
  await page.evaluate(() => { document.body.dataset.picture = ''; });
  await page.click('#preview');
  await page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.picture));
  await page.waitForFunction(() => coif.pictures.settled && document.querySelector('#picture .frame img').naturalWidth > 0);
  return page.evaluate(async () => {
    const image = document.querySelector('#picture .frame img');
    await image.decode();
    const c = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext('2d');
    c.drawImage(image, 0, 0);
    return [...c.getImageData(0, 0, image.naturalWidth, image.naturalHeight).data];
  });
}

// So many frames of live hair, one by one, from the first.
async function stepLive(page, frames) {
  await page.click('.tabs button:nth-child(3)');
  for (let frame = 2; frame <= frames; ++frame) {
    await page.click('#pane-2 button:text-is("Step")');
    await page.waitForFunction((wanted) => document.getElementById('status3d').textContent.includes(`frame ${wanted}`), frame);
  }
}

// Hair that was moved live is rendered where it is; before it has moved that is the picture at rest.
async function live_hair_is_rendered_as_it_is() {
  const studio = await openStudio(sceneOf('blown.json', (scene) => {
    delete scene.bodies[0].rotate;
    scene.grooms[0].count = 300;
    return { ...scene, sim: { substeps: 4 }, forces: [{ plugin: 'wind.uniform', velocity: [14, 0, 0] }] };
  }));
  const page = await openPage(studio);
  await page.click('.tabs button:nth-child(4)');
  await page.selectOption('select[aria-label=Camera]', 'scene');
  await page.fill('input[aria-label=Samples]', '4');
  const picture = (hair) => pictureOf(page, hair);
  const apart = (a, b) => a.reduce((sum, x, i) => sum + Math.abs(x - b[i]), 0) / a.length;
  await page.selectOption('select[aria-label=Hair]', 'live');
  await page.click('#preview');
  await page.waitForSelector('.toast.bad:has-text("press Play or Step")');
  const rest = await picture('rest');
  await page.keyboard.press('Escape');
  await page.click('.tabs button:nth-child(3)');
  await page.click('#pane-2 button:text-is("Reset")');
  await page.waitForFunction(() => document.getElementById('status3d').textContent.includes('frame 1'));
  const still = await picture('live');
  await page.keyboard.press('Escape');
  await stepLive(page, 8);
  const blown = await picture('live');
  check(rest.length === still.length && apart(rest, still) < 0.2, `before it moves it is as at rest: ${apart(rest, still)}`);
  check(apart(rest, blown) > 1, `then it is blown aside: ${apart(rest, blown)}`);
  await page.close();
  await studio.kill('SIGINT');
}

// A head in the hand is rendered where it is held, with what grows on it and lies in it: the picture is that of a scene
// whose keys bring it there, to the pixel.
async function a_head_in_the_hand_is_rendered_where_it_is() {
  const [translate, rotate] = [[0.05, 0.02, -0.01], [10, 25, 5]];
  const pictures = [];
  for (const [name, motion] of [['held', {}], ['keyed', {
    translate: { keys: [[1, [0, 0, 0]], [2, translate]] }, rotate: { keys: [[1, [0, 0, 0]], [2, rotate]] },
  }], ['left', {}]]) {
    const studio = await openStudio(sceneOf(`${name}.json`, (scene) => {
      scene.bodies[0] = { name: 'ball', mesh: 'assets/ball.obj', pivot: [0, -0.05, 0], ...motion };
      scene.bodies.push({ ...scene.bodies[0], name: 'eye', scale: 0.9, collide: false, material: { color: [0.9, 0.1, 0.1] } });
      scene.bodies.push({ name: 'wall', mesh: 'assets/ball.obj', scale: 1.6, collide: false, translate: [0.1, 0, -0.6] });
      scene.grooms[0].count = 300;
      scene.grooms.push({ ...scene.grooms[0], name: 'brows', count: 60, length: 0.02 });
      return { ...scene, sim: { substeps: 4 }, forces: [] };
    }));
    const page = await openPage(studio);
    await page.click('.tabs button:nth-child(4)');
    await page.selectOption('select[aria-label=Camera]', 'scene');
    await page.fill('input[aria-label=Samples]', '4');
    if (name === 'held') await studio.ask('/api/grab', { method: 'PUT', body: JSON.stringify({ translate, rotate }) });
    await stepLive(page, 4);
    pictures.push(await pictureOf(page, 'live'));
    await page.close();
    await studio.kill('SIGINT');
  }
  const differ = (a, b) => a.filter((value, i) => value !== b[i]).length;
  const [held, keyed, left] = pictures;
  check(held.length === keyed.length && differ(held, keyed) === 0, `as by keys: ${differ(held, keyed)} of ${held.length} values differ`);
  check(differ(held, left) > 0.1 * held.length, `and not where it was: ${differ(held, left)}`);
}

await runTests([
  the_view_is_shifted_as_the_camera_is, the_head_stands_as_its_keys_have_it, live_hair_is_rendered_as_it_is,
  a_head_in_the_hand_is_rendered_where_it_is, a_region_lies_in_its_place_over_the_picture, a_light_and_the_camera_are_placed_by_hand]);
