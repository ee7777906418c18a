// A film of the 3-D view: its frames as they are drawn, encoded by the browser.

const BITS_PER_SECOND = 12e6;

export const canFilm = () => typeof MediaRecorder === 'function' && MediaRecorder.isTypeSupported('video/webm');

export class Film {
  /** @param {import('./view3d.js').View3d} view3d */
  constructor(view3d) {
    this.view3d = view3d;
    const { width, height } = view3d.section.getBoundingClientRect();
    this.canvas = document.createElement('canvas');
    // Encoders of most formats need even sizes.
    Object.assign(this.canvas, { width: 2 * Math.floor(width / 2), height: 2 * Math.floor(height / 2) });
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d', { alpha: false }));
    const stream = this.canvas.captureStream(0);
    this.track = /** @type {CanvasCaptureMediaStreamTrack} */ (stream.getVideoTracks()[0]);
    /** @type {Blob[]} */ this.parts = [];
    this.recorder = new MediaRecorder(stream, { mimeType: 'video/webm', videoBitsPerSecond: BITS_PER_SECOND });
    this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
    this.recorder.start(1000);
    view3d.onDrawn = () => this.add();
    this.add();
  }

  // The view as displayed: the software renderer's canvas lies below the one of WebGL.
  add() {
    const { canvas, context, view3d } = this;
    const { canvas: software } = view3d.liveHair.softwareView;
    if (!software.hidden) context.drawImage(software, 0, 0, canvas.width, canvas.height);
    if (view3d.canvas.style.opacity !== '0') context.drawImage(view3d.canvas, 0, 0, canvas.width, canvas.height);
    this.track.requestFrame();
  }

  /** @returns {Promise<Blob>} */
  finish() {
    this.view3d.onDrawn = null;
    return new Promise((resolve) => {
      this.recorder.onstop = () => resolve(new Blob(this.parts, { type: 'video/webm' }));
      this.recorder.stop();
    });
  }
}
