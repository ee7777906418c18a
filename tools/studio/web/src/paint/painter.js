// Strokes and whole-map operations on the selected map, and their transmission to the server.
//
// Edits run one after another, each in slices of time; what one reads is what the edit before has left.

import { clientId, post } from '../net/api.js';
import { texelOfRegion } from '../state/regions.js';
import { emit } from '../state/store.js';
import { toast, tryOrToast } from '../ui/dom.js';
import { brush, editTexels, mirrorHit, Stroke } from './brush.js';
import { FlatTexels } from './flat_texels.js';
import { FlowTexels } from './flow_texels.js';
import { LayerTexels } from './layer_texels.js';
import { PolygonMask } from './polygon_mask.js';
import { inSlices, runSlice } from './slices.js';

const SEND_INTERVAL_MS = 300; // of a stroke in progress: bounds the loss after a crash
const SENT_TILES = 128; // at once
const BLENDING_TOOLS = ['smooth', 'smear', 'gradient', 'invert'];

let strokeCount = 0;
export const nextStrokeId = () => `${clientId}-${++strokeCount}`;

/**
 * @typedef {object} PaintTarget
 * @property {any} [map] PaintMap as it is displayed
 * @property {import('./map_stack.js').MapStack | null} stack layers of the map
 * @property {number} layer the selected one
 * @property {any} [texels] TexelPositions
 * @property {any} [surface] Surface
 * @property {any} [flow] PaintMap of the green channel of a flow map
 * @property {boolean} isRegionMap
 * @property {boolean} disconnected
 */

// What the brush paints on; app.js sets it.
/** @type {PaintTarget} */ export const paintTarget = { map: null, stack: null, layer: -1, texels: null, surface: null, isRegionMap: false, disconnected: false };

/** @returns {import('./flat_texels.js').TexelTarget} */
const texelTarget = () => {
  const { map, stack, layer, flow, texels } = paintTarget;
  if (flow) return new FlowTexels(map, flow, texels);
  const background = map.quantize(brush.secondaryValue);
  return stack ? new LayerTexels(stack, layer, background) : new FlatTexels(map, background);
};

// eraser: the eraser end of a pen uncovers what is below a layer; on other maps it paints the second value.
function strokeSettings(eraser = false) {
  const { isRegionMap } = paintTarget;
  return { ...brush, isRegionMap, ...(eraser && (isRegionMap ? { tool: 'set', region: brush.secondaryRegion } : { tool: 'erase' })) };
}

const brushTexel = () => (paintTarget.isRegionMap ? texelOfRegion(brush.region) : paintTarget.map.quantize(brush.value));

/** Why a tool cannot be used on the selected map, or ''. @param {string} tool */
const toolRefusal = (tool) => (paintTarget.isRegionMap && BLENDING_TOOLS.includes(tool)
  ? 'Region maps hold ids, which cannot be blended. Use Paint, Subtract (region 0), Lasso or Fill.'
  : paintTarget.flow && !['set', 'erase'].includes(tool) ? 'Flow maps hold directions: Paint along them, or Erase.' : '');

const layerRefusal = () => {
  const layer = paintTarget.stack?.layers[paintTarget.layer];
  return layer && !layer.visible ? `Layer ${layer.name} is hidden. Show it, or select another one.` : '';
};

/** Tools that interpolate values cannot be used on region ids. @param {string} tool */
export function toolSupportsMap(tool) {
  const refusal = toolRefusal(tool);
  if (refusal) toast(refusal, { bad: true });
  return refusal === '';
}

/** Why a dab at a hit would paint nothing, or ''. @param {import('./brush.js').Hit} hit */
export function refusalAt(hit) {
  const { surface, map, disconnected } = paintTarget;
  if (disconnected) return 'The studio is not responding.';
  if (surface && !surface.uvs) return 'This mesh has no UV coordinates.';
  if (!map) return 'No map: create one with + New.';
  const refusal = toolRefusal(brush.tool) || layerRefusal();
  if (refusal) return refusal;
  const reaches = surface.growthMask[hit.triangle] || brush.tool === 'lasso'
    || surface.trianglesInBrush(hit.triangle, hit.point, hit.normal, brush.radius).some((/** @type {number} */ t) => surface.growthMask[t]);
  return reaches ? '' : 'Outside the scalp: nothing is painted here.';
}

