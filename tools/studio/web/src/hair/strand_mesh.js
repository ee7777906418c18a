// strands: hair as ribbons that face the eye. Decodes what the program packs, see strands_view.h.

import * as THREE from 'three';

const ROW = 2048; // points in a row of their texture

// Two corners beside every point, as far as the hair is wide and at least about a pixel; where they are is
// read from textures of the points, so that a new frame is nothing but a new texture. Light on a fibre
// depends on its direction alone (Kajiya and Kay, 1989): a lamp over the shoulder, so that locks and curls
// have a form.
const VERTEX = `
  precision highp usampler2D;
  uniform usampler2D places; uniform sampler2D tints; uniform vec3 low; uniform vec3 scale;
  uniform vec2 size; uniform float radius; uniform float least;
  varying vec3 shade;
  ivec2 texel(int i) { return ivec2(i % ${ROW}, i / ${ROW}); }
  vec4 seen(uvec4 word) { return modelViewMatrix * vec4(low + scale * vec3(word.xyz), 1.0); }
  void main() {
    int i = gl_VertexID / 2;
    uvec4 word = texelFetch(places, texel(i), 0);
    vec4 p = seen(word);
    vec4 a = word.w == 0u ? p : seen(texelFetch(places, texel(i - 1), 0));
    vec4 b = word.w == 65535u ? p : seen(texelFetch(places, texel(i + 1), 0));
    vec3 t = normalize(b.xyz - a.xyz + vec3(1e-12));
    vec3 lamp = normalize(vec3(-0.45, 0.7, 0.55)), eye = normalize(-p.xyz);
    float tl = dot(t, lamp), te = dot(t, eye);
    float across = sqrt(max(0.0, 1.0 - tl * tl));
    float gloss = max(0.0, across * sqrt(max(0.0, 1.0 - te * te)) - tl * te);
    vec3 color = texelFetch(tints, texel(i), 0).rgb;
    shade = color * (0.6 + 0.6 * across) + (0.05 + 0.35 * color) * pow(gloss, 24.0);
    vec4 q = projectionMatrix * p, from = projectionMatrix * a, to = projectionMatrix * b;
    vec2 way = (to.xy / max(to.w, 1e-6) - from.xy / max(from.w, 1e-6)) * size;
    vec2 side = vec2(-way.y, way.x) / max(length(way), 1e-6);
    float wide = max(least, radius * projectionMatrix[1][1] * size.y / q.w);
    q.xy += (gl_VertexID % 2 == 0 ? wide : -wide) * side / size * q.w;
    gl_Position = q;
  }`;
const FRAGMENT = `
  varying vec3 shade;
  void main() { gl_FragColor = vec4(shade, 1.0); }`; // colours come as a screen takes them

const COLORS = 3; // of a strand: root, middle, tip

const HEAD = 44; // bytes before the first part
const STRANDS = 1; // parts
const BODY = 2;

// Before: the frame before, which parts that did not come are taken from. Places and body stay in the bytes.
export function decodeStrands(bytes, before = null) {
  if (bytes.byteLength < HEAD) {
    return null;
  }
  const view = new DataView(bytes);
  const [parts, strands, points, frame] = [4, 8, 12, 16].map((at) => view.getUint32(at, true));
  const low = [20, 24, 28].map((at) => view.getFloat32(at, true));
  const step = [32, 36, 40].map((at) => view.getFloat32(at, true));
  let at = HEAD;
  let { colors, lengths, body } = before ?? { body: null };
  if (parts & STRANDS) {
    colors = new Uint8Array(bytes, at, 4 * COLORS * strands).slice();
    lengths = new Uint16Array(bytes, at + colors.length, strands).slice();
    at += colors.length + 2 * (strands + (strands % 2));
  }
  const places = new Uint16Array(bytes, at, 3 * points);
  at += places.byteLength + 2 * (points % 2);
  if (parts & BODY) {
    const vertices = view.getUint32(at, true);
    body = vertices > 0 ? new Float32Array(bytes, at + 4, 3 * vertices) : null;
  }
  return { strands, points, frame, low, step, colors, lengths, places, body };
}

// Whether what was decoded, if anything was, lies in these bytes.
export const liesIn = (data, bytes) => data?.places.buffer === bytes || data?.body?.buffer === bytes;

function textureOf(array, format, type, rows) {
  const texture = new THREE.DataTexture(array, ROW, rows, format, type);
  texture.magFilter = texture.minFilter = THREE.NearestFilter;
  texture.unpackAlignment = 1;
  return texture;
}

