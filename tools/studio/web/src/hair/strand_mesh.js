// Strands as camera-facing ribbons, and their points as dots. Positions are read from a texture in the vertex shader, so
// a new frame only uploads a texture.

import * as THREE from 'three';
import { COLORS_PER_STRAND } from './strand_packet.js';
import { SHADE_STRAND_GLSL, strandLight } from './strand_shading.js';

const TEXTURE_WIDTH = 2048;

// Position of a point of a strand in view space. word.w is the parameter along the strand: 0 at the root, 65535 at the tip.
const POINT_GLSL = `
  precision highp usampler2D;
  uniform usampler2D positions; uniform vec3 origin; uniform vec3 scale;
  ivec2 texel(int i) { return ivec2(i % ${TEXTURE_WIDTH}, i / ${TEXTURE_WIDTH}); }
  vec4 toView(uvec4 word) { return modelViewMatrix * vec4(origin + scale * vec3(word.xyz), 1.0); }`;

// Two vertices per point, offset sideways by the strand radius and at least about half a pixel.
const VERTEX = `
  ${POINT_GLSL}
  uniform sampler2D colors; uniform vec2 viewport; uniform float radius; uniform float minWidth;
  varying vec3 shade;
  ${SHADE_STRAND_GLSL}
  void main() {
    int i = gl_VertexID / 2;
    uvec4 word = texelFetch(positions, texel(i), 0);
    vec4 p = toView(word);
    vec4 a = word.w == 0u ? p : toView(texelFetch(positions, texel(i - 1), 0));
    vec4 b = word.w == 65535u ? p : toView(texelFetch(positions, texel(i + 1), 0));
    vec3 outward = p.xyz - (viewMatrix * vec4(center, 1.0)).xyz;
    shade = shadeStrand(texelFetch(colors, texel(i), 0), normalize(b.xyz - a.xyz + vec3(1e-12)), normalize(-p.xyz), normalize(outward + vec3(1e-12)));
    vec4 q = projectionMatrix * p, from = projectionMatrix * a, to = projectionMatrix * b;
    vec2 direction = (to.xy / max(to.w, 1e-6) - from.xy / max(from.w, 1e-6)) * viewport;
    vec2 side = vec2(-direction.y, direction.x) / max(length(direction), 1e-6);
    float width = max(minWidth, radius * projectionMatrix[1][1] * viewport.y / q.w);
    q.xy += (gl_VertexID % 2 == 0 ? width : -width) * side / viewport * q.w;
    gl_Position = q;
  }`;
// Colours are already sRGB encoded.
const FRAGMENT = `
  varying vec3 shade;
  void main() { gl_FragColor = vec4(shade, 1.0); }`;

// A dot in front of its strand; minWidth is about half a pixel of the display. The dot of a root is red.
const NODE_VERTEX = `
  ${POINT_GLSL}
  uniform float minWidth;
  varying vec3 color;
  void main() {
    uvec4 word = texelFetch(positions, texel(gl_VertexID), 0);
    color = word.w == 0u ? vec3(1.0, 0.15, 0.1) : vec3(1.0, 0.85, 0.2);
    gl_Position = projectionMatrix * toView(word);
    gl_Position.z -= 1e-4 * gl_Position.w;
    gl_PointSize = 8.0 * minWidth;
  }`;
const NODE_FRAGMENT = `
  varying vec3 color;
  void main() { if (distance(gl_PointCoord, vec2(0.5)) > 0.5) discard; gl_FragColor = vec4(color, 1.0); }`;

/** @param {Uint16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>} array @param {THREE.PixelFormat} format @param {THREE.TextureDataType} type @param {number} rows */
function createTexture(array, format, type, rows) {
  const texture = new THREE.DataTexture(array, TEXTURE_WIDTH, rows, format, type);
  texture.magFilter = texture.minFilter = THREE.NearestFilter;
  texture.unpackAlignment = 1;
  return texture;
}

const MAX_UPDATE_RANGES = 1000; // beyond it the whole texture is uploaded

