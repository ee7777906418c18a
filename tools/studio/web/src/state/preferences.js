// Choices of the person at this browser: tool, tab, sizes of panels. They are no part of the scene.

const PREFIX = 'coif.';

/** @template T @param {string} name @param {T} fallback @returns {T} */
export function preference(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    const value = text === null ? fallback : JSON.parse(text);
    return typeof value === typeof fallback ? value : fallback;
  } catch {
    return fallback; // storage is disabled or holds something else
  }
}

/** @param {string} name @param {any} value */
export function setPreference(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch { /* storage is disabled or full: the choice lasts until the page is closed */ }
}
