// Brush strokes: dabs on the surface are rasterised into a map.
//
// A dab is a sphere around a surface point. It affects texels whose surface position lies inside, on triangles
// connected to the hit and facing the brush; UV seams and stretching do not show. Within a stroke each texel takes
// its strongest dab, so the result does not depend on the speed of the stroke.

import { texelOfRegion } from '../state/regions.js';
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
 * @property {boolean} symmetric mirror at x = 0
 * @property {boolean} pressure
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
  symmetric: false, pressure: true, paintWithTouch: false, mask: null, region: 1, secondaryRegion: 0,
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

export class Stroke {
  /**
   * @param {import('./paint_map.js').PaintMap} map
   * @param {import('./texel_positions.js').TexelPositions} texels
   * @param {BrushSettings} settings
   * @param {string} id
   */
  constructor(map, texels, settings, id) {
    this.map = map;
    this.texels = texels;
    this.settings = { ...settings };
    this.id = id;
    /** @type {Map<number, Uint16Array>} per tile: texels before the stroke */ this.original = new Map();
    /** @type {Map<number, Float32Array>} per tile: strongest dab so far */ this.coverage = new Map();
    /** @type {Set<number>} tiles changed since takeChangedTiles */ this.changed = new Set();
    this.lastTile = -1; // most recent entry of changed
    this.triangleMarks = new Uint32Array(texels.surface.triangles);
    this.dabCount = 0;
    /** @type {Hit | null} */ this.lastHit = null;
    /** @type {Hit | null} */ this.mirroredLastHit = null;
  }

  /** @param {number} number */
  originalTile(number) {
    let tile = this.original.get(number);
    if (!tile) {
      tile = this.map.tiles[number].slice();
      this.original.set(number, tile);
      this.coverage.set(number, new Float32Array(TILE_SIZE * TILE_SIZE));
    }
    return tile;
  }

  // Visits every texel of a dab: tile number, texel, distance to the centre. With ignoreMask also masked texels.
  /**
   * @param {Hit} hit
   * @param {(number: number, i: number, distance: number, tile: import('./texel_positions.js').TexelTile) => void} visit
   * @param {boolean} ignoreMask
   */
  forEachTexelInDab(hit, visit, ignoreMask = false) {
    const { texels, settings, triangleMarks } = this;
    const { surface } = texels;
    const mark = ++this.dabCount;
    const tiles = new Set();
    for (const t of surface.trianglesInBrush(hit.triangle, hit.point, hit.normal, settings.radius)) {
      if (surface.growthMask[t]) {
        triangleMarks[t] = mark;
        texels.forEachTileOf(t, (number) => tiles.add(number));
      }
    }
    const [px, py, pz] = hit.point;
    const radius2 = settings.radius * settings.radius;
    for (const number of tiles) {
      const tile = texels.tile(number);
      for (let i = 0; tile && i < TILE_SIZE * TILE_SIZE; ++i) {
        const triangle = tile.triangle[i];
        if (triangle >= 0 && triangleMarks[triangle] === mark) {
          const dx = tile.position[3 * i] - px, dy = tile.position[3 * i + 1] - py, dz = tile.position[3 * i + 2] - pz;
          const d2 = dx * dx + dy * dy + dz * dz;
          if (d2 < radius2 && (ignoreMask || this.maskAllows(number, i))) visit(number, i, Math.sqrt(d2), tile);
        }
      }
    }
  }

  /** @param {number} number @param {number} i */
  maskAllows(number, i) {
    const { mask } = this.settings;
    const [u, v] = mask ? this.map.uvOfTexel(number, i) : [0, 0];
    return !mask || mask.map.texelAtUv(u, v) === mask.texel;
  }