/** Where a symmetric brush paints too. @param {import('./brush.js').Hit | null} hit */
export const mirroredHit = (hit) => (hit && brush.symmetric && paintTarget.surface ? mirrorHit(paintTarget.surface, hit, brush.axis, brush.radius) : null);

/** @type {Promise<unknown>} edits not yet stored on the server */ let edits = Promise.resolve();
let editCount = 0;

/** Resolves when everything painted so far is stored on the server, or refused by it. */
export const pendingEdits = () => edits;

/** Begins an edit; end runs after the edits before it. @param {(before: Promise<unknown>) => Promise<unknown>} run */
function track(run) {
  editCount += 1;
  const done = run(edits).finally(() => { editCount -= 1; });
  edits = done.catch(() => {});
  return done;
}

/** @param {import('./flat_texels.js').TexelTarget} target @param {number[]} tiles of the displayed map @param {string} id */
async function sendTiles(target, tiles, id) {
  try {
    await Promise.all(target.storedMaps().map((map) => map.sendTiles(tiles, id)));
  } catch (error) {
    toast(`The stroke was not saved: ${/** @type {Error} */ (error).message}. It has been taken back. Free some disk space if the disk is full, then paint it again.`, { bad: true });
  }
}

/** @param {import('./flat_texels.js').TexelTarget} target @param {number[]} tiles */
function show(target, tiles) {
  if (tiles.length) {
    target.refresh(tiles);
    emit('texelsChanged', tiles);
  }
}

/** The displayed map and those that are stored. @param {any} map PaintMap @param {import('./flat_texels.js').TexelTarget} target */
const mapsOf = (map, target) => new Set([map, ...target.storedMaps()]);

/** @param {any} map PaintMap @param {import('./flat_texels.js').TexelTarget} target */
function beginEdit(map, target) {
  mapsOf(map, target).forEach((each) => each.beginEdit());
}

/** Sends the remaining tiles of an edit and ends it. @param {any} map PaintMap @param {import('./flat_texels.js').TexelTarget} target @param {number[]} tiles @param {string} id */
async function finishEdit(map, target, tiles, id) {
  await inSlices((function* send() {
    for (let at = 0; at < tiles.length; at += SENT_TILES) {
      sendTiles(target, tiles.slice(at, at + SENT_TILES), id);
      yield;
    }
  })());
  for (const each of target.storedMaps()) await each.sending;
  const isUpdateDue = [...mapsOf(map, target)].map((each) => each.endEdit()).some(Boolean);
  if (isUpdateDue) emit('mapsChangedOnServer');
}

// Reports why painting is impossible.
export function checkCanPaint() {
  if (paintTarget.disconnected) {
    toast('The studio is not responding. Changes made now would be lost.', { bad: true });
  } else if (paintTarget.surface && !paintTarget.surface.uvs) {
    toast('This mesh has no UV coordinates, so it cannot carry maps. Unwrap it in a modelling program and export it with UVs (vt lines in the OBJ file).', { bad: true });
  } else if (!paintTarget.map) {
    toast('There is no map to paint yet.', { bad: true, label: 'New map', action: () => document.getElementById('new-map')?.click() });
  } else if (layerRefusal()) {
    toast(layerRefusal(), { bad: true });
  } else {
    return true;
  }
  return false;
}

/** Runs a generator that edits texels as one step. @param {(stroke: Stroke) => Iterator<unknown>} steps @param {Partial<import('./brush.js').BrushSettings>} settings @param {string} id of the step */
function runEdit(steps, settings = {}, id = nextStrokeId()) {
  const { map, texels } = paintTarget;
  const target = texelTarget();
  const stroke = new Stroke(map, texels, { ...strokeSettings(), ...settings }, id, target);
  beginEdit(map, target);
  return track(async (before) => {
    if (editCount > 1) await before;
    await inSlices(steps(stroke), () => show(target, stroke.takeUnshownTiles()));
    show(target, stroke.takeUnshownTiles());
    await finishEdit(map, target, stroke.takeChangedTiles(), id);
  });
}

