// Brush strokes: dabs on the surface are rasterised into a map.
//
// A dab is a sphere around a surface point. It affects texels whose surface position lies inside, on triangles
// connected to the hit and facing the brush; UV seams and stretching do not show. Within a stroke each texel takes
// its strongest dab, so the result does not depend on the speed of the stroke.

import { texelOfRegion } from '../state/regions.js';
import { FlatTexels } from './flat_texels.js';
import { TILE_SIZE } from './paint_map.js';
import { SplatGrid } from './splat_grid.js';

/** @typedef {{ triangle: number, point: number[], normal: number[], distance?: number }} Hit */

/**
 * @typedef {object} BrushSettings
 * @property {string} tool
 * @property {number} radius metres
 * @property {number} strength
 * @property {number} hardness fraction of the radius with full strength
 * @property {number} value
 * @property {number} secondaryValue
 * @property {number} spacing of dabs, in radii
 * @property {boolean} symmetric mirror at the plane through the origin
 * @property {number} axis of that plane: 0 x, 1 y, 2 z
 * @property {boolean} pressure scales the strength
 * @property {boolean} sizePressure pressure scales the radius
 * @property {number} stabilizer length of the string by which the pointer pulls the brush, pixels
 * @property {number} feather width of the soft edge of a lasso, pixels; above 0 a gradient eases in and out
 * @property {boolean} paintWithTouch
 * @property {{ map: import('./paint_map.js').PaintMap, texel: number } | null} mask only texels where map holds texel
 * @property {number} region id painted into region maps
 * @property {number} secondaryRegion
 * @property {number} maxRadius
 * @property {boolean} userSized the user has set the radius
 * @property {boolean} [isRegionMap]
 */

/** @type {BrushSettings} */ export const brush = {
  tool: 'set', radius: 0.012, strength: 1, hardness: 0.3, value: 0, secondaryValue: 1, spacing: 0.15,
  symmetric: false, axis: 0, pressure: true, sizePressure: false, stabilizer: 0, feather: 0, paintWithTouch: false, mask: null, region: 1, secondaryRegion: 0,
  maxRadius: 0.1, userSized: false,
};

/** Default and largest radius for a surface of this size in metres. @param {number} size */
export function fitBrushToSurface(size) {
  brush.maxRadius = Math.max(0.1, 0.2 * size);
  const defaultRadius = size > 0.8 ? Number((0.02 * size).toPrecision(1)) : 0.012;
  brush.radius = Math.min(brush.maxRadius, brush.userSized ? brush.radius : defaultRadius);
}

/** 1 inside the hard core, then smoothstep to 0 at the radius. @param {number} distance @param {number} radius @param {number} hardness */
export function falloff(distance, radius, hardness) {
  const t = (distance / radius - hardness) / (1 - hardness || 1e-9);
  if (t <= 0) return 1;
  if (t >= 1) return 0;
  return 1 - t * t * (3 - 2 * t);
}

/** A hit mirrored at the plane of an axis; null where the surface is further away than reach. @param {import('./surface.js').Surface} surface @param {Hit} hit @param {number} axis @param {number} reach @returns {Hit | null} */
export function mirrorHit(surface, hit, axis, reach) {
  const mirror = (/** @type {number[]} */ p) => p.map((x, k) => (k === axis ? -x : x));
  const point = mirror(hit.point);
  const closest = surface.closestTriangle(point);
  return closest.distance < reach ? { triangle: closest.triangle, point, normal: mirror(hit.normal) } : null;
}

// Dabs are queued by extendTo and painted by work(), a generator that pauses after every tile: large brushes on large
// maps take several slices of time, see slices.js.
export class Stroke {
  /**
   * @param {import('./paint_map.js').PaintMap} map
   * @param {import('./texel_positions.js').TexelPositions} texels
   * @param {BrushSettings} settings
   * @param {string} id
   * @param {import('./flat_texels.js').TexelTarget} target
   */
  constructor(map, texels, settings, id, target = new FlatTexels(map)) {
    this.map = map;
    this.texels = texels;
    this.settings = { ...settings };
    this.id = id;
    this.target = target;
    /** @type {Map<number, import('./flat_texels.js').TileSnapshot>} per tile: texels before the stroke */ this.original = new Map();
    /** @type {Map<number, Float32Array>} per tile: strongest dab so far */ this.coverage = new Map();
    /** @type {Map<number, number>} per tile: least coverage */ this.leastCoverage = new Map();
    /** @type {Set<number>} tiles changed since takeChangedTiles */ this.changed = new Set();
    /** @type {Set<number>} tiles changed since takeUnshownTiles */ this.unshown = new Set();
    this.lastTile = -1; // most recent entry of both
    this.triangleMarks = new Uint32Array(texels.surface.triangles);
    this.markCount = 0;
    this.dabCount = 0;
    /** @type {{ hit: Hit, pressure: number }[]} */ this.queue = [];
    /** @type {Hit | null} of the last queued dab */ this.lastHit = null;
    /** @type {Hit | null} */ this.lastPainted = null;
    /** @type {Hit | null} */ this.lastMirrored = null;
  }

