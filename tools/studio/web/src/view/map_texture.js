// shown: a layer as a picture that both views draw: one byte per texel, thinned out when it is large.

export class Shown {
  constructor(layer, most = layer.squares.length > 1 ? 4096 : 2048) {
    this.layer = layer;
    // Powers of two: squares of a sheet begin on a texel of the thinned picture too.
    this.step = 1;
    while (Math.max(layer.width, layer.height) > this.step * most) this.step *= 2;
    this.width = Math.ceil(layer.width / this.step);
    this.height = Math.ceil(layer.height / this.step);
    this.bytes = new Uint8Array(this.width * this.height);
    this.update(layer.tiles.keys());
  }

  update(numbers) {
    const { layer, step } = this;
    for (const number of numbers) {
      const x0 = (number % layer.columns) * 64;
      const y0 = Math.floor(number / layer.columns) * 64;
      const tile = layer.tiles[number];
      if (!tile) continue;
      for (let y = Math.ceil(y0 / step) * step; y < Math.min(y0 + 64, layer.height); y += step) {
        for (let x = Math.ceil(x0 / step) * step; x < Math.min(x0 + 64, layer.width); x += step) {
          this.bytes[(y / step) * this.width + x / step] = tile[(y - y0) * 64 + x - x0] >> 8;
        }
      }
    }
  }
}

// Dark blue over green to yellow, as red, green, blue from 0 to 1; even steps in lightness.
export const HEAT = [[0.07, 0.05, 0.35], [0.13, 0.3, 0.55], [0.12, 0.56, 0.55], [0.4, 0.78, 0.38], [0.99, 0.9, 0.15]];

export function heat(value) {
  const at = Math.min(0.9999, Math.max(0, value)) * (HEAT.length - 1);
  const i = Math.floor(at);
  return HEAT[i].map((x, k) => x + (at - i) * (HEAT[i + 1][k] - x));
}
