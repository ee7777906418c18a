// Colours of the views.

export const BACKGROUND = 0x373737;

// Dark blue, green, yellow; red, green, blue from 0 to 1, uniform steps in lightness.
export const HEAT = [[0.07, 0.05, 0.35], [0.13, 0.3, 0.55], [0.12, 0.56, 0.55], [0.4, 0.78, 0.38], [0.99, 0.9, 0.15]];

/** @param {number} value 0 to 1 */
export function heat(value) {
  const at = Math.min(0.9999, Math.max(0, value)) * (HEAT.length - 1);
  const i = Math.floor(at);
  return HEAT[i].map((x, k) => x + (at - i) * (HEAT[i + 1][k] - x));
}
