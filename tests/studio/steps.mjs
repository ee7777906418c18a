// steps: what the tests of the page do again and again.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './harness.mjs';

// A scene of its own for each test.
export function sceneOf(name, change = (scene) => scene) {
  const scene = JSON.parse(readFileSync(join(folder, 'tiny.json'), 'utf8'));
  delete scene.bodies[0].rotate;
  scene.grooms[0] = { ...scene.grooms[0], count: 4000, simulated_fraction: 1 };
  writeFileSync(join(folder, name), `${JSON.stringify(change(scene), null, 2)}\n`);
  return name;
}

// A layer, and the brush as a test wants it.
export async function densityLayer(page, side = 256) {
  await page.click('#new-layer');
  await page.selectOption('dialog select[name=side]', String(side));
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.canvas.texels && coif.state.scene.grooms[0].density?.map === 'density');
}

// A layer for that use, 256 texels wide, named as its use when no name is given.
export async function newLayer(page, use, name) {
  await page.click('.tabs button:nth-child(1)');
  await page.click('#new-layer');
  await page.selectOption('dialog select[name=use]', use);
  await page.selectOption('dialog select[name=side]', '256');
  if (name) await page.fill('dialog input[name=name]', name);
  await page.click('dialog button[value=yes]');
  await page.waitForFunction((wanted) => coif.state.scene.grooms[0].maps?.some((map) => map.name === wanted), name ?? use);
}

export const settle = async (page) => {
  await page.evaluate(() => coif.canvas.layer.sending);
  await page.waitForFunction(() => coif.state.dirty);
};

// A dab straight at a place of the surface: nearest triangle, no view in between.
export const dabAt = (page, point, settings) => page.evaluate(async ([place, wanted]) => {
  Object.assign(coif.brush, wanted);
  const { surface } = coif.canvas;
  const { triangle } = surface.nearest(place);
  const painter = new coif.Painter();
  painter.begin(() => ({ triangle, point: place, normal: surface.normal(triangle) }), 0, 0, 1);
  await painter.end();
}, [point, settings]);

// All texels of the layer as the program has them.
export async function texelsOf(studio, layer = 0) {
  const bytes = Buffer.from(await (await studio.ask(`/api/tiles?layer=${layer}&since=0`)).arrayBuffer());
  const [width, height] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
  const texels = new Uint16Array(width * height);
  for (let at = 16; at < bytes.length;) {
    const [column, row, kind, value] = [0, 2, 4, 6].map((k) => bytes.readUInt16LE(at + k));
    at += 8;
    for (let i = 0; i < 4096; ++i) {
      const x = column * 64 + (i & 63);
      const y = row * 64 + (i >> 6);
      if (x < width && y < height) {
        texels[y * width + x] = kind === 1 ? value : bytes.readUInt16LE(at + 2 * i);
      }
    }
    at += kind === 1 ? 0 : 8192;
  }
  return { width, height, texels };
}

export async function rootsOf(studio, limit = 100000) {
  const bytes = Buffer.from(await (await studio.ask(`/api/roots?groom=0&limit=${limit}`)).arrayBuffer());
  return { count: bytes.readUInt32LE(0), candidates: bytes.readUInt32LE(4), grows: bytes.subarray(16) };
}

export async function placesOf(studio) {
  const bytes = await (await studio.ask('/api/candidates?groom=0&limit=100000')).arrayBuffer();
  return new Float32Array(bytes);
}
