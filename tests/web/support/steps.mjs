// Steps shared by the specs.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A studio on a new scene, with a page and a density map.
export async function openWithDensityMap(lab, name) {
  const studio = await lab.openStudio(lab.scene(name));
  const page = await lab.openPage(studio);
  await densityLayer(page);
  return { studio, page };
}

// Number of texels that differ between page and server.
export const differingTexels = (page) => page.evaluate(async () => {
  const { map } = coif.paintTarget;
  const server = new map.constructor(map.id);
  await server.update();
  return server.tiles.reduce((sum, tile, n) => sum + tile.filter((texel, i) => texel !== map.tiles[n][i]).length, 0);
});

export const centerOf = async (page, selector = '#view3d') => {
  const box = await page.locator(selector).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

export const noActiveEdits = (page) => page.waitForFunction(() => coif.paintTarget.map.activeEdits === 0);

// Creates a density map.
export async function densityLayer(page, side = 256) {
  await page.click('#new-map');
  await page.selectOption('dialog select[name=side]', String(side));
  await page.click('dialog button[value=yes]');
  await page.waitForFunction(() => coif.paintTarget.texels && coif.state.scene.grooms[0].density?.map === 'density');
}

// Creates a map of 256 x 256 for a target, named after it unless a name is given.
export async function newLayer(page, use, name) {
  await page.click('#tab-paint');
  await page.click('#new-map');
  await page.selectOption('dialog select[name=target]', use);
  await page.selectOption('dialog select[name=side]', '256');
  if (name) await page.fill('dialog input[name=name]', name);
  await page.click('dialog button[value=yes]');
  await page.waitForFunction((wanted) => coif.state.scene.grooms[0].maps?.some((map) => map.name === wanted), name ?? use);
}

// Waits until the stroke is stored on the server.
export const settle = async (page) => {
  await page.waitForFunction(() => !(coif.paintTarget.map.activeEdits > 0)); // fills work in slices
  await page.evaluate(() => coif.paintTarget.map.sending);
  await page.waitForFunction(() => coif.state.dirty);
};

// A dab at a surface point, without the view.
export const dabAt = (page, point, settings) => page.evaluate(async ([at, wanted]) => {
  Object.assign(coif.brush, wanted);
  const { surface } = coif.paintTarget;
  const { triangle } = surface.closestTriangle(at);
  const painter = new coif.Painter();
  painter.begin(() => ({ triangle, point: at, normal: surface.normal(triangle) }), 0, 0, 1);
  await painter.end();
}, [point, settings]);

// All texels of a layer on the server.
export async function texelsOf(studio, layer = 0) {
  const bytes = Buffer.from(await (await studio.request(`/api/tiles?layer=${layer}&since=0`)).arrayBuffer());
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
  const bytes = Buffer.from(await (await studio.request(`/api/roots?groom=0&limit=${limit}`)).arrayBuffer());
  return { count: bytes.readUInt32LE(0), candidates: bytes.readUInt32LE(4), grows: bytes.subarray(16) };
}

export async function rootPositionsOf(studio) {
  const bytes = await (await studio.request('/api/root_candidates?groom=0&limit=100000')).arrayBuffer();
  return new Float32Array(bytes);
}

// The bust of the scenes like the bodies of character generators: decimetres, no scalp group, no texture coordinates, cubes
// at the joints, helper surfaces, and a plinth that is a material of the body's own group.
export function writeCharacter(lab, name) {
  const lines = readFileSync(join(lab.folder, 'assets', 'mannequin.obj'), 'utf8').split('\n');
  const vertices = lines.filter((line) => line.startsWith('v ')).length;
  const body = lines.filter((line) => !/^(vt|vn) /.test(line)).map((line) => {
    if (line.startsWith('v ')) return `v ${line.split(' ').slice(1).map((x) => 10 * Number(x)).join(' ')}`;
    if (line.startsWith('f ')) return line.replace(/\/\S*/g, '');
    return line.replace(/^[go] .*/, 'g body').replace(/^usemtl .*/, 'usemtl face');
  });
  let next = vertices + 1;
  const quad = (x, y, z, size) => {
    body.push(`v ${x} ${y} ${z}`, `v ${x + size} ${y} ${z}`, `v ${x + size} ${y} ${z + size}`, `v ${x} ${y} ${z + size}`, `f ${next} ${next + 1} ${next + 2} ${next + 3}`);
    next += 4;
  };
  for (const joint of ['ground', 'head', 'jaw', ...Array.from({ length: 40 }, (_, i) => `spine-${i}`)]) {
    body.push(`g joint-${joint}`);
    for (let face = 0; face < 6; ++face) quad(joint === 'ground' ? 0 : 1, joint === 'ground' ? -20 : face / 10, 0, 0.2);
  }
  body.push('g helper-skirt', 'usemtl cloth');
  quad(-8, -9, -8, 16);
  body.push('g body', 'usemtl plinth');
  quad(-4, -4, -4, 8);
  writeFileSync(join(lab.folder, name), `${body.join('\n')}\n`);
}
