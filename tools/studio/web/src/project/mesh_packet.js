// The mesh packet of /api/project/mesh, and what the setup of a new scene derives from it. Pure functions.

/**
 * @typedef {object} MeshFile
 * @property {string} name
 * @property {number} triangles
 * @property {boolean} animated
 * @property {boolean} archive positions are metres, y up
 * @property {string[]} groups
 * @property {string[]} materials
 * @property {Float32Array} positions
 * @property {Uint32Array} indices
 * @property {Float32Array} normals per corner
 * @property {Float32Array | null} uvs per corner
 * @property {Int32Array} groupOf per triangle
 * @property {Int32Array} materialOf per triangle, -1 for none
 */

/** @param {ArrayBuffer} bytes @returns {MeshFile} */
export function parseMesh(bytes) {
  const size = new Uint32Array(bytes, 0, 1)[0];
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size)));
  let at = 4 + size;
  const take = (/** @type {any} */ Type, /** @type {number} */ count) => {
    const array = new Type(bytes, at, count);
    at += array.byteLength;
    return array;
  };
  const { vertices, triangles } = header;
  const positions = take(Float32Array, 3 * vertices);
  const indices = take(Uint32Array, 3 * triangles);
  const normals = take(Float32Array, 9 * triangles);
  const uvs = header.uvs ? take(Float32Array, 6 * triangles) : null;
  return { ...header, positions, indices, normals, uvs, groupOf: take(Int32Array, triangles), materialOf: take(Int32Array, triangles) };
}

/** Corners per triangle, y up. @param {MeshFile} mesh @param {boolean} zUp */
export function cornerPositions(mesh, zUp) {
  const corners = new Float32Array(9 * mesh.triangles);
  mesh.indices.forEach((vertex, corner) => {
    const [x, y, z] = mesh.positions.subarray(3 * vertex, 3 * vertex + 3);
    corners.set(zUp ? [x, z, -y] : [x, y, z], 3 * corner);
  });
  return corners;
}

/** Bounding box of the triangles for which `included` is not 0. @param {Float32Array} corners @param {Uint8Array} included */
export function boundsOf(corners, included) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  included.forEach((kept, t) => {
    for (let i = 9 * t; kept && i < 9 * t + 9; ++i) {
      low[i % 3] = Math.min(low[i % 3], corners[i]);
      high[i % 3] = Math.max(high[i % 3], corners[i]);
    }
  });
  return { low, high, size: high.map((x, k) => x - low[k]) };
}

export const UNITS = [
  { name: 'metres', scale: 1 }, { name: 'decimetres', scale: 0.1 }, { name: 'centimetres', scale: 0.01 }, { name: 'millimetres', scale: 0.001 },
  { name: 'inches', scale: 0.0254 }, { name: 'feet', scale: 0.3048 }, { name: 'kilometres', scale: 1000 },
];

const BODY_HEIGHT = 1.7; // metres
const HEAD_HEIGHT = 0.3; // head with neck
const PLAUSIBLE = 2.2; // a body or head may be this many times larger or smaller

/** "1.7 m", "28 cm", "1.7 mm". @param {number} metres */
export function formatLength(metres) {
  const [factor, unit] = metres >= 1 ? [1, 'm'] : metres >= 0.01 ? [100, 'cm'] : [1000, 'mm'];
  return `${Number((metres * /** @type {number} */ (factor)).toPrecision(3))} ${unit}`;
}

// A body is much higher than deep, a head is not. Returns whether the size is plausible in metres, and the unit whose
// result comes nearest to a person.
/** @param {number[]} size of the body in units of the file, y up */
export function detectUnit([width, height, depth]) {
  const isBody = height > 2.2 * depth || width > 2.5 * depth;
  const wanted = isBody ? BODY_HEIGHT : HEAD_HEIGHT;
  const error = (/** @type {number} */ scale) => Math.abs(Math.log((height * scale) / wanted));
  const best = UNITS.reduce((a, b) => (error(b.scale) < error(a.scale) ? b : a));
  return { isBody, best, isPlausible: (/** @type {number} */ scale) => error(scale) <= Math.log(PLAUSIBLE) };
}