  // One dab, mirrored if the brush is symmetric. On UVs mirrored at u = 1/2 the mirrored texels are set to the same
  // values; on other UVs a second dab is made at the mirrored point.
  /** @param {Hit} hit @param {number} pressure */
  dab(hit, pressure) {
    const { settings, texels } = this;
    const { surface } = texels;
    const weight = settings.strength * (settings.pressure ? pressure : 1);
    const mirrorTexels = settings.symmetric && surface.isUvMirrored;
    if (settings.tool === 'smooth' || settings.tool === 'smear') {
      this.blurOrSmear(hit, weight, mirrorTexels);
    } else {
      this.forEachTexelInDab(hit, (number, i, distance) => {
        const amount = settings.isRegionMap ? 1 : weight * falloff(distance, settings.radius, settings.hardness);
        this.coverTexel(number, i, amount);
        if (mirrorTexels) this.coverTexel(...this.map.mirroredTexel(number, i), amount);
      }, true);
    }
    if (settings.symmetric && !mirrorTexels) {
      const point = [-hit.point[0], hit.point[1], hit.point[2]];
      const closest = surface.closestTriangle(point);
      if (closest.distance < settings.radius) {
        const twin = new Stroke(this.map, texels, { ...settings, symmetric: false }, this.id);
        Object.assign(twin, { original: this.original, coverage: this.coverage, changed: this.changed, lastHit: this.mirroredLastHit });
        twin.dab({ triangle: closest.triangle, point, normal: [-hit.normal[0], hit.normal[1], hit.normal[2]] }, pressure);
        this.mirroredLastHit = twin.lastHit;
      }
    }
    this.lastHit = hit;
  }

  /** @param {number} number @param {number} i @param {number} amount */
  coverTexel(number, i, amount) {
    const tile = this.texels.tile(number);
    if (!tile || tile.triangle[i] < 0) return;
    const original = this.originalTile(number);
    const coverage = /** @type {Float32Array} */ (this.coverage.get(number));
    if (amount <= coverage[i]) return;
    coverage[i] = amount;
    this.writeTexel(number, i, this.blend(original[i], coverage[i]));
  }

  /** @param {number} before @param {number} amount */
  blend(before, amount) {
    const { tool, value, isRegionMap, region } = this.settings;
    if (isRegionMap) return tool === 'subtract' ? 0 : texelOfRegion(region);
    switch (tool) {
      case 'add': return before + amount * 65535;
      case 'subtract': return before - amount * 65535;
      default: return before + (this.map.quantize(value) - before) * amount;
    }
  }

  /** The mask is tested here too: it may differ between a texel and its mirror image. @param {number} number @param {number} i @param {number} value */
  writeTexel(number, i, value) {
    const texel = Math.max(0, Math.min(65535, Math.round(value)));
    if (this.map.tiles[number][i] !== texel && this.maskAllows(number, i)) {
      this.map.writableTile(number)[i] = texel;
      if (number !== this.lastTile) this.changed.add(this.lastTile = number);
    }
  }

  /** @param {number} number @param {number} i @param {number} value */
  writeMirroredTexel(number, i, value) {
    const [n, k] = this.map.mirroredTexel(number, i);
    if ((this.texels.tile(n)?.triangle[k] ?? -1) >= 0) this.writeTexel(n, k, value);
  }

