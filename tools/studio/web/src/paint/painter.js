// paint: pointers over the two views become strokes on the chosen layer.

import { client, post } from '../net/api.js';
import { attempt, toast } from '../ui/dom.js';
import { brush, Stroke, wholeLayer } from './brush.js';
import { Loop } from './polygon_mask.js';
import { wordOfRegion } from '../state/regions.js';
import { tell } from '../state/store.js';

let strokes = 0;
export const strokeName = () => `${client}-${++strokes}`;

// What is painted on at the moment; the app sets it. Numbers: it is a map of regions. Away: the program
// does not answer.
export const canvas = { layer: null, texels: null, surface: null, numbers: false, away: false };

// Turned: with the other end of a pen, which paints the other value.
function settings(turned = false) {
  return { ...brush, numbers: canvas.numbers, ...(turned && { value: brush.other, region: brush.otherRegion }) };
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

async function send(layer, numbers, name) {
  try {
    await layer.send(numbers, name);
  } catch (error) {
    toast(`This stroke was not kept: ${error.message}. See to that and paint it again.`, { bad: true });
  }
}

// Sends what changed in a layer that was held for it, and lets go of it.
async function finish(layer, numbers, name) {
  if (numbers.length) {
    tell('texels', numbers);
    await send(layer, numbers, name);
  }
  await layer.sending;
  if (layer.release()) {
    tell('painted');
  }
}

// Whether there is something to paint on; if not, says what to do.
export function canPaint() {
  if (canvas.away) {
    toast('The program behind this page does not answer, so nothing that you paint now would be kept.', { bad: true });
  } else if (canvas.surface && !canvas.surface.uvs) {
    toast('This mesh has no texture coordinates, so no map can lie on it: unwrap it in a modelling program and export it with them (vt lines of the OBJ file).', { bad: true });
  } else if (!canvas.layer) {
    toast('There is no painted map yet: make one under Paint, + New.', { bad: true });
  } else {
    return true;
  }
  return false;
}

// Whole-layer deeds; make gets (value, place, owner, number, i), more is as of wholeLayer.
export function applyToAll(make, more) {
  if (!canPaint()) {
    return Promise.resolve();
  }
  const { layer, texels } = canvas;
  layer.hold();
  return finish(layer, wholeLayer(layer, texels, settings(), make, more), strokeName());
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
    const even = layer.isEven(number);
    const made = even ? layer.even(make(tile[0])) : tile.map(make);
    const fresh = even || made.some((value) => value !== made[0]) ? made : layer.even(made[0]);
    if (even ? fresh !== tile : made.some((value, i) => value !== tile[i])) {
      layer.replace(number, fresh);
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

// From the value at the first place to the other value at the second; mirrored to the side that the hand
// was not on.
export function gradient(from, to) {
  const { symmetric } = brush;
  const side = Math.sign(from[0] + to[0]) || 1;
  const mirrored = symmetric && canvas.surface?.mirrored;
  const axis = to.map((x, k) => x - from[k]);
  const whole = axis.reduce((sum, x) => sum + x * x, 0);
  return applyToAll((value, place) => {
    const across = symmetric && side * place[0] < 0;
    if (across && mirrored) return undefined;
    const x = across ? -place[0] : place[0];
    const along = (axis[0] * (x - from[0]) + axis[1] * (place[1] - from[1]) + axis[2] * (place[2] - from[2])) / whole;
    const t = Math.max(0, Math.min(1, along));
    return canvas.layer.word(brush.value + t * (brush.other - brush.value));
  }, { mirrored });
}

// Fills what a loop on the screen surrounds. Seer is the view's: {at, sees, touches}.
export function lasso(polygon, seer) {
  if (!canPaint()) return Promise.resolve();
  const { surface } = canvas;
  const loop = new Loop(polygon);
  const value = word();
  const mirrored = brush.symmetric && surface.mirrored;
  const turned = brush.symmetric && !mirrored && seer.turns;
  const isIn = (place, owner, number, i, other) => {
    const at = seer.at(place, number, i);
    return loop.holds(at[0], at[1]) && seer.sees(place, owner, at, other);
  };
  return applyToAll((before, place, owner, number, i) => {
    if (isIn(place, owner, number, i, false)) return value;
    if (turned) {
      place[0] = -place[0];
      if (isIn(place, owner, number, i, true)) return value;
    }
    return undefined;
  }, { mirrored, touches: (triangle) => seer.touches(triangle, loop.box, false) || (turned && seer.touches(triangle, loop.box, true)) });
}

// A stroke under way, from whichever view.
export class Painter {
  // hitAt(x, y) gives {triangle, point, normal} or null.
  begin(hitAt, x, y, pressure, turned = false) {
    const hit = hitAt(x, y);
    if (!hit || !canvas.layer) {
      return false;
    }
    this.name = strokeName();
    this.layer = canvas.layer;
    this.layer.hold();
    this.stroke = new Stroke(this.layer, canvas.texels, settings(turned), this.name);
    this.hitAt = hitAt;
    this.at = [x, y];
    this.pieces = 0; // that were sent
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
      this.pieces += 1;
      send(this.layer, this.stroke.take(), this.name);
    }
  }

  end() {
    return finish(this.layer, this.stroke.take(), this.name);
  }

  // As if it had not been begun: what the program has of it is undone there.
  async cancel() {
    if (this.pieces) {
      await this.end();
      await attempt(() => post('/api/undo'));
      return;
    }
    const numbers = this.stroke.take();
    numbers.forEach((number) => { this.layer.tiles[number] = this.layer.theirs.get(number); });
    await finish(this.layer, numbers, this.name);
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
