// A square of two triangles in the plane z = 0, x and y from -0.5 to 0.5, UV = position + 0.5, and a map on it.

globalThis.location ??= { search: '?token=test', origin: 'http://127.0.0.1:1' };

const { PaintMap } = await import('../src/paint/paint_map.js');
const { Surface } = await import('../src/paint/surface.js');

// Subdivided into side x side quads.
export function createSquare(side = 1) {
  const points = [];
  for (let y = 0; y <= side; ++y) for (let x = 0; x <= side; ++x) points.push([x / side - 0.5, y / side - 0.5, 0]);
  const triangles = [];
  for (let y = 0; y < side; ++y) {
    for (let x = 0; x < side; ++x) {
      const [a, b, c, d] = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([i, k]) => (y + k) * (side + 1) + x + i);
      triangles.push([a, b, c], [a, c, d]);
    }
  }
  const corners = triangles.flat();
  const sizes = { positions: 12 * points.length, indices: 4 * corners.length, normals: 12 * corners.length, uvs: 8 * corners.length };
  const bytes = new ArrayBuffer(16 + sizes.positions + sizes.indices + sizes.normals + sizes.uvs + triangles.length);
  new Uint32Array(bytes, 0, 3).set([points.length, triangles.length, 1]);
  let at = 16;
  new Float32Array(bytes, at, 3 * points.length).set(points.flat());
  new Uint32Array(bytes, at += sizes.positions, corners.length).set(corners);
  new Float32Array(bytes, at += sizes.indices, 3 * corners.length).set(corners.flatMap(() => [0, 0, 1]));
  new Float32Array(bytes, at += sizes.normals, 2 * corners.length).set(corners.flatMap((v) => [points[v][0] + 0.5, points[v][1] + 0.5]));
  new Uint8Array(bytes, at + sizes.uvs).fill(1);
  return new Surface(bytes);
}

// Tile packet of the server: header and one uniform record per tile.
export function tilePacket(width, height, texel, revision = 1) {
  const [columns, rows] = [Math.ceil(width / 64), Math.ceil(height / 64)];
  const bytes = new ArrayBuffer(16 + 8 * columns * rows);
  const view = new DataView(bytes);
  view.setUint32(0, width, true);
  view.setUint32(4, height, true);
  view.setBigUint64(8, BigInt(revision), true);
  for (let i = 0; i < columns * rows; ++i) [i % columns, Math.floor(i / columns), 1, texel].forEach((word, k) => view.setUint16(16 + 8 * i + 2 * k, word, true));
  return bytes;
}

export function createMap({ size = 128, texel = 65535, udims = [], low = 0, high = 1 } = {}) {
  const map = new PaintMap(0);
  const columns = Math.max(1, Math.ceil(Math.sqrt(udims.length)));
  const rows = Math.max(1, Math.ceil(udims.length / columns));
  map.decode(tilePacket(size * columns, size * rows, texel), { width: size, height: size, udims, atlas_columns: columns, low, high });
  return map;
}

export const settings = (more = {}) => ({
  tool: 'set', radius: 0.2, strength: 1, hardness: 0.5, value: 0, secondaryValue: 1, spacing: 0.15, symmetric: false, axis: 0, pressure: true, sizePressure: false, stabilizer: 0, feather: 0,
  paintWithTouch: false, mask: null, region: 1, secondaryRegion: 0, maxRadius: 1, userSized: false, ...more,
});
