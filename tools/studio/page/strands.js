// strands: hair as lines. Decodes what the program packs, see strands_view.h.

import * as THREE from 'three';

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
    this.lines = new THREE.LineSegments(this.geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
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
    this.geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(3 * ends), 3));
    this.lines.geometry = this.geometry;
    this.colored = null;
  }

  show(data) {
    this.prepare(data);
    const { position, color } = this.geometry.attributes;
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
        for (let k = 0; k < 6; ++k) {
          const shade = 0.45 + 0.55 * ((i + (k > 2 ? 1 : 0)) / (length - 1));
          color.array[end + k] = (data.colors[4 * s + (k % 3)] / 255) * shade;
        }
        end += 6;
      }
      point += length;
    }
    position.needsUpdate = true;
    color.needsUpdate = true;
  }
}