  // Blur and smear read neighbouring values from a grid in space, so UV seams do not interrupt them.
  /** @param {Hit} hit @param {number} weight @param {boolean} mirrorTexels */
  blurOrSmear(hit, weight, mirrorTexels) {
    const { settings, lastHit } = this;
    const smear = settings.tool === 'smear';
    if (smear && !lastHit) return;
    const shift = smear && lastHit ? hit.point.map((x, k) => x - lastHit.point[k]) : [0, 0, 0];
    const grid = new SplatGrid(settings.radius / (smear ? 8 : 3), hit.point, settings.radius);
    /** @type {number[]} tile, texel, distance; flat */ const list = [];
    this.forEachTexelInDab(hit, (number, i, distance, tile) => {
      grid.add(tile.position[3 * i], tile.position[3 * i + 1], tile.position[3 * i + 2], this.map.tiles[number][i]);
      list.push(number, i, distance);
    });
    const blended = new Float64Array(list.length / 3).fill(-1);
    for (let k = 0; k < blended.length; ++k) {
      const [number, i] = [list[3 * k], list[3 * k + 1]];
      const { position } = /** @type {import('./texel_positions.js').TexelTile} */ (this.texels.tile(number));
      const average = grid.average(position[3 * i] - shift[0], position[3 * i + 1] - shift[1], position[3 * i + 2] - shift[2]);
      if (average >= 0) {
        const before = this.map.tiles[number][i];
        blended[k] = before + (average - before) * weight * falloff(list[3 * k + 2], settings.radius, settings.hardness);
      }
    }
    for (let k = 0; k < blended.length; ++k) {
      if (blended[k] < 0) continue;
      const [number, i] = [list[3 * k], list[3 * k + 1]];
      this.writeTexel(number, i, blended[k]);
      if (mirrorTexels) this.writeMirroredTexel(number, i, blended[k]);
    }
  }

  // Dabs from the last hit to this one at the brush spacing. project(t) gives the surface hit at a fraction of the distance.
  /** @param {Hit} hit @param {number} pressure @param {(t: number) => Hit | null} [project] */
  extendTo(hit, pressure, project) {
    if (!this.lastHit) {
      this.dab(hit, pressure);
      return;
    }
    const step = Math.max(1e-5, this.settings.spacing * this.settings.radius);
    const from = this.lastHit.point;
    const distance = Math.hypot(...hit.point.map((x, k) => x - from[k]));
    if (distance < step) return;
    const count = Math.floor(distance / step);
    for (let i = 1; i <= count; ++i) {
      const on = project?.((i * step) / distance) ?? (i === count ? hit : null);
      if (on) this.dab(on, pressure);
    }
  }

  // Tiles changed since the last call.
  takeChangedTiles() {
    const numbers = [...this.changed];
    this.changed.clear();
    this.lastTile = -1;
    return numbers;
  }
}

/**
 * @callback TexelFunction new value of a texel, undefined to keep it
 * @param {number} value
 * @param {number[]} position may be modified
 * @param {number} triangle
 * @param {number} number of the tile
 * @param {number} i texel in the tile
 * @returns {number | undefined}
 */

// Applies a function to every texel of the growth area. overlaps selects triangles; mirrored writes the same value to
// the mirrored texel. Returns the changed tiles.
/**
 * @param {import('./paint_map.js').PaintMap} map
 * @param {import('./texel_positions.js').TexelPositions} texels
 * @param {BrushSettings} settings
 * @param {TexelFunction} valueOf
 * @param {{ overlaps?: (triangle: number) => boolean, mirrored?: boolean }} options
 */
export function editTexels(map, texels, settings, valueOf, { overlaps = () => true, mirrored = false } = {}) {
  const stroke = new Stroke(map, texels, settings, '');
  const selected = new Uint8Array(texels.surface.triangles); // 0: not tested, 1: no, 2: yes
  const isSelected = (/** @type {number} */ t) => (selected[t] ||= overlaps(t) ? 2 : 1) === 2;
  const position = [0, 0, 0];
  for (const number of texels.tileNumbers()) {
    if (!texels.trianglesOfTile[number]?.some(isSelected)) continue;
    const tile = /** @type {import('./texel_positions.js').TexelTile} */ (texels.tile(number));
    for (let i = 0; i < TILE_SIZE * TILE_SIZE; ++i) {
      const triangle = tile.triangle[i];
      if (triangle < 0 || !isSelected(triangle)) continue;
      for (let k = 0; k < 3; ++k) position[k] = tile.position[3 * i + k];
      const value = valueOf(map.tiles[number][i], position, triangle, number, i);
      if (value === undefined) continue;
      stroke.writeTexel(number, i, value);
      if (mirrored) stroke.writeMirroredTexel(number, i, value);
    }
  }
  return stroke.takeChangedTiles();
}
