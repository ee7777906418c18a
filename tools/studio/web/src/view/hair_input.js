// Strokes of the hair tools in the 3-D view: a pointer becomes dabs on the displayed strands, which go to the server
// while it moves. One request is under way at a time; dabs made meanwhile go with the next one.

import { encodeDabs } from '../hair/brushed_strands.js';
import { dabTool } from '../hair/hair_tools.js';
import { getBytes, put } from '../net/api.js';
import { brush } from '../paint/brush.js';
import { nextStrokeId } from '../paint/painter.js';
import { finishBeforeHistory } from '../state/history.js';
import { state } from '../state/store.js';
import { activeTool } from '../state/tools.js';
import { element, toast } from '../ui/dom.js';

/** @typedef {import('../hair/brushed_strands.js').HairDab} HairDab */
/** @typedef {[number, number]} Pixel */

const PICK_PIXELS = 10;
const SENT_DABS = 400; // at once
const SPACING = 0.25; // of the radius, between dabs that do not drag
const LARGEST_DRAG = 0.3; // of the radius, of one dab
const MIN_MOVE = 1.5; // pixels

const add = (/** @type {number[]} */ a, /** @type {number[]} */ b, s = 1) => a.map((x, k) => x + s * b[k]);
const subtract = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.map((x, k) => x - b[k]);
const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.reduce((sum, x, k) => sum + x * b[k], 0);

// Dabs of one stroke on their way to the server.
class HairStroke {
  /** @param {import('../hair/brushed_strands.js').BrushedStrands} strands @param {() => number} limit */
  constructor(strands, limit) {
    this.strands = strands;
    this.limit = limit;
    this.id = nextStrokeId();
    /** @type {HairDab[]} */ this.dabs = [];
    /** @type {Promise<void>} */ this.sent = Promise.resolve();
    this.sending = false;
    this.failed = false;
  }

  // Small drags that wait for the server become one.
  /** @param {HairDab} dab */
  add(dab) {
    const last = this.dabs.at(-1);
    const drag = last?.tool === 'comb' && dab.drag && last.drag ? add(last.drag, dab.drag) : null;
    if (last && drag && last.strength === dab.strength && Math.hypot(...drag) <= LARGEST_DRAG * dab.radius) last.drag = drag;
    else this.dabs.push(dab);
  }

  send() {
    if (this.sending || this.failed || this.dabs.length === 0) return this.sent;
    this.sending = true;
    this.sent = (async () => {
      while ((this.dabs.length > 0 || this.strands.pending > 0) && !this.failed) {
        if (this.dabs.length > 0) await this.sendSome();
        else await this.fetchPending();
      }
      this.sending = false;
    })();
    return this.sent;
  }

  // Strands that follow a large brush later.
  async fetchPending() {
    try {
      this.strands.apply(await getBytes('/api/brush', this.strands.query(state.groom, this.limit())));
    } catch {
      this.failed = true; // the next change of the scene fetches them
    }
  }

  async sendSome() {
    const dabs = this.dabs.splice(0, SENT_DABS);
    const mask = brush.mask ? { mask_layer: brush.mask.map.id, mask_texel: brush.mask.texel } : {};
    const isFirst = this.strands.guideCount === 0;
    try {
      const reply = await put('/api/brush', { ...this.strands.query(state.groom, this.limit()), stroke: this.id, ...mask }, encodeDabs(dabs), 'bytes');
      this.strands.apply(reply);
      if (isFirst && this.strands.guideCount > 1) toast(`Brushes now act on ${this.strands.guideCount.toLocaleString('en')} strands of this groom; the others follow. Save writes them beside the scene.`);
    } catch (error) {
      this.failed = true;
      this.dabs.length = 0;
      toast(`The hair was not changed: ${/** @type {Error} */ (error).message}`, { bad: true });
    }
  }
}

