// plot: a number over the last frames, as a small line.

import { element } from './dom.js';

// Three digits; what is too small to matter is none.
const text = (value) => (Math.abs(value) < 1e-6 ? '0' : Number(value).toPrecision(3));

export class Plot {
  // Scale: how many units are one of the values that are given.
  constructor(label, unit, scale = 1, most = 200) {
    Object.assign(this, { label, unit, scale, most, values: [] });
    this.canvas = element('canvas', { width: 300, height: 44, 'aria-label': label });
    this.output = element('output', {});
    this.element = element('div', { className: 'plot' }, element('span', { className: 'note' }, label), this.output, this.canvas);
    this.draw();
  }

  // Drawn by the next show: not every machine draws every value.
  add(value) {
    this.at = undefined;
    this.values.push(value);
    if (this.values.length > this.most) {
      this.values.shift();
    }
  }

  show() {
    const last = this.values.at(-1) ?? NaN;
    if (this.at === undefined) this.output.textContent = Number.isNaN(last) ? '' : ` ${text(this.scale * last)} ${this.unit}`;
    this.draw();
  }

  // All values at once, as of a cache.
  set(values) {
    this.values = values;
    this.most = Math.max(2, values.length);
    this.output.textContent = this.known().length ? ` ${this.greatest()} ${this.unit} at most` : ' not noted by the simulation';
    this.draw();
  }

  known() {
    return this.values.filter((value) => !Number.isNaN(value));
  }

  greatest() {
    return text(this.scale * Math.max(...this.known()));
  }

  // The value that is looked at, by its number.
  mark(index) {
    this.at = index;
    if (this.known().length) {
      const value = this.values[index];
      this.output.textContent = `${value === undefined || Number.isNaN(value) ? ' not noted' : ` ${text(this.scale * value)} ${this.unit}`}, ${this.greatest()} at most`;
    }
    this.draw();
  }

  clear() {
    this.values = [];
    this.at = undefined;
    this.draw();
  }

  draw() {
    const c = this.canvas.getContext('2d');
    const { width, height } = this.canvas;
    c.clearRect(0, 0, width, height);
    if (!this.known().length) {
      c.fillStyle = '#a8a8a8';
      c.font = '12px system-ui, sans-serif';
      c.fillText(this.values.length ? 'this solver knows none' : 'no frames yet', 8, height / 2 + 4);
      return;
    }
    const low = Math.min(...this.known(), this.known().some((value) => value < 0) ? Infinity : 0);
    const high = Math.max(...this.known(), low + 1e-12);
    c.strokeStyle = '#d8a13a';
    c.lineWidth = 1.5;
    c.beginPath();
    let gap = true;
    this.values.forEach((value, i) => {
      if (!Number.isNaN(value)) {
        const [x, y] = [(i / (this.most - 1)) * width, height - 3 - ((value - low) / (high - low)) * (height - 6)];
        if (gap) c.moveTo(x, y); else c.lineTo(x, y);
      }
      gap = Number.isNaN(value);
    });
    c.stroke();
    if (this.at !== undefined) {
      c.fillStyle = '#fff';
      c.fillRect((this.at / (this.most - 1)) * width - 0.5, 0, 1, height);
    }
  }
}