/** Whether z is up: the file is highest along z and is not lying on its back by the shape of a head. @param {number[]} size as in the file */
export const looksZUp = ([, y, z]) => z > 1.6 * y;

/** Groups or materials that stand for the scalp, and helpers that are no part of a body. @param {string[]} names */
export const scalpNames = (names) => names.filter((name) => /scalp|hair_?cap|haircap|skull/i.test(name));
/** @param {string[]} names */
export const helperNames = (names) => names.filter((name) => /^(helper|joint)/i.test(name));

// The hairline as a plane that falls from the forehead to the nape, for a head that looks along z: y > offset + slope z.
// Ears stick out of the sides: |x - middle| < halfWidth above them, and less by EAR_SLOPE of the height below `ears`, so
// that no hair grows in them. Proportions are those of an adult head of 18 cm depth.
export const EAR_SLOPE = 0.25;
/** @param {Float32Array} corners @param {Uint8Array} included @param {number} scale metres per unit */
export function guessHairline(corners, included, scale) {
  const top = boundsOf(corners, included).high[1];
  let [front, back, left, right] = [-Infinity, Infinity, Infinity, -Infinity];
  included.forEach((kept, t) => {
    for (let i = 9 * t; kept && i < 9 * t + 9; i += 3) {
      if (corners[i + 1] > top - 0.095 / scale) {
        front = Math.max(front, corners[i + 2]);
        back = Math.min(back, corners[i + 2]);
      }
      if (corners[i + 1] > top - 0.075 / scale) { // above the ears
        left = Math.min(left, corners[i]);
        right = Math.max(right, corners[i]);
      }
    }
  });
  const head = Math.min(Math.max(front - back, 0.1 / scale), 0.35 / scale) / 0.18;
  const slope = (0.165 * head) / Math.max(front - back - 0.03 * head, 0.05 * head);
  return { slope, offset: top - 0.035 * head - slope * front, middle: (left + right) / 2, halfWidth: 0.515 * (right - left), ears: top - 0.095 * head };
}

// Texture coordinates of the chosen triangles: how much of the surface shares its texels with another part, which would
// be painted together, and how much has no area in the image.
/** @param {Float32Array} uvs @param {Uint8Array} included @param {number} side of the raster */
export function checkUvs(uvs, included, side = 512) {
  const owner = new Int32Array(side * side).fill(-1);
  let [covered, shared, degenerate, outside, count] = [0, 0, 0, 0, 0];
  included.forEach((kept, t) => {
    if (!kept) return;
    ++count;
    const uv = uvs.subarray(6 * t, 6 * t + 6);
    const area = (uv[2] - uv[0]) * (uv[5] - uv[1]) - (uv[4] - uv[0]) * (uv[3] - uv[1]);
    if (Math.abs(area) < 1e-12) {
      ++degenerate;
      return;
    }
    const tile = [Math.floor((uv[0] + uv[2] + uv[4]) / 3), Math.floor((uv[1] + uv[3] + uv[5]) / 3)];
    if (tile[0] !== 0 || tile[1] !== 0) {
      ++outside;
      return;
    }
    const span = (/** @type {number} */ k) => [Math.max(0, Math.floor(Math.min(uv[k], uv[k + 2], uv[k + 4]) * side)), Math.min(side - 1, Math.floor(Math.max(uv[k], uv[k + 2], uv[k + 4]) * side))];
    const [[left, right], [low, high]] = [span(0), span(1)];
    for (let y = low; y <= high; ++y) {
      for (let x = left; x <= right; ++x) {
        const [u, v] = [(x + 0.5) / side, (y + 0.5) / side];
        const b1 = ((u - uv[0]) * (uv[5] - uv[1]) - (uv[4] - uv[0]) * (v - uv[1])) / area;
        const b2 = ((uv[2] - uv[0]) * (v - uv[1]) - (u - uv[0]) * (uv[3] - uv[1])) / area;
        if (b1 < 0.02 || b2 < 0.02 || b1 + b2 > 0.98) continue;
        ++covered;
        shared += owner[y * side + x] >= 0 ? 1 : 0;
        owner[y * side + x] = t;
      }
    }
  });
  return { shared: covered > 0 ? shared / covered : 0, degenerate: count > 0 ? degenerate / count : 0, outside: count > 0 ? outside / count : 0 };
}
