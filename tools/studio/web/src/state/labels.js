// Names of parameters as the page shows them.

/** "strands_per_cm2" as "Strands per cm²". @param {string} name */
export function labelOf(name) {
  const words = name.replaceAll('_', ' ').replace(/\bcm2\b/g, 'cm²').replace(/\b(uv|aovs?|exr|fps|fov)\b/g, (word) => word.toUpperCase().replace('AOVS', 'AOVs'));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The label of the value at a JSON pointer. @param {string} path */
export const labelAt = (path) => labelOf(path.split('/').filter((key) => !/^\d+$/.test(key)).pop() ?? path);