/**
 * @param {object} parts
 * @param {import('./view3d.js').View3d} parts.view3d
 * @param {import('../hair/brushed_strands.js').BrushedStrands} parts.strands
 * @param {() => number} parts.limit number of displayed strands
 * @param {() => boolean} parts.isReady whether the strands are displayed at rest
 * @param {() => void} parts.showRest
 */
export function createHairInput({ view3d, strands, limit, isReady, showRest }) {
  const ring = element('div', { className: 'hair-ring', hidden: true }, element('div', { className: 'hair-ring core' }));
  const twin = element('div', { className: 'hair-ring twin', hidden: true });
  view3d.section.append(ring, twin);
  /** @type {HairStroke | null} */ let current = null;
  /** @type {Promise<unknown>} */ let pending = Promise.resolve();

  // Where the brush is: on the foremost hair under the pointer, else on the skin, else at the last distance.
  let lastDistance = 1;
  const place = (/** @type {Pixel} */ [x, y]) => {
    const ray = view3d.ray(x, y);
    const skin = view3d.surface?.raycast(ray.origin, ray.direction) ?? null;
    const skinDistance = skin ? dot(subtract(skin.point, ray.origin), ray.direction) : Infinity;
    const slope = (PICK_PIXELS * view3d.pixelSizeAt(add(ray.origin, ray.direction)));
    const hair = strands.pick(ray, slope, skinDistance + 0.002);
    const distance = hair?.distance ?? (skin ? skinDistance : lastDistance);
    if (hair || skin) lastDistance = distance;
    return { position: add(ray.origin, ray.direction, distance), view: ray.direction, skin, along: hair?.direction ?? skin?.normal ?? ray.direction, isOnHair: Boolean(hair), distance };
  };

  /** @param {number[]} point @param {HTMLElement} at @param {number} radius */
  const layRing = (point, at, radius) => {
    const [x, y] = view3d.toPixels(point);
    const pixels = radius / view3d.pixelSizeAt(point);
    Object.assign(at.style, { left: `${x - pixels}px`, top: `${y - pixels}px`, width: `${2 * pixels}px`, height: `${2 * pixels}px` });
  };

  /** @param {Pixel | null} pixel */
  const showCursor = (pixel) => {
    const spot = pixel && isReady() ? place(pixel) : null;
    const visible = spot !== null && (spot.isOnHair || spot.skin !== null || current !== null);
    ring.hidden = !visible;
    twin.hidden = !visible || !brush.symmetric;
    view3d.section.classList.toggle('painting', visible);
    if (!spot || !visible) return;
    layRing(spot.position, ring, brush.radius);
    /** @type {HTMLElement} */ (ring.firstChild).style.inset = `${50 * (1 - brush.hardness)}%`;
    if (brush.symmetric) layRing(spot.position.map((x, k) => (k === brush.axis ? -x : x)), twin, brush.radius);
  };

  /** @param {PointerEvent} event @param {Pixel} pixel @returns {import('./pointer_input.js').Operation} */
  function begin(event, pixel) {
    if (!isReady()) {
      showRest();
      toast('Back at rest: brushes act on hair at rest.');
      return {};
    }
    const chosen = dabTool(activeTool().id);
    const shifted = event.shiftKey || (event.pointerType === 'pen' && event.button === 5);
    const tool = shifted && chosen === 'comb' ? 'smooth' : chosen;
    const first = place(pixel);
    if (!first.isOnHair && !first.skin) return {};
    if ((tool === 'draw' || tool === 'part') && !first.skin) {
      toast(tool === 'draw' ? 'Begin the guide on the skin.' : 'Draw the line on the skin.');
      return {};
    }
    const stroke = current = new HairStroke(strands, limit);
    strands.beginStroke();
    const base = () => ({ tool, radius: brush.radius, hardness: brush.hardness, invert: shifted && tool === chosen, mirror: brush.symmetric ? brush.axis : -1 });
    const strengthOf = (/** @type {PointerEvent} */ each) => brush.strength * (each.pointerType === 'pen' && brush.pressure ? each.pressure : 1);
    let last = first;
    let at = pixel;
    /** @type {Pixel[]} */ const trail = [pixel];
    /** @type {number[][]} */ const line = first.skin ? [first.skin.point] : [];

    // Points at the depth of the last position.
    const inPlane = (/** @type {Pixel} */ to) => {
      const ray = view3d.ray(...to);
      const forward = view3d.ray(view3d.section.clientWidth / 2, view3d.section.clientHeight / 2).direction;
      const depth = dot(subtract(last.position, ray.origin), forward);
      return add(ray.origin, ray.direction, depth / dot(ray.direction, forward));
    };
    /** @param {PointerEvent} each @param {ReturnType<typeof place>} spot @param {number[]} [drag] */
    const dab = (each, spot, drag) => stroke.add({
      ...base(), strength: strengthOf(each), position: spot.position, view: spot.view, front: 2 * brush.radius,
      drag: drag ?? (tool === 'twist' ? spot.along : undefined),
    });
    /** @param {PointerEvent} each @param {Pixel} to */
    const comb = (each, to) => {
      const target = inPlane(to);
      const drag = subtract(target, last.position);
      const steps = Math.max(1, Math.ceil(Math.hypot(...drag) / (LARGEST_DRAG * brush.radius)));
      for (let i = 0; i < steps; ++i) dab(each, { ...last, position: add(last.position, drag, i / steps) }, drag.map((x) => x / steps));
      const spot = place(to);
      // Hair in front of the dragged lock does not take the brush away from it at once.
      last = spot.isOnHair || spot.skin ? spot : { ...last, position: target };
    };
    /** @param {PointerEvent} each @param {Pixel} to */
    const part = (each, to) => {
      const spot = place(to);
      if (!spot.skin || !last.skin) return;
      const drag = subtract(spot.skin.point, last.skin.point);
      if (Math.hypot(...drag) < SPACING * brush.radius) return;
      const steps = Math.ceil(Math.hypot(...drag) / (SPACING * brush.radius));
      for (let i = 1; i <= steps; ++i) stroke.add({ ...base(), strength: strengthOf(each), position: add(last.skin.point, drag, i / steps), drag, normal: spot.skin.normal });
      last = spot;
    };
    /** @param {PointerEvent} each @param {Pixel} to */
    const dabOn = (each, to) => {
      const spot = place(to);
      if (Math.hypot(...subtract(spot.position, last.position)) < SPACING * brush.radius) return;
      dab(each, spot);
      last = spot;
    };
    if (!['comb', 'part', 'draw'].includes(tool)) {
      dab(event, first);
      stroke.send();
    }
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      if (tool === 'draw' && line.length > 1) {
        // One request draws one line.
        const stride = Math.ceil((line.length - 1) / (SENT_DABS - 1));
        const points = line.filter((_, i) => i % stride === 0 || i === line.length - 1);
        for (const position of points) stroke.add({ ...base(), strength: strengthOf(event), position });
      }
      pending = stroke.send().then(() => strands.endStroke());
      if (current === stroke) current = null;
    };
    endCurrent = end;
    return {
      move: (each, to) => {
        if (ended || Math.hypot(to[0] - at[0], to[1] - at[1]) < MIN_MOVE) return;
        if (tool === 'comb') comb(each, to);
        else if (tool === 'part') part(each, to);
        else if (tool === 'draw') line.push(inPlane(to));
        else dabOn(each, to);
        at = to;
        trail.push(to);
        if (tool !== 'draw') stroke.send();
      },
      end,
      cancel: async () => { end(); await pending; },
      ...(tool === 'draw' ? { trail } : {}),
    };
  }

  let endCurrent = () => {};
  const finish = async () => { endCurrent(); await pending; };
  finishBeforeHistory(finish);
  return { begin, showCursor, finish, place };
}