// Paints all texels of the growth area, see editTexels.
/** @param {import('./brush.js').TexelFunction} paintOf @param {{ overlaps?: (triangle: number) => boolean, mirrored?: boolean }} [options] @param {Partial<import('./brush.js').BrushSettings>} [settings] */
export function applyToTexels(paintOf, options, settings) {
  if (!checkCanPaint()) return Promise.resolve();
  return runEdit((stroke) => editTexels(stroke, paintOf, options), settings);
}

/** Applies a function of the texel value alone to the whole map; uniform tiles stay uniform. @param {(texel: number) => number} valueOf @param {boolean} [keepsCoverage] of a layer */
function applyToTiles(valueOf, keepsCoverage = false) {
  return runEdit(function* perTile(stroke) {
    const { target, map } = stroke;
    for (const number of map.tiles.keys()) {
      if (brush.mask) {
        const effective = target.effective(number).slice();
        for (let i = 0; i < effective.length; ++i) {
          if (stroke.maskAllows(number, i)) stroke.replaceTexel(number, i, valueOf(effective[i]));
        }
      } else {
        stroke.note(number, target.mapTile(number, valueOf, keepsCoverage));
      }
      yield;
    }
  });
}

/** Gives all texels of a region to none (0), whatever the mask. @param {number} region @param {string} stroke id of the step of undo */
export const clearRegion = (region, stroke) => {
  const texel = texelOfRegion(region);
  return checkCanPaint() ? runEdit(function* perTile(edit) {
    for (const number of edit.map.tiles.keys()) {
      if (edit.target.effective(number).includes(texel)) edit.note(number, edit.target.mapTile(number, (each) => (each === texel ? 0 : each), true));
      yield;
    }
  }, {}, stroke) : Promise.resolve();
};

export const fill = () => {
  if (!checkCanPaint()) return Promise.resolve();
  const texel = brushTexel();
  return applyToTiles(() => texel);
};
export const invert = () => (checkCanPaint() && toolSupportsMap('invert') ? applyToTiles((texel) => 65535 - texel, true) : Promise.resolve());

// Linear gradient from the value at the first point to the second value at the second. A symmetric brush mirrors it
// from the side of the drag.
/** @param {number[]} from @param {number[]} to */
export function gradient(from, to) {
  if (!checkCanPaint()) return Promise.resolve();
  const { symmetric, axis: normal, strength, feather, value, secondaryValue } = brush;
  const side = Math.sign(from[normal] + to[normal]) || 1;
  const mirrored = symmetric && normal === 0 && paintTarget.surface?.isUvMirrored;
  const axis = to.map((x, k) => x - from[k]);
  const length2 = axis.reduce((sum, x) => sum + x * x, 0);
  const { map } = paintTarget;
  return applyToTexels((paint, position) => {
    if (symmetric && side * position[normal] < 0) {
      if (mirrored) return; // written as the mirrored texel
      position[normal] = -position[normal];
    }
    const along = (axis[0] * (position[0] - from[0]) + axis[1] * (position[1] - from[1]) + axis[2] * (position[2] - from[2])) / length2;
    const linear = Math.max(0, Math.min(1, along));
    const t = feather > 0 ? linear * linear * (3 - 2 * linear) : linear;
    paint.texel = map.quantize(value + t * (secondaryValue - value));
    paint.amount = strength;
  }, { mirrored });
}