  /** @param {number} number */
  originalTile(number) {
    let tile = this.original.get(number);
    if (!tile) {
      tile = this.target.snapshot(number);
      this.original.set(number, tile);
      this.coverage.set(number, new Float32Array(TILE_SIZE * TILE_SIZE));
    }
    return tile;
  }

  /** Marks the triangles of a dab; returns the tiles they overlap. @param {Hit} hit @param {number} radius */
  markTriangles(hit, radius) {
    const { surface } = this.texels;
    const mark = ++this.markCount;
    /** @type {Set<number>} */ const tiles = new Set();
    for (const t of surface.trianglesInBrush(hit.triangle, hit.point, hit.normal, radius)) {
      if (surface.growthMask[t]) {
        this.triangleMarks[t] = mark;
        this.texels.forEachTileOf(t, (number) => tiles.add(number));
      }
    }
    return { mark, tiles };
  }

  /** @param {number} number @param {number} i */
  maskAllows(number, i) {
    const { mask } = this.settings;
    if (!mask) return true;
    const [u, v] = this.map.uvOfTexel(number, i);
    return mask.map.texelAtUv(u, v) === mask.texel;
  }

  // One dab, mirrored if the brush is symmetric. On UVs mirrored at u = 1/2 the mirrored texels are set to the same
  // values; on other UVs a second dab is made at the mirrored point.
  /** @param {Hit} hit @param {number} pressure */
  * dab(hit, pressure) {
    const { settings, texels: { surface } } = this;
    const weight = settings.strength * (settings.pressure ? pressure : 1);
    const radius = settings.radius * (settings.sizePressure ? Math.max(0.05, pressure) : 1);
    const mirrorTexels = settings.symmetric && settings.axis === 0 && surface.isUvMirrored && !this.target.beginDab;
    this.dabCount += 1;
    yield* this.dabAt(hit, radius, weight, this.lastPainted, mirrorTexels);
    this.lastPainted = hit;
    const mirrored = settings.symmetric && !mirrorTexels ? mirrorHit(surface, hit, settings.axis, radius) : null;
    if (mirrored) {
      yield* this.dabAt(mirrored, radius, weight, this.lastMirrored, false);
      this.lastMirrored = mirrored;
    }
  }

  /** @param {Hit} hit @param {number} radius @param {number} weight @param {Hit | null} previous @param {boolean} mirrorTexels */
  * dabAt(hit, radius, weight, previous, mirrorTexels) {
    const { tool, hardness, isRegionMap } = this.settings;
    if (tool === 'smooth' || tool === 'smear') {
      yield* this.blurOrSmear(hit, radius, weight, previous, mirrorTexels);
      return;
    }
    if (this.target.beginDab?.(hit, previous, tool) === false) return;
    const { mark, tiles } = this.markTriangles(hit, radius);
    const [px, py, pz] = hit.point;
    for (const number of tiles) {
      const tile = this.texels.tile(number);
      if (!tile) continue;
      const away = Math.hypot(tile.center[0] - px, tile.center[1] - py, tile.center[2] - pz);
      const most = isRegionMap ? 1 : weight * falloff(Math.max(0, away - tile.reach), radius, hardness);
      if (away - tile.reach >= radius || most <= (this.leastCoverage.get(number) ?? 0)) continue;
      this.originalTile(number);
      const coverage = /** @type {Float32Array} */ (this.coverage.get(number));
      for (let i = 0; i < TILE_SIZE * TILE_SIZE; ++i) {
        const triangle = tile.triangle[i];
        if (triangle < 0 || this.triangleMarks[triangle] !== mark) continue;
        const dx = tile.position[3 * i] - px, dy = tile.position[3 * i + 1] - py, dz = tile.position[3 * i + 2] - pz;
        const d2 = dx * dx + dy * dy + dz * dz;
        if (d2 >= radius * radius) continue;
        const amount = isRegionMap ? 1 : weight * falloff(Math.sqrt(d2), radius, hardness);
        if (amount > coverage[i]) this.coverTexel(number, i, amount);
        if (mirrorTexels) this.coverTexel(...this.map.mirroredTexel(number, i), amount);
      }
      if (away + tile.reach < radius) this.leastCoverage.set(number, leastOf(coverage, tile.triangle));
      yield;
    }
  }

