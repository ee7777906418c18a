// Strokes and whole-map operations on the selected map, and their transmission to the server.

import { clientId, post } from '../net/api.js';
import { texelOfRegion } from '../state/regions.js';
import { emit } from '../state/store.js';
import { toast, tryOrToast } from '../ui/dom.js';
import { brush, editTexels, Stroke } from './brush.js';
import { PolygonMask } from './polygon_mask.js';

const SEND_INTERVAL_MS = 300; // of a stroke in progress: bounds the loss after a crash

let strokeCount = 0;
const nextStrokeId = () => `${clientId}-${++strokeCount}`;

/**
 * @typedef {object} PaintTarget
 * @property {any} [map] PaintMap
 * @property {any} [texels] TexelPositions
 * @property {any} [surface] Surface
 * @property {boolean} isRegionMap
 * @property {boolean} disconnected
 */

// What the brush paints on; app.js sets it.
/** @type {PaintTarget} */ export const paintTarget = { map: null, texels: null, surface: null, isRegionMap: false, disconnected: false };

// eraser: the eraser end of a pen paints the secondary value.
function strokeSettings(eraser = false) {
  return { ...brush, isRegionMap: paintTarget.isRegionMap, ...(eraser && { value: brush.secondaryValue, region: brush.secondaryRegion }) };
}

const brushTexel = () => (paintTarget.isRegionMap ? texelOfRegion(brush.region) : paintTarget.map.quantize(brush.value));

/** Tools that interpolate values cannot be used on region ids. @param {string} tool */
export function toolSupportsMap(tool) {
  if (paintTarget.isRegionMap && ['smooth', 'smear', 'gradient', 'invert'].includes(tool)) {
    toast('Region maps hold ids, which cannot be blended. Use Set, Subtract (region 0), Lasso or Fill.', { bad: true });
    return false;
  }
  return true;
}

/** @param {import('./paint_map.js').PaintMap} map @param {number[]} tiles @param {string} id */
async function sendTiles(map, tiles, id) {
  try {
    await map.sendTiles(tiles, id);
  } catch (error) {
    toast(`The stroke was not saved: ${/** @type {Error} */ (error).message}. It has been removed; fix the cause and paint it again.`, { bad: true });
  }
}

/** Sends the remaining tiles of an edit and ends it. @param {import('./paint_map.js').PaintMap} map @param {number[]} tiles @param {string} id */
async function finishEdit(map, tiles, id) {
  if (tiles.length) {
    emit('texelsChanged', tiles);
    await sendTiles(map, tiles, id);
  }
  await map.sending;
  if (map.endEdit()) emit('mapsChangedOnServer');
}

// Reports why painting is impossible.
export function checkCanPaint() {
  if (paintTarget.disconnected) {
    toast('The studio is not responding. Changes made now would be lost.', { bad: true });
  } else if (paintTarget.surface && !paintTarget.surface.uvs) {
    toast('This mesh has no UV coordinates, so it cannot carry maps. Unwrap it in a modelling program and export it with UVs (vt lines in the OBJ file).', { bad: true });
  } else if (!paintTarget.map) {
    toast('There is no map to paint. Create one with Paint, + New.', { bad: true });
  } else {
    return true;
  }
  return false;
}

// Applies a function to all texels of the growth area, see editTexels.
/** @param {import('./brush.js').TexelFunction} valueOf @param {{ overlaps?: (triangle: number) => boolean, mirrored?: boolean }} [options] */
export function applyToTexels(valueOf, options) {
  if (!checkCanPaint()) return Promise.resolve();
  const { map, texels } = paintTarget;
  map.beginEdit();
  return finishEdit(map, editTexels(map, texels, strokeSettings(), valueOf, options), nextStrokeId());
}

/** Applies a function of the texel value alone to the whole map; uniform tiles stay uniform. @param {(texel: number) => number} valueOf */
function applyToTiles(valueOf) {
  if (brush.mask || !checkCanPaint()) return brush.mask ? applyToTexels(valueOf) : Promise.resolve();
  const { map } = paintTarget;
  map.beginEdit();
  /** @type {number[]} */ const changed = [];
  map.tiles.forEach((/** @type {Uint16Array} */ tile, /** @type {number} */ number) => {
    const isUniform = map.isUniform(number);
    const made = isUniform ? map.uniformTile(valueOf(tile[0])) : tile.map(valueOf);
    const next = isUniform || made.some((/** @type {number} */ texel) => texel !== made[0]) ? made : map.uniformTile(made[0]);
    if (isUniform ? next !== tile : made.some((/** @type {number} */ texel, /** @type {number} */ i) => texel !== tile[i])) {
      map.replaceTile(number, next);
      changed.push(number);
    }
  });
  return finishEdit(map, changed, nextStrokeId());
}

export const fill = () => {
  if (!checkCanPaint()) return Promise.resolve();
  const texel = brushTexel();
  return applyToTiles(() => texel);
};
export const invert = () => (toolSupportsMap('invert') ? applyToTiles((texel) => 65535 - texel) : Promise.resolve());

// Linear gradient from the value at the first point to the secondary value at the second. A symmetric brush mirrors it
// from the side of the drag.
/** @param {number[]} from @param {number[]} to */
export function gradient(from, to) {
  const { symmetric } = brush;
  const side = Math.sign(from[0] + to[0]) || 1;
  const mirrored = symmetric && paintTarget.surface?.isUvMirrored;
  const axis = to.map((x, k) => x - from[k]);
  const length2 = axis.reduce((sum, x) => sum + x * x, 0);
  return applyToTexels((_value, position) => {
    const otherSide = symmetric && side * position[0] < 0;
    if (otherSide && mirrored) return undefined; // written as the mirrored texel
    const x = otherSide ? -position[0] : position[0];
    const along = (axis[0] * (x - from[0]) + axis[1] * (position[1] - from[1]) + axis[2] * (position[2] - from[2])) / length2;
    const t = Math.max(0, Math.min(1, along));
    return paintTarget.map.quantize(brush.value + t * (brush.secondaryValue - brush.value));
  }, { mirrored });
}

