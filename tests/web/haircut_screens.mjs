// Screenshots of docs/tutorials/haircut.md: run.sh PROGRAM WORK --script haircut_screens.mjs OUT [LAST]
// LAST is the last picture to make: start, mesh, paint, strands, scene, render.

import { join } from 'node:path';
import { rootPositionsOf, writeCharacter } from './support/steps.mjs';
import { openLab } from './support/studio.mjs';

const [out, last = 'render'] = process.argv.slice(2);
const { lab, close } = await openLab();
writeCharacter(lab, 'character.obj');
const studio = await lab.startStudio('start page');
const page = await lab.openPage(studio, 'start');
await page.setViewportSize({ width: 1280, height: 760 });
const shoot = async (name) => {
  await page.screenshot({ path: join(out, `haircut_${name}.jpg`), type: 'jpeg', quality: name === 'paint' ? 60 : 70 });
  if (name !== last) return;
  await close();
  process.exit(0);
};
const idle = () => page.waitForFunction(() => !coif.view3d.frameRequest && !coif.view3d.isMeasuring && !(coif.paintTarget.map?.activeEdits > 0)
  && coif.renderImages.isIdle && document.getElementById('toasts').childElementCount === 0 && document.getElementById('status').textContent === '');
const shootStudio = async (name) => {
  await idle();
  // Full resolution, as with a GPU.
  await page.evaluate(() => { coif.view3d.interactiveRatio = coif.view3d.stillRatio = 2; coif.view3d.draw(); });
  await idle();
  await shoot(name);
};
const look = (position, target) => page.evaluate(([from, to]) => {
  const { view3d } = coif;
  view3d.camera.position.set(...from);
  view3d.controls.target.set(...to);
  view3d.controls.update();
}, [position, target]);

// 1: the start page, with pictures.
await page.waitForFunction(() => [...document.querySelectorAll('#start img')].filter((each) => each.getBoundingClientRect().top < innerHeight).every((each) => each.complete && each.naturalWidth > 0));
await shoot('start');

// 2: the mesh.
await page.setInputFiles('#mesh-file', [join(lab.folder, 'assets', 'mannequin.mtl'), join(lab.folder, 'character.obj')]);
await page.waitForSelector('body[data-setup=true]');
await page.uncheck('[aria-label="Body: plinth"]');
await page.click('.unit-note button:has-text("decimetres")');
await page.selectOption('[aria-label=Hairstyle]', 'straight');
await page.click('text="Show scalp"');
await page.waitForFunction(() => document.querySelector('.mesh-form img')?.naturalWidth > 0);
await page.fill('input[name=name]', 'haircut');
await page.locator('.mesh-form header').scrollIntoViewIfNeeded();
await shoot('mesh');
await page.click('text="Create scene"');
await page.waitForSelector('body[data-ready=true]');

// 3: the length, to the chin everywhere and shorter at the nape.
const box = await page.evaluate(() => {
  const { surface } = coif.paintTarget;
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let t = 0; t < surface.triangles; ++t) {
    for (let i = 0; surface.growthMask[t] && i < 3; ++i) {
      surface.corner(t, i).forEach((x, k) => { low[k] = Math.min(low[k], x); high[k] = Math.max(high[k], x); });
    }
  }
  return { low, high };
});
const middle = box.low.map((x, k) => (x + box.high[k]) / 2);
await page.click('#new-map');
await page.selectOption('dialog select[name=target]', 'length');
await page.click('dialog button[value=yes]');
await page.waitForFunction(() => coif.paintTarget.texels && coif.state.scene.grooms[0].length?.map === 'length');
await page.evaluate(() => { Object.assign(coif.brush, { value: 0.45, secondaryValue: 1 }); });
await page.click('#tools button:has-text("Fill")');
await page.waitForFunction(() => coif.paintTarget.map.activeEdits === 0 && coif.state.undo > 1);
await page.check('#panel-paint label:has-text("Mirror") input');
const roots = await rootPositionsOf(studio);
const nape = [];
for (let i = 0; i < roots.length; i += 6) if (roots[i + 1] < box.low[1] + 0.05 && roots[i + 2] < middle[2] - 0.02 && roots[i] >= 0) nape.push([roots[i], roots[i + 1], roots[i + 2]]);
nape.sort((a, b) => a[0] - b[0]);
await page.evaluate(async (places) => {
  Object.assign(coif.brush, { tool: 'set', value: 0.15, strength: 1, hardness: 0.2, radius: 0.03, symmetric: true });
  const { surface } = coif.paintTarget;
  const at = (i) => {
    const point = places[Math.min(places.length - 1, Math.round(i))];
    const { triangle } = surface.closestTriangle(point);
    return { triangle, point, normal: surface.normal(triangle) };
  };
  const painter = new coif.Painter();
  painter.begin(at, 0, 0, 1);
  for (let i = 1; i < places.length; i += Math.max(1, Math.floor(places.length / 40))) painter.move(i, 0, 1);
  await painter.end();
}, nape);
await look([middle[0] + 0.3, middle[1] - 0.01, middle[2] - 0.5], [middle[0], middle[1] - 0.04, middle[2]]);
await page.hover('#view3d', { position: { x: 520, y: 330 } });
await shootStudio('paint');

// 4: the strands.
await page.click('#tab-simulate');
await page.click('#show-rest');
await page.waitForFunction(() => coif.strandMesh.mesh.visible);
await look([middle[0] + 0.31, middle[1] + 0.03, middle[2] + 0.7], [middle[0], middle[1] - 0.04, middle[2]]);
await shootStudio('strands');

// 5: the outliner: colour and curl.
await page.click('#tab-scene');
await page.locator('#outliner [data-path="/grooms/0/modifiers"] .entry-add').click();
await page.selectOption('dialog select[name=kind]', 'groom.curl');
await page.click('dialog button[value=yes]');
await page.waitForFunction(() => coif.state.scene.grooms[0].modifiers.at(-1).plugin === 'groom.curl');
const curl = await page.evaluate(() => coif.state.scene.grooms[0].modifiers.length - 1);
const amount = page.locator(`.row[data-path="/grooms/0/modifiers/${curl}/amount"]`);
await amount.getByLabel('ramp of amount').click();
await page.waitForSelector('.ramp-point');
await amount.locator('.ramp-point').first().focus();
await amount.getByLabel('Amount: factor of the point').fill('0');
await page.keyboard.press('Enter');
await page.waitForFunction((i) => coif.state.scene.grooms[0].modifiers[i].amount?.ramp?.[0][1] === 0, curl);
await page.waitForFunction(() => document.getElementById('status').textContent === '');
await page.mouse.move(400, 740);
await shootStudio('scene');

// 6: the picture.
await page.click('#tab-render');
await page.fill('input[aria-label=Samples]', '32');
await page.selectOption('select[aria-label=Camera]', 'view');
await page.check('#denoise');
await page.click('#preview');
await page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.renderState), null, { timeout: 900000 });
await idle();
await shoot('render');
