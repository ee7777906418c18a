// keys: values over time, as the scene writes them: {"keys": [[frame, value], ...]}.

export const isKeyed = (value) => value !== null && typeof value === 'object' && Array.isArray(value.keys);

// What is shown at a frame: straight between keys, held outside, as the program does it.
export function valueAt(value, frame) {
  if (!isKeyed(value)) {
    return value;
  }
  const keys = [...value.keys].sort((a, b) => a[0] - b[0]);
  const next = keys.findIndex(([at]) => at >= frame);
  if (next < 0) return keys[keys.length - 1][1];
  if (next === 0 || keys[next][0] === frame) return keys[next][1];
  const [[f0, a], [f1, b]] = [keys[next - 1], keys[next]];
  const t = (frame - f0) / (f1 - f0);
  const mix = (x, y) => (typeof x === 'number' ? x + t * (y - x) : x);
  return Array.isArray(a) ? a.map((x, k) => mix(x, b[k])) : mix(a, b);
}

// With a key of that value at the frame.
export function withKey(value, frame, now) {
  const keys = isKeyed(value) ? value.keys.filter(([at]) => at !== frame) : [];
  return { ...(isKeyed(value) ? value : {}), keys: [...keys, [frame, now]].sort((a, b) => a[0] - b[0]) };
}

// Without the key at the frame; what is left of one key is a plain value.
export function withoutKey(value, frame) {
  const keys = value.keys.filter(([at]) => at !== frame);
  return keys.length === 0 ? value.keys[0][1] : { ...value, keys };
}

// Every frame of a scene that has a key.
export function framesWithKeys(value, found = new Set()) {
  if (value && typeof value === 'object') {
    if (isKeyed(value)) {
      value.keys.forEach(([at]) => found.add(at));
    }
    Object.values(value).forEach((child) => framesWithKeys(child, found));
  }
  return found;
}
