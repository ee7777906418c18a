// View presets, legend, help, parameter fields, connection.

import { dabAt, densityLayer, openWithDensityMap, settle } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const eyeOf = (page) => page.evaluate(() => [...coif.view3d.camera.position.toArray(), ...coif.view3d.controls.target.toArray(), coif.view3d.camera.fov]);

const far = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));

test('view presets and the home view', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('sides.json'));
  const page = await lab.openPage(studio);
  const first = await eyeOf(page);
  await page.keyboard.press('2');
  const [x, y, z, tx, ty, tz] = await eyeOf(page);
  expect.soft(x - tx > 5 * Math.abs(y - ty) && Math.abs(z - tz) < 1e-9, `2 looks from the left of the head: ${[x - tx, y - ty, z - tz]}`).toBeTruthy();
  await page.click('.view-presets button:has-text("Back")');
  const back = await eyeOf(page);
  expect.soft(back[2] - back[5] < 0 && Math.abs(back[0] - back[3]) < 1e-9, `Back from behind: ${back}`).toBeTruthy();
  // From a camera of another angle, and from far away, one key leads back.
  await page.click('#tab-render');
  await page.click('#look-through');
  await page.locator('#view3d canvas[role=img]').focus();
  await page.keyboard.press('f');
  expect.soft(far(await eyeOf(page), first) < 1e-9, `F is the view of the beginning: ${await eyeOf(page)}`).toBeTruthy();
});

test('the legend displays the value under the pointer', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('legend.json'));
  const page = await lab.openPage(studio);
  expect.soft(await page.locator('.legend').isHidden(), 'without a layer there is nothing to tell').toBeTruthy();
  await densityLayer(page);
  await page.keyboard.press('5');
  const top = await page.evaluate(() => coif.hit3d(coif.view3d.section.clientWidth / 2, coif.view3d.section.clientHeight / 2).point);
  await dabAt(page, top, { tool: 'set', value: 0.25, strength: 1, hardness: 0.9, radius: 0.02, symmetric: false });
  await settle(page);
  const box = await page.locator('#view3d canvas[role=img]').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  expect.soft(await page.textContent('.legend output') === 'value 0.25', `the value under the brush: ${await page.textContent('.legend output')}`).toBeTruthy();
  expect.soft((await page.textContent('.legend')).startsWith('density01'), 'the name of the layer, and what its colours mean').toBeTruthy();
  await page.mouse.move(box.x + 4, box.y + box.height / 2);
  expect.soft(await page.textContent('.legend output') === '', 'nothing beside the head').toBeTruthy();
  // The ring lies in the map too, around the same place.
  await page.keyboard.press('u');
  await page.waitForFunction(() => coif.uvView.section.clientWidth > 0);
  const half = await page.locator('#view3d canvas[role=img]').boundingBox();
  await page.mouse.move(half.x + half.width / 2, half.y + half.height / 2);
  const ring = await page.evaluate(() => coif.uvView.ring.map((uv) => uv && coif.paintTarget.surface.hitAtUv(...uv)?.point));
  const radius = await page.evaluate(() => coif.brush.radius);
  const known = ring.filter(Boolean);
  expect.soft(known.length === 48 && known.every((p) => Math.abs(far(p, top) - radius) < 0.15 * radius), `the ring in the map is as wide as on the head: ${known.map((p) => far(p, top).toFixed(4)).slice(0, 6)}`).toBeTruthy();
  await page.keyboard.press('h');
  expect.soft(!await page.isChecked('label:has-text("Roots") input'), 'a key and its box say the same').toBeTruthy();
});

test('help card, parameter names, colour inputs', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('card.json'));
  const page = await lab.openPage(studio);
  await page.keyboard.press('?');
  await page.waitForSelector('dialog.help');
  expect.soft((await page.textContent('dialog.help')).includes('swap value'), 'the card says what keys do').toBeTruthy();
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.click('#help');
  await page.click('dialog.help button');
  await page.waitForSelector('dialog', { state: 'detached' });
  // Names in words, with units; a search in words finds them.
  await page.click('#tab-scene');
  await page.fill('input[type=search]', 'hair radius');
  const row = page.locator('.row[data-path="/sim/hair_radius"]');
  expect.soft(await row.locator('label').textContent() === 'hair radius m' && await row.isVisible(), `name and unit: ${await row.locator('label').textContent()}`).toBeTruthy();
  expect.soft((await row.getAttribute('title')).includes('0 to 0.01; default 0.00004'), `range and default: ${await row.getAttribute('title')}`).toBeTruthy();
  expect.soft(await row.locator('input[type=number]').inputValue() === '4e-5', 'a small number is whole').toBeTruthy();
  // A colour is chosen by eye: linear numbers, on the screen's curve in the chooser.
  await page.fill('input[type=search]', 'reflectance');
  const color = page.locator('.row[data-path="/grooms/0/hair/reflectance"] input[type=color]');
  expect.soft(await color.inputValue() === '#a07c59', `0.35, 0.2, 0.1 on the screen: ${await color.inputValue()}`).toBeTruthy();
  await color.fill('#ff8000');
  await page.waitForFunction(() => coif.state.scene.grooms[0].hair?.reflectance);
  const chosen = await page.evaluate(() => coif.state.scene.grooms[0].hair.reflectance.join());
  expect.soft(chosen === '1,0.2159,0', `and back: ${chosen}`).toBeTruthy();
  await page.fill('input[type=search]', 'gravity');
  expect.soft(await page.locator('.row[data-path="/sim/gravity"] input[type=color]').count() === 0, 'a force is no colour').toBeTruthy();
  expect.soft(await page.locator('.row[data-path="/sim/gravity"] .vector input').evaluateAll((all) => all.length === 3 && all.every((each) => each.scrollWidth <= each.clientWidth && each.clientWidth > 50)), 'its numbers are read whole').toBeTruthy();
});

