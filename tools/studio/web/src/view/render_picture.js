// The rendered picture over the 3-D view: zoom, pan, comparison with the previous one, and the region to render.

import { button, element } from '../ui/dom.js';

const MAX_FIT = 4; // enlargement of small images that fit
const ZOOM = { min: 0.05, max: 64 };
const SHARP_ZOOM = 2; // from here on pixels are drawn as squares
const MIN_REGION = 4; // pixels

/** @typedef {[number, number, number, number]} Crop x, y, width, height in pixels */

/** @param {HTMLElement} view @param {{ onClose: () => void, onRegion: (fractions: { from: number[], to: number[] }) => void, onToggleRegion: () => void }} actions */
export function createRenderPicture(view, { onClose, onRegion, onToggleRegion }) {
  const current = element('img', { alt: 'current render' });
  const previous = element('img', { alt: 'previous render', className: 'previous' });
  const patch = element('img', { alt: 'rendered region', className: 'patch', hidden: true });
  const divider = element('div', { className: 'divider', hidden: true });
  const outline = element('div', { className: 'region', hidden: true });
  const frame = element('div', { className: 'frame' }, current, patch, previous, divider, outline);
  const beside = element('img', { alt: 'previous render, side by side', className: 'beside', hidden: true });
  const pair = element('div', { className: 'pair', tabIndex: 0, role: 'group', 'aria-label': 'Picture: + and - zoom, arrow keys pan, 0 fits' }, frame, beside);
  const zoomText = element('output', {});
  const regionButton = button('Region', 'Show the rendered region in the picture', onToggleRegion, { hidden: true, 'aria-pressed': 'true' });
  view.append(pair, element('div', { className: 'picture-bar', role: 'toolbar', 'aria-label': 'Picture' },
    button('Close render', 'Return to the 3-D view (Esc)', onClose, { className: 'back' }),
    button('Fit', 'Fit the picture into the view (0, or double-click)', () => reset()),
    button('100 %', 'One pixel of the picture per pixel of the page', () => zoomTo(1 / scale)), zoomText, regionButton));

  let scale = 1; // of the fitted picture: page pixels per image pixel
  let zoom = 1;
  let offset = [0, 0];

  const show = () => {
    pair.style.transform = `translate(${offset[0]}px, ${offset[1]}px) scale(${zoom})`;
    const pixels = zoom * scale * devicePixelRatio;
    view.classList.toggle('sharp', pixels >= SHARP_ZOOM);
    zoomText.textContent = current.naturalWidth ? `${Math.round(100 * zoom * scale)} %` : '';
  };
  // Scales the image to the view.
  const fit = () => {
    if (view.hidden || !current.naturalWidth) return;
    const columns = beside.hidden ? 1 : 2;
    scale = Math.min((view.clientWidth - 4 * (columns - 1)) / (columns * current.naturalWidth), view.clientHeight / current.naturalHeight, MAX_FIT);
    for (const { style } of [frame, beside]) {
      style.width = `${Math.floor(scale * current.naturalWidth)}px`;
      style.height = `${Math.floor(scale * current.naturalHeight)}px`;
    }
    show();
  };
  const reset = () => {
    [zoom, offset] = [1, [0, 0]];
    show();
  };
  /** Keeps the picture under a point of the page, relative to the centre of the view. @param {number} next @param {number[]} at */
  const zoomTo = (next, at = [0, 0]) => {
    const clamped = Math.min(ZOOM.max, Math.max(ZOOM.min, next));
    offset = offset.map((shift, k) => at[k] - (clamped / zoom) * (at[k] - shift));
    zoom = clamped;
    show();
  };
  const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    offset = [offset[0] + dx, offset[1] + dy];
    show();
  };
  const fromCenter = (/** @type {MouseEvent} */ event) => {
    const box = view.getBoundingClientRect();
    return [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2];
  };

  current.addEventListener('load', fit);
  new ResizeObserver(fit).observe(view);
  view.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoomTo(zoom * Math.exp(-event.deltaY / 400), fromCenter(event));
  }, { passive: false });
  view.addEventListener('dblclick', (event) => { if (!(event.target instanceof HTMLButtonElement)) reset(); });
  pair.addEventListener('keydown', (event) => {
    const step = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] })[event.key];
    const factor = /** @type {Record<string, number>} */ ({ '+': 1.25, '=': 1.25, '-': 0.8 })[event.key];
    if (step) pan(step[0], step[1]);
    else if (factor) zoomTo(zoom * factor);
    else if (event.key === '0') reset();
    else return;
    event.preventDefault();
  });

  // Shift-drag selects a region, any other drag pans.
  /** @type {number[] | null} */ let regionStart = null;
  const imageFraction = (/** @type {PointerEvent} */ event) => {
    const box = current.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((x) => Math.min(1, Math.max(0, x)));
  };
  view.addEventListener('pointerdown', (event) => {
    if (event.target instanceof HTMLButtonElement) return;
    regionStart = event.shiftKey ? imageFraction(event) : null;
    view.setPointerCapture(event.pointerId);
    if (event.shiftKey) event.preventDefault();
  });
  view.addEventListener('pointermove', (event) => {
    if (!view.hasPointerCapture(event.pointerId)) return;
    if (!regionStart) {
      pan(event.movementX, event.movementY);
      return;
    }
    const end = imageFraction(event);
    Object.assign(outline.style, {
      left: `${100 * Math.min(regionStart[0], end[0])}%`, top: `${100 * Math.min(regionStart[1], end[1])}%`,
      width: `${100 * Math.abs(end[0] - regionStart[0])}%`, height: `${100 * Math.abs(end[1] - regionStart[1])}%`,
    });
    outline.hidden = false;
  });
  view.addEventListener('pointerup', (event) => {
    if (regionStart) onRegion({ from: regionStart, to: imageFraction(event) });
    regionStart = null;
  });
  view.addEventListener('pointercancel', () => { regionStart = null; });

  return {
    current, previous, patch, beside, outline, regionButton, fit,
    /** @param {number} percent of the width that shows the previous picture */
    compare(percent) {
      previous.style.clipPath = `inset(0 ${100 - percent}% 0 0)`;
      divider.style.left = `${percent}%`;
      divider.hidden = percent === 0;
    },
    /** @param {boolean} visible */
    setBeside(visible) {
      beside.hidden = !visible;
      fit();
    },
    /** Places the picture of a region in the whole one. @param {number[]} crop @param {number} width @param {number} height */
    placePatch([x, y, w, h], width, height) {
      patch.removeAttribute('src');
      Object.assign(patch.style, { left: `${(100 * x) / width}%`, top: `${(100 * y) / height}%`, width: `${(100 * w) / width}%`, height: `${(100 * h) / height}%` });
    },
  };
}

/** Pixels of a dragged rectangle; null if it is too small to render. @param {{ from: number[], to: number[] }} fractions @param {number} width @param {number} height @returns {Crop | null} */
export function cropOf({ from, to }, width, height) {
  const low = [width, height].map((size, k) => Math.floor(Math.min(from[k], to[k]) * size));
  const high = [width, height].map((size, k) => Math.ceil(Math.max(from[k], to[k]) * size));
  const [w, h] = [high[0] - low[0], high[1] - low[1]];
  return w >= MIN_REGION && h >= MIN_REGION ? [low[0], low[1], w, h] : null;
}
