// A small plot of a statistic over frames, drawn with uPlot.

import uPlot from 'uplot';
import { element } from './dom.js';

const HEIGHT = 76;
const AXIS = { stroke: '#a8a8a8', font: '10px system-ui, sans-serif', labelFont: '10px system-ui, sans-serif', grid: { stroke: '#333', width: 1 }, ticks: { stroke: '#555', width: 1, size: 3 }, gap: 2 };
const MAX_LIVE_VALUES = 200;

// Of an axis: as few digits as tell the ticks apart.
const tickLabels = (/** @type {number[]} */ values) => values.map((value) => (value === 0 ? '0' : Math.abs(value) >= 1e4 || Math.abs(value) < 1e-3 ? value.toExponential(0).replace('e+', 'e') : String(Number(value.toPrecision(3)))));

// Three digits; values below one millionth are displayed as 0.
const format = (/** @type {number} */ value) => (Math.abs(value) < 1e-6 ? '0' : Number(value).toPrecision(3));

export class Sparkline {
  /** @param {string} label @param {string} unit @param {number} scale display units per value */
  constructor(label, unit, scale = 1) {
    this.label = label;
    this.unit = unit;
    this.scale = scale;
    this.capacity = MAX_LIVE_VALUES;
    /** @type {number[]} NaN where a frame has no value */ this.values = [];
    this.first = 0; // frame of the first value
    /** @type {number | undefined} */ this.marked = undefined;
    this.output = element('output', {});
    this.chart = element('div', { className: 'chart', role: 'img', 'aria-label': label });
    this.message = element('span', { className: 'message' });
    this.element = element('div', { className: 'plot' }, element('span', { className: 'note' }, label), this.output, element('div', { className: 'chart-box' }, this.chart, this.message));
    /** @type {uPlot | null} */ this.plot = null;
    new ResizeObserver(() => this.resize()).observe(this.chart);
    this.draw();
  }

  /** Live values are appended without drawing; showLatest draws. @param {number} value */
  add(value) {
    this.marked = undefined;
    this.values.push(value);
    if (this.values.length > this.capacity) {
      this.values.shift();
      this.first += 1;
    }
  }

  showLatest() {
    const last = this.values.at(-1) ?? NaN;
    if (this.marked === undefined) this.output.textContent = Number.isNaN(last) ? '' : ` ${format(this.scale * last)} ${this.unit}`;
    this.draw();
  }

  /** The values of all cached frames. @param {number[]} values @param {number} first frame of the first one */
  setValues(values, first = 0) {
    this.values = values;
    this.first = first;
    this.capacity = Math.max(2, values.length);
    this.output.textContent = this.known().length ? ` max ${this.maximum()} ${this.unit}` : ' not recorded in the cache';
    this.draw();
  }

  known() {
    return this.values.filter((value) => !Number.isNaN(value));
  }

  maximum() {
    return format(this.scale * Math.max(...this.known()));
  }

  /** Marks the displayed frame of a cache. @param {number} index */
  mark(index) {
    this.marked = index;
    if (this.known().length) {
      const value = this.values[index];
      this.output.textContent = `${value === undefined || Number.isNaN(value) ? ' not recorded' : ` ${format(this.scale * value)} ${this.unit}`}, max ${this.maximum()}`;
    }
    this.draw();
  }

  clear() {
    this.values = [];
    this.first = 0;
    this.marked = undefined;
    this.draw();
  }

  resize() {
    const width = this.chart.clientWidth;
    if (width > 0) {
      this.plot?.setSize({ width, height: HEIGHT });
      this.draw();
    }
  }

  // The plot is created when its panel is first visible: uPlot needs a width.
  create() {
    return new uPlot({
      width: this.chart.clientWidth, height: HEIGHT, padding: [3, 0, 3, 0], legend: { show: false }, cursor: { show: false },
      axes: [
        { ...AXIS, size: 16, space: 50, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], values: (_plot, frames) => frames.map(String) },
        { ...AXIS, size: 46, space: 22, values: (_plot, values) => tickLabels(values) },
      ],
      scales: { x: { time: false, range: () => [this.first, this.first + this.capacity - 1] }, y: { range: () => this.range() } },
      series: [{}, { stroke: '#d8a13a', width: 1.5, spanGaps: false, points: { show: false } }],
      hooks: { draw: [(plot) => this.drawMark(plot)] },
    }, this.data(), this.chart);
  }

  /** @returns {[number, number]} including 0 unless there are negative values */
  range() {
    const known = this.known().map((value) => this.scale * value);
    const low = Math.min(...known, known.some((value) => value < 0) ? Infinity : 0);
    return [low, Math.max(...known, low + 1e-12)];
  }

  /** @returns {uPlot.AlignedData} */
  data() {
    return [this.values.map((_, i) => this.first + i), this.values.map((value) => (Number.isNaN(value) ? null : this.scale * value))];
  }

  /** @param {uPlot} plot */
  drawMark(plot) {
    if (this.marked === undefined) return;
    plot.ctx.fillStyle = '#fff';
    plot.ctx.fillRect(Math.round(plot.valToPos(this.first + this.marked, 'x', true)), plot.bbox.top, uPlot.pxRatio, plot.bbox.height);
  }

  draw() {
    const hasValues = this.known().length > 0;
    this.message.textContent = hasValues ? '' : this.values.length ? 'not computed by this solver' : 'no frames yet';
    this.chart.hidden = !hasValues;
    if (!hasValues || this.chart.clientWidth === 0) return;
    if (this.plot) this.plot.setData(this.data()); else this.plot = this.create();
  }
}
