// brush: dabs on the surface become numbers in a layer.
//
// A dab is a ball around a point of the surface. It touches texels whose place lies in the ball, on
// triangles joined to the hit and turned towards the brush, whatever the map looks like there: seams
// and stretching do not show. Within a stroke a texel is covered by its strongest dab, so that slow
// and quick strokes are equal.

import { SIDE } from './paint_map.js';
import { Grid } from './splat_grid.js';
import { wordOfRegion } from '../state/regions.js';

export const brush = {
  tool: 'set', radius: 0.012, strength: 1, hardness: 0.3, value: 0, other: 1, spacing: 0.15,
  symmetric: false, pressure: true, touch: false, mask: null, // mask: {layer, value}
  region: 1, otherRegion: 0, // what is painted on a map of regions
  most: 0.1, chosen: false, // the largest radius; whether somebody has chosen one
};

// What a hand can use on ground of that size, in metres: a meadow wants another brush than a head.
export function suitBrush(size) {
  brush.most = Math.max(0.1, 0.2 * size);
  const usual = size > 0.8 ? Number((0.02 * size).toPrecision(1)) : 0.012;
  brush.radius = Math.min(brush.most, brush.chosen ? brush.radius : usual);
}

// 1 up to the hard core, then smoothly to 0 at the rim.
export function falloff(distance, radius, hardness) {
  const t = (distance / radius - hardness) / (1 - hardness || 1e-9);
  if (t <= 0) return 1;
  if (t >= 1) return 0;
  return 1 - t * t * (3 - 2 * t);
}

export class Stroke {
  constructor(layer, texels, settings, name) {
    Object.assign(this, { layer, texels, name });
    this.settings = { ...settings };
    this.base = new Map();  // per tile: texels before the stroke
    this.cover = new Map(); // per tile: how much each is covered
    this.changed = new Set(); // since the last take
    this.marks = new Uint32Array(texels.surface.triangles);
    this.newest = -1; // the tile that was changed last
    this.dabs = 0;
    this.last = null;
  }

  tileBase(number) {
    if (!this.base.has(number)) {
      this.base.set(number, this.layer.tiles[number].slice());
      this.cover.set(number, new Float32Array(SIDE * SIDE));
    }
    return this.base.get(number);
  }

  // Visits every texel a dab reaches: tile number, place in the tile, distance from the middle. All: those
  // too that the mask keeps from being written.
  visit(hit, see, all = false) {
    const { texels, settings, marks } = this;
    const { surface } = texels;
    const mark = ++this.dabs;
    const tiles = new Set();
    for (const t of surface.patch(hit.triangle, hit.point, hit.normal, settings.radius)) {
      if (surface.ground[t]) {
        marks[t] = mark;
        texels.eachTileOf(t, (number) => tiles.add(number));
      }
    }
    const [px, py, pz] = hit.point;
    const reach = settings.radius * settings.radius;
    for (const number of tiles) {
      const tile = texels.tile(number);
      for (let i = 0; tile && i < SIDE * SIDE; ++i) {
        const owner = tile.owner[i];
        if (owner >= 0 && marks[owner] === mark) {
          const dx = tile.place[3 * i] - px, dy = tile.place[3 * i + 1] - py, dz = tile.place[3 * i + 2] - pz;
          const d2 = dx * dx + dy * dy + dz * dz;
          if (d2 < reach && (all || this.allows(number, i))) {
            see(number, i, Math.sqrt(d2), tile);
          }
        }
      }
    }
  }

  // Whether the mask lets this texel be painted: only where a region map holds the chosen id.
  allows(number, i) {
    const { mask } = this.settings;
    return !mask || mask.layer.atUv(...this.layer.uvOf(number, i)) === mask.value;
  }

  // A dab, and its mirror image when asked for.
  dab(hit, pressure) {
    const { settings, texels } = this;
    const { surface } = texels;
    const weight = settings.strength * (settings.pressure ? pressure : 1);
    const mirror = settings.symmetric && surface.mirrored;
    if (settings.tool === 'smooth' || settings.tool === 'smear') {
      this.move(hit, weight, mirror);
    } else {
      this.visit(hit, (number, i, distance) => {
        const amount = settings.numbers ? 1 : weight * falloff(distance, settings.radius, settings.hardness);
        this.put(number, i, amount);
        if (mirror) {
          this.put(...this.layer.opposite(number, i), amount);
        }
      }, true);
    }
    if (settings.symmetric && !mirror) {
      const point = [-hit.point[0], hit.point[1], hit.point[2]];
      const other = surface.nearest(point);
      if (other.distance < settings.radius) {
        const twin = new Stroke(this.layer, texels, { ...settings, symmetric: false }, this.name);
        Object.assign(twin, { base: this.base, cover: this.cover, changed: this.changed, last: this.twinLast });
        twin.dab({ triangle: other.triangle, point, normal: [-hit.normal[0], hit.normal[1], hit.normal[2]] }, pressure);
        this.twinLast = twin.last;
      }
    }
    this.last = hit;
  }

