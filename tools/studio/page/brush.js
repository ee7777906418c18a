// brush: dabs on the surface become numbers in a layer.
//
// A dab is a ball around a point of the surface. It touches texels whose place lies in the ball, on
// triangles joined to the hit and turned towards the brush, whatever the map looks like there: seams
// and stretching do not show. Within a stroke a texel is covered by its strongest dab, so that slow
// and quick strokes are equal.

import { SIDE } from './layer.js';
import { Grid } from './grid.js';
import { wordOfRegion } from './regions.js';

export const brush = {
  tool: 'set', radius: 0.012, strength: 1, hardness: 0.3, value: 0, other: 1, spacing: 0.15,
  symmetric: false, pressure: true, touch: false, mask: null, // mask: {layer, value}
  region: 1, otherRegion: 0, // what is painted on a map of regions
};

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
      this.tileBase(number);
      this.layer.own(number)[i] = word;
      this.changed.add(number);
    }
  }

  // Smooth and smear take values from around: those of the dab are gathered in a grid over space, so
  // that both sides of a seam are one.
  move(hit, weight, mirror) {
    const { settings } = this;
    const grid = new Grid(settings.radius / (settings.tool === 'smooth' ? 3 : 8));
    const list = [];
    this.visit(hit, (number, i, distance, tile) => {
      const place = tile.place.subarray(3 * i, 3 * i + 3);
      grid.add(place, this.layer.tiles[number][i]);
      list.push([number, i, distance, place]);
    });
    const shift = settings.tool === 'smear' && this.last
      ? hit.point.map((x, k) => x - this.last.point[k]) : [0, 0, 0];
    if (settings.tool === 'smear' && !this.last) {
      return;
    }
    const fresh = [];
    for (const [number, i, distance, place] of list) {
      const amount = weight * falloff(distance, settings.radius, settings.hardness);
      const from = grid.at([place[0] - shift[0], place[1] - shift[1], place[2] - shift[2]]);
      if (from !== null) {
        const now = this.layer.tiles[number][i];
        fresh.push([number, i, now + (from - now) * amount]);
      }
    }
    for (const [number, i, value] of fresh) {
      this.write(number, i, value);
      if (mirror) {
        const [n, k] = this.layer.opposite(number, i);
        if (this.texels.tile(n)?.owner[k] >= 0) {
          this.write(n, k, value);
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
    return numbers;
  }
}

// Visits all ground texels with what function(value, place, number, i) makes of them.
export function wholeLayer(layer, texels, settings, make) {
  const stroke = new Stroke(layer, texels, settings, '');
  for (const number of texels.all()) {
    const tile = texels.tile(number);
    for (let i = 0; i < SIDE * SIDE; ++i) {
      if (tile.owner[i] >= 0 && stroke.allows(number, i)) {
        stroke.write(number, i, make(layer.tiles[number][i], tile.place.subarray(3 * i, 3 * i + 3), tile.owner[i], number, i));
      }
    }
  }
  return stroke.take();
}
