// The start page: recent scenes, templates, new scenes.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootsOf, writeCharacter } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

const inStudio = (page) => page.waitForSelector('body[data-ready=true]');
const onStartPage = (page) => page.waitForSelector('body[data-ready=start]');

test('a template becomes a scene of its own, and opened scenes are listed', async ({ lab }) => {
  const studio = await lab.startStudio('start page');
  const page = await lab.openPage(studio, 'start');
  await expect(page.locator('#start .recent')).toHaveCount(0);
  expect.soft((await studio.request('/api/state')).status, 'state without a scene').toBe(409);
  await page.click('[data-template="preset/beach"]');
  await page.fill('dialog input[name=name]', 'mine');
  await page.click('dialog button[value=yes]');
  await inStudio(page);
  const path = join(lab.folder, 'mine.json');
  const scene = JSON.parse(readFileSync(path, 'utf8'));
  expect.soft(scene.grooms[0].modifiers.length, 'modifiers of the preset').toBeGreaterThan(1);
  expect.soft(existsSync(scene.bodies[0].mesh), 'the mesh of the template is found').toBe(true);
  expect.soft(Number.parseInt(await page.textContent('#root-count'), 10), 'growing roots').toBeGreaterThan(0);

  // Another one by path, from the start page, with the unsaved change of the first one kept.
  await page.evaluate(() => coif.edit([{ path: '/grooms/0/length', value: 0.31 }]));
  await page.click('#start-page');
  await onStartPage(page);
  await expect(page.locator('#start .recent button')).toHaveText(/mine\.json/);
  const other = lab.scene('other.json');
  await page.fill('[aria-label="Path of a scene"]', other);
  await page.keyboard.press('Enter');
  await inStudio(page);
  await page.waitForFunction(() => coif.state.path === 'other.json');
  await page.click('#start-page');
  await onStartPage(page);
  await expect(page.locator('#start .recent button')).toHaveText([/other\.json/, /mine\.json/]);
  await page.click('#start .recent button:has-text("mine.json")');
  await inStudio(page);
  expect.soft(await page.evaluate(() => [coif.state.path, coif.state.scene.grooms[0].length, coif.state.dirty]), 'the restored change').toEqual(['mine.json', 0.31, true]);

  // Missing files are dropped from the list.
  await page.click('#start-page');
  await onStartPage(page);
  rmSync(join(lab.folder, other));
  await page.reload();
  await onStartPage(page);
  await expect(page.locator('#start .recent button')).toHaveText(/mine\.json/);
});

test('names are confined to the folder and files are overwritten only when asked', async ({ lab }) => {
  const studio = await lab.startStudio('new.json', ['new.json']);
  const create = (body) => studio.request('/api/project/new', { method: 'POST', body: JSON.stringify(body) });
  for (const name of ['../escape', '/tmp/escape', '.hidden', '']) expect.soft((await create({ name })).status, `name ${name}`).toBe(422);
  expect.soft((await create({ name: 'x', folder: 'missing' })).status, 'a missing folder').toBe(422);
  expect.soft((await create({ name: 'x', kind: 'scene', template: '../scenes/bob' })).status, 'a template outside').toBe(422);
  const page = await lab.openPage(studio, 'start');
  const before = readFileSync(join(lab.folder, 'tiny.json'), 'utf8');
  await page.click('text="Empty scene…"');
  expect.soft(await page.inputValue('dialog input[name=name]'), 'the name of the command line').toBe('new.json');
  await page.fill('dialog input[name=name]', 'tiny');
  await page.click('dialog button[value=yes]');
  await page.click('dialog[aria-label*="exists already"] button[value=no]');
  expect.soft(readFileSync(join(lab.folder, 'tiny.json'), 'utf8'), 'the existing scene').toBe(before);
});

