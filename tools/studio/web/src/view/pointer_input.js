// Mouse, pen and touch input of the two views: strokes, lasso, gradient, eyedropper, brush size, gizmo drags, head drags,
// navigation.
//
// One pointer owns the operation in progress. A second touch cancels it and both fingers navigate; a palm beside a
// pen is ignored. A press on the body with a paint tool never turns the view.

import { brush } from '../paint/brush.js';
import { createVisibilityTest3d, createVisibilityTestUv } from '../paint/lasso_visibility.js';
import { checkCanPaint, gradient, lasso, mirroredHit, Painter, paintTarget, pendingEdits, refusalAt, toolSupportsMap } from '../paint/painter.js';
import { carryHit, carryPoint } from '../paint/posed_surface.js';
import { regionOfTexel } from '../state/regions.js';
import { emit } from '../state/store.js';
import { activeTool } from '../state/tools.js';
import { isTextInput, toast } from '../ui/dom.js';
import { BrushCursor } from './brush_cursor.js';

const PEN_ERASER_BUTTON = 5;
const RADIUS_PER_PIXEL = 1.01; // of a drag that changes the brush
const STRENGTH_PER_PIXEL = 0.005;

/** @typedef {import('../paint/brush.js').Hit} Hit */
/** @typedef {[number, number]} Pixel */

/**
 * @typedef {object} Operation what the pressed pointer does
 * @property {(event: PointerEvent, pixel: Pixel) => void} [move]
 * @property {(pixel: Pixel) => void} [end]
 * @property {() => Promise<unknown> | void} [cancel]
 * @property {Painter} [painter]
 * @property {number[][]} [trail] polyline over the view, pixels
 * @property {boolean} [keepsCursor] the brush ring stays where it is
 */

/**
 * @typedef {object} PaintView
 * @property {HTMLElement} section
 * @property {HTMLCanvasElement} canvas
 * @property {import('../paint/painter.js').HitTest} hitAt on the rest pose
 * @property {(hit: Hit) => number[] | null} toPixels
 * @property {() => import('../paint/lasso_visibility.js').VisibilityTest} visibility
 * @property {(hit: Hit | null, pixel?: number[]) => void} showCursor
 */

/**
 * @param {object} parts
 * @param {import('./view3d.js').View3d} parts.view3d
 * @param {import('./uv_view.js').UvView} parts.uvView
 * @param {import('./gizmos.js').Gizmos} parts.gizmos
 * @param {ReturnType<typeof import('./legend.js').createLegend>} parts.legend
 * @param {{ dragHead: (dx: number, dy: number, rotate: boolean) => void }} parts.actions
 * @param {ReturnType<typeof import('./hair_input.js').createHairInput>} parts.hairInput
 */
