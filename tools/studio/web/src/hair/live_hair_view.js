// Strands in the 3-D view, frame by frame: drawn with WebGL, or by the software renderer while they move and no GPU is
// available.

import { BACKGROUND } from '../view/map_texture.js';
import { SoftwareView } from '../view/software_renderer/view.js';

// WebGL implementations without a GPU.
const SOFTWARE_GL = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const SMOOTH_DRAW_MS = 25;

/** @param {WebGLRenderingContext | WebGL2RenderingContext} gl */
function isSoftwareGl(gl) {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return SOFTWARE_GL.test(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

/** @typedef {import('./strand_packet.js').StrandPacket} StrandPacket */
/** @typedef {import('./strand_mesh.js').StrandMesh} StrandMesh */

export class LiveHairView {
  /** @param {import('../view/view3d.js').View3d} view */
  constructor(view) {
    this.view = view;
    this.isSoftwareGl = isSoftwareGl(view.renderer.getContext());
    this.softwareView = new SoftwareView(view.section);
    /** @type {{ packet: StrandPacket, strandMesh: StrandMesh, radius: number } | null} */ this.hair = null;
    this.playing = false;
    this.drawCount = 0; // frames drawn while playing
  }

  /** Displays one frame with the body as posed in it. @param {StrandPacket} packet @param {StrandMesh} strandMesh @param {number} radius */
  show(packet, strandMesh, radius) {
    this.hair = { packet, strandMesh, radius };
    this.view.pose = packet.body;
    if (this.usesSoftwareRenderer()) {
      strandMesh.setStrands(packet);
    } else {
      this.upload();
    }
    this.view.draw();
  }

  hide() {
    this.hair = null;
    this.setSoftwareVisible(false);
    this.view.setPose(null);
    this.view.draw();
  }

  /** @param {boolean} playing */
  setPlaying(playing) {
    if (playing !== this.playing) {
      this.playing = playing;
      this.view.draw();
    }
  }

  // The software renderer cannot display maps on the body and points of strands.
  usesSoftwareRenderer() {
    return this.playing && this.isSoftwareGl && this.hair !== null && this.view.uniforms.mode.value === 0 && !this.hair.strandMesh.nodes.visible;
  }

  // To WebGL.
  upload() {
    if (!this.hair) return;
    const { packet, strandMesh, radius } = this.hair;
    strandMesh.update(packet, radius);
    strandMesh.mesh.visible = true;
    this.view.setPose(packet.body);
  }

  /** The WebGL canvas stays on top, transparent, for pointer events, gizmos and the brush ring. @param {boolean} visible */
  setSoftwareVisible(visible) {
    const { view } = this;
    if (visible === this.softwareView.canvas.hidden) {
      this.softwareView.canvas.hidden = !visible;
      view.renderer.setClearColor(BACKGROUND, visible ? 0 : 1);
      view.canvas.style.opacity = '1';
      view.bodyMesh.visible = !visible;
      view.backgroundGrooms?.setSoftware(visible);
      if (!visible) this.upload();
    }
  }

  // Draws with the software renderer if it is in use; returns whether it is.
  draw() {
    this.drawCount += this.playing ? 1 : 0;
    const software = this.usesSoftwareRenderer();
    this.setSoftwareVisible(software);
    if (!software || !this.hair) return false;
    const { view } = this;
    const begin = performance.now();
    const { packet, strandMesh, radius } = this.hair;
    clearTimeout(view.refineTimer);
    view.backgroundGrooms?.setBody(packet.body);
    this.softwareView.draw(view.camera, view.surface, packet.body, { ...packet, pointColors: strandMesh.pointColors, radius }, view.backgroundGrooms);
    strandMesh.mesh.visible = false;
    const hasOverlay = view.scene.children.some((child) => child.visible && child !== view.roots);
    view.canvas.style.opacity = hasOverlay ? '1' : '0';
    if (hasOverlay) view.renderer.render(view.scene, view.camera);
    view.drawMs = performance.now() - begin;
    return true;
  }

  // Milliseconds to wait before the next frame when WebGL is slow. With the software renderer the server limits the
  // frame rate instead.
  drawInterval() {
    const { drawMs } = this.view;
    return this.usesSoftwareRenderer() || drawMs <= SMOOTH_DRAW_MS ? 0 : Math.min(2 * drawMs, 1000);
  }
}
