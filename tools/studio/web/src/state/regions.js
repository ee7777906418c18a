// Region maps: a whole number from 0 to 255 per texel assigns each root to a region of the scalp. Such maps are not
// filtered, have one display colour per id, and keep region names in the map's comment:
// "regions: 1 fringe, 2 left side".

export const MAX_REGION = 255;
// Region ids as 16-bit texel values: id / 255 of the full range.
export const texelOfRegion = (/** @type {number} */ id) => id * 257;
export const regionOfTexel = (/** @type {number} */ texel) => Math.round(texel / 257);

// Whether the groom reads this map as region ids.
export const isRegionMap = (/** @type {any} */ groom, /** @type {string} */ mapName) => groom?.region?.map === mapName;

/** Display colour, linear components 0 to 1. Hues advance by the golden ratio, so consecutive ids differ most. @param {number} id */
export function regionColor(id) {
  if (id === 0) return [0.3, 0.3, 0.3];
  const hue = (id * 0.618034 + 0.45) % 1;
  const [mean, amplitude] = [[0.56, 0.3], [0.42, 0.26], [0.7, 0.2]][id % 3];
  return [0, 1 / 3, 2 / 3].map((shift) => mean + amplitude * Math.cos(2 * Math.PI * (hue - shift)));
}

export const regionCssColor = (/** @type {number} */ id) => `rgb(${regionColor(id).map((x) => Math.round(255 * x)).join(' ')})`;

/** Region names by id, parsed from a map's comment. @param {string | undefined} comment */
export function regionNames(comment) {
  const names = new Map();
  for (const entry of (/regions: (.*)$/.exec(comment ?? '')?.[1] ?? '').split(',')) {
    const found = /^\s*(\d+)\s+(.*?)\s*$/.exec(entry);
    if (found && Number(found[1]) <= MAX_REGION) names.set(Number(found[1]), found[2]);
  }
  return names;
}

/** The comment with its region names replaced; other text in it is kept. @param {string | undefined} comment @param {Map<number, string>} names */
export function commentWithNames(comment, names) {
  const rest = (comment ?? '').replace(/;?\s*regions: .*$/, '');
  const list = [...names].sort(([a], [b]) => a - b).map(([id, name]) => `${id} ${name}`).join(', ');
  return [rest, list && `regions: ${list}`].filter(Boolean).join('; ');
}

/** The ids that occur in a map. @param {{ tiles: Uint16Array[] } | null} map */
export function regionsInMap(map) {
  const found = new Set();
  for (const tile of map?.tiles ?? []) {
    let last = -1;
    for (const texel of tile ?? []) {
      if (texel !== last) found.add(regionOfTexel(texel));
      last = texel;
    }
  }
  return found;
}