/** Fills the visible texels inside a screen polygon. @param {number[][]} polygon @param {import('./lasso_visibility.js').VisibilityTest} visibility */
export function lasso(polygon, visibility) {
  if (!checkCanPaint()) return Promise.resolve();
  const mask = new PolygonMask(polygon);
  const texel = brushTexel();
  const { symmetric, axis, strength, feather } = brush;
  const { isRegionMap } = paintTarget;
  const mirrored = symmetric && axis === 0 && paintTarget.surface.isUvMirrored;
  const testMirrored = symmetric && !mirrored && visibility.supportsMirroring;
  const coverageOf = (/** @type {number[]} */ position, /** @type {number} */ triangle, /** @type {number} */ number, /** @type {number} */ i, /** @type {boolean} */ isMirrored) => {
    const pixel = visibility.toPixels(position, triangle, number, i, isMirrored);
    const inside = isRegionMap ? Number(mask.contains(pixel[0], pixel[1])) : mask.coverage(pixel[0], pixel[1], feather);
    return inside > 0 && visibility.isVisible(position, triangle, pixel, isMirrored) ? inside : 0;
  };
  return applyToTexels((paint, position, triangle, number, i) => {
    let inside = coverageOf(position, triangle, number, i, false);
    if (testMirrored && inside < 1) {
      position[axis] = -position[axis];
      inside = Math.max(inside, coverageOf(position, triangle, number, i, true));
    }
    paint.texel = texel;
    paint.amount = isRegionMap ? inside : strength * inside;
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
    /** @type {any} TexelTarget, set by begin */ this.target = null;
    /** @type {any} Stroke, set by begin */ this.stroke = null;
    /** @type {Promise<unknown> | null} slices of queued dabs, or edits before this stroke */ this.busy = null;
    /** @type {(discard: boolean) => void} */ this.release = () => {};
    /** @type {Promise<unknown>} */ this.done = Promise.resolve();
  }

  /** @param {HitTest} hitAt @param {number} x @param {number} y @param {number} pressure @param {boolean} eraser @param {import('./brush.js').Hit | null} from where the stroke begins instead of at the pixel */
  begin(hitAt, x, y, pressure, eraser = false, from = null) {
    const hit = from ?? hitAt(x, y);
    if (!hit || !paintTarget.map) return false;
    this.id = nextStrokeId();
    this.map = paintTarget.map;
    this.target = texelTarget();
    beginEdit(this.map, this.target);
    this.stroke = new Stroke(this.map, paintTarget.texels, strokeSettings(eraser), this.id, this.target);
    this.hitAt = hitAt;
    this.pixel = [x, y];
    this.chunksSent = 0;
    this.lastSent = performance.now();
    /** @type {Promise<boolean>} */ const released = new Promise((resolve) => { this.release = resolve; });
    this.done = track(async (before) => {
      if (editCount > 1) {
        this.busy = before.then(() => { this.busy = null; this.advance(); });
      }
      await this.finish(await released);
    });
    this.stroke.extendTo(hit, pressure);
    this.advance();
    return true;
  }

  // Paints queued dabs: at once if that takes no longer than a slice.
  advance() {
    if (this.busy) return;
    const steps = this.stroke.work();
    if (runSlice(steps)) {
      this.publish();
    } else {
      this.busy = inSlices(steps, () => this.publish()).then(() => {
        this.busy = null;
        this.publish();
        if (this.stroke.queue.length > 0) this.advance(); // queued after the last slice
      });
    }
  }

  /** @param {number} x @param {number} y @param {number} pressure */
  move(x, y, pressure) {
    const hit = this.hitAt(x, y);
    if (hit) {
      const [fx, fy] = this.pixel;
      this.stroke.extendTo(hit, pressure, (/** @type {number} */ t) => this.hitAt(fx + t * (x - fx), fy + t * (y - fy)));
      this.pixel = [x, y];
      this.advance();
    }
  }

  // Shows changed tiles immediately and sends them at intervals.
  publish() {
    show(this.target, this.stroke.takeUnshownTiles());
    if (performance.now() - this.lastSent > SEND_INTERVAL_MS) {
      this.lastSent = performance.now();
      const tiles = this.stroke.takeChangedTiles(SENT_TILES);
      this.chunksSent += 1;
      sendTiles(this.target, tiles, this.id);
    }
  }

  end() {
    this.release(false);
    return this.done;
  }

  // Discards the stroke; what the server already has of it is undone there.
  cancel() {
    this.release(true);
    return this.done;
  }

  /** @param {boolean} discard */
  async finish(discard) {
    if (discard) this.stroke.queue.length = 0;
    while (this.busy) await this.busy;
    const tiles = this.stroke.takeChangedTiles();
    if (discard && !this.chunksSent) {
      tiles.forEach((/** @type {number} */ number) => this.target.revert(number));
      show(this.target, tiles);
      await finishEdit(this.map, this.target, [], this.id);
      return;
    }
    await finishEdit(this.map, this.target, tiles, this.id);
    if (discard) await tryOrToast(() => post('/api/undo'));
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
  return applyToTexels((paint, position) => {
    paint.texel = isNearRoot(position) ? 65535 : 0;
    paint.amount = 1;
  }, {}, { mask: null });
}
