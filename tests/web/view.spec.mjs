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
  expect.soft(x - tx, `2 is the left view: ${[x - tx, y - ty, z - tz]}`).toBeGreaterThan(5 * Math.abs(y - ty));
  expect.soft(Math.abs(z - tz), `2 is the left view: ${[x - tx, y - ty, z - tz]}`).toBeLessThan(1e-9);
  await page.click('.view-presets button:has-text("Back")');
  const back = await eyeOf(page);
  expect.soft(back[2] - back[5], `Back is the back view: ${back}`).toBeLessThan(0);
  expect.soft(Math.abs(back[0] - back[3]), `Back is the back view: ${back}`).toBeLessThan(1e-9);
  // F fits the scalp and keeps the direction.
  await page.click('#tab-render');
  await page.click('#look-through');
  const seen = await eyeOf(page);
  await page.locator('#view3d canvas[role=img]').focus();
  await page.keyboard.press('f');
  const fitted = await eyeOf(page);
  const direction = (eye) => [0, 1, 2].map((k) => eye[k] - eye[k + 3]).map((x, _, all) => x / Math.hypot(...all));
  expect.soft(far(direction(fitted), direction(seen)), 'F keeps the direction').toBeLessThan(1e-6);
  expect.soft(far(fitted.slice(3, 6), first.slice(3, 6)), 'F is centred at the scalp').toBeLessThan(1e-6);
});

test('zooming approaches the point under the pointer, and orbiting turns about it', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('pointed.json'));
  const page = await lab.openPage(studio);
  const box = await page.locator('#view3d').boundingBox();
  const [x, y] = [box.width / 2 + 25, box.height / 2 - 15];
  const point = await page.evaluate(([px, py]) => coif.hit3d(px, py).point, [x, y]);
  const seen = () => page.evaluate((at) => ({ pixel: coif.view3d.toPixels(at), distance: Math.hypot(...coif.view3d.camera.position.toArray().map((v, k) => v - at[k])) }), point);
  const before = await seen();
  await page.mouse.move(box.x + x, box.y + y);
  for (let i = 0; i < 4; ++i) await page.mouse.wheel(0, -100);
  await page.waitForFunction(([at, was]) => Math.hypot(...coif.view3d.camera.position.toArray().map((v, k) => v - at[k])) < 0.9 * was, [point, before.distance]);
  expect.soft(far((await seen()).pixel, [x, y]), 'the point stays under the pointer while zooming').toBeLessThan(1);
  const eye = await eyeOf(page);
  await page.keyboard.down('Alt');
  await page.mouse.down();
  await page.mouse.move(box.x + x + 120, box.y + y + 30, { steps: 6 });
  await page.mouse.up();
  await page.keyboard.up('Alt');
  const turned = await seen();
  expect.soft(far(turned.pixel, [x, y]), 'the point is the centre of the rotation').toBeLessThan(1);
  expect.soft(far((await eyeOf(page)).slice(0, 3), eye.slice(0, 3)), 'the camera has turned').toBeGreaterThan(0.1 * turned.distance);
  // The view cube, and the numeric keypad.
  await page.evaluate(() => coif.view3d.lookFrom([0.3, 0.8, 1]));
  const face = await page.locator('.view-cube .face[data-face=Top]').boundingBox();
  await page.mouse.click(face.x + face.width / 2, face.y + face.height / 2);
  const above = await eyeOf(page);
  expect.soft(above[1] - above[4], 'the upper face of the cube is the top view').toBeGreaterThan(10 * Math.abs(above[2] - above[5]));
  await page.keyboard.press('Control+Numpad3');
  const right = await eyeOf(page);
  expect.soft(right[0] - right[3], 'Ctrl-3 of the keypad is the right side').toBeLessThan(-5 * Math.abs(right[1] - right[4]));
  await page.keyboard.press('Numpad9');
  const left = await eyeOf(page);
  expect.soft(left[0] - left[3], '9 turns around').toBeGreaterThan(5 * Math.abs(left[1] - left[4]));
  // Everything, then the scalp: in the view under the pointer.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const distance = () => page.evaluate(() => coif.view3d.camera.position.distanceTo(coif.view3d.controls.target));
  await page.keyboard.press('Home');
  const whole = await distance();
  await page.keyboard.press('f');
  expect.soft(await distance(), 'the scalp is not larger than the body').toBeLessThanOrEqual(whole);
  await page.keyboard.press('u');
  const uv = await page.locator('#uv-view').boundingBox();
  await page.mouse.move(uv.x + uv.width / 2, uv.y + uv.height / 2);
  await page.mouse.wheel(0, -400);
  await page.waitForFunction(() => coif.uvView.zoom > 2);
  await page.keyboard.press('Home');
  await page.waitForFunction(() => coif.uvView.zoom === 1 && coif.uvView.center.join() === '0.5,0.5');
});

