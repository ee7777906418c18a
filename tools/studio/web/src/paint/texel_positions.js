// texels: where on the surface each texel of a map lies. Made tile by tile, when a brush first comes
// there, so that the largest maps cost only what is painted.

import { SIDE } from './paint_map.js';

const MOST = 4096; // tiles that are kept: 64 KiB each

export class Texels {
  constructor(surface, layer) {
    const { width, height } = layer;
    Object.assign(this, { surface, layer, width, height, ...surface.inSheet(layer) });
    this.columns = Math.ceil(width / SIDE);
    this.rows = Math.ceil(height / SIDE);
    this.tiles = new Map();
    this.lists = new Array(this.columns * this.rows);
    for (let t = 0; t < surface.triangles; ++t) {
      if (surface.ground[t] && this.squares[t] >= 0) {
        this.eachTileOf(t, (number) => (this.lists[number] ??= []).push(t));
      }
    }
  }

  // Bounds of a triangle in texels, one wider: borders are painted a texel beyond the edge, so that
  // blending between texels meets nothing unpainted. They end with its square.
  boundsOf(triangle) {
    const uv = this.uvs.subarray(6 * triangle, 6 * triangle + 6);
    const { width, height, layer } = this;
    const { x, y } = layer.squares[this.squares[triangle]];
    const [right, bottom] = [x + layer.squareWidth - 1, y + layer.squareHeight - 1];
    const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
    return {
      left: clamp(Math.floor(Math.min(uv[0], uv[2], uv[4]) * width - 1.5), x, right),
      right: clamp(Math.ceil(Math.max(uv[0], uv[2], uv[4]) * width + 0.5), x, right),
      top: clamp(Math.floor((1 - Math.max(uv[1], uv[3], uv[5])) * height - 1.5), y, bottom),
      bottom: clamp(Math.ceil((1 - Math.min(uv[1], uv[3], uv[5])) * height + 0.5), y, bottom),
    };
  }

  eachTileOf(triangle, visit) {
    if (this.squares[triangle] < 0) return;
    const { left, right, top, bottom } = this.boundsOf(triangle);
    for (let row = top >> 6; row <= bottom >> 6; ++row) {
      for (let column = left >> 6; column <= right >> 6; ++column) {
        visit(row * this.columns + column);
      }
    }
  }

  // {owner: triangle per texel or -1, place: 3 numbers per texel}; null where no ground is.
  tile(number) {
    if (this.lists[number] === undefined) {
      return null;
    }
    let tile = this.tiles.get(number);
    if (!tile) {
      if (this.tiles.size >= MOST) this.tiles.delete(this.tiles.keys().next().value);
      tile = this.makeTile(number);
      this.tiles.set(number, tile);
    }
    return tile;
  }

  makeTile(number) {
    const tile = {
      owner: new Int32Array(SIDE * SIDE).fill(-1),
      place: new Float32Array(3 * SIDE * SIDE),
      inside: new Float32Array(SIDE * SIDE).fill(-Infinity),
    };
    for (const t of this.lists[number]) {
      this.fillTriangle(tile, number, t);
    }
    delete tile.inside;
    return tile;
  }

  // A texel belongs to the triangle it lies deepest in, or is least outside of.
  fillTriangle(tile, number, t) {
    const { surface, width, height } = this;
    const uv = this.uvs.subarray(6 * t, 6 * t + 6);
    const x0 = (number % this.columns) * SIDE;
    const y0 = Math.floor(number / this.columns) * SIDE;
    const bounds = this.boundsOf(t);
    const area = Math.abs((uv[2] - uv[0]) * (uv[5] - uv[1]) - (uv[4] - uv[0]) * (uv[3] - uv[1])) * width * height;
    if (area === 0) {
      return;
    }
    // How much a corner's weight changes over one texel: the opposite edge over twice the area.
    const slope = [[2, 4], [4, 0], [0, 2]].map(([a, b]) =>
      Math.hypot((uv[a] - uv[b]) * width, (uv[a + 1] - uv[b + 1]) * height) / area);
    const [p, q, r] = [0, 1, 2].map((i) => surface.corner(t, i));
    const [u0, v0, u1, v1, u2, v2] = uv;
    const turned = (u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0);
    for (let y = Math.max(y0, bounds.top); y <= Math.min(y0 + SIDE - 1, bounds.bottom); ++y) {
      const v = 1 - (y + 0.5) / height;
      for (let x = Math.max(x0, bounds.left); x <= Math.min(x0 + SIDE - 1, bounds.right); ++x) {
        // Weights of the corners there, as surface.barycentric has them.
        const u = (x + 0.5) / width;
        const b1 = ((u - u0) * (v2 - v0) - (u2 - u0) * (v - v0)) / turned;
        const b2 = ((u1 - u0) * (v - v0) - (u - u0) * (v1 - v0)) / turned;
        const b0 = 1 - b1 - b2;
        const depth = Math.min(b0 / slope[0], b1 / slope[1], b2 / slope[2]);
        const at = (y - y0) * SIDE + x - x0;
        if (depth >= -1 && depth > tile.inside[at]) {
          tile.inside[at] = depth;
          tile.owner[at] = t;
          const [c0, c1, c2] = [Math.max(0, b0), Math.max(0, b1), Math.max(0, b2)];
          const whole = c0 + c1 + c2;
          for (let i = 0; i < 3; ++i) {
            tile.place[3 * at + i] = (c0 * p[i] + c1 * q[i] + c2 * r[i]) / whole;
          }
        }
      }
    }
  }

  // Numbers of all tiles that hold ground.
  all() {
    return [...this.lists.keys()].filter((number) => this.lists[number] !== undefined);
  }
}
