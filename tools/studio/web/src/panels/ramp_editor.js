// A ramp along the strand: factors from root (0) to tip (1), as a curve with points that are dragged, and as numbers.

import { element } from '../ui/dom.js';

const STEP = 0.02; // of the arrow keys
const SVG = 'http://www.w3.org/2000/svg';

const rounded = (/** @type {number} */ x) => Number(x.toFixed(4));
const clamp = (/** @type {number} */ x, /** @type {number} */ low, /** @type {number} */ high) => Math.min(high, Math.max(low, x));

/** The factor at a position. @param {[number, number][]} points @param {number} at */
export function rampAt(points, at) {
  const next = points.findIndex(([x]) => x >= at);
  if (next < 0) return points[points.length - 1][1];
  if (next === 0) return points[0][1];
  const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
  return y0 + ((at - x0) / Math.max(1e-9, x1 - x0)) * (y1 - y0);
}

/** @type {Map<string, number>} the selected point by path, as the panel is rebuilt after every change */ const selections = new Map();

/** @param {string} path of the parameter @param {string} label @param {[number, number][]} ramp @param {(ramp: [number, number][], done: boolean) => void} write */
export function createRampEditor(path, label, ramp, write) {
  /** @type {[number, number][]} */ let points = ramp.map(([x, y]) => [x, y]);
  let selected = Math.min(selections.get(path) ?? 0, points.length - 1);
  const high = Math.max(1, ...points.map(([, y]) => y));
  const low = Math.min(0, ...points.map(([, y]) => y));
  const line = document.createElementNS(SVG, 'polyline');
  const svg = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({ viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' })) svg.setAttribute(name, value);
  svg.append(line);
  const area = element('div', { className: 'ramp-area', title: 'Drag a point; double click adds one, Delete removes it.' });
  const [position, factor] = [['position', 'Position from root (0) to tip (1)'], ['factor', 'Factor at that position']].map(([name, help]) =>
    element('input', { type: 'number', step: 'any', 'aria-label': `${label}: ${name} of the point`, title: help, 'data-control': `ramp-${name}` }));
  const add = element('button', { type: 'button', title: 'Add a point after the selected one', 'data-control': 'ramp-add' }, 'Add');
  const remove = element('button', { type: 'button', title: 'Remove the selected point', 'data-control': 'ramp-remove' }, 'Remove');

  const show = () => {
    selections.set(path, selected);
    const y = (/** @type {number} */ value) => 100 - (100 * (value - low)) / (high - low);
    const ends = /** @type {[number, number][]} */ ([[0, points[0][1]], ...points, [1, points[points.length - 1][1]]]);
    line.setAttribute('points', ends.map(([at, value]) => `${100 * at},${y(value)}`).join(' '));
    area.replaceChildren(svg, ...points.map(([at, value], i) => {
      const handle = element('button', { type: 'button', className: 'ramp-point', 'aria-label': `${label}: point ${i + 1} at ${at}, factor ${value}`, 'aria-pressed': String(i === selected), 'data-control': `ramp-${i}` });
      Object.assign(handle.style, { left: `${100 * at}%`, top: `${y(value)}%` });
      return handle;
    }));
    [position.value, factor.value] = points[selected].map(String);
    remove.disabled = points.length < 2;
  };
  const handleAt = (/** @type {number} */ i) => /** @type {HTMLElement} */ (area.querySelectorAll('.ramp-point')[i]);
  const move = (/** @type {number} */ at, /** @type {number} */ value, /** @type {boolean} */ done) => {
    const [left, right] = [points[selected - 1]?.[0] ?? 0, points[selected + 1]?.[0] ?? 1];
    points[selected] = [rounded(clamp(at, left, right)), rounded(value)];
    show();
    write(points, done);
  };
  const select = (/** @type {number} */ i) => {
    selected = i;
    show();
    handleAt(i).focus();
  };
  const insert = (/** @type {number} */ at) => {
    const index = points.findIndex(([x]) => x > at);
    const place = index < 0 ? points.length : index;
    points.splice(place, 0, [rounded(at), rounded(rampAt(points, at))]);
    select(place);
    write(points, true);
  };
  const erase = () => {
    if (points.length < 2) return;
    points = points.filter((_, i) => i !== selected);
    selected = Math.max(0, selected - 1);
    show();
    write(points, true);
  };
  const placeOf = (/** @type {PointerEvent | MouseEvent} */ event) => {
    const box = area.getBoundingClientRect();
    return [clamp((event.clientX - box.left) / box.width, 0, 1), low + (high - low) * clamp(1 - (event.clientY - box.top) / box.height, 0, 1)];
  };

  let dragging = false;
  area.addEventListener('pointerdown', (event) => {
    const i = [...area.querySelectorAll('.ramp-point')].indexOf(/** @type {Element} */ (event.target));
    if (i < 0) return;
    event.preventDefault();
    dragging = true;
    area.setPointerCapture(event.pointerId);
    select(i);
  });
  area.addEventListener('pointermove', (event) => {
    if (!dragging) return;
    const [at, value] = placeOf(event);
    move(at, value, false);
  });
  for (const name of ['pointerup', 'pointercancel']) {
    area.addEventListener(name, () => {
      if (dragging) write(points, true);
      dragging = false;
    });
  }
  area.addEventListener('dblclick', (event) => { if (event.target === area || event.target === svg || event.target === line) insert(placeOf(event)[0]); });
  area.addEventListener('keydown', (event) => {
    const i = [...area.querySelectorAll('.ramp-point')].indexOf(/** @type {Element} */ (event.target));
    if (i < 0) return;
    selected = i;
    const step = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] })[event.key];
    if (step) {
      event.preventDefault();
      move(points[i][0] + step[0], points[i][1] + step[1], true);
      handleAt(i).focus();
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      erase();
      handleAt(selected).focus();
    }
  });
  area.addEventListener('focusin', (event) => {
    const i = [...area.querySelectorAll('.ramp-point')].indexOf(/** @type {Element} */ (event.target));
    if (i < 0 || i === selected) return;
    selected = i;
    selections.set(path, selected);
    [...area.querySelectorAll('.ramp-point')].forEach((each, k) => each.setAttribute('aria-pressed', String(k === i)));
    [position.value, factor.value] = points[i].map(String);
  });
  const typed = () => {
    if (position.value === '' || factor.value === '') show();
    else move(Number(position.value), Number(factor.value), true);
  };
  position.addEventListener('change', typed);
  factor.addEventListener('change', typed);
  add.addEventListener('click', () => {
    const next = points[selected + 1]?.[0] ?? 1;
    insert(points[selected][0] === next ? (points[selected - 1]?.[0] ?? 0) / 2 + next / 2 : (points[selected][0] + next) / 2);
  });
  remove.addEventListener('click', erase);
  show();
  return element('div', { className: 'ramp', role: 'group', 'aria-label': `${label}: ramp from root to tip` }, area,
    element('div', { className: 'ramp-numbers' }, element('span', { className: 'ramp-ends' }, 'root'), position, factor, add, remove, element('span', { className: 'ramp-ends' }, 'tip')));
}