test('parameter fields display the values of the scene', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'fields.json');
  await page.click('#tab-scene');
  await page.fill('#panel-scene input[type=search]', 'no such thing');
  expect.soft(await page.isVisible('#panel-scene p.note'), 'a search that finds nothing says so').toBeTruthy();
  await page.fill('#panel-scene input[type=search]', 'substeps');
  const row = '#panel-scene .row[data-path="/sim/substeps"]';
  const number = `${row} input[type=number]`;
  const steps = await page.evaluate(() => coif.state.undo);
  const box = await page.locator(`${row} input[type=range]`).boundingBox();
  await page.mouse.move(box.x + 10, box.y + box.height / 2);
  await page.mouse.down();
  for (let i = 1; i < 6; ++i) {
    const edited = page.waitForResponse(/api\/edit/);
    await page.mouse.move(box.x + 10 + (i * (box.width - 20)) / 5, box.y + box.height / 2);
    await edited;
  }
  const released = page.waitForResponse(/api\/edit/);
  await page.mouse.up();
  await released;
  expect.soft(await page.evaluate(() => coif.state.undo), 'one drag is one undo step').toBe(steps + 1);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => coif.state.scene.sim.substeps === 4);
  await page.waitForFunction((field) => document.querySelector(field).value === '4', number);
  expect.soft(await page.inputValue(`${row} input[type=range]`) === '4', 'undone, the slider stands where it was').toBeTruthy();
  await page.fill(number, '');
  await page.press(number, 'Tab');
  expect.soft(await page.inputValue(number) === '4' && await page.evaluate(() => coif.state.scene.sim.substeps) === 4, 'an empty field is what it was').toBeTruthy();
  await page.fill(number, '-3');
  await page.press(number, 'Enter');
  await page.waitForSelector('.toast.bad');
  await expect(page.locator(number), 'a rejected value is not displayed').toHaveValue('4');
});

test('a lost connection is reported with the steps to recover', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('lost.json'));
  const page = await lab.openPage(studio);
  expect.soft(await page.locator('#connection-banner').isHidden(), 'all is well at first').toBeTruthy();
  await studio.kill('SIGKILL');
  await page.waitForSelector('#connection-banner:not([hidden])');
  const words = await page.textContent('#connection-banner');
  expect.soft(words.includes('restart it with: coif studio lost.json') && words.includes('URL printed in the terminal') && words.includes('All changes are kept'), `and what to do: ${words}`).toBeTruthy();
  // Another one in its place is not the same: the page says where to go, and nothing that was delivered is lost.
  const again = await lab.openStudio('lost.json', '--port', String(studio.port));
  await page.waitForFunction(() => document.getElementById('connection-banner').textContent.includes('another one is running'));
  const where = await page.textContent('#connection-banner');
  expect.soft(where.includes(`127.0.0.1:${studio.port}/?token=`) && where.includes('then close this page'), `and that: ${where}`).toBeTruthy();
  expect.soft(await page.evaluate(() => coif.paintTarget.disconnected), 'nothing is painted that nobody keeps').toBeTruthy();
  await page.close();
  // What was not saved is said when it is back.
  const next = await lab.openPage(again);
  expect.soft(await next.locator('.toast').count() === 0, 'nothing was lost, nothing is said').toBeTruthy();
  await densityLayer(next);
  await again.kill('SIGKILL');
  await next.close();
  const third = await lab.openStudio('lost.json');
  const last = await lab.openPage(third);
  expect.soft(/^Restored 3 unsaved changes/.test(await last.textContent('#toasts')), `work that is back is told: ${await last.textContent('#toasts')}`).toBeTruthy();
});

test('repeated reloads keep the event stream', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'again.json');
  for (let i = 0; i < 45; ++i) {
    const events = page.waitForResponse(/api\/events/);
    await page.reload();
    expect((await events).status(), `event stream after reload ${i}`).toBe(200);
  }
  await page.waitForSelector('body[data-ready=true]');
  await studio.request('/api/edit', { method: 'POST', body: JSON.stringify({ edits: [{ path: '/sim/substeps', value: 7 }], stroke: '' }) });
  await page.waitForFunction(() => coif.state.scene.sim.substeps === 7);
  await expect(page.locator('#connection-banner')).toBeHidden();
});
