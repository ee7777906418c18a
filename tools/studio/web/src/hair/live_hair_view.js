// moving_hair: hair in the view as one frame after the other comes, drawn by the graphics card, or where there is
// none by soft_view while it moves.

import { SoftView } from '../view/software_renderer/view.js';

const GROUND = 0x373737;

// Browsers on a machine without a graphics card draw by one of these.
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

function isSoftware(gl) {
  const more = gl.getExtension('WEBGL_debug_renderer_info');
  return SOFTWARE.test(gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

export class MovingHair {
  constructor(view) {
    this.view = view;
    this.software = isSoftware(view.renderer.getContext());
    this.soft = new SoftView(view.section);
    this.hair = null; // {data, lines, radius}
    this.moves = false;
    this.pictures = 0; // drawn while hair moves
  }

  // One frame: hair as decodeStrands gives it, the lines it is drawn with, on the body as it stands.
  show(data, lines, radius) {
    this.hair = { data, lines, radius };
    this.view.posed = data.body !== null;
    if (this.isSoft()) {
      lines.take(data);
    } else {
      this.lay();
    }
    this.view.draw();
  }

  hide() {
    this.hair = null;
    this.showSoft(false);
    this.view.setPose(null);
    this.view.draw();
  }

  // Hair begins to move, or stands still again.
  setMoves(moves) {
    if (moves !== this.moves) {
      this.moves = moves;
      this.view.draw();
    }
  }

  // Where no map on the head has to be seen.
  isSoft() {
    return this.moves && this.software && this.hair !== null && this.view.uniforms.mode.value === 0;
  }

  // Into what the graphics card draws from.
  lay() {
    const { data, lines, radius } = this.hair;
    lines.show(data, radius);
    lines.lines.visible = true;
    this.view.setPose(data.body);
  }

  // The canvas of the view stays over it, for the pointer, for handles and rings.
  showSoft(on) {
    const { view } = this;
    if (on !== !this.soft.canvas.hidden) {
      this.soft.canvas.hidden = !on;
      view.renderer.setClearColor(GROUND, on ? 0 : 1);
      view.canvas.style.opacity = 1;
      view.head.visible = !on;
      view.others?.setSoft(on);
      if (!on && this.hair) this.lay();
    }
  }

  // The picture, where that is for us to draw.
  draw() {
    this.pictures += this.moves;
    const on = this.isSoft();
    this.showSoft(on);
    if (!on) return false;
    const { view } = this;
    const begin = performance.now();
    const { data, lines, radius } = this.hair;
    clearTimeout(view.still);
    view.others?.carry(data.body);
    this.soft.draw(view.camera, view.surface, data.body, { ...data, tints: lines.tints, radius }, view.others);
    lines.lines.visible = false;
    const over = view.scene.children.some((child) => child.visible && child !== view.roots);
    view.canvas.style.opacity = over ? 1 : 0;
    if (over) view.renderer.render(view.scene, view.camera);
    view.drawn = performance.now() - begin;
    return true;
  }

  // Milliseconds to wait before the next picture where that takes long; where the page draws by itself, frames do
  // not come more often than there is time for.
  rest() {
    const { drawn } = this.view;
    return this.isSoft() || drawn <= 25 ? 0 : Math.min(2 * drawn, 1000);
  }
}
