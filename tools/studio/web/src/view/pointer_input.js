// Mouse, pen and touch input of the two views: strokes, lasso, gradient, gizmo drags, head drags, navigation.
//
// One pointer owns the operation in progress. A second touch cancels it and both fingers navigate; a palm beside a
// pen is ignored.

import { brush } from '../paint/brush.js';
import { createVisibilityTest3d, createVisibilityTestUv } from '../paint/lasso_visibility.js';
import { checkCanPaint, gradient, lasso, Painter, paintTarget, toolSupportsMap } from '../paint/painter.js';

const PEN_ERASER_BUTTON = 5;

/** @typedef {import('../paint/brush.js').Hit} Hit */

/**
 * @param {object} parts
 * @param {import('./view3d.js').View3d} parts.view3d
 * @param {import('./uv_view.js').UvView} parts.uvView
 * @param {import('./gizmos.js').Gizmos} parts.gizmos
 * @param {ReturnType<typeof import('./legend.js').createLegend>} parts.legend
 * @param {{ dragHead: (dx: number, dy: number, rotate: boolean) => void, hideStrands: () => void }} parts.actions
 */
export function createPointerInput({ view3d, uvView, gizmos, legend, actions }) {
  const status = /** @type {HTMLElement} */ (document.getElementById('status'));
  /** @type {PointerEvent | null} pointerdown of the operation in progress */ let active = null;
  /** @type {Painter | null} */ let painter = null;
  /** @type {number[][] | null} */ let lassoPolygon = null;
  /** @type {Hit | null} */ let gradientStart = null;
  let draggingHead = false;
  let forwarding = false; // a synthetic pointerdown is on its way to the navigation controls

  const hit3d = (/** @type {number} */ x, /** @type {number} */ y) => view3d.hit(x, y);
  const hitUv = (/** @type {number} */ x, /** @type {number} */ y) => {
    const [u, v] = uvView.toUv(x, y);
    return paintTarget.surface?.hitAtUv(u, v) ?? null;
  };
  const pressureOf = (/** @type {PointerEvent} */ event) => (event.pointerType === 'pen' ? event.pressure : 1);
  const isEraser = (/** @type {PointerEvent} */ event) => event.pointerType === 'pen' && event.button === PEN_ERASER_BUTTON;

  // Returns whether an operation begins; otherwise the event is left to navigation.
  /** @param {PointerEvent} event @param {import('../paint/painter.js').HitTest} hitAt @param {[number, number]} pixel */
  function beginAt(event, hitAt, pixel) {
    if (hitAt === hit3d && event.button === 0 && !event.altKey && gizmos.begin(...pixel)) return true;
    if (event.ctrlKey && event.button === 0 && hitAt === hit3d && hit3d(...pixel)) {
      draggingHead = true;
      return true;
    }
    const paints = event.button === 0 || isEraser(event);
    if ((event.pointerType === 'touch' && !brush.paintWithTouch) || !paints || event.altKey || event.ctrlKey || brush.tool === 'navigate') return false;
    if (!paintTarget.map || !paintTarget.texels || paintTarget.disconnected) {
      if (hitAt(...pixel)) checkCanPaint();
      return false;
    }
    if (!toolSupportsMap(brush.tool)) return false;
    if (view3d.posed) {
      actions.hideStrands(); // maps are painted on the rest pose
      return true;
    }
    if (brush.tool === 'lasso') {
      lassoPolygon = [pixel];
      return true;
    }
    if (brush.tool === 'gradient') {
      gradientStart = hitAt(...pixel);
      return gradientStart !== null;
    }
    painter = new Painter();
    if (!painter.begin(hitAt, ...pixel, pressureOf(event), isEraser(event))) {
      painter = null;
      return false;
    }
    return true;
  }

  // Completes the stroke in progress while the pointer is still down.
  async function finish() {
    const done = painter;
    painter = lassoPolygon = gradientStart = null;
    await done?.end();
  }

  function release() {
    const done = painter;
    active = painter = lassoPolygon = gradientStart = gizmos.drag = null;
    draggingHead = false;
    return done;
  }

  /** A second finger: cancels the operation of the first and hands both to navigation. @param {PaintView} view */
  function switchToNavigation(view) {
    const first = /** @type {PointerEvent} */ (active);
    release()?.cancel();
    view.section.releasePointerCapture(first.pointerId);
    forwarding = true;
    view.canvas.dispatchEvent(new PointerEvent('pointerdown', {
      bubbles: true, cancelable: true, pointerId: first.pointerId, pointerType: first.pointerType, button: 0, buttons: 1, isPrimary: first.isPrimary,
      clientX: first.clientX, clientY: first.clientY, screenX: first.screenX, screenY: first.screenY,
    }));
    forwarding = false;
  }

  /** @typedef {{ section: HTMLElement, canvas: HTMLCanvasElement }} PaintView */

  /**
   * @param {PaintView} view
   * @param {import('../paint/painter.js').HitTest} hitAt
   * @param {(polygon: number[][]) => void} onLasso
   * @param {(hit: Hit | null, pixel?: number[]) => void} showCursor
   */
  function connect(view, hitAt, onLasso, showCursor) {
    const { section } = view;
    const pixelOf = (/** @type {PointerEvent} */ event) => {
      const box = section.getBoundingClientRect();
      return /** @type {[number, number]} */ ([event.clientX - box.left, event.clientY - box.top]);
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
      if (beginAt(event, hitAt, pixelOf(event))) {
        active = event;
        event.stopPropagation();
        event.preventDefault();
        section.setPointerCapture(event.pointerId);
        view.canvas.focus();
      }
    }, { capture: true });
    section.addEventListener('pointermove', (event) => {
      const coalesced = event.getCoalescedEvents?.() ?? [];
      for (const each of isActive(event) ? (coalesced.length ? coalesced : [event]) : []) {
        const pixel = pixelOf(each);
        if (gizmos.drag) {
          status.textContent = gizmos.move(...pixel, each.shiftKey);
        } else if (draggingHead) {
          actions.dragHead(each.movementX, each.movementY, each.shiftKey);
        } else if (painter) {
          painter.move(...pixel, pressureOf(each));
        } else if (lassoPolygon) {
          lassoPolygon.push(pixel);
        }
      }
      const handle = view === view3d && (gizmos.drag ?? (event.buttons ? null : gizmos.pick(...pixelOf(event))));
      section.classList.toggle('handle', Boolean(handle));
      const hit = event.target === view.canvas && !handle && (isActive(event) || !event.buttons) ? hitAt(...pixelOf(event)) : null;
      showCursor(hit, pixelOf(event));
      legend.showValueAt(hit);
    });
    section.addEventListener('pointerleave', () => { showCursor(null); legend.showValueAt(null); });
    section.addEventListener('pointercancel', (event) => {
      if (isActive(event)) release()?.end();
    });
    section.addEventListener('pointerup', (event) => {
      if (!isActive(event)) return;
      active = null;
      if (gizmos.drag) {
        status.textContent = '';
        gizmos.end();
      } else if (draggingHead) {
        draggingHead = false;
      } else if (painter) {
        finish();
      } else if (lassoPolygon) {
        onLasso(lassoPolygon);
        lassoPolygon = null;
        showCursor(null);
      } else if (gradientStart) {
        const end = hitAt(...pixelOf(event));
        if (end) gradient(gradientStart.point, end.point);
        gradientStart = null;
        showCursor(null);
      }
    });
  }

  // UVs of the points of the brush ring; null outside the growth area.
  const ringUvs = (/** @type {(Hit | null)[]} */ ring) => ring.map((hit) => (hit && paintTarget.surface?.uvs && paintTarget.surface.growthMask[hit.triangle] ? paintTarget.surface.uvAtHit(hit) : null));

  connect(view3d, hit3d, (polygon) => lasso(polygon, createVisibilityTest3d(view3d)), (hit, pixel) => {
    view3d.setTrail(lassoPolygon ?? (gradientStart && pixel ? [view3d.toPixels(gradientStart.point), pixel] : null));
    const ring = view3d.setBrushRing(brush.tool === 'navigate' ? null : hit, brush.radius);
    if (document.getElementById('views')?.classList.contains('both')) {
      uvView.ring = ringUvs(ring);
      uvView.draw();
    }
    view3d.section.classList.toggle('painting', hit !== null && brush.tool !== 'navigate');
  });

  connect(uvView, hitUv, (polygon) => lasso(polygon, createVisibilityTestUv(uvView)), (hit, pixel) => {
    uvView.cursor = hit && pixel ? pixel : null;
    uvView.lasso = lassoPolygon;
    uvView.ring = ringUvs(view3d.setBrushRing(hit, brush.radius));
    uvView.draw();
  });

  return { hit3d, hitUv, finish };
}