/** Fills the visible texels inside a screen polygon. @param {number[][]} polygon @param {import('./lasso_visibility.js').VisibilityTest} visibility */
export function lasso(polygon, visibility) {
  if (!checkCanPaint()) return Promise.resolve();
  const mask = new PolygonMask(polygon);
  const texel = brushTexel();
  const mirrored = brush.symmetric && paintTarget.surface.isUvMirrored;
  const testMirrored = brush.symmetric && !mirrored && visibility.supportsMirroring;
  const isSelected = (/** @type {number[]} */ position, /** @type {number} */ triangle, /** @type {number} */ number, /** @type {number} */ i, /** @type {boolean} */ isMirrored) => {
    const pixel = visibility.toPixels(position, number, i);
    return mask.contains(pixel[0], pixel[1]) && visibility.isVisible(position, triangle, pixel, isMirrored);
  };
  return applyToTexels((_value, position, triangle, number, i) => {
    if (isSelected(position, triangle, number, i, false)) return texel;
    if (testMirrored) {
      position[0] = -position[0];
      if (isSelected(position, triangle, number, i, true)) return texel;
    }
    return undefined;
  }, { mirrored, overlaps: (triangle) => visibility.overlapsBox(triangle, mask.box, false) || (testMirrored && visibility.overlapsBox(triangle, mask.box, true)) });
}

/** @typedef {(x: number, y: number) => import('./brush.js').Hit | null} HitTest */

// A stroke in progress in either view.
export class Painter {
  constructor() {
    this.id = '';
    this.chunksSent = 0;
    this.lastSent = 0; // milliseconds
    /** @type {number[]} last pointer position */ this.pixel = [0, 0];
    /** @type {HitTest} */ this.hitAt = () => null;
    /** @type {any} PaintMap, set by begin */ this.map = null;
    /** @type {any} Stroke, set by begin */ this.stroke = null;
  }

  /** @param {HitTest} hitAt @param {number} x @param {number} y @param {number} pressure @param {boolean} eraser */
  begin(hitAt, x, y, pressure, eraser = false) {
    const hit = hitAt(x, y);
    if (!hit || !paintTarget.map) return false;
    this.id = nextStrokeId();
    this.map = paintTarget.map;
    this.map.beginEdit();
    this.stroke = new Stroke(this.map, paintTarget.texels, strokeSettings(eraser), this.id);
    this.hitAt = hitAt;
    this.pixel = [x, y];
    this.chunksSent = 0;
    this.stroke.extendTo(hit, pressure);
    this.lastSent = performance.now();
    this.publish();
    return true;
  }

  /** @param {number} x @param {number} y @param {number} pressure */
  move(x, y, pressure) {
    const hit = this.hitAt(x, y);
    if (hit) {
      const [fx, fy] = this.pixel;
      this.stroke.extendTo(hit, pressure, (/** @type {number} */ t) => this.hitAt(fx + t * (x - fx), fy + t * (y - fy)));
      this.pixel = [x, y];
      this.publish();
    }
  }

  // Shows changed tiles immediately and sends them at intervals.
  publish() {
    emit('texelsChanged', [...this.stroke.changed]);
    if (performance.now() - this.lastSent > SEND_INTERVAL_MS) {
      this.lastSent = performance.now();
      this.chunksSent += 1;
      sendTiles(this.map, this.stroke.takeChangedTiles(), this.id);
    }
  }

  end() {
    return finishEdit(this.map, this.stroke.takeChangedTiles(), this.id);
  }

  // Discards the stroke; what the server already has of it is undone there.
  async cancel() {
    if (this.chunksSent) {
      await this.end();
      await tryOrToast(() => post('/api/undo'));
      return;
    }
    const tiles = this.stroke.takeChangedTiles();
    tiles.forEach((/** @type {number} */ number) => { this.map.tiles[number] = this.map.serverTiles.get(number); });
    await finishEdit(this.map, tiles, this.id);
  }
}

// Paints white within a distance of every living root, black elsewhere.
/** @param {Float32Array} candidates position and normal per root @param {Uint8Array} alive @param {number} distance */
export function bakeRoots(candidates, alive, distance) {
  /** @type {Map<string, number[]>} */ const grid = new Map();
  const key = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => `${Math.floor(x / distance)},${Math.floor(y / distance)},${Math.floor(z / distance)}`;
  for (let i = 0; i < alive.length; ++i) {
    if (alive[i]) {
      const at = key(candidates[6 * i], candidates[6 * i + 1], candidates[6 * i + 2]);
      const list = grid.get(at);
      if (list) list.push(i); else grid.set(at, [i]);
    }
  }
  const isNearRoot = (/** @type {number[]} */ p) => {
    for (let z = -1; z <= 1; ++z) {
      for (let y = -1; y <= 1; ++y) {
        for (let x = -1; x <= 1; ++x) {
          for (const i of grid.get(key(p[0] + x * distance, p[1] + y * distance, p[2] + z * distance)) ?? []) {
            if (Math.hypot(candidates[6 * i] - p[0], candidates[6 * i + 1] - p[1], candidates[6 * i + 2] - p[2]) <= distance) return true;
          }
        }
      }
    }
    return false;
  };
  return applyToTexels((_value, position) => (isNearRoot(position) ? 65535 : 0));
}
