// hands: mouse, pen and fingers over the two views become strokes, turns and shifts.
//
// One pointer has the work in hand. Others that come meanwhile are the palm under a pen, which does
// nothing, or a second finger, with which both move the view.

import { brush } from '../paint/brush.js';
import { canPaint, canvas, gradient, lasso, Painter, suits } from '../paint/painter.js';
import { seer3d, seerUv } from '../paint/lasso_visibility.js';

const ERASER = 5; // the button that the other end of a pen is

// Deeds: {shake, hideStrands}.
export function makeHands({ view3d, viewuv, gizmos, legend, deeds }) {
  let held = null; // the event that the work in hand began with
  let painter = null;
  let loop = null; // of the lasso
  let from = null; // of the gradient
  let shaking = false; // the head is held by the hand
  let passing = false; // an event is on its way to who turns the view

  const hit3d = (x, y) => view3d.hit(x, y);
  const hitUv = (x, y) => canvas.surface?.atUv(...viewuv.uv(x, y)) ?? null;
  const pressureOf = (event) => (event.pointerType === 'pen' ? event.pressure : 1);
  const erases = (event) => event.pointerType === 'pen' && event.button === ERASER;

  function beginAt(event, hitAt, at) {
    if (hitAt === hit3d && event.button === 0 && !event.altKey && gizmos.begin(...at)) {
      return true;
    }
    if (event.ctrlKey && event.button === 0 && hitAt === hit3d && hit3d(...at)) {
      shaking = true;
      return true;
    }
    const presses = event.button === 0 || erases(event);
    if ((event.pointerType === 'touch' && !brush.touch) || !presses || event.altKey || event.ctrlKey || brush.tool === 'look') {
      return false;
    }
    if (!canvas.layer || !canvas.texels || canvas.away) {
      if (hitAt(...at)) canPaint();
      return false;
    }
    if (!suits(brush.tool)) {
      return false;
    }
    if (view3d.posed) {
      // Paint lies on the body at rest.
      deeds.hideStrands();
      return true;
    }
    if (brush.tool === 'lasso') {
      loop = [at];
      return true;
    }
    if (brush.tool === 'gradient') {
      from = hitAt(...at);
      return from !== null;
    }
    painter = new Painter();
    if (!painter.begin(hitAt, ...at, pressureOf(event), erases(event))) {
      painter = null;
      return false;
    }
    return true;
  }

  // The stroke under way is done, whatever the hand still does.
  async function finish() {
    const done = painter;
    painter = loop = from = null;
    await done?.end();
  }

  function letGo() {
    const done = painter;
    held = painter = loop = from = gizmos.held = null;
    shaking = false;
    return done;
  }

  // A second finger: what the first one began is called off, and both move the view.
  function handOver(view) {
    const first = held;
    letGo()?.cancel();
    view.section.releasePointerCapture(first.pointerId);
    passing = true;
    view.canvas.dispatchEvent(new PointerEvent('pointerdown', {
      bubbles: true, cancelable: true, pointerId: first.pointerId, pointerType: first.pointerType, button: 0, buttons: 1, isPrimary: first.isPrimary,
      clientX: first.clientX, clientY: first.clientY, screenX: first.screenX, screenY: first.screenY,
    }));
    passing = false;
  }

  function connect(view, hitAt, onLoop, ring) {
    const { section } = view;
    const place = (event) => {
      const box = section.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const mine = (event) => held !== null && event.pointerId === held.pointerId;
    section.addEventListener('pointerdown', (event) => {
      if (event.target !== view.canvas || passing) {
        return; // a picture lies over the head
      }
      if (held && held.pointerId !== event.pointerId) {
        if (event.pointerType === 'touch' && held.pointerType === 'touch') {
          handOver(view);
        } else {
          event.stopPropagation();
          event.preventDefault();
        }
        return;
      }
      if (beginAt(event, hitAt, place(event))) {
        held = event;
        event.stopPropagation();
        event.preventDefault();
        section.setPointerCapture(event.pointerId);
        view.canvas.focus();
      }
    }, { capture: true });
    section.addEventListener('pointermove', (event) => {
      const events = event.getCoalescedEvents?.() ?? [];
      for (const one of mine(event) ? (events.length ? events : [event]) : []) {
        const at = place(one);
        if (gizmos.held) {
          document.getElementById('status3d').textContent = gizmos.move(...at, one.shiftKey);
        } else if (shaking) {
          deeds.shake(one.movementX, one.movementY, one.shiftKey);
        } else if (painter) {
          painter.move(...at, pressureOf(one));
        } else if (loop) {
          loop.push(at);
        }
      }
      const handle = view === view3d && (gizmos.held ?? (event.buttons ? null : gizmos.pick(...place(event))));
      section.classList.toggle('handle', Boolean(handle));
      const under = event.target === view.canvas && !handle && (mine(event) || !event.buttons) ? hitAt(...place(event)) : null;
      ring(under, place(event));
      legend.point(under);
    });
    section.addEventListener('pointerleave', () => { ring(null); legend.point(null); });
    section.addEventListener('pointercancel', (event) => {
      if (mine(event)) letGo()?.end();
    });
    section.addEventListener('pointerup', (event) => {
      if (!mine(event)) {
        return;
      }
      held = null;
      if (gizmos.held) {
        document.getElementById('status3d').textContent = '';
        gizmos.end();
      } else if (shaking) {
        shaking = false;
      } else if (painter) {
        finish();
      } else if (loop) {
        onLoop(loop);
        loop = null;
        ring(null);
      } else if (from) {
        const to = hitAt(...place(event));
        if (to) {
          gradient(from.point, to.point);
        }
        from = null;
        ring(null);
      }
    });
  }

  // The ring of the brush in the flat view: where its points lie in the map, in any number of pieces.
  const uvRing = (around) => around.map((on) => (on && canvas.surface?.uvs && canvas.surface.ground[on.triangle] ? canvas.surface.uvOf(on) : null));

  connect(view3d, hit3d, (polygon) => lasso(polygon, seer3d(view3d)), (hit, at) => {
    view3d.showTrail(loop ?? (from && at ? [view3d.project(from.point), at] : null));
    const around = view3d.showRing(brush.tool === 'look' ? null : hit, brush.radius);
    if (document.getElementById('views').classList.contains('both')) {
      viewuv.ring = uvRing(around);
      viewuv.draw();
    }
    view3d.section.classList.toggle('painting', hit !== null && brush.tool !== 'look');
  });

  connect(viewuv, hitUv, (polygon) => lasso(polygon, seerUv(viewuv)), (hit, at) => {
    viewuv.cursor = hit ? at : null;
    viewuv.lasso = loop;
    viewuv.ring = uvRing(view3d.showRing(hit, brush.radius));
    viewuv.draw();
  });

  return { hit3d, hitUv, finish, get painting() { return painter !== null; } };
}
