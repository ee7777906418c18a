// Camera and light gizmos, scene camera.

import { expect, test } from './support/studio.mjs';

const onPage = (page, point) => page.evaluate((at) => {
  const box = coif.view3d.section.getBoundingClientRect();
  const [x, y] = coif.view3d.toPixels(at);
  return [box.left + x, box.top + y];
}, point);

test('lights are dragged and the scene camera is set', async ({ lab }) => {
  const light = { name: 'key', type: 'disk', position: [0.3, 0.3, 0.2], look_at: [0, 0.2, 0], intensity: 5 };
  const studio = await lab.openStudio(lab.scene('lights.json', (scene) => ({ ...scene, lights: [light] })));
  const page = await lab.openPage(studio);
  await page.click('#tab-render');
  await page.click('#frame-all');
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
  await page.waitForFunction((before) => coif.state.scene.lights[0].position[0] !== before && !coif.gizmos.drag, light.position[0]);
  // The last position of the drag reaches the scene.
  await expect.poll(async () => {
    const at = await onPage(page, await page.evaluate(() => coif.state.scene.lights[0].position));
    return Math.hypot(at[0] - wanted[0], at[1] - wanted[1]);
  }).toBeLessThan(3);
  const moved = await page.evaluate(() => coif.state.scene.lights[0]);
  expect.soft(moved.look_at, 'dragging a light keeps its target').toEqual(light.look_at);
  expect.soft(await page.evaluate(() => coif.state.undo), 'a drag is one undo step').toBe(undo + 1);
  // Drags the target onto the body.
  const [hx, hy] = await onPage(page, [0, 0.02, 0]);
  const [ax, ay] = await onPage(page, light.look_at);
  await drag(light.look_at, [hx - ax, hy - ay]);
  await page.waitForFunction(() => coif.state.scene.lights[0].look_at[1] !== 0.2);
  // The target snaps to the body.
  await expect.poll(() => page.evaluate(() => coif.paintTarget.surface.closestTriangle(coif.state.scene.lights[0].look_at).distance)).toBeLessThan(1e-3);
  // The parameter panel shows the new values.
  await page.click('#tab-scene');
  await page.fill('input[type=search]', '/lights/0/position');
  const field = page.locator('.row[data-path="/lights/0/position"]');
  const metres = { m: 1, cm: 0.01 }[await field.locator('small').textContent()];
  expect.soft(metres * Number(await field.locator('input').first().inputValue()), 'the panel shows the new position').toBeCloseTo(moved.position[0], 6);
  await page.locator('#view3d canvas[role=img]').focus();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.waitForFunction((before) => coif.state.scene.lights[0].position[0] === before, light.position[0]);
  // Copies the view to the scene camera, and back.
  await page.click('#tab-render');
  await page.evaluate(() => { coif.view3d.camera.position.set(0.1, 0.3, 0.5); coif.view3d.controls.update(); });
  await page.click('#set-scene-camera');
  await page.waitForFunction(() => coif.state.scene.camera.position[1] === 0.3);
  await page.evaluate(() => { coif.view3d.camera.position.set(1, 1, 1); coif.view3d.controls.update(); });
  await page.click('#look-through');
  const eye = await page.evaluate(() => coif.view3d.camera.position.toArray());
  expect.soft(Math.hypot(eye[0] - 0.1, eye[1] - 0.3, eye[2] - 0.5), `the viewport has the camera of the scene: ${eye}`).toBeLessThan(1e-6);
});

test('the viewport follows the film shift of the camera', async ({ lab }) => {
  const camera = { position: [0, 0, 0.5], look_at: [0, 0, 0], fov: 30, film_offset_x: 6, film_offset_y: -3 };
  const studio = await lab.openStudio(lab.scene('shifted.json', (scene) => ({ ...scene, camera, image: { width: 60, height: 40, samples: 1 } })));
  const page = await lab.openPage(studio);
  await page.click('#tab-render');
  await page.click('#look-through');
  // The target projects a quarter of the height left of the centre, and an eighth above it.
  const { at, size } = await page.evaluate(() => ({ at: coif.view3d.toPixels([0, 0, 0]), size: [coif.view3d.section.clientWidth, coif.view3d.section.clientHeight] }));
  expect.soft(Math.abs(at[0] - (size[0] / 2 - 0.25 * size[1])), `the principal point is shifted by the film offset: ${at} of ${size}`).toBeLessThan(0.5);
  expect.soft(Math.abs(at[1] - (size[1] / 2 - 0.125 * size[1])), `the principal point is shifted by the film offset: ${at} of ${size}`).toBeLessThan(0.5);
  const hit = await page.evaluate(([x, y]) => coif.view3d.hit(x, y)?.point, at);
  expect.soft(hit && Math.hypot(hit[0], hit[1]) < 1e-3, `picking uses the shifted projection: ${hit}`).toBeTruthy();
  await page.evaluate(() => { coif.view3d.camera.position.set(0, 0.1, 0.5); coif.view3d.controls.update(); });
  await page.click('#set-scene-camera');
  await page.waitForFunction(() => coif.state.scene.camera.position[1] === 0.1);
  const kept = await page.evaluate(() => coif.state.scene.camera);
  expect.soft(kept.film_offset_x, `film offset and field of view are kept: ${JSON.stringify(kept)}`).toBe(6);
  expect.soft(kept.film_offset_y, `film offset and field of view are kept: ${JSON.stringify(kept)}`).toBe(-3);
  expect.soft(kept.fov, `film offset and field of view are kept: ${JSON.stringify(kept)}`).toBe(30);
});