  put(number, i, amount) {
    const owned = this.texels.tile(number);
    if (!owned || owned.owner[i] < 0) {
      return;
    }
    const base = this.tileBase(number);
    const cover = this.cover.get(number);
    if (amount <= cover[i]) {
      return;
    }
    cover[i] = amount;
    this.write(number, i, this.mixed(base[i], cover[i]));
  }

  mixed(before, amount) {
    const { tool, value, numbers, region } = this.settings;
    if (numbers) {
      return tool === 'subtract' ? 0 : wordOfRegion(region);
    }
    switch (tool) {
      case 'add': return before + amount * 65535;
      case 'subtract': return before - amount * 65535;
      default: return before + (this.layer.word(value) - before) * amount;
    }
  }

  write(number, i, value) {
    const word = Math.max(0, Math.min(65535, Math.round(value)));
    // A mirrored texel is asked for itself: the mask may differ from side to side.
    if (this.layer.tiles[number][i] !== word && this.allows(number, i)) {
      this.layer.own(number)[i] = word;
      if (number !== this.newest) this.changed.add(this.newest = number);
    }
  }

  // Smooth and smear take values from around: those of the dab are gathered in a grid over space, so
  // that both sides of a seam are one.
  move(hit, weight, mirror) {
    const { settings } = this;
    const smears = settings.tool === 'smear';
    if (smears && !this.last) {
      return;
    }
    const shift = smears ? hit.point.map((x, k) => x - this.last.point[k]) : [0, 0, 0];
    const grid = new Grid(settings.radius / (smears ? 8 : 3), hit.point, settings.radius);
    const list = []; // tile number, place in it, distance, one after the other
    this.visit(hit, (number, i, distance, tile) => {
      grid.add(tile.place[3 * i], tile.place[3 * i + 1], tile.place[3 * i + 2], this.layer.tiles[number][i]);
      list.push(number, i, distance);
    });
    const fresh = new Float64Array(list.length / 3).fill(-1);
    for (let k = 0; k < fresh.length; ++k) {
      const [number, i] = [list[3 * k], list[3 * k + 1]];
      const { place } = this.texels.tile(number);
      const around = grid.at(place[3 * i] - shift[0], place[3 * i + 1] - shift[1], place[3 * i + 2] - shift[2]);
      if (around >= 0) {
        const now = this.layer.tiles[number][i];
        fresh[k] = now + (around - now) * weight * falloff(list[3 * k + 2], settings.radius, settings.hardness);
      }
    }
    for (let k = 0; k < fresh.length; ++k) {
      if (fresh[k] < 0) continue;
      const [number, i] = [list[3 * k], list[3 * k + 1]];
      this.write(number, i, fresh[k]);
      if (mirror) {
        const [n, j] = this.layer.opposite(number, i);
        if (this.texels.tile(n)?.owner[j] >= 0) {
          this.write(n, j, fresh[k]);
        }
      }
    }
  }

  // Dabs from the last place to this one, spaced by a share of the radius.
  to(hit, pressure, project) {
    if (!this.last) {
      this.dab(hit, pressure);
      this.rest = 0;
      return;
    }
    const step = Math.max(1e-5, this.settings.spacing * this.settings.radius);
    const from = this.last.point;
    const whole = Math.hypot(...hit.point.map((x, k) => x - from[k]));
    if (whole < step) {
      return;
    }
    const count = Math.floor(whole / step);
    for (let i = 1; i <= count; ++i) {
      const share = (i * step) / whole;
      const near = project?.(share) ?? (i === count ? hit : null);
      if (near) {
        this.dab(near, pressure);
      }
    }
  }

  // Tiles to send since the last time.
  take() {
    const numbers = [...this.changed];
    this.changed.clear();
    this.newest = -1;
    return numbers;
  }
}

// Visits all ground texels with what make(value, place, owner, number, i) makes of them, undefined for
// nothing. Touches tells which triangles are asked for at all; mirrored: the other side of the map gets
// the same, where it is one.
export function wholeLayer(layer, texels, settings, make, { touches = () => true, mirrored = false } = {}) {
  const stroke = new Stroke(layer, texels, settings, '');
  const asked = new Uint8Array(texels.surface.triangles); // 1: no, 2: yes
  const isAsked = (t) => (asked[t] ||= touches(t) ? 2 : 1) === 2;
  const place = [0, 0, 0];
  for (const number of texels.all()) {
    if (!texels.lists[number].some(isAsked)) continue;
    const tile = texels.tile(number);
    for (let i = 0; i < SIDE * SIDE; ++i) {
      const owner = tile.owner[i];
      if (owner < 0 || !isAsked(owner)) continue;
      for (let k = 0; k < 3; ++k) place[k] = tile.place[3 * i + k];
      const value = make(layer.tiles[number][i], place, owner, number, i);
      if (value === undefined) continue;
      stroke.write(number, i, value);
      if (mirrored) {
        const [n, k] = layer.opposite(number, i);
        if (texels.tile(n)?.owner[k] >= 0) stroke.write(n, k, value);
      }
    }
  }
  return stroke.take();
}