  /** @param {number} number @param {number} i @param {number} amount */
  coverTexel(number, i, amount) {
    const tile = this.texels.tile(number);
    if (!tile || tile.triangle[i] < 0) return;
    const original = this.originalTile(number);
    const coverage = /** @type {Float32Array} */ (this.coverage.get(number));
    if (amount <= coverage[i] || !this.maskAllows(number, i)) return;
    coverage[i] = amount;
    const { tool, value, isRegionMap, region } = this.settings;
    if (isRegionMap) {
      this.note(number, this.target.replace(number, i, tool === 'subtract' || tool === 'erase' ? 0 : texelOfRegion(region)));
    } else if (tool === 'add' || tool === 'subtract') {
      this.replaceTexel(number, i, original.effective[i] + (tool === 'add' ? amount : -amount) * 65535);
    } else if (tool === 'erase') {
      this.note(number, this.target.erase(number, i, original, amount));
    } else {
      this.note(number, this.target.over(number, i, original, this.map.quantize(value), amount));
    }
  }

  /** @param {number} number @param {boolean} isChanged */
  note(number, isChanged) {
    if (isChanged && number !== this.lastTile) {
      this.changed.add(number);
      this.unshown.add(number);
      this.lastTile = number;
    }
  }

  /** @param {number} number @param {number} i @param {number} value */
  replaceTexel(number, i, value) {
    this.note(number, this.target.replace(number, i, Math.max(0, Math.min(65535, Math.round(value)))));
  }

  /** The mask is tested here too: it may differ between a texel and its mirror image. @param {number} number @param {number} i @param {(number: number, i: number) => void} write @param {boolean} mirrored */
  writeBoth(number, i, write, mirrored) {
    if (this.maskAllows(number, i)) write(number, i);
    if (!mirrored) return;
    const [n, k] = this.map.mirroredTexel(number, i);
    if ((this.texels.tile(n)?.triangle[k] ?? -1) >= 0 && this.maskAllows(n, k)) write(n, k);
  }

  // Blur and smear read neighbouring values from a grid in space, so UV seams do not interrupt them.
  /** @param {Hit} hit @param {number} radius @param {number} weight @param {Hit | null} previous @param {boolean} mirrorTexels */
  * blurOrSmear(hit, radius, weight, previous, mirrorTexels) {
    const { settings } = this;
    const smear = settings.tool === 'smear';
    if (smear && !previous) return;
    const shift = smear && previous ? hit.point.map((x, k) => x - previous.point[k]) : [0, 0, 0];
    const grid = new SplatGrid(radius / (smear ? 8 : 3), hit.point, radius);
    const [px, py, pz] = hit.point;
    const { mark, tiles } = this.markTriangles(hit, radius);
    /** @type {number[]} tile, texel, distance; flat */ const list = [];
    for (const number of tiles) {
      const tile = this.texels.tile(number);
      const effective = this.target.effective(number);
      for (let i = 0; tile && i < TILE_SIZE * TILE_SIZE; ++i) {
        if (tile.triangle[i] < 0 || this.triangleMarks[tile.triangle[i]] !== mark) continue;
        const dx = tile.position[3 * i] - px, dy = tile.position[3 * i + 1] - py, dz = tile.position[3 * i + 2] - pz;
        const d2 = dx * dx + dy * dy + dz * dz;
        if (d2 >= radius * radius || !this.maskAllows(number, i)) continue;
        grid.add(tile.position[3 * i], tile.position[3 * i + 1], tile.position[3 * i + 2], effective[i]);
        list.push(number, i, Math.sqrt(d2));
      }
      yield;
    }
    const blended = new Float64Array(list.length / 3).fill(-1);
    for (let k = 0; k < blended.length; ++k) {
      const [number, i] = [list[3 * k], list[3 * k + 1]];
      const { position } = /** @type {import('./texel_positions.js').TexelTile} */ (this.texels.tile(number));
      const average = grid.average(position[3 * i] - shift[0], position[3 * i + 1] - shift[1], position[3 * i + 2] - shift[2]);
      if (average >= 0) {
        const before = this.target.effective(number)[i];
        blended[k] = before + (average - before) * weight * falloff(list[3 * k + 2], radius, settings.hardness);
      }
      if (k % 4096 === 4095) yield;
    }
    for (let k = 0; k < blended.length; ++k) {
      if (blended[k] >= 0) this.writeBoth(list[3 * k], list[3 * k + 1], (n, i) => this.replaceTexel(n, i, blended[k]), mirrorTexels);
      if (k % 4096 === 4095) yield;
    }
  }