const sameBytes = (a, b) => a === b || (a?.length === b.length && a.every((byte, i) => byte === b[i]));

export class StrandLines {
  constructor() {
    const nothing = { value: null };
    this.uniforms = {
      places: { ...nothing }, tints: { ...nothing }, low: { value: new THREE.Vector3() }, scale: { value: new THREE.Vector3() },
      size: { value: new THREE.Vector2(1, 1) }, radius: { value: 4e-5 }, least: { value: 0.5 },
    };
    this.lines = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, side: THREE.DoubleSide, uniforms: this.uniforms,
    }));
    Object.assign(this.lines, { frustumCulled: false, visible: false, name: 'strands' });
    this.lines.onBeforeRender = (renderer) => {
      renderer.getDrawingBufferSize(this.uniforms.size.value);
      this.uniforms.least.value = 0.55 * Math.max(1, renderer.getPixelRatio());
    };
    // The first strands alone, which lie as evenly as all of them.
    this.lines.userData.showShare = (share) => {
      this.lines.geometry.setDrawRange(0, 3 * Math.ceil((share * this.corners) / 3));
    };
    Object.assign(this, { corners: 0, lengths: null, colors: null });
  }

  // New buffers only for other strands. Two triangles between a point and the next of its strand.
  prepare({ points, strands, lengths }) {
    if (sameBytes(this.lengths, lengths)) {
      return;
    }
    this.lengths = lengths;
    this.colors = null;
    this.corners = 6 * (points - strands);
    const index = new Uint32Array(this.corners);
    const share = new Uint16Array(points);
    let [at, point] = [0, 0];
    for (const length of lengths) {
      for (let i = 0; i < length; ++i, ++point) {
        share[point] = length > 1 ? Math.round((65535 * i) / (length - 1)) : 65535;
        if (i + 1 < length) {
          const v = 2 * point;
          index.set([v, v + 1, v + 2, v + 2, v + 1, v + 3], at);
          at += 6;
        }
      }
    }
    this.lines.geometry.dispose();
    this.lines.geometry = new THREE.BufferGeometry();
    this.lines.geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const rows = Math.max(1, Math.ceil(points / ROW));
    this.uniforms.places.value?.dispose();
    this.uniforms.tints.value?.dispose();
    const places = textureOf(new Uint16Array(4 * ROW * rows), THREE.RGBAIntegerFormat, THREE.UnsignedShortType, rows);
    places.internalFormat = 'RGBA16UI';
    const words = places.image.data;
    for (let i = 0; i < points; ++i) {
      words[4 * i + 3] = share[i]; // 0 at the root, 65535 at the tip
    }
    this.uniforms.places.value = places;
    this.uniforms.tints.value = textureOf(new Uint8Array(4 * ROW * rows), THREE.RGBAFormat, THREE.UnsignedByteType, rows);
  }

  // The colours of what is drawn, four bytes per point.
  get tints() {
    return this.uniforms.tints.value.image.data;
  }

  // Strands and their colours, without where they are.
  take(data) {
    this.prepare(data);
    if (!sameBytes(this.colors, data.colors)) {
      this.colors = data.colors;
      this.paint(data);
    }
  }

  // Radius in metres, of what is drawn.
  show(data, radius) {
    this.take(data);
    this.uniforms.radius.value = radius;
    this.uniforms.low.value.set(...data.low);
    this.uniforms.scale.value.set(...data.step);
    const { places } = data;
    const words = this.uniforms.places.value.image.data;
    for (let i = 0, k = 0; i < places.length; i += 3, k += 4) {
      words[k] = places[i];
      words[k + 1] = places[i + 1];
      words[k + 2] = places[i + 2];
    }
    this.uniforms.places.value.needsUpdate = true;
  }

  // Darker at the root, so that locks show.
  paint({ lengths, colors }) {
    const { data } = this.uniforms.tints.value.image;
    let at = 0;
    lengths.forEach((length, s) => {
      for (let i = 0; i < length; ++i) {
        const share = length > 1 ? i / (length - 1) : 0;
        const first = 4 * (COLORS * s + (share < 0.5 ? 0 : 1));
        const mix = share < 0.5 ? 2 * share : 2 * share - 1;
        const shade = 0.62 + 0.38 * Math.min(1, 1.6 * share);
        for (let k = 0; k < 3; ++k) {
          data[at + k] = shade * (colors[first + k] + mix * (colors[first + 4 + k] - colors[first + k]));
        }
        data[at + 3] = 255;
        at += 4;
      }
    });
    this.uniforms.tints.value.needsUpdate = true;
  }
}