test('the legend displays the value under the pointer', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('legend.json'));
  const page = await lab.openPage(studio);
  await expect.soft(page.locator('.legend'), 'no legend without a map').toBeHidden();
  await densityLayer(page);
  await page.keyboard.press('5');
  const top = await page.evaluate(() => coif.hit3d(coif.view3d.section.clientWidth / 2, coif.view3d.section.clientHeight / 2).point);
  await dabAt(page, top, { tool: 'set', value: 0.25, strength: 1, hardness: 0.9, radius: 0.02, symmetric: false });
  await settle(page);
  const box = await page.locator('#view3d canvas[role=img]').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expect.soft(page.locator('.legend output'), 'the value under the brush').toHaveText('value 0.25');
  expect.soft((await page.textContent('.legend')).startsWith('density01'), 'the legend has the map name and range').toBe(true);
  await page.mouse.move(box.x + 4, box.y + box.height / 2);
  await expect.soft(page.locator('.legend output'), 'no value outside the head').toHaveText('');
  // The brush ring is drawn in the UV view too.
  await page.keyboard.press('u');
  await page.waitForFunction(() => coif.uvView.section.clientWidth > 0);
  const half = await page.locator('#view3d canvas[role=img]').boundingBox();
  await page.mouse.move(half.x + half.width / 2, half.y + half.height / 2);
  const ring = await page.evaluate(() => coif.uvView.ring.map((uv) => uv && coif.paintTarget.surface.hitAtUv(...uv)?.point));
  const radius = await page.evaluate(() => coif.brush.radius);
  const known = ring.filter(Boolean);
  expect.soft(known, `brush ring in the UV view: ${known.map((p) => far(p, top).toFixed(4)).slice(0, 6)}`).toHaveLength(48);
  expect.soft(known.every((p) => Math.abs(far(p, top) - radius) < 0.15 * radius), `brush ring in the UV view: ${known.map((p) => far(p, top).toFixed(4)).slice(0, 6)}`).toBe(true);
  await page.keyboard.press('h');
  await expect.soft(page.locator('label:has-text("Roots") input'), 'the shortcut clears the checkbox').not.toBeChecked();
});

test('help card, parameter names, colour inputs', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('card.json'));
  const page = await lab.openPage(studio);
  await page.keyboard.press('?');
  await page.waitForSelector('dialog.help');
  expect.soft(await page.textContent('dialog.help'), 'the help card lists shortcuts').toContain('Swap the value');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.click('#help');
  await page.click('dialog.help button');
  await page.waitForSelector('dialog', { state: 'detached' });
  // Labels and units; the search finds labels.
  await page.click('#tab-scene');
  await page.fill('input[type=search]', 'hair radius');
  const row = page.locator('.row[data-path="/sim/hair_radius"]');
  await expect.soft(row.locator('label'), 'parameter name and unit').toHaveText('Hair radius mm');
  await expect.soft(row, 'parameter name and unit').toBeVisible();
  expect.soft(await row.getAttribute('data-tip'), 'range and default value').toContain('0 to 10 mm; default 0.04 mm');
  await expect.soft(row.getByRole('textbox'), 'lengths of fibres are displayed in millimetres').toHaveValue('0.04');
  // The colour input is sRGB, the value linear.
  await page.fill('input[type=search]', 'reflectance');
  const color = page.locator('.row[data-path="/grooms/0/hair/reflectance"] input[type=color]');
  await expect.soft(color, 'linear 0.35, 0.2, 0.1 in sRGB').toHaveValue('#a07c59');
  await color.fill('#ff8000');
  await page.waitForFunction(() => coif.state.scene.grooms[0].hair?.reflectance);
  const chosen = await page.evaluate(() => coif.state.scene.grooms[0].hair.reflectance.join());
  expect.soft(chosen, 'sRGB to linear').toBe('1,0.2159,0');
  await page.fill('input[type=search]', 'gravity');
  await expect.soft(page.locator('.row[data-path="/sim/gravity"] input[type=color]'), 'a vector has no colour input').toHaveCount(0);
  expect.soft(await page.locator('.row[data-path="/sim/gravity"] .vector input').evaluateAll((all) => all.length === 3 && all.every((each) => each.scrollWidth <= each.clientWidth && each.clientWidth > 50)), 'vector components are not clipped').toBe(true);
});

