// regions: a map of numbers. Which part of the head a root belongs to is a whole number from 0 to 255,
// written as that share of 255; such a map has hard edges, a colour per number, and names that stand
// in the comment of the map: "regions: 1 fringe, 2 left side".

export const MOST_REGION = 255;
export const wordOfRegion = (id) => id * 257;
export const regionOfWord = (word) => Math.round(word / 257);

// Whether the scene reads this map as numbers of regions.
export const isRegionMap = (groom, name) => groom?.region?.map === name;

// Red, green, blue from 0 to 1: hues a golden section apart, so that neighbours in number differ most.
export function regionColor(id) {
  if (id === 0) return [0.3, 0.3, 0.3];
  const hue = (id * 0.618034 + 0.45) % 1;
  const [light, spread] = [[0.56, 0.3], [0.42, 0.26], [0.7, 0.2]][id % 3];
  return [0, 1 / 3, 2 / 3].map((shift) => light + spread * Math.cos(2 * Math.PI * (hue - shift)));
}

export const regionStyle = (id) => `rgb(${regionColor(id).map((x) => Math.round(255 * x)).join(' ')})`;

// Names by number, from the comment of a map.
export function regionNames(comment) {
  const names = new Map();
  for (const word of (/regions: (.*)$/.exec(comment ?? '')?.[1] ?? '').split(',')) {
    const found = /^\s*(\d+)\s+(.*?)\s*$/.exec(word);
    if (found && Number(found[1]) <= MOST_REGION) names.set(Number(found[1]), found[2]);
  }
  return names;
}

// The comment with these names; what else it said stays.
export function commentWithNames(comment, names) {
  const rest = (comment ?? '').replace(/;?\s*regions: .*$/, '');
  const list = [...names].sort(([a], [b]) => a - b).map(([id, name]) => `${id} ${name}`).join(', ');
  return [rest, list && `regions: ${list}`].filter(Boolean).join('; ');
}

// Numbers that are painted in a layer.
export function regionsIn(layer) {
  const seen = new Set();
  for (const tile of layer?.tiles ?? []) {
    let last = -1;
    for (const word of tile ?? []) {
      if (word !== last) seen.add(regionOfWord(word));
      last = word;
    }
  }
  return seen;
}