test('from an OBJ file to painted, growing hair', async ({ lab }) => {
  writeCharacter(lab, 'Body 1.obj');
  const studio = await lab.startStudio('start page');
  const page = await lab.openPage(studio, 'start');
  await page.setInputFiles('#mesh-file', [join(lab.folder, 'assets', 'mannequin.mtl'), join(lab.folder, 'Body 1.obj')]);
  await page.waitForSelector('body[data-setup=true]');
  await expect(page.locator('.unit-note')).toContainText('too high');
  await page.click('.unit-note button:has-text("decimetres")');
  await expect(page.locator('.unit-note')).toHaveText(/^The (head|body) is [3-6]\d(\.\d)? cm high/);
  await expect(page.locator('summary:has-text("Groups")')).toHaveText('Groups (45)');
  for (const helper of ['joint-ground', 'joint-spine-7', 'helper-skirt']) await expect.soft(page.locator(`[aria-label="Body: ${helper}"]`), helper).not.toBeChecked();
  await page.uncheck('[aria-label="Body: plinth"]'); // a material of the body
  await expect(page.locator('[aria-label="Scalp: body"]')).toBeChecked();
  await expect(page.locator('[aria-label="New texture coordinates"]')).toBeChecked();
  await page.selectOption('[aria-label=Hairstyle]', 'beach');
  await page.fill('input[name=name]', 'mine');
  await page.click('text="Create scene"');
  await inStudio(page);

  const scene = JSON.parse(readFileSync(join(lab.folder, 'mine.json'), 'utf8'));
  expect.soft(scene.bodies[0], 'the body of the scene').toMatchObject({ mesh: 'mine_body.obj', scale: 0.1 });
  expect.soft(scene.grooms[0].group, 'the scalp').toBe('scalp');
  expect.soft(existsSync(join(lab.folder, 'mannequin.mtl')), 'the uploaded materials beside the scene').toBe(true);
  expect.soft(existsSync(join(lab.folder, 'mine_body.obj')), 'the unwrapped copy beside the scene').toBe(true);
  const saved = readFileSync(join(lab.folder, 'mine_body.obj'), 'utf8');
  expect.soft(/plinth|cloth|joint/.test(saved), 'what was left out').toBe(false);
  expect.soft(saved.includes('usemtl face'), 'the material that stays').toBe(true);
  const roots = async () => (await rootsOf(studio)).count;
  const before = await roots();
  expect.soft(before, 'roots of the hairstyle').toBeGreaterThan(10000);

  // A density map, and a stroke over the top of the head that removes hair.
  await page.click('#new-map');
  await page.selectOption('dialog select[name=side]', '512');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.paintTarget.texels && coif.state.scene.grooms[0].density?.map === 'density');
  await page.evaluate(() => Object.assign(coif.brush, { value: 0, radius: 0.03, strength: 1 }));
  const center = await page.evaluate(() => {
    const { surface } = coif.paintTarget;
    const t = surface.growthMask.indexOf(1);
    return [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, i) => sum + surface.corner(t, i)[k] / 3, 0));
  });
  expect.soft(center.every(Number.isFinite), 'a growing triangle').toBe(true);
  const box = await page.locator('#view3d').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.36];
  await page.keyboard.press('5'); // from the top
  await page.mouse.move(x, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 40, { steps: 6 });
  await page.mouse.up();
  await page.waitForFunction(() => coif.paintTarget.map.activeEdits === 0 && coif.state.undo > 0);
  await expect.poll(roots).toBeLessThan(before - 100);
  expect.soft(await roots(), 'hair elsewhere still grows').toBeGreaterThan(1000);
  // The hair on the painted scalp, at rest and moving.
  await page.click('#tab-simulate');
  await page.click('#show-rest');
  await page.waitForFunction(() => coif.strandMesh.mesh.visible);
  await page.click('button:text-is("Step")');
  await page.waitForFunction(() => coif.liveStats.latest?.strands > 0);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !coif.state.dirty);
  expect.soft(existsSync(join(lab.folder, 'maps', 'mine_density.png')), 'the painted map').toBe(true);

  // A second scene of the same name is asked for, and nothing is overwritten.
  const kept = readFileSync(join(lab.folder, 'mine.json'), 'utf8');
  const again = await studio.request('/api/project/new', { method: 'POST', body: JSON.stringify({ name: 'mine', mesh: { path: 'assets/ball.obj', scale: 1, scalp_groups: [] } }) });
  expect.soft(again.status, 'a name that is in use').toBe(409);
  expect.soft(readFileSync(join(lab.folder, 'mine.json'), 'utf8')).toBe(kept);
});

test('a mesh on the command line is where a new scene begins', async ({ lab }) => {
  writeFileSync(join(lab.folder, 'plate.usda'), `#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Y"
)
def Mesh "plate"
{
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (20, 0, 0), (20, 20, 0), (0, 20, 0)]
}
`);
  for (const file of ['assets/ball.obj', 'plate.usda']) {
    const studio = await lab.startStudio(file, [file]);
    const page = await lab.openPage(studio, 'start');
    await page.waitForSelector('body[data-setup=true]');
    await expect.soft(page.locator('.mesh-form h1'), file).toHaveText(file.replace('assets/', ''));
    await expect.soft(page.locator('.unit-note'), file).toContainText('20 cm');
    await studio.kill('SIGTERM');
  }
});

test('requests for meshes are checked', async ({ lab }) => {
  const studio = await lab.startStudio('start page');
  const upload = (name) => studio.request(`/api/project/mesh?name=${encodeURIComponent(name)}&first=1`, { method: 'PUT', body: 'v 0 0 0\n' });
  for (const name of ['../escape.obj', '/tmp/escape.obj', '.hidden', '']) expect.soft((await upload(name)).status, `upload of ${name}`).toBe(422);
  const { path } = await (await upload('empty.obj')).json();
  expect.soft((await studio.request(`/api/project/mesh?path=${encodeURIComponent(path)}`)).status, 'a mesh without faces').toBe(400);
  const create = async (mesh) => {
    const reply = await studio.request('/api/project/new', { method: 'POST', body: JSON.stringify({ name: 'x', mesh: { path: 'assets/ball.obj', scale: 1, ...mesh } }) });
    return [reply.status, (await reply.json()).error];
  };
  expect.soft((await create({ scale: 0 }))[0], 'a scale of 0').toBe(400);
  expect.soft((await create({ scalp_groups: ['nothing'] })).join(), 'an unknown group').toContain('no group or material "nothing"');
  expect.soft((await create({})).join(), 'no scalp').toContain('no face is chosen as scalp');
  expect.soft(existsSync(join(lab.folder, 'x.json')), 'nothing was written').toBe(false);
});