test('parameter fields display the values of the scene', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'fields.json');
  await page.click('#tab-scene');
  await page.fill('#panel-scene input[type=search]', 'no such thing');
  await expect.soft(page.locator('#panel-scene p.note'), 'an empty search result is reported').toBeVisible();
  await page.fill('#panel-scene input[type=search]', 'substeps');
  const row = '#panel-scene .row[data-path="/sim/substeps"]';
  const number = `${row} input[type=number]`;
  const steps = await page.evaluate(() => coif.state.undo);
  await page.locator(row).scrollIntoViewIfNeeded();
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
  await expect.soft(page.locator(`${row} input[type=range]`), 'undo resets the slider').toHaveValue('4');
  await page.fill(number, '');
  await page.press(number, 'Tab');
  await expect.soft(page.locator(number), 'an empty field restores the value').toHaveValue('4');
  expect.soft(await page.evaluate(() => coif.state.scene.sim.substeps), 'an empty field restores the value').toBe(4);
  await page.fill(number, '-3');
  await page.press(number, 'Enter');
  await expect(page.locator(`${row} .field-error`)).toHaveText('Substeps must be at least 1.');
  await expect(page.locator(number), 'a rejected value is not displayed').toHaveValue('4');
});

test('a lost connection is reported with the steps to recover', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('lost.json'));
  const page = await lab.openPage(studio);
  await expect.soft(page.locator('#connection-banner'), 'no banner while connected').toBeHidden();
  await studio.kill('SIGKILL');
  await page.waitForSelector('#connection-banner:not([hidden])');
  const words = await page.textContent('#connection-banner');
  expect.soft(words, 'the banner explains how to recover').toContain('restart it with: coif studio lost.json');
  expect.soft(words, 'the banner explains how to recover').toContain('URL printed in the terminal');
  expect.soft(words, 'the banner explains how to recover').toContain('All changes are kept');
  // Another studio on the same port has another token: the banner names the URL, and no change is lost.
  const again = await lab.openStudio('lost.json', '--port', String(studio.port));
  await page.waitForFunction(() => document.getElementById('connection-banner').textContent.includes('another one is running'));
  const where = await page.textContent('#connection-banner');
  expect.soft(where, 'the banner names the new URL').toContain(`127.0.0.1:${studio.port}/?token=`);
  expect.soft(where, 'the banner names the new URL').toContain('then close this page');
  expect.soft(await page.evaluate(() => coif.paintTarget.disconnected), 'painting is disabled while disconnected').toBeTruthy();
  await page.close();
  // Restored changes are reported.
  const next = await lab.openPage(again);
  await expect.soft(next.locator('.toast'), 'no toast after a clean restart').toHaveCount(0);
  await densityLayer(next);
  await again.kill('SIGKILL');
  await next.close();
  const third = await lab.openStudio('lost.json');
  const last = await lab.openPage(third);
  expect.soft(await last.textContent('#toasts'), 'restored changes are reported').toMatch(/^Restored unsaved work from the last session \(1 undo step\)/);
});

test('repeated reloads keep the event stream', async ({ lab }) => {
  const { studio, page } = await openWithDensityMap(lab, 'again.json');
  // More streams than the server has clients are opened and closed.
  for (let i = 0; i < 40; ++i) {
    const closing = new AbortController();
    const stream = await studio.request('/api/events', { signal: closing.signal });
    expect(stream.status, `event stream ${i}`).toBe(200);
    closing.abort();
  }
  for (let i = 0; i < 5; ++i) {
    const events = page.waitForResponse(/api\/events/);
    await page.reload();
    expect((await events).status(), `event stream after reload ${i}`).toBe(200);
  }
  await page.waitForSelector('body[data-ready=true]');
  await studio.request('/api/edit', { method: 'POST', body: JSON.stringify({ edits: [{ path: '/sim/substeps', value: 7 }], stroke: '' }) });
  await page.waitForFunction(() => coif.state.scene.sim.substeps === 7);
  await expect(page.locator('#connection-banner')).toBeHidden();
});

