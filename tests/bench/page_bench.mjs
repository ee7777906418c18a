// page_bench: what somebody sees of the studio on this machine: frames per second of live hair, simulated and
// drawn, and how soon a preview shows its first picture. Medians, on a copy of each scene.
//
//   tests/bench/page PROGRAM FOLDER [live|picture|stroke] [WIDTHxHEIGHT] [SCENE...]
//
// Stroke is the first picture after a new layer and after a stroke in it, some seconds later, in processor time.

import { readdirSync, readFileSync } from 'node:fs';
import { closeAll, openPage, openStudio } from './harness.mjs';

const SECONDS = 12; // of live hair, after it has found its pace
const TRIES = 5; // pictures

const words = process.argv.slice(5);
const parts = words.filter((word) => ['live', 'picture', 'stroke'].includes(word));
const size = words.find((word) => /^\d+x\d+$/.test(word));
const scenes = words.filter((word) => !parts.includes(word) && word !== size);
const wants = (part) => parts.length === 0 || parts.includes(part);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

// What a program is: ours, or which part of the browser.
function kindOf(number, name) {
  if (name === 'coif') return 'program';
  const type = /--type=([a-z]+)/.exec(readFileSync(`/proc/${number}/cmdline`, 'utf8'));
  return type ? type[1] : 'main';
}

// Processor seconds of the programs that were started from here, coif's and those of the browser's parts: what
// other programs take on a shared machine does not count. Nothing where there is no /proc.
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
  await page.click('.tabs button:nth-child(3)');
  await page.click('#play');
  await page.waitForFunction(() => coif.live.perSecond.simulated > 0);
  await page.waitForTimeout(4000);
  const [simulated, drawn, ms] = [[], [], []];
  const frame = () => page.evaluate(() => coif.live.all);
  const [before, first] = [processorSeconds(), await frame()];
  for (let i = 0; i < SECONDS; ++i) {
    await page.waitForTimeout(1000);
    const { perSecond, times } = await page.evaluate(() => ({ perSecond: coif.live.perSecond, times: coif.plots.ms.values.slice(-20) }));
    simulated.push(perSecond.simulated);
    drawn.push(perSecond.drawn);
    ms.push(median(times));
  }
  const [after, last] = [processorSeconds(), await frame()];
  const each = (name) => ((1000 * (after[name] - before[name])) / (last - first)).toFixed(1);
  const browserParts = Object.keys(after).filter((name) => !['program', 'browser'].includes(name) && Number(each(name)) > 0);
  const words = await page.textContent('#status3d');
  const strands = await page.evaluate(() => [coif.strands.lengths.length, coif.strands.lengths.reduce((a, b) => a + b, 0)]);
  await page.click('#play');
  console.log(`${scene}: ${strands[0]} strands of ${(strands[1] / strands[0]).toFixed(0)} points: ${median(simulated).toFixed(1)} frames/s simulated, `
    + `${median(drawn).toFixed(1)} drawn, ${median(ms).toFixed(1)} ms a frame; processor time of each: program ${each('program')} ms, browser ${each('browser')} ms (${browserParts.map((name) => `${name} ${each(name)}`).join(', ')}) ("${words}")`);
}

async function picture(page, scene) {
  await page.click('.tabs button:nth-child(4)');
  await page.waitForTimeout(4000); // the scene has been opened, nobody asks for a picture at once
  const times = [];
  for (let i = 0; i < TRIES; ++i) {
    times.push(await page.evaluate(() => new Promise((resolve) => {
      const now = document.querySelector('#picture .frame canvas, #picture .frame img');
      const before = coif.pictures?.shown ?? 0;
      const begin = performance.now();
      const loaded = () => requestAnimationFrame(() => resolve(performance.now() - begin));
      if (now.tagName === 'IMG') now.addEventListener('load', loaded, { once: true });
      else {
        const look = () => (coif.pictures.shown > before ? loaded() : setTimeout(look, 2));
        look();
      }
      document.getElementById('preview').click();
    })));
    await page.waitForTimeout(1500);
    // Another camera: what is there already is of no use.
    await page.evaluate(() => { coif.view3d.camera.position.x += 0.02; coif.view3d.controls.update(); });
    await page.click('button:has-text("Stop")');
    await page.waitForTimeout(1000);
  }
  console.log(`${scene}: first picture after ${median(times).toFixed(0)} ms (${times.map((each) => each.toFixed(0)).join(', ')})`);
}

// Processor seconds of the program from asking for a picture to the first one that it tells of.
async function firstPicture(page, studio) {
  const events = (await studio.ask('/api/events')).body.getReader();
  const before = processorSeconds().program;
  await page.click('#preview');
  for (let heard = ''; !/"state": "(sketch|picture)"/.test(heard);) heard += Buffer.from((await events.read()).value).toString();
  const seconds = processorSeconds().program - before;
  await events.cancel();
  await page.click('button:has-text("Stop")');
  await page.waitForTimeout(500);
  return seconds;
}

async function stroke(page, scene, studio) {
  const paint = () => page.evaluate(async () => {
    const { surface, layer } = coif.canvas;
    const triangle = surface.ground.findIndex(Boolean);
    const painter = new coif.Painter();
    Object.assign(coif.brush, { tool: 'set', value: Math.random(), radius: 0.02 });
    painter.begin(() => ({ triangle, point: surface.corner(triangle, 0), normal: surface.normal(triangle) }), 0, 0, 1);
    await painter.end();
    await layer.sending;
  });
  const seconds = [];
  await page.click('.tabs button:nth-child(4)');
  await page.waitForTimeout(3000);
  seconds.push(['at first', await firstPicture(page, studio)]);
  await page.click('.tabs button:nth-child(1)');
  await page.click('#new-layer');
  await page.fill('dialog input[name=name]', 'bench');
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.canvas.layer && coif.state.scene.grooms[0].maps.some((map) => map.name === 'bench'));
  for (const [what, deed] of [['after a new layer', () => {}], ['after a stroke', paint], ['after another', paint]]) {
    await deed();
    await page.waitForTimeout(5000);
    await page.click('.tabs button:nth-child(4)');
    seconds.push([what, await firstPicture(page, studio)]);
    await page.click('.tabs button:nth-child(1)');
  }
  console.log(`${scene}: processor time of the first picture: ${seconds.map(([what, time]) => `${time.toFixed(2)} s ${what}`).join(', ')}`);
}

for (const scene of scenes.length ? scenes : ['bob', 'demo', 'waves', 'straight']) {
  const studio = await openStudio(`${scene}.json`);
  try {
    const page = await openPage(studio);
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
await closeAll();
