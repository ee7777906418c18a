// Region maps: a whole number from 0 to 255 per texel assigns each root to a region of the scalp. Such maps are not
// filtered, have one display colour per id, and keep names and chosen colours of regions in the map's comment:
// "regions: 1 fringe #e07030, 2 left side".

export const MAX_REGION = 255;
// Region ids as 16-bit texel values: id / 255 of the full range.
export const texelOfRegion = (/** @type {number} */ id) => id * 257;
export const regionOfTexel = (/** @type {number} */ texel) => Math.round(texel / 257);

// Whether the groom reads this map as region ids.
export const isRegionMap = (/** @type {any} */ groom, /** @type {string} */ mapName) => groom?.region?.map === mapName;

/** Display colour, components 0 to 1: the chosen one, else hues advance by the golden ratio, so consecutive ids differ most. @param {number} id @param {Map<number, string>} [chosen] */
export function regionColor(id, chosen) {
  const own = chosen?.get(id);
  if (own) return [1, 3, 5].map((at) => parseInt(own.slice(at, at + 2), 16) / 255);
  if (id === 0) return [0.3, 0.3, 0.3];
  const hue = (id * 0.618034 + 0.45) % 1;
  const [mean, amplitude] = [[0.56, 0.3], [0.42, 0.26], [0.7, 0.2]][id % 3];
  return [0, 1 / 3, 2 / 3].map((shift) => mean + amplitude * Math.cos(2 * Math.PI * (hue - shift)));
}

/** The colour as the browser's colour input has it. @param {number} id @param {Map<number, string>} [chosen] */
export const regionHexColor = (id, chosen) => `#${regionColor(id, chosen).map((x) => Math.round(255 * Math.min(1, Math.max(0, x))).toString(16).padStart(2, '0')).join('')}`;

// Name and colour by id, parsed from a map's comment.
/** @param {string | undefined} comment */
function regionEntries(comment) {
  /** @type {Map<number, { name: string, color: string }>} */ const entries = new Map();
  for (const entry of (/regions: (.*)$/.exec(comment ?? '')?.[1] ?? '').split(',')) {
    const [, id, name, color] = /^\s*(\d+)\s+(.*?)\s*(#[0-9a-f]{6})?\s*$/i.exec(entry) ?? [];
    if (id && Number(id) <= MAX_REGION) entries.set(Number(id), { name, color: color ?? '' });
  }
  return entries;
}

/** @param {string | undefined} comment @returns {Map<number, string>} */
export const regionNames = (comment) => new Map([...regionEntries(comment)].filter(([, { name }]) => name).map(([id, { name }]) => [id, name]));
/** Chosen colours, as #rrggbb. @param {string | undefined} comment @returns {Map<number, string>} */
export const regionColors = (comment) => new Map([...regionEntries(comment)].filter(([, { color }]) => color).map(([id, { color }]) => [id, color]));

/** The comment with its region names and colours replaced; other text in it is kept. @param {string | undefined} comment @param {Map<number, string>} names @param {Map<number, string>} colors */
export function commentWithNames(comment, names, colors = regionColors(comment)) {
  const rest = (comment ?? '').replace(/;?\s*regions: .*$/, '');
  const ids = [...new Set([...names.keys(), ...colors.keys()])].sort((a, b) => a - b);
  const list = ids.map((id) => [id, names.get(id), colors.get(id)].filter((part) => part !== undefined && part !== '').join(' ')).join(', ');
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