test('parameters without effect under the chosen solver are hidden, and struck through where the scene gives them', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('solver_keys.json'));
  const page = await lab.openPage(studio);
  const row = (name) => page.locator(`.row[data-path="/sim/${name}"]`);
  await page.click('button:text-is("Scene")');
  await page.click('#outliner [data-path="/sim"]');
  await page.check('#advanced-parameters');
  await expect.soft(row('youngs_modulus'), 'a key of der').toBeVisible();
  await expect.soft(row('bend_stiffness'), 'a key of pbd under der').toBeHidden();
  await page.fill('input[type=search]', 'bend stiffness');
  await expect.soft(row('bend_stiffness'), 'search finds it').toBeVisible();
  await expect.soft(row('bend_stiffness'), 'its title says why').toHaveAttribute('data-tip', /Applies to solver pbd\. No effect now\./);
  await page.fill('input[type=search]', '');
  await page.evaluate(() => coif.edit([{ path: '/sim/bend_stiffness', value: 0.4 }]));
  await expect.soft(row('bend_stiffness').locator('label'), 'a given key without effect').toHaveCSS('text-decoration-line', 'line-through');
  await page.evaluate(() => coif.edit([{ path: '/sim/solver', value: 'pbd' }]));
  await expect.soft(row('bend_stiffness').locator('label'), 'a given key with an effect').toHaveCSS('text-decoration-line', 'none');
  await expect.soft(row('youngs_modulus'), 'a key of der under pbd').toBeHidden();
});

test('simulation parameters of a groom show what they inherit, and constant parameters have no keys', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('groom_keys.json'));
  const page = await lab.openPage(studio);
  const row = (name) => page.locator(`.row[data-path="/grooms/0/sim/${name}"]`);
  await page.click('button:text-is("Scene")');
  await page.click('#outliner [data-path="/grooms/0"]');
  await page.click('details[data-path="/grooms/0/sim"] > summary');
  await page.evaluate(() => coif.edit([{ path: '/sim/substeps', value: 6 }, { path: '/sim/solver', value: 'pbd' }]));
  await expect.soft(row('substeps').locator('input[type=number]'), 'the value of the scene').toHaveValue('6');
  await expect.soft(row('solver').locator('select'), 'a choice of the scene').toHaveValue('pbd');
  await expect.soft(row('bend_stiffness'), 'a key of pbd').toBeVisible();
  await expect.soft(row('fps'), 'the frame rate belongs to the scene').toHaveCount(0);
  await row('solver').locator('select').selectOption('der');
  await page.waitForFunction(() => coif.state.scene.grooms[0].sim?.solver === 'der');
  await expect.soft(row('bend_stiffness'), 'a key of pbd under der').toBeHidden();
  await expect.soft(row('solver'), 'an override').toHaveClass(/given/);
  await expect.soft(row('damping').getByLabel('key of damping'), 'a parameter that takes keys').toHaveCount(1);
  await expect.soft(row('solver').getByLabel('key of solver'), 'a constant parameter').toHaveCount(0);
  await row('solver').locator('label').dblclick();
  await page.waitForFunction(() => coif.state.scene.grooms[0].sim?.solver === undefined);
  await expect.soft(row('solver').locator('select'), 'inherited again').toHaveValue('pbd');
});

test('regions, grooms and parents of forces and bodies are edited as any parameter', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('addressed.json', (scene) => ({
    ...scene,
    grooms: [{ ...scene.grooms[0], tags: ['front', 'top'] }],
    forces: [{ plugin: 'wind.uniform', name: 'breeze', affects: ['front', 'top'] }],
  })));
  const page = await lab.openPage(studio);
  const row = (name) => page.locator(`.row[data-path="/forces/0/${name}"]`);
  await page.click('button:text-is("Scene")');
  await page.click('#outliner [data-path="/forces/0"]');
  await page.check('#advanced-parameters');
  await expect.soft(row('affects').locator('input:checked'), 'grooms and tags that are affected').toHaveCount(2);
  await expect.soft(row('region_radius'), 'without a region').toBeHidden();
  await row('region').locator('select').selectOption('ball');
  await page.waitForFunction(() => coif.state.scene.forces[0].region === 'ball');
  await expect.soft(row('region_radius'), 'of a ball').toBeVisible();
  await expect.soft(row('region_size'), 'edges of a box').toBeHidden();
  await row('affects').getByLabel('front').uncheck();
  await page.waitForFunction(() => JSON.stringify(coif.state.scene.forces[0].affects) === '["top"]');
  await expect.soft(row('amount').getByLabel('key of amount'), 'amount takes keys').toHaveCount(1);
  await expect.soft(row('mask'), 'mask takes maps').toHaveClass(/mappable/);
  await page.fill('input[type=search]', 'boundary');
  const boundary = page.locator('.row[data-path="/bodies/0/boundary"]');
  await boundary.locator('select').selectOption('inner');
  await page.waitForFunction(() => coif.state.scene.bodies[0].boundary === 'inner');
  await expect.soft(boundary.getByLabel('key of boundary'), 'a constant parameter').toHaveCount(0);
});