  // Queues dabs from the last hit to this one at the brush spacing. project(t) gives the surface hit at a fraction of the distance.
  /** @param {Hit} hit @param {number} pressure @param {(t: number) => Hit | null} [project] */
  extendTo(hit, pressure, project) {
    if (!this.lastHit) {
      this.enqueue(hit, pressure);
      return;
    }
    const { spacing, radius, sizePressure } = this.settings;
    const step = Math.max(1e-5, spacing * radius * (sizePressure ? Math.max(0.05, pressure) : 1));
    const from = this.lastHit.point;
    const distance = Math.hypot(...hit.point.map((x, k) => x - from[k]));
    if (distance < step) return;
    const count = Math.floor(distance / step);
    for (let i = 1; i <= count; ++i) {
      const on = project?.((i * step) / distance) ?? (i === count ? hit : null);
      if (on) this.enqueue(on, pressure);
    }
  }

  /** @param {Hit} hit @param {number} pressure */
  enqueue(hit, pressure) {
    this.queue.push({ hit, pressure });
    this.lastHit = hit;
  }

  // Paints the queued dabs.
  * work() {
    for (let next = this.queue.shift(); next; next = this.queue.shift()) yield* this.dab(next.hit, next.pressure);
  }

  // Tiles changed since the last call, at most so many.
  takeChangedTiles(limit = Infinity) {
    const numbers = limit === Infinity ? [...this.changed] : [...this.changed].slice(0, limit);
    numbers.forEach((number) => this.changed.delete(number));
    this.lastTile = -1;
    return numbers;
  }

  // Tiles changed since the last call, for display.
  takeUnshownTiles() {
    const numbers = [...this.unshown];
    this.unshown.clear();
    this.lastTile = -1;
    return numbers;
  }
}

/** @param {Float32Array} coverage @param {Int32Array} triangles */
function leastOf(coverage, triangles) {
  let least = Infinity;
  for (let i = 0; i < coverage.length; ++i) {
    if (triangles[i] >= 0 && coverage[i] < least) least = coverage[i];
  }
  return least;
}

/**
 * @typedef {object} TexelPaint what is painted on a texel
 * @property {number} texel
 * @property {number} amount 0: nothing
 */

/**
 * @callback TexelFunction
 * @param {TexelPaint} paint result; the amount is 0 before
 * @param {number[]} position may be modified
 * @param {number} triangle
 * @param {number} number of the tile
 * @param {number} i texel in the tile
 */

// Paints every texel of the growth area as a function says. overlaps selects triangles; mirrored paints the mirrored texel
// too. Pauses after every tile.
/**
 * @param {Stroke} stroke
 * @param {TexelFunction} paintOf
 * @param {{ overlaps?: (triangle: number) => boolean, mirrored?: boolean }} options
 */
export function* editTexels(stroke, paintOf, { overlaps = () => true, mirrored = false } = {}) {
  const { texels, target } = stroke;
  const selected = new Uint8Array(texels.surface.triangles); // 0: not tested, 1: no, 2: yes
  const isSelected = (/** @type {number} */ t) => (selected[t] ||= overlaps(t) ? 2 : 1) === 2;
  const position = [0, 0, 0];
  /** @type {TexelPaint} */ const paint = { texel: 0, amount: 0 };
  const write = (/** @type {number} */ n, /** @type {number} */ k) => stroke.note(n, target.over(n, k, stroke.originalTile(n), paint.texel, paint.amount));
  for (const number of texels.tileNumbers()) {
    if (!texels.trianglesOfTile[number]?.some(isSelected)) continue;
    const tile = /** @type {import('./texel_positions.js').TexelTile} */ (texels.tile(number));
    for (let i = 0; i < TILE_SIZE * TILE_SIZE; ++i) {
      const triangle = tile.triangle[i];
      if (triangle < 0 || !isSelected(triangle)) continue;
      for (let k = 0; k < 3; ++k) position[k] = tile.position[3 * i + k];
      paint.amount = 0;
      paintOf(paint, position, triangle, number, i);
      if (paint.amount > 0) stroke.writeBoth(number, i, write, mirrored);
    }
    yield;
  }
}
