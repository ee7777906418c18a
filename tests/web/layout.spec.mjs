// Tooltips, the status line, borders between panels, and what the page remembers.

import { expect, test } from './support/studio.mjs';

test('tooltips appear at once, by pointer and keyboard; the status line follows tool and modifier', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('tips.json'));
  const page = await lab.openPage(studio);
  const tip = page.locator('#tooltip');
  await page.hover('#tools [data-tool=smooth]');
  await expect.soft(tip, 'name, key and sentence').toHaveText('BlurMEvens out values under the brush.');
  await page.hover('#view3d canvas[role=img]');
  await expect.soft(tip, 'it goes with the pointer').toBeHidden();
  await page.focus('#tools [data-tool=set]');
  await page.keyboard.press('ArrowDown');
  await expect.soft(page.locator('#tools [data-tool=add]'), 'arrow keys move between tools').toBeFocused();
  await expect.soft(tip, 'the focus shows it too').toContainText('Raises the value');
  await page.keyboard.press('Escape');
  await expect.soft(tip, 'Escape hides it').toBeHidden();
  expect.soft(await page.locator('[title]').count(), 'no slow tooltips of the browser').toBe(0);

  await page.keyboard.press('m');
  await page.hover('#view3d canvas[role=img]');
  await expect.soft(page.locator('#status-line'), 'the left button does what the tool does').toContainText('Left Blur');
  await page.keyboard.down('Alt');
  await expect.soft(page.locator('#status-line .held'), 'the held modifier is marked').toHaveText('Alt-Left Orbit');
  await page.keyboard.up('Alt');
  await page.keyboard.press('v');
  await expect.soft(page.locator('#status-line'), 'with another tool').toContainText('Left Orbit');
});

test('panels resize by pointer and keyboard; sizes, tool, mirror, radius, tab and view come back', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('sizes.json'));
  const page = await lab.openPage(studio);
  await page.setViewportSize({ width: 1200, height: 700 });
  const dock = page.locator('#dock');
  const before = (await dock.boundingBox()).width;
  const border = await page.locator('#dock > .split').boundingBox();
  await page.mouse.move(border.x + border.width / 2, 300);
  await page.mouse.down();
  await page.mouse.move(border.x + border.width / 2 - 60, 300);
  await page.mouse.up();
  expect.soft((await dock.boundingBox()).width, 'the border follows the pointer').toBeCloseTo(before + 60, -0.5);
  await page.focus('#timeline > .split');
  const height = (await page.locator('#timeline').boundingBox()).height;
  await page.keyboard.press('ArrowUp');
  expect.soft((await page.locator('#timeline').boundingBox()).height, 'the arrow key makes the timeline higher').toBe(height + 16);
  await page.keyboard.press('e');
  await page.keyboard.press(']');
  await page.click('#toggle-uv');
  await page.check('#panel-paint label:has-text("Mirror") input');
  const radius = await page.evaluate(() => coif.brush.radius);
  await page.click('#tab-simulate');

  await page.reload();
  await page.waitForSelector('body[data-ready=true]');
  expect.soft((await dock.boundingBox()).width, 'width of the settings').toBeCloseTo(before + 60, -0.5);
  expect.soft((await page.locator('#timeline').boundingBox()).height, 'height of the timeline').toBe(height + 16);
  await expect.soft(page.locator('#panel-simulate'), 'tab').toBeVisible();
  await expect.soft(page.locator('#uv-view'), 'view').toBeVisible();
  expect.soft(await page.evaluate(() => [coif.brush.tool, coif.brush.radius, coif.brush.symmetric]), 'tool, radius, mirror').toEqual(['smear', radius, true]);
  await page.dblclick('#dock > .split');
  expect.soft((await dock.boundingBox()).width, 'a double click restores the default').toBe(before);
});
