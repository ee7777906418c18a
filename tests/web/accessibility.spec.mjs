// Contrast, keyboard access, focus.

import axe from 'axe-core';
import { densityLayer, newLayer } from './support/steps.mjs';
import { expect, test } from './support/studio.mjs';

// Violations of WCAG 2.2 A and AA found by axe-core.
async function violations(page) {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return found.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')} (${nodes.length})`);
}

const faintTexts = (page) => page.evaluate(() => {
  const parse = (color) => { const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
  const over = (top, below) => [0, 1, 2].map((k) => top[3] * top[k] + (1 - top[3]) * below[k]);
  const light = (color) => {
    const [r, g, b] = color.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  // Background of an element: the backgrounds of its ancestors composited from the page up.
  const backgroundOf = (element) => {
    const chain = [];
    for (let each = element; each; each = each.parentElement) chain.unshift(parse(getComputedStyle(each).backgroundColor));
    return chain.reduce((below, top) => over(top, below), [0, 0, 0]);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
  let count = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode;
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || (element.matches('input:not([type=range]):not([type=checkbox])') && (element.value || element.placeholder));
    if (!own || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || element.matches('script, option') || element.closest(':disabled')) continue;
    count += 1;
    const behind = backgroundOf(element);
    let opacity = 1;
    for (let each = element; each; each = each.parentElement) opacity *= Number(getComputedStyle(each).opacity);
    const shown = element.matches('input') && !element.value ? getComputedStyle(element, '::placeholder').color : getComputedStyle(element).color;
    const color = parse(shown);
    const text = over([...color.slice(0, 3), color[3] * opacity], behind);
    const [high, low] = [light(text), light(behind)].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) found.push(`${contrast.toFixed(2)} ${element.tagName}.${element.className} "${(element.textContent || element.value).slice(0, 30)}"`);
  }
  return { count, found };
});

const TABS = ['Paint', 'Groom', 'Scene', 'Simulate', 'Render'];

async function tabThrough(page) {
  await page.evaluate(() => { document.activeElement.blur(); globalThis.stops = new Map(); });
  for (let i = 0; i < 400; ++i) {
    await page.keyboard.press('Tab');
    const round = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === document.body) return false; // the browser's own controls come round here
      if (globalThis.stops.has(element)) return true;
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      globalThis.stops.set(element, {
        ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
        seen: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
      });
      return false;
    });
    if (round) break;
  }
  return page.evaluate(() => {
    const name = (each) => (each.getAttribute('aria-label') ?? each.labels?.[0]?.textContent ?? each.title ?? '').trim() || each.textContent.trim();
    const word = (each) => `${each.tagName.toLowerCase()}${each.id ? `#${each.id}` : ''} "${name(each).slice(0, 24)}"`;
    const all = [...document.querySelectorAll('button, input, select, textarea, summary, a[href], [tabindex]')]
      .filter((each) => !each.disabled && each.tabIndex >= 0 && each.checkVisibility({ checkVisibilityCSS: true }));
    return {
      count: all.length,
      missed: all.filter((each) => !globalThis.stops.has(each)).map(word),
      nameless: all.filter((each) => !name(each)).map(word),
      ringless: all.filter((each) => globalThis.stops.get(each)?.ring === false).map(word),
      unseen: all.filter((each) => globalThis.stops.get(each)?.seen === false).map(word),
    };
  });
}

test('text has sufficient contrast', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('contrast.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await newLayer(page, 'region');
  await page.click('#new-region');
  await page.fill('dialog input[name=name]', 'fringe');
  expect.soft((await faintTexts(page)).found, 'texts with low contrast in a dialog').toHaveLength(0);
  await page.click('dialog button[value=yes]');
  await page.click('#tools button:has-text("Invert")'); // which regions refuse: a message that something is wrong
  await page.waitForSelector('.toast.bad');
  for (const name of TABS) {
    await page.click(`#tab-${name.toLowerCase()}`);
    await page.evaluate(() => document.querySelectorAll('details').forEach((each) => { each.open = true; }));
    const { count, found } = await faintTexts(page);
    expect.soft(count, `${name}: texts with low contrast`).toBeGreaterThan(20);
    expect.soft(found, `${name}: texts with low contrast`).toHaveLength(0);
  }
});

test('every control is reachable with Tab and shows the focus', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('keys.json'));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await page.click('#toggle-uv');
  for (const name of TABS) {
    await page.click(`#tab-${name.toLowerCase()}`);
    if (name === 'Scene') await page.fill('input[type=search]', 'gravity');
    const { count, missed, nameless, ringless, unseen } = await tabThrough(page);
    expect.soft(count, `${name}: controls that Tab does not reach`).toBeGreaterThan(15);
    expect.soft(missed, `${name}: controls that Tab does not reach`).toHaveLength(0);
    expect.soft(nameless, `${name}: controls without an accessible name`).toHaveLength(0);
    expect.soft(ringless, `${name}: controls without a focus ring`).toHaveLength(0);
    expect.soft(unseen, `${name}: focused controls outside the view`).toHaveLength(0);
  }
  // Escape closes the dialog and restores the focus.
  await page.click('#tab-paint');
  await page.focus('#new-map');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  expect.soft(await page.evaluate(() => document.activeElement.id), 'Escape closes a dialog and restores the focus').toBe('new-map');
});

test('axe-core finds no violation on the start page, in the setup of a mesh and in every tab', async ({ lab }) => {
  const start = await lab.startStudio('start page');
  const first = await lab.openPage(start, 'start');
  expect.soft(await violations(first), 'start page').toEqual([]);
  await first.setInputFiles('#mesh-file', ['ball.mtl', 'ball.obj'].map((name) => `${lab.folder}/assets/${name}`));
  await first.waitForSelector('body[data-setup=true]');
  expect.soft(await violations(first), 'setup of a mesh').toEqual([]);

  const studio = await lab.openStudio(lab.scene('axe.json', (scene) => ({ ...scene, forces: [{ plugin: 'wind.uniform', affects: '' }], lights: [{ type: 'disk' }] })));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  await page.click('#toggle-uv');
  for (const name of TABS) {
    await page.click(`#tab-${name.toLowerCase()}`);
    if (name === 'Scene') {
      await page.check('#advanced-parameters');
      await page.getByLabel('ramp of radius').first().click();
      await page.waitForSelector('.ramp-point');
      await page.hover('#view3d canvas[role=img]'); // without a tooltip
    }
    expect.soft(await violations(page), name).toEqual([]);
  }
  await page.click('#help');
  expect.soft(await violations(page), 'help').toEqual([]);
});
