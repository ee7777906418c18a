// strands: hair as lines. Decodes what the program packs, see strands_view.h.

import * as THREE from 'three';

// Light on a fibre depends on its direction alone (Kajiya and Kay, 1989): a lamp over the shoulder, so
// that locks and curls have a form.
const VERTEX = `
  attribute vec3 along; attribute vec3 color;
  varying vec3 shade;
  void main() {
    vec4 p = modelViewMatrix * vec4(position, 1.0);
    vec3 t = normalize(mat3(modelViewMatrix) * along + vec3(1e-12));
    vec3 lamp = normalize(vec3(-0.45, 0.7, 0.55)), eye = normalize(-p.xyz);
    float tl = dot(t, lamp), te = dot(t, eye);
    float across = sqrt(max(0.0, 1.0 - tl * tl));
    float gloss = max(0.0, across * sqrt(max(0.0, 1.0 - te * te)) - tl * te);
    shade = color * (0.4 + 0.7 * across) + (0.1 + 0.3 * color) * pow(gloss, 24.0);
    gl_Position = projectionMatrix * p;
  }`;
const FRAGMENT = `
  varying vec3 shade;
  void main() { gl_FragColor = vec4(shade, 1.0); }`; // colours come as a screen takes them

// Places as segments, two ends each, and a colour per end: darker at the root, so that locks show.
export function decodeStrands(bytes) {
  if (bytes.byteLength < 40) {
    return null;
  }
  const view = new DataView(bytes);
  const [strands, points, frame] = [4, 8, 12].map((at) => view.getUint32(at, true));
  const low = [16, 20, 24].map((at) => view.getFloat32(at, true));
  const step = [28, 32, 36].map((at) => view.getFloat32(at, true));
  const colors = new Uint8Array(bytes, 40, 4 * strands);
  const lengths = new Uint16Array(bytes, 40 + 4 * strands, strands);
  const places = new Uint16Array(bytes, 40 + 4 * strands + 2 * (strands + (strands % 2)), 3 * points);
  const after = places.byteOffset + places.byteLength + 2 * (points % 2);
  const vertices = view.getUint32(after, true);
  const body = vertices > 0 ? new Float32Array(bytes, after + 4, 3 * vertices) : null;
  return { strands, points, frame, low, step, colors, lengths, places, body };
}

export class StrandLines {
  constructor() {
    this.geometry = new THREE.BufferGeometry();
    this.lines = new THREE.LineSegments(this.geometry, new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT,
    }));
    this.lines.frustumCulled = false;
    this.count = -1;
  }

  // New buffers only when the number of segments changes.
  prepare(data) {
    const ends = 2 * (data.points - data.strands);
    if (ends === this.count) {
      return;
    }
    this.count = ends;
    this.geometry.dispose();
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * ends), 3));
    for (const name of ['along', 'color']) {
      this.geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * ends), 3));
    }
    this.lines.geometry = this.geometry;
  }

  show(data) {
    this.prepare(data);
    const { position, along, color } = this.geometry.attributes;
    const { low, step, places } = data;
    let end = 0;
    let point = 0;
    for (let s = 0; s < data.strands; ++s) {
      const length = data.lengths[s];
      for (let i = 0; i + 1 < length; ++i) {
        for (let k = 0; k < 6; ++k) {
          const axis = k % 3;
          position.array[end + k] = low[axis] + step[axis] * places[3 * (point + i) + k];
        }
        for (let k = 0; k < 3; ++k) {
          along.array[end + k] = along.array[end + 3 + k] = position.array[end + 3 + k] - position.array[end + k];
        }
        for (let k = 0; k < 6; ++k) {
          const shade = 0.45 + 0.55 * ((i + (k > 2 ? 1 : 0)) / (length - 1));
          color.array[end + k] = (data.colors[4 * s + (k % 3)] / 255) * shade;
        }
        end += 6;
      }
      point += length;
    }
    position.needsUpdate = along.needsUpdate = color.needsUpdate = true;
  }
}
