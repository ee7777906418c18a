// Screenshots of docs/guide/studio.md: run.sh PROGRAM WORK --script screens.mjs OUT [paint] [regions] [strands] [lights] [render]

import { join } from 'node:path';
import { dabAt, newLayer } from './support/steps.mjs';
import { openLab } from './support/studio.mjs';

const [out, ...wanted] = process.argv.slice(2);
const { lab, close } = await openLab();
const studio = await lab.openStudio('demo.json');
const page = await lab.openPage(studio);
await page.setViewportSize({ width: 1280, height: 760 });
const wants = (name) => wanted.length === 0 || wanted.includes(name);
const idle = () => page.waitForFunction(() => !coif.view3d.frameRequest && !coif.view3d.isMeasuring && !(coif.paintTarget.map?.activeEdits > 0)
  && document.getElementById('toasts').childElementCount === 0 && document.getElementById('status').textContent === '');
const shoot = async (name) => {
  await idle();
  // Full resolution, as with a GPU.
  await page.evaluate(() => { coif.view3d.interactiveRatio = coif.view3d.stillRatio = 2; coif.view3d.draw(); });
  await idle();
  await page.screenshot({ path: join(out, name), type: 'jpeg', quality: 85 });
};

await page.click('#new-map');
await page.click('dialog button[value=yes]');
await page.waitForFunction(() => coif.paintTarget.texels && coif.state.scene.grooms[0].density?.map === 'density');
await page.click('#toggle-uv');
await page.click('label:has-text("Mirror")');

// A hairline: black along the edge of the scalp, symmetric, then blurred behind it.
const edge = (settings, inward) => page.evaluate(async ([wanted, inwards]) => {
  Object.assign(coif.brush, wanted);
  const { surface } = coif.paintTarget;
  const positions = [];
  for (let t = 0; t < surface.triangles; ++t) {
    for (let i = 0; surface.growthMask[t] && i < 3; ++i) {
      const other = surface.neighbours[3 * t + i];
      const [a, b] = [surface.corner(t, i), surface.corner(t, (i + 1) % 3)];
      const middle = a.map((x, k) => (x + b[k]) / 2);
      if (other >= 0 && !surface.growthMask[other] && middle[0] >= 0 && middle[2] > 0.01 && middle[1] > 0.02) positions.push(middle);
    }
  }
  // From the forehead to the ear, offset from the edge towards the crown.
  positions.sort((a, b) => a[0] - a[1] - b[0] + b[1]);
  const at = (i) => {
    const middle = positions[Math.min(positions.length - 1, Math.round(i))];
    const point = [middle[0], middle[1] + inwards, middle[2] - inwards];
    const { triangle } = surface.closestTriangle(point);
    return { triangle, point, normal: surface.normal(triangle) };
  };
  const painter = new coif.Painter();
  painter.begin(at, 0, 0, 1);
  for (let i = 1; i < positions.length; ++i) painter.move(i, 0, 1);
  await painter.end();
}, [settings, inward]);
await edge({ tool: 'set', value: 0, secondaryValue: 1, strength: 1, hardness: 0.5, radius: 0.009, symmetric: true }, 0);
await edge({ tool: 'smooth', value: 0, strength: 0.8, hardness: 0, radius: 0.014, symmetric: true }, 0.006);
await page.evaluate(() => {
  const { view3d } = coif;
  view3d.camera.position.set(0.12, 0.2, 0.62);
  view3d.controls.target.set(0, 0.05, 0);
  view3d.controls.update();
});
await idle();
await page.hover('#view3d', { position: { x: 330, y: 250 } });
if (wants('paint')) await shoot('studio_paint.jpg');

// Named regions, each painted with one symmetric dab.
if (wants('regions')) {
  await newLayer(page, 'region');
  await page.waitForFunction(() => coif.paintTarget.isRegionMap);
  for (const name of ['fringe', 'crown', 'sides', 'nape']) {
    await page.click('#new-region');
    await page.fill('dialog input[name=name]', name);
    await page.click('dialog button[value=yes]');
    await page.waitForFunction((wanted) => coif.state.scene.grooms[0].maps.at(-1).comment?.includes(wanted), name);
  }
  const symmetric = { tool: 'set', symmetric: true };
  await dabAt(page, [0, 0.13, -0.03], { ...symmetric, radius: 0.06, region: 2 });
  await dabAt(page, [0.075, 0.06, -0.01], { ...symmetric, radius: 0.05, region: 3 });
  await dabAt(page, [0, 0.095, 0.075], { ...symmetric, radius: 0.035, region: 1 });
  await dabAt(page, [0, -0.02, -0.1], { ...symmetric, radius: 0.06, region: 4 });
  await page.keyboard.press('h'); // without roots
  await shoot('studio_regions.jpg');
  await page.keyboard.press('h');
  await page.click('.maps li:has-text("1024")');
  await page.waitForFunction(() => !coif.paintTarget.isRegionMap);
}

await page.click('#toggle-uv');
await page.click('#tab-simulate');
await page.click('#show-rest');
await page.waitForFunction(() => coif.view3d.scene.children.some((child) => child.name === 'strands' && child.visible));
if (wants('strands')) await shoot('studio_strands.jpg');

if (wants('lights')) {
  await page.click('#tab-render');
  await page.click('#frame-all');
  await page.locator('#add-light').scrollIntoViewIfNeeded();
  await shoot('studio_lights.jpg');
  await page.click('#look-through');
  await page.click('#show-gizmos');
}

if (wants('render')) {
  await page.click('#tab-render');
  await page.fill('input[aria-label=Samples]', '32');
  await page.selectOption('select[aria-label=Camera]', 'view');
  await page.check('#denoise');
  await page.click('#preview');
  await page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.renderState) && coif.renderImages.isIdle, null, { timeout: 900000 });
  await shoot('studio_render.jpg');
}
await close();
