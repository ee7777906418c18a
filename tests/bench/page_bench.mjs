// Studio performance in the browser: frames per second of the live simulation, simulated and drawn, and the time to the
// first image of a preview. Medians.
//
//   tests/bench/page PROGRAM FOLDER [live|picture|stroke] [WIDTHxHEIGHT] [SCENE...]
//
// stroke: CPU time to the first preview image after creating a map and after strokes in it.

import { readdirSync, readFileSync } from 'node:fs';
import { openLab } from './support/studio.mjs';

const SECONDS = 12; // of live simulation, after warm-up
const TRIES = 5; // previews

const { lab, close } = await openLab();
const words = process.argv.slice(2);
const parts = words.filter((word) => ['live', 'picture', 'stroke'].includes(word));
const size = words.find((word) => /^\d+x\d+$/.test(word));
const scenes = words.filter((word) => !parts.includes(word) && word !== size);
const wants = (part) => parts.length === 0 || parts.includes(part);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

// The studio server, or a process type of the browser.
function kindOf(number, name) {
  if (name === 'coif') return 'program';
  const type = /--type=([a-z]+)/.exec(readFileSync(`/proc/${number}/cmdline`, 'utf8'));
  return type ? type[1] : 'main';
}

// CPU seconds of the descendants of this process by kind; empty without /proc.
function processorSeconds() {
  const all = new Map(); // by number: {parent, kind, seconds}
  try {
    for (const number of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const text = readFileSync(`/proc/${number}/stat`, 'utf8');
        const words = text.slice(text.lastIndexOf(')') + 2).split(' ');
        const kind = kindOf(number, text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')));
        all.set(Number(number), { parent: Number(words[1]), kind, seconds: (Number(words[11]) + Number(words[12])) / 100 });
      } catch { /* it has ended meanwhile */ }
    }
  } catch { /* another system */ }
  const mine = (each) => each && (each.parent === process.pid || mine(all.get(each.parent)));
  const sum = { program: 0, browser: 0 };
  for (const { kind, seconds } of [...all.values()].filter(mine)) {
    sum[kind] = (sum[kind] ?? 0) + seconds;
    if (kind !== 'program') sum.browser += seconds;
  }
  return sum;
}

async function live(page, scene) {
  await page.click('#tab-simulate');
  await page.click('#play');
  await page.waitForFunction(() => coif.liveStats.perSecond.simulated > 0);
  await page.waitForTimeout(4000);
  const [simulated, drawn, ms] = [[], [], []];
  const frame = () => page.evaluate(() => coif.liveStats.totalFrames);
  const [before, first] = [processorSeconds(), await frame()];
  for (let i = 0; i < SECONDS; ++i) {
    await page.waitForTimeout(1000);
    const { perSecond, times } = await page.evaluate(() => ({ perSecond: coif.liveStats.perSecond, times: coif.plots.ms.values.slice(-20) }));
    simulated.push(perSecond.simulated);
    drawn.push(perSecond.drawn);
    ms.push(median(times));
  }
  const [after, last] = [processorSeconds(), await frame()];
  const each = (name) => ((1000 * (after[name] - before[name])) / (last - first)).toFixed(1);
  const browserParts = Object.keys(after).filter((name) => !['program', 'browser'].includes(name) && Number(each(name)) > 0);
  const words = await page.textContent('#status');
  const strands = await page.evaluate(() => [coif.strandMesh.lengths.length, coif.strandMesh.lengths.reduce((a, b) => a + b, 0)]);
  await page.click('#play');
  console.log(`${scene}: ${strands[0]} strands of ${(strands[1] / strands[0]).toFixed(0)} points: ${median(simulated).toFixed(1)} frames/s simulated, `
    + `${median(drawn).toFixed(1)} drawn, ${median(ms).toFixed(1)} ms a frame; CPU time per frame: program ${each('program')} ms, browser ${each('browser')} ms (${browserParts.map((name) => `${name} ${each(name)}`).join(', ')}) ("${words}")`);
}

async function picture(page, scene) {
  await page.click('#tab-render');
  await page.waitForTimeout(4000); // background preparation
  const times = [];
  for (let i = 0; i < TRIES; ++i) {
    times.push(await page.evaluate(() => new Promise((resolve) => {
      const now = document.querySelector('#render-view .frame canvas, #render-view .frame img');
      const before = coif.renderImages?.shown ?? 0;
      const begin = performance.now();
      const loaded = () => requestAnimationFrame(() => resolve(performance.now() - begin));
      if (now.tagName === 'IMG') now.addEventListener('load', loaded, { once: true });
      else {
        const poll = () => (coif.renderImages.shown > before ? loaded() : setTimeout(poll, 2));
        poll();
      }
      document.getElementById('preview').click();
    })));
    await page.waitForTimeout(1500);
    // A different camera invalidates the previous image.
    await page.evaluate(() => { coif.view3d.camera.position.x += 0.02; coif.view3d.controls.update(); });
    await page.click('button:has-text("Stop")');
    await page.waitForTimeout(1000);
  }
  console.log(`${scene}: first image after ${median(times).toFixed(0)} ms (${times.map((each) => each.toFixed(0)).join(', ')})`);
}

// CPU seconds of the server from the request to the first image.
async function firstPicture(page, studio) {
  const events = (await studio.request('/api/events')).body.getReader();
  const before = processorSeconds().program;
  await page.click('#preview');
  for (let heard = ''; !/"state": "(draft|rendering)"/.test(heard);) heard += Buffer.from((await events.read()).value).toString();
  const seconds = processorSeconds().program - before;
  await events.cancel();
  await page.click('button:has-text("Stop")');
  await page.waitForTimeout(500);
  return seconds;
}

async function stroke(page, scene, studio) {
  const paint = () => page.evaluate(async () => {
    const { surface, map: layer } = coif.paintTarget;
    const triangle = surface.growthMask.findIndex(Boolean);
    const painter = new coif.Painter();
    Object.assign(coif.brush, { tool: 'set', value: Math.random(), radius: 0.02 });
    painter.begin(() => ({ triangle, point: surface.corner(triangle, 0), normal: surface.normal(triangle) }), 0, 0, 1);
    await painter.end();
    await layer.sending;
  });
  const seconds = [];
  await page.click('#tab-render');
  await page.waitForTimeout(3000);
  seconds.push(['at first', await firstPicture(page, studio)]);
  await page.click('#tab-paint');
  await page.click('#new-map');
  await page.fill('dialog input[name=name]', 'bench');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.paintTarget.map && coif.state.scene.grooms[0].maps.some((map) => map.name === 'bench'));
  for (const [label, action] of [['after a new map', () => {}], ['after a stroke', paint], ['after another', paint]]) {
    await action();
    await page.waitForTimeout(5000);
    await page.click('#tab-render');
    seconds.push([label, await firstPicture(page, studio)]);
    await page.click('#tab-paint');
  }
  console.log(`${scene}: CPU time of the first image: ${seconds.map(([what, time]) => `${time.toFixed(2)} s ${what}`).join(', ')}`);
}

for (const scene of scenes.length ? scenes : ['bob', 'demo', 'waves', 'straight']) {
  const studio = await lab.openStudio(`${scene}.json`);
  try {
    const page = await lab.openPage(studio);
    if (size) await page.setViewportSize(Object.fromEntries(size.split('x').map((side, i) => [['width', 'height'][i], Number(side)])));
    await page.waitForTimeout(2000);
    if (wants('live')) await live(page, scene);
    if (wants('picture')) await picture(page, scene);
    if (wants('stroke')) await stroke(page, scene, studio);
    await page.close();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  await studio.kill('SIGINT');
}
await close();
