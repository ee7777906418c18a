// Mouse, pen, touch and keyboard input.

import { centerOf, densityLayer, differingTexels, noActiveEdits, openWithDensityMap, settle, texelsOf } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const touchOf = async (page) => {
  const session = await page.context().newCDPSession(page);
  return (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
};

test('two fingers navigate and a palm is ignored', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'fingers.json');
  const touch = await touchOf(page);
  const [x, y] = await centerOf(page);
  await page.evaluate(() => { coif.brush.paintWithTouch = true; });
  const far = () => page.evaluate(() => coif.view3d.camera.position.distanceTo(coif.view3d.controls.target));
  const before = await far();
  await touch('touchStart', [x - 20, y]);
  await touch('touchStart', [x - 20, y], [x + 20, y]);
  for (let i = 1; i < 8; ++i) await touch('touchMove', [x - 20 - 5 * i, y], [x + 20 + 5 * i, y]);
  await touch('touchEnd');
  await noActiveEdits(page);
  expect.soft(await far(), 'the camera moves closer').toBeLessThan(0.7 * before);
  expect.soft((await texelsOf(studio)).texels.every((word) => word === 65535), 'nothing is painted').toBe(true);
  await expect.poll(() => differingTexels(page), 'nothing is painted').toBe(0);

  // A palm touches during a pen stroke.
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
    // The eraser of the pen.
    globalThis.erase = () => {
      send('pointerdown', 73, 'pen', 0, { button: 5, buttons: 32 });
      for (let i = 1; i <= 10; ++i) send('pointermove', 73, 'pen', 4 * i, { buttons: 32 });
      send('pointerup', 73, 'pen', 40, { button: 5, buttons: 0 });
    };
  }, [x, y]);
  await noActiveEdits(page);
  expect.soft(Math.abs(await far() - shaken), 'one stroke is painted and the camera does not move').toBeLessThan(1e-6);
  expect.soft(await page.evaluate(() => coif.state.undo), 'one stroke is painted and the camera does not move').toBe(2);
  const dark = (await texelsOf(studio)).texels.filter((word) => word === 0).length;
  await page.evaluate(() => erase());
  await noActiveEdits(page);
  await page.waitForFunction(() => coif.state.undo === 3);
  const left = (await texelsOf(studio)).texels.filter((word) => word === 0).length;
  expect.soft(dark, 'the pen paints and its eraser erases').toBeGreaterThan(50);
  expect.soft(left, 'the pen paints and its eraser erases').toBeLessThan(0.2 * dark);
});

test('touch, mouse and keys navigate the UV view', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'map.json');
  await page.click('#toggle-uv');
  await page.waitForFunction(() => coif.uvView.section.clientWidth > 0);
  const touch = await touchOf(page);
  const [x, y] = await centerOf(page, '#uv-view');
  const seen = () => page.evaluate(() => ({ zoom: coif.uvView.zoom, middle: [...coif.uvView.center] }));
  const first = await seen();
  await touch('touchStart', [x, y]);
  for (let i = 1; i < 5; ++i) await touch('touchMove', [x + 5 * i, y]);
  await touch('touchEnd');
  const shifted = await seen();
  expect.soft(shifted.middle[0], 'one finger pans').toBeLessThan(first.middle[0]);
  expect.soft(shifted.zoom, 'one finger pans').toBe(first.zoom);
  await touch('touchStart', [x - 10, y], [x + 10, y]);
  for (let i = 1; i < 8; ++i) await touch('touchMove', [x - 10 - 3 * i, y], [x + 10 + 3 * i, y]);
  await touch('touchEnd');
  const nearer = await seen();
  expect.soft(nearer.zoom, 'two fingers zoom').toBeGreaterThan(2);
  await page.focus('#uv-view canvas');
  await page.keyboard.press('-');
  await page.keyboard.press('ArrowUp');
  const keyed = await seen();
  expect.soft(keyed.zoom, 'keys zoom and pan').toBeLessThan(nearer.zoom);
  expect.soft(keyed.middle[1], 'keys zoom and pan').toBeGreaterThan(nearer.middle[1]);
  // A mouse drag outside the UV islands pans.
  const [left] = [(await page.locator('#uv-view').boundingBox()).x + 12];
  await page.evaluate(() => { coif.uvView.zoom = 0.5; });
  await page.mouse.move(left, y);
  await page.mouse.down();
  await page.mouse.move(left + 20, y, { steps: 3 });
  await page.mouse.up();
  expect.soft((await seen()).middle[0], 'the middle mouse button pans').toBeLessThan(keyed.middle[0]);
  expect.soft((await texelsOf(studio)).texels.every((word) => word === 65535), 'navigation does not paint').toBe(true);
});

