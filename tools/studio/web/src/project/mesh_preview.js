// The mesh of a new scene: the scalp in the accent colour, the rest of the body grey.

import { AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, Mesh, MeshStandardMaterial, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { element } from '../ui/dom.js';

const BODY = new Color('#9a938c');
const SCALP = new Color('#d8a13a');

export class MeshPreview {
  constructor() {
    this.canvas = element('canvas', { tabIndex: 0, role: 'img', 'aria-label': 'The mesh; the scalp is coloured. Drag to orbit, wheel zooms.' });
    this.element = element('div', { className: 'mesh-preview' }, this.canvas);
    this.scene = new Scene();
    this.scene.background = new Color('#303030');
    this.camera = new PerspectiveCamera(30, 1, 0.001, 1000);
    const key = new DirectionalLight('#ffffff', 2.2);
    key.position.set(0.6, 0.8, 1);
    this.camera.add(key, new AmbientLight('#ffffff', 0.7));
    this.scene.add(this.camera);
    this.material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.8, side: DoubleSide });
    /** @type {Mesh | null} */ this.mesh = null;
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.draw());
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }

  // Parts per triangle: 0 left out, 1 body, 2 scalp.
  /** @param {Float32Array} corners @param {Float32Array} normals @param {Uint8Array} parts */
  show(corners, normals, parts) {
    const kept = parts.reduce((sum, part) => sum + (part > 0 ? 1 : 0), 0);
    const [positions, directions, colors] = [9, 9, 9].map((size) => new Float32Array(size * kept));
    let at = 0;
    parts.forEach((part, t) => {
      if (part === 0) return;
      positions.set(corners.subarray(9 * t, 9 * t + 9), at);
      directions.set(normals.subarray(9 * t, 9 * t + 9), at);
      const { r, g, b } = part === 2 ? SCALP : BODY;
      for (let i = 0; i < 3; ++i) colors.set([r, g, b], at + 3 * i);
      at += 9;
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new BufferAttribute(directions, 3));
    geometry.setAttribute('color', new BufferAttribute(colors, 3));
    if (this.mesh) {
      this.mesh.geometry.dispose();
      this.mesh.geometry = geometry;
    } else {
      this.mesh = new Mesh(geometry, this.material);
      this.scene.add(this.mesh);
    }
    this.draw();
  }

  /** Looks at a box from the front. @param {{ low: number[], high: number[], size: number[] }} box */
  frame({ low, high, size }) {
    const center = new Vector3().fromArray(low.map((x, k) => (x + high[k]) / 2));
    const radius = Math.max(Math.hypot(...size) / 2, 1e-6);
    const distance = (1.15 * radius) / Math.tan((this.camera.fov * Math.PI) / 360);
    this.camera.near = distance / 100;
    this.camera.far = distance * 100;
    this.camera.position.copy(center).add(new Vector3(0.45, 0.25, 1).normalize().multiplyScalar(distance));
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
    this.controls.update();
    this.draw();
  }
}