const sameValues = (/** @type {any} */ a, /** @type {any} */ b) => a === b || (a?.length === b.length && a.every((/** @type {number} */ value, /** @type {number} */ i) => value === b[i]));

/** @typedef {import('./strand_packet.js').StrandPacket} StrandPacket */

export class StrandMesh {
  constructor() {
    this.uniforms = {
      positions: { value: /** @type {any} */ (null) }, colors: { value: /** @type {any} */ (null) },
      origin: { value: new THREE.Vector3() }, scale: { value: new THREE.Vector3() },
      viewport: { value: new THREE.Vector2(1, 1) }, radius: { value: 4e-5 }, minWidth: { value: 0.5 }, ...strandLight,
    };
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, side: THREE.DoubleSide, uniforms: this.uniforms,
    }));
    Object.assign(this.mesh, { frustumCulled: false, visible: false, name: 'strands' });
    this.mesh.onBeforeRender = (renderer) => {
      renderer.getDrawingBufferSize(this.uniforms.viewport.value);
      this.uniforms.minWidth.value = 0.55 * Math.max(1, renderer.getPixelRatio());
    };
    this.nodes = new THREE.Points(new THREE.BufferGeometry(), new THREE.ShaderMaterial({
      vertexShader: NODE_VERTEX, fragmentShader: NODE_FRAGMENT, uniforms: this.uniforms,
    }));
    Object.assign(this.nodes, { frustumCulled: false, visible: false, name: 'nodes' });
    this.mesh.add(this.nodes);
    // Draws a prefix of the strands, which is evenly distributed.
    this.mesh.userData.setDrawFraction = (/** @type {number} */ fraction) => {
      this.mesh.geometry.setDrawRange(0, 3 * Math.ceil((fraction * this.indexCount) / 3));
      this.nodes.geometry.setDrawRange(0, Math.ceil(fraction * this.pointCount));
    };
    this.indexCount = 0;
    this.pointCount = 0;
    /** @type {Uint16Array | null} */ this.lengths = null;
    /** @type {Uint8Array | null} */ this.strandColors = null;
    /** @type {Set<number>} strands */ this.tinted = new Set();
  }

  /** New buffers when the strands changed: two triangles per segment. @param {StrandPacket} packet */
  buildGeometry({ pointCount, strandCount, lengths }) {
    if (sameValues(this.lengths, lengths)) return;
    this.lengths = lengths;
    this.strandColors = null;
    this.indexCount = 6 * (pointCount - strandCount);
    this.pointCount = pointCount;
    this.nodes.geometry.setDrawRange(0, pointCount);
    const index = new Uint32Array(this.indexCount);
    const parameter = new Uint16Array(pointCount);
    let [at, point] = [0, 0];
    for (const length of lengths) {
      for (let i = 0; i < length; ++i, ++point) {
        parameter[point] = length > 1 ? Math.round((65535 * i) / (length - 1)) : 65535;
        if (i + 1 < length) {
          const v = 2 * point;
          index.set([v, v + 1, v + 2, v + 2, v + 1, v + 3], at);
          at += 6;
        }
      }
    }
    this.mesh.geometry.dispose();
    this.mesh.geometry = new THREE.BufferGeometry();
    this.mesh.geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const rows = Math.max(1, Math.ceil(pointCount / TEXTURE_WIDTH));
    this.uniforms.positions.value?.dispose();
    this.uniforms.colors.value?.dispose();
    const words = new Uint16Array(4 * TEXTURE_WIDTH * rows);
    for (let i = 0; i < pointCount; ++i) words[4 * i + 3] = parameter[i];
    const positions = createTexture(words, THREE.RGBAIntegerFormat, THREE.UnsignedShortType, rows);
    positions.internalFormat = 'RGBA16UI';
    this.uniforms.positions.value = positions;
    this.uniforms.colors.value = createTexture(new Uint8Array(4 * TEXTURE_WIDTH * rows), THREE.RGBAFormat, THREE.UnsignedByteType, rows);
  }

  // RGBA per point.
  get pointColors() {
    return this.uniforms.colors.value.image.data;
  }

  /** Geometry and colours, without positions. @param {StrandPacket} packet */
  setStrands(packet) {
    this.buildGeometry(packet);
    if (!sameValues(this.strandColors, packet.colors)) {
      this.strandColors = packet.colors;
      this.tinted.clear();
      this.fillPointColors(packet);
    }
  }

  /** @param {StrandPacket} packet @param {number} radius metres, for display */
  update(packet, radius) {
    this.setStrands(packet);
    this.uniforms.radius.value = radius;
    this.uniforms.origin.value.fromArray(packet.origin);
    this.uniforms.scale.value.fromArray(packet.step);
    const { positions } = packet;
    const words = this.uniforms.positions.value.image.data;
    for (let i = 0, k = 0; i < positions.length; i += 3, k += 4) {
      words[k] = positions[i];
      words[k + 1] = positions[i + 1];
      words[k + 2] = positions[i + 2];
    }
    this.uniforms.positions.value.clearUpdateRanges();
    this.uniforms.positions.value.needsUpdate = true;
  }

  /** Interpolates the strand colours and darkens roots, which makes clumps visible; the fourth byte is the tilt of the strand, see strand_shading.js. @param {StrandPacket} packet */
  fillPointColors({ lengths, colors }) {
    let point = 0;
    lengths.forEach((length, s) => {
      this.fillStrandColors(colors, s, point, length);
      point += length;
    });
    this.uniforms.colors.value.needsUpdate = true;
  }

  /** @param {Uint8Array} colors @param {number} strand @param {number} point the first of it @param {number} length @param {number[]} [tint] */
  fillStrandColors(colors, strand, point, length, tint) {
    const { data } = this.uniforms.colors.value.image;
    const tilt = Math.imul(strand + 1, 0x9e3779b1) >>> 24;
    for (let i = 0, at = 4 * point; i < length; ++i, at += 4) {
      const t = length > 1 ? i / (length - 1) : 0;
      const first = 4 * (COLORS_PER_STRAND * strand + (t < 0.5 ? 0 : 1));
      const mix = t < 0.5 ? 2 * t : 2 * t - 1;
      const darkening = 0.62 + 0.38 * Math.min(1, 1.6 * t);
      for (let k = 0; k < 3; ++k) {
        const color = colors[first + k] + mix * (colors[first + 4 + k] - colors[first + k]);
        data[at + k] = darkening * (tint ? 0.5 * (color + tint[k]) : color);
      }
      data[at + 3] = tilt;
    }
  }

  /** New positions and tints of some strands of the packet. @param {StrandPacket} packet @param {Uint32Array} strands @param {Uint32Array} offsets first point of each strand of the packet @param {(strand: number) => number[] | undefined} tintOf */
  updateStrands({ positions, colors, lengths }, strands, offsets, tintOf) {
    const { positions: texture, colors: colorTexture } = this.uniforms;
    const words = texture.value.image.data;
    for (const strand of strands) {
      const [first, end] = [offsets[strand], offsets[strand + 1]];
      for (let p = first; p < end; ++p) {
        words[4 * p] = positions[3 * p];
        words[4 * p + 1] = positions[3 * p + 1];
        words[4 * p + 2] = positions[3 * p + 2];
      }
      if (strands.length < MAX_UPDATE_RANGES) texture.value.addUpdateRange(4 * first, 4 * (end - first));
      const tint = tintOf(strand);
      if (tint || this.tinted.has(strand)) {
        if (tint) this.tinted.add(strand);
        else this.tinted.delete(strand);
        this.fillStrandColors(colors, strand, first, lengths[strand], tint);
        colorTexture.value.needsUpdate = true;
      }
    }
    if (strands.length >= MAX_UPDATE_RANGES) texture.value.clearUpdateRanges();
    texture.value.needsUpdate = true;
  }
}