test('pen pressure, touch and shortcuts', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('hands.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  const input = await page.context().newCDPSession(page);
  const box = await page.locator('#view3d').boundingBox();
  const middle = await page.evaluate(() => {
    // A visible surface point.
    const { view3d, paintTarget } = coif;
    for (let y = 10; y < view3d.section.clientHeight; y += 5) {
      const hit = coif.hit3d(view3d.section.clientWidth / 2, y);
      if (hit && paintTarget.surface.growthMask[hit.triangle]) return [view3d.section.clientWidth / 2, y + 20];
    }
    return null;
  });
  const [x, y] = [box.x + middle[0], box.y + middle[1]];
  await page.evaluate(() => Object.assign(coif.brush, { tool: 'set', value: 0, strength: 1, hardness: 0.9, radius: 0.012 }));
  const least = () => page.evaluate(() => coif.paintTarget.map.tiles.reduce((low, tile) => tile.reduce((a, b) => Math.min(a, b), low), 65535));
  // Pressure scales the strength.
  for (const [type, buttons] of [['mouseMoved', 0], ['mousePressed', 1], ['mouseReleased', 0]]) {
    await input.send('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', buttons, pointerType: 'pen', force: 0.5, clickCount: 1 });
  }
  await settle(page);
  const light = await least();
  expect.soft(Math.abs(light - 32768), 'a pen at half pressure paints half').toBeLessThan(700);
  // A finger rotates the view, or paints if enabled.
  const touch = async () => {
    await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await input.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + 25, y: y + 5 }] });
    await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.evaluate(() => coif.paintTarget.map.sending);
  };
  const eye = () => page.evaluate(() => coif.view3d.camera.position.toArray().join());
  const before = await eye();
  await touch();
  expect.soft(await eye(), 'a finger rotates the view and does not paint').not.toBe(before);
  expect.soft(await least(), 'a finger rotates the view and does not paint').toBe(light);
  const turned = await eye();
  await page.evaluate(() => { coif.brush.paintWithTouch = true; });
  await touch();
  expect.soft(await eye(), 'a finger paints when enabled').toBe(turned);
  expect.soft(await least(), 'a finger paints when enabled').toBe(0);
  // Shortcuts.
  const radius = await page.evaluate(() => coif.brush.radius);
  await page.keyboard.press(']');
  expect.soft(await page.evaluate(() => coif.brush.radius), '] enlarges the brush').toBeGreaterThan(1.1 * radius);
  await page.keyboard.press('[');
  await page.keyboard.press('x');
  expect.soft(await page.evaluate(() => [coif.brush.value, coif.brush.secondaryValue].join()), 'X swaps the values').toBe('1,0');
  for (const [key, tool] of Object.entries({ b: 'set', a: 'add', s: 'subtract', m: 'smooth', e: 'smear', l: 'lasso', g: 'gradient', v: 'navigate' })) {
    await page.keyboard.press(key);
    expect.soft(await page.evaluate(() => coif.brush.tool), `shortcut ${key}`).toBe(tool);
  }
  // Shortcuts work with the focus on a slider.
  await page.focus('#panel-paint input[type=range]');
  await page.keyboard.press('x');
  expect.soft(await page.evaluate(() => [coif.brush.value, coif.brush.secondaryValue].join()), 'X swaps the values with the focus on a slider').toBe('0,1');
  // The focus stays when the panel is rebuilt.
  await page.click('#tab-scene');
  await page.fill('input[type=search]', '/grooms/0/');
  const count = page.locator('.row[data-path="/grooms/0/count"] input[type=number]');
  await count.fill('3000');
  await count.press('Enter');
  await page.waitForFunction(() => coif.state.scene.grooms[0].count === 3000);
  expect.soft(await page.evaluate(() => document.activeElement.closest('[data-path]')?.dataset.path), 'an edited field keeps the focus').toBe('/grooms/0/count');
});
