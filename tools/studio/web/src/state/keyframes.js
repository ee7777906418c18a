// Keyframed values as scene files write them: {"keys": [[frame, value], ...]}.

/** @typedef {{ keys: [number, any][] }} Keyed */

/** @returns {value is Keyed} */
export const isKeyed = (/** @type {any} */ value) => value !== null && typeof value === 'object' && Array.isArray(value.keys);

/** Linear interpolation between keys, constant outside, as in the simulation. @param {any} value @param {number} frame */
export function valueAtFrame(value, frame) {
  if (!isKeyed(value)) return value;
  const keys = [...value.keys].sort((a, b) => a[0] - b[0]);
  const next = keys.findIndex(([at]) => at >= frame);
  if (next < 0) return keys[keys.length - 1][1];
  if (next === 0 || keys[next][0] === frame) return keys[next][1];
  const [[f0, a], [f1, b]] = [keys[next - 1], keys[next]];
  const t = (frame - f0) / (f1 - f0);
  const mix = (/** @type {any} */ x, /** @type {any} */ y) => (typeof x === 'number' ? x + t * (y - x) : x);
  return Array.isArray(a) ? a.map((x, k) => mix(x, b[k])) : mix(a, b);
}

/** Inserts or replaces the key at a frame. @param {any} value @param {number} frame @param {any} keyValue */
export function withKey(value, frame, keyValue) {
  const keys = isKeyed(value) ? value.keys.filter(([at]) => at !== frame) : [];
  return { ...(isKeyed(value) ? value : {}), keys: [...keys, [frame, keyValue]].sort((a, b) => a[0] - b[0]) };
}

/** Removes the key at a frame; removing the last key leaves a constant. @param {Keyed} value @param {number} frame */
export function withoutKey(value, frame) {
  const keys = value.keys.filter(([at]) => at !== frame);
  return keys.length === 0 ? value.keys[0][1] : { ...value, keys };
}

/** All frames of a scene that hold a key. @param {any} value @param {Set<number>} found */
export function keyedFrames(value, found = new Set()) {
  if (value && typeof value === 'object') {
    if (isKeyed(value)) value.keys.forEach(([at]) => found.add(at));
    Object.values(value).forEach((child) => keyedFrames(child, found));
  }
  return found;
}

/** The key at a frame at another one, where it replaces a key that is there. @param {Keyed} value @param {number} from @param {number} to */
export function withKeyMoved(value, from, to) {
  const moved = value.keys.find(([at]) => at === from);
  return moved ? withKey({ ...value, keys: value.keys.filter(([at]) => at !== from) }, to, moved[1]) : value;
}

/** @typedef {{ path: string, label: string, value: Keyed }} KeyedParameter */

/** All animated parameters of a scene in its order; labels have the names of list entries. @param {any} value @param {string} path @param {string[]} names @param {KeyedParameter[]} found @returns {KeyedParameter[]} */
export function keyedParameters(value, path = '', names = [], found = []) {
  if (isKeyed(value)) {
    found.push({ path, label: names.join(' '), value });
  } else if (value && typeof value === 'object') {
    for (const [key, child] of Object.entries(value)) {
      const entry = Array.isArray(value) ? child?.name || child?.plugin || `${Number(key) + 1}` : key.replaceAll('_', ' ');
      const isList = Array.isArray(child) && child.some((each) => each !== null && typeof each === 'object' && !Array.isArray(each));
      keyedParameters(child, `${path}/${key}`, isList ? names : [...names, entry], found);
    }
  }
  return found;
}