export function createPointerInput({ view3d, uvView, gizmos, legend, actions, hairInput }) {
  const status = /** @type {HTMLElement} */ (document.getElementById('status'));
  const cursor = new BrushCursor(view3d);
  /** @type {PointerEvent | null} pointerdown of the operation in progress */ let active = null;
  /** @type {Operation} */ let operation = {};
  /** @type {{ map: any, hit: Hit } | null} where a Shift-click begins a straight line */ let lineStart = null;
  let picking = false; // the eyedropper key is held
  let forwarding = false; // a synthetic pointerdown is on its way to the navigation controls

  const hit3d = (/** @type {number} */ x, /** @type {number} */ y) => carryHit(view3d.shownSurface, view3d.surface, view3d.hit(x, y));
  const hitUv = (/** @type {number} */ x, /** @type {number} */ y) => {
    const [u, v] = uvView.toUv(x, y);
    return paintTarget.surface?.hitAtUv(u, v) ?? null;
  };
  const brushesHair = () => activeTool().group === 'hair';
  const pressureOf = (/** @type {PointerEvent} */ event) => (event.pointerType === 'pen' ? event.pressure : 1);
  const isEraser = (/** @type {PointerEvent} */ event) => event.pointerType === 'pen' && event.button === PEN_ERASER_BUTTON;

  /** @param {Hit | null} hit */
  function pick(hit) {
    const { map, surface } = paintTarget;
    const uv = hit && map && surface?.growthMask[hit.triangle] ? surface.uvAtHit(hit) : null;
    if (!uv) return;
    const texel = map.texelAtUv(uv[0], uv[1]);
    if (paintTarget.isRegionMap) brush.region = regionOfTexel(texel);
    else brush.value = map.low + (texel / 65535) * (map.high - map.low);
    emit('brushChanged');
  }

  /** @param {PointerEvent} event @param {PaintView} view @param {Pixel} pixel @returns {Operation} */
  function beginStroke(event, view, pixel) {
    const painter = new Painter();
    /** @type {Pixel} the brush, pulled by the pointer */ let at = pixel;
    const from = event.shiftKey && lineStart?.map === paintTarget.map ? lineStart?.hit : null;
    const start = from ? view.toPixels(from) : null;
    if (from && start) {
      painter.begin(view.hitAt, start[0], start[1], pressureOf(event), isEraser(event), from);
      painter.move(...pixel, pressureOf(event));
    } else {
      painter.begin(view.hitAt, ...pixel, pressureOf(event), isEraser(event));
    }
    return {
      painter,
      move: (each, next) => {
        const [dx, dy] = [next[0] - at[0], next[1] - at[1]];
        const slack = brush.stabilizer > 0 ? brush.stabilizer / Math.hypot(dx, dy) : 0;
        if (slack >= 1) return;
        at = [at[0] + dx * (1 - slack), at[1] + dy * (1 - slack)];
        painter.move(...at, pressureOf(each));
      },
      end: () => {
        if (painter.stroke?.lastHit) lineStart = { map: paintTarget.map, hit: painter.stroke.lastHit };
        painter.end();
      },
      cancel: () => painter.cancel(),
    };
  }

  /** @param {PaintView} view @param {Pixel} pixel @returns {Operation} */
  function beginGradient(view, pixel) {
    const start = view.hitAt(...pixel);
    if (!start) return {};
    /** @type {Operation} */ const made = {
      trail: [pixel, pixel],
      move: (_event, next) => { made.trail = [view.toPixels(start) ?? pixel, next]; },
      end: (last) => {
        const end = view.hitAt(...last);
        if (end) gradient(start.point, end.point);
        else toast('The gradient ends beside the surface. Release it on the surface.', { bad: true });
      },
    };
    return made;
  }

  /** @param {PaintView} view @param {Pixel} pixel @returns {Operation} */
  function beginLasso(view, pixel) {
    /** @type {number[][]} */ const polygon = [pixel];
    return { trail: polygon, move: (_event, next) => { polygon.push(next); }, end: () => { lasso(polygon, view.visibility()); } };
  }

  /** @param {Pixel} pixel @returns {Operation} */
  function beginResize(pixel) {
    const { radius, strength } = brush;
    return {
      keepsCursor: true,
      move: (_event, [x, y]) => {
        brush.radius = Math.min(brush.maxRadius, Math.max(0.0005, radius * RADIUS_PER_PIXEL ** (x - pixel[0])));
        brush.strength = Math.min(1, Math.max(0, strength + STRENGTH_PER_PIXEL * (pixel[1] - y)));
        brush.userSized = true;
        status.textContent = `Radius ${(1000 * brush.radius).toFixed(1)} mm, strength ${brush.strength.toFixed(2)}`;
        emit('brushChanged');
      },
      end: () => { status.textContent = ''; },
    };
  }

  // The operation that a press begins; null: the event is left to navigation.
  /** @param {PointerEvent} event @param {PaintView} view @param {Pixel} pixel @returns {Operation | null} */
  function begin(event, view, pixel) {
    const is3d = view === view3dInput;
    if (is3d && event.button === 0 && !event.altKey && gizmos.begin(...pixel)) {
      return { move: (each, at) => { status.textContent = gizmos.move(...at, each.shiftKey); }, end: () => { status.textContent = ''; gizmos.end(); }, cancel: () => { gizmos.drag = null; } };
    }
    if (event.ctrlKey && event.button === 2) return beginResize(pixel);
    const hit = view.hitAt(...pixel);
    if (event.ctrlKey && event.button === 0 && is3d && hit) return { move: (each) => actions.dragHead(each.movementX, each.movementY, each.shiftKey) };
    const paints = event.button === 0 || isEraser(event);
    if ((event.pointerType === 'touch' && !brush.paintWithTouch) || !paints || event.altKey || event.ctrlKey || activeTool().id === 'navigate') return null;
    if (brushesHair()) return is3d ? hairInput.begin(event, pixel) : null;
    if (picking) {
      pick(hit);
      return { move: (_each, at) => pick(view.hitAt(...at)) };
    }
    if (!hit) return brush.tool === 'lasso' && paintTarget.map && paintTarget.texels && toolSupportsMap('lasso') ? beginLasso(view, pixel) : null;
    if (!paintTarget.map || !paintTarget.texels || paintTarget.disconnected) {
      checkCanPaint();
      return {};
    }
    if (!toolSupportsMap(brush.tool) || refusalAt(hit)) return {};
    if (brush.tool === 'lasso') return beginLasso(view, pixel);
    if (brush.tool === 'gradient') return beginGradient(view, pixel);
    return beginStroke(event, view, pixel);
  }

  // Completes the stroke in progress, also while the pointer is still down, and waits until all strokes are stored.
  async function finish() {
    operation.painter?.end();
    operation = {};
    await pendingEdits();
  }

  /** A second finger: cancels the operation of the first and hands both to navigation. @param {PaintView} view */
  function switchToNavigation(view) {
    const first = /** @type {PointerEvent} */ (active);
    operation.cancel?.();
    operation = {};
    active = null;
    view.section.releasePointerCapture(first.pointerId);
    forwarding = true;
    view.canvas.dispatchEvent(new PointerEvent('pointerdown', {
      bubbles: true, cancelable: true, pointerId: first.pointerId, pointerType: first.pointerType, button: 0, buttons: 1, isPrimary: first.isPrimary,
      clientX: first.clientX, clientY: first.clientY, screenX: first.screenX, screenY: first.screenY,
    }));
    forwarding = false;
  }

  /** @param {PaintView} view */
  function connect(view) {
    const { section } = view;
    const pixelOf = (/** @type {PointerEvent} */ event) => {
      const box = section.getBoundingClientRect();
      return /** @type {Pixel} */ ([event.clientX - box.left, event.clientY - box.top]);
    };
    const isActive = (/** @type {PointerEvent} */ event) => active !== null && event.pointerId === active.pointerId;
    section.addEventListener('pointerdown', (event) => {
      if (event.target !== view.canvas || forwarding) {
        return; // on an overlay, such as a rendered image
      }
      if (active && active.pointerId !== event.pointerId) {
        if (event.pointerType === 'touch' && active.pointerType === 'touch') {
          switchToNavigation(view);
        } else {
          event.stopPropagation();
          event.preventDefault();
        }
        return;
      }
      const begun = begin(event, view, pixelOf(event));
      if (begun) {
        active = event;
        operation = begun;
        event.stopPropagation();
        event.preventDefault();
        section.setPointerCapture(event.pointerId);
        view.canvas.focus();
      }
    }, { capture: true });
    section.addEventListener('pointermove', (event) => {
      const coalesced = event.getCoalescedEvents?.() ?? [];
      for (const each of isActive(event) ? (coalesced.length ? coalesced : [event]) : []) operation.move?.(each, pixelOf(each));
      const handle = view === view3dInput && (gizmos.drag ?? (event.buttons ? null : gizmos.pick(...pixelOf(event))));
      section.classList.toggle('handle', Boolean(handle));
      const pixel = isActive(event) && operation.keepsCursor ? pixelOf(/** @type {PointerEvent} */ (active)) : pixelOf(event);
      const hit = event.target === view.canvas && !handle && (isActive(event) || !event.buttons) ? view.hitAt(...pixel) : null;
      view.showCursor(hit, pixel);
      legend.showValueAt(hit);
    });
    section.addEventListener('pointerleave', () => { view.showCursor(null); legend.showValueAt(null); });
    section.addEventListener('pointercancel', (event) => {
      if (!isActive(event)) return;
      operation.painter?.end();
      operation = {};
      active = null;
    });
    section.addEventListener('pointerup', (event) => {
      if (!isActive(event)) return;
      active = null;
      const done = operation;
      operation = {};
      done.end?.(pixelOf(event));
      if (done.trail) view.showCursor(null);
    });
  }

  // UVs of the points of the brush ring; null outside the growth area.
  const ringUvs = (/** @type {(Hit | null)[]} */ ring) => ring.map((hit) => (hit && paintTarget.surface?.uvs && paintTarget.surface.growthMask[hit.triangle] ? paintTarget.surface.uvAtHit(hit) : null));
  const ringAt = (/** @type {Hit | null} */ hit) => (activeTool().group === 'map' ? hit : null);
  const showRings = (/** @type {Hit | null} */ hit, /** @type {number[] | undefined} */ pixel) => cursor.show(ringAt(hit), {
    radius: brush.radius, hardness: brush.hardness, mirrored: mirroredHit(ringAt(hit)), pixel,
    refusal: hit && ringAt(hit) && !picking ? refusalAt(hit) : '',
  });

  /** @type {PaintView} */ const view3dInput = {
    section: view3d.section, canvas: view3d.canvas, hitAt: hit3d,
    toPixels: (hit) => view3d.toPixels(carryPoint(view3d.surface, view3d.shownSurface, hit.triangle, hit.point)),
    visibility: () => createVisibilityTest3d(view3d, brush.axis),
    showCursor: (hit, pixel) => {
      view3d.setTrail(operation.trail ?? null);
      const ring = showRings(hit, pixel);
      if (document.getElementById('views')?.classList.contains('both')) {
        uvView.ring = ringUvs(ring);
        uvView.draw();
      }
      view3d.section.classList.toggle('painting', ringAt(hit) !== null && !picking);
      hairInput.showCursor(brushesHair() && pixel ? /** @type {[number, number]} */ (pixel) : null);
    },
  };
  connect(view3dInput);

  /** @type {PaintView} */ const uvInput = {
    section: uvView.section, canvas: uvView.canvas, hitAt: hitUv,
    toPixels: (hit) => {
      const uv = paintTarget.surface?.uvAtHit(hit);
      return uv ? uvView.toPixels(uv[0], uv[1]) : null;
    },
    visibility: () => createVisibilityTestUv(uvView),
    showCursor: (hit, pixel) => {
      uvView.cursor = hit && pixel ? pixel : null;
      uvView.trail = operation.trail ?? null;
      uvView.ring = ringUvs(showRings(hit, undefined));
      uvView.draw();
    },
  };
  connect(uvInput);

  const setPicking = (/** @type {boolean} */ on) => {
    picking = on;
    for (const { section } of [view3dInput, uvInput]) section.classList.toggle('picking', on);
  };
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() === 'i' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTextInput(event.target)) setPicking(true);
  });
  document.addEventListener('keyup', (event) => { if (event.key.toLowerCase() === 'i') setPicking(false); });
  window.addEventListener('blur', () => setPicking(false));

  return { hit3d, hitUv, finish };
}
