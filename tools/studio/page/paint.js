// paint: pointers over the two views become strokes on the chosen layer.

import { client } from './api.js';
import { attempt, toast } from './dom.js';
import { brush, Stroke, wholeLayer } from './brush.js';
import { wordOfRegion } from './regions.js';
import { tell } from './store.js';

let strokes = 0;
export const strokeName = () => `${client}-${++strokes}`;

// What is painted on at the moment; the app sets it. Numbers: it is a map of regions.
export const canvas = { layer: null, texels: null, surface: null, numbers: false };

function settings() {
  return { ...brush, numbers: canvas.numbers };
}

const word = () => (canvas.numbers ? wordOfRegion(brush.region) : canvas.layer.word(brush.value));

// Tools that make values between two others have no place on a map of numbers.
export function suits(tool) {
  if (canvas.numbers && ['smooth', 'smear', 'gradient', 'invert'].includes(tool)) {
    toast('Regions are numbers with hard edges: use Set, Sub (region 0), Lasso or Fill.', { bad: true });
    return false;
  }
  return true;
}

// Sends what changed in a layer that was held for it, and lets go of it.
async function finish(layer, numbers, name) {
  if (numbers.length) {
    tell('texels', numbers);
    await attempt(() => layer.send(numbers, name));
  }
  await layer.sending.catch(() => {});
  if (layer.release()) {
    tell('painted');
  }
}

// Whether there is something to paint on; if not, says what to do.
export function canPaint() {
  if (canvas.surface && !canvas.surface.uvs) {
    toast('This mesh has no texture coordinates, so no map can lie on it: unwrap it in a modelling program and export it with them (vt lines of the OBJ file).', { bad: true });
  } else if (!canvas.layer) {
    toast('There is no painted map yet: make one under Paint, + New.', { bad: true });
  } else {
    return true;
  }
  return false;
}

// Whole-layer deeds; make gets (value, place, owner, number, i).
export function applyToAll(make) {
  if (!canPaint()) {
    return Promise.resolve();
  }
  const { layer, texels } = canvas;
  layer.hold();
  return finish(layer, wholeLayer(layer, texels, settings(), make), strokeName());
}

// As above where no place matters: tiles of one number stay that. Make gets (value) alone.
function applyEverywhere(make) {
  if (brush.mask || !canPaint()) {
    return brush.mask ? applyToAll(make) : Promise.resolve();
  }
  const { layer } = canvas;
  layer.hold();
  const changed = [];
  layer.tiles.forEach((tile, number) => {
    const fresh = layer.isEven(number) ? layer.even(make(tile[0])) : tile.map(make);
    if (fresh.some((value, i) => value !== tile[i])) {
      layer.tiles[number] = fresh.every((value) => value === fresh[0]) ? layer.even(fresh[0]) : fresh;
      changed.push(number);
    }
  });
  return finish(layer, changed, strokeName());
}

export const fill = () => {
  if (!canPaint()) return Promise.resolve();
  const value = word();
  return applyEverywhere(() => value);
};
export const invert = () => (suits('invert') ? applyEverywhere((value) => 65535 - value) : Promise.resolve());

// From the value at the first place to the other value at the second.
export function gradient(from, to) {
  const axis = to.map((x, k) => x - from[k]);
  const whole = axis.reduce((sum, x) => sum + x * x, 0);
  return applyToAll((value, place) => {
    const along = axis.reduce((sum, x, k) => sum + x * (place[k] - from[k]), 0) / whole;
    const t = Math.max(0, Math.min(1, along));
    return canvas.layer.word(brush.value + t * (brush.other - brush.value));
  });
}

function inside(polygon, [x, y]) {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if ((yi > y) !== (yj > y) && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) {
      odd = !odd;
    }
  }
  return odd;
}

// Fills what a loop on the screen surrounds; in 3-D only what is seen.
export function lasso(polygon, place, seen) {
  return applyToAll((value, at, owner, number, i) =>
    (inside(polygon, place(at, number, i)) && seen(at, owner) ? word() : value));
}

// A stroke under way, from whichever view.
export class Painter {
  // hitAt(x, y) gives {triangle, point, normal} or null.
  begin(hitAt, x, y, pressure) {
    const hit = hitAt(x, y);
    if (!hit || !canvas.layer) {
      return false;
    }
    this.name = strokeName();
    this.layer = canvas.layer;
    this.layer.hold();
    this.stroke = new Stroke(this.layer, canvas.texels, settings(), this.name);
    this.hitAt = hitAt;
    this.at = [x, y];
    this.stroke.to(hit, pressure);
    this.sent = performance.now();
    this.show();
    return true;
  }

  move(x, y, pressure) {
    const hit = this.hitAt(x, y);
    if (hit) {
      const [fx, fy] = this.at;
      this.stroke.to(hit, pressure, (share) => this.hitAt(fx + share * (x - fx), fy + share * (y - fy)));
      this.at = [x, y];
      this.show();
    }
  }

  // Tiles are shown at once and sent a few times a second, so that a crash costs little.
  show() {
    tell('texels', [...this.stroke.changed]);
    if (performance.now() - this.sent > 300) {
      this.sent = performance.now();
      attempt(() => this.layer.send(this.stroke.take(), this.name));
    }
  }

  end() {
    return finish(this.layer, this.stroke.take(), this.name);
  }
}

// A layer that is white where roots grow: each root covers the ground around it.
export function bake(places, alive, reach) {
  const grid = new Map();
  const key = (x, y, z) => `${Math.floor(x / reach)},${Math.floor(y / reach)},${Math.floor(z / reach)}`;
  for (let i = 0; i < alive.length; ++i) {
    if (alive[i]) {
      const at = key(places[6 * i], places[6 * i + 1], places[6 * i + 2]);
      const list = grid.get(at);
      if (list) list.push(i); else grid.set(at, [i]);
    }
  }
  const near = (p) => {
    for (let z = -1; z <= 1; ++z) {
      for (let y = -1; y <= 1; ++y) {
        for (let x = -1; x <= 1; ++x) {
          for (const i of grid.get(key(p[0] + x * reach, p[1] + y * reach, p[2] + z * reach)) ?? []) {
            if (Math.hypot(places[6 * i] - p[0], places[6 * i + 1] - p[1], places[6 * i + 2] - p[2]) <= reach) return true;
          }
        }
      }
    }
    return false;
  };
  return applyToAll((value, place) => (near(place) ? 65535 : 0));
}
