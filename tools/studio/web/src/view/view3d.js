// view3d: the head, what is painted on it, the roots that grow, the ring of the brush.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { ShiftCamera } from './shift_camera.js';
import { MovingHair } from '../hair/live_hair_view.js';
import { regionColor } from '../state/regions.js';
import { HEAT } from './map_texture.js';

const FOV = 30; // of the view, in degrees from top to bottom

// Loops of the brush's ring, from within: half a pixel apart, so that it is as wide however fine the view is.
const RINGS = [0x101010, 0x101010, 0xffffff, 0xffffff, 0xffffff, 0x101010, 0x101010];

const HEAD_VERTEX = `
  attribute float ground; attribute vec2 corner;
  varying vec2 at; varying vec2 low; varying vec3 n; varying vec3 toEye; varying float grows;
  void main() {
    at = uv; low = corner; grows = ground; n = normalize(normalMatrix * normal);
    vec4 p = modelViewMatrix * vec4(position, 1.0);
    toEye = -p.xyz;
    gl_Position = projectionMatrix * p;
  }`;

const HEAD_FRAGMENT = `
  uniform sampler2D map; uniform sampler2D regions; uniform int mode; uniform vec3 ramp[5];
  uniform vec4 square; // its size in the sheet, and half a texel
  varying vec2 at; varying vec2 low; varying vec3 n; varying vec3 toEye; varying float grows;
  vec3 heat(float v) {
    float s = clamp(v, 0.0, 1.0) * 4.0;
    vec3 c = ramp[0];
    for (int i = 0; i < 4; ++i) c = mix(c, ramp[i + 1], clamp(s - float(i), 0.0, 1.0));
    return c;
  }
  void main() {
    vec3 base = vec3(0.42);
    if (grows > 0.5 && mode > 0) {
      // Blending ends at the border of the square that the place lies in.
      vec2 place = clamp(vec2(at.x, 1.0 - at.y), low + square.zw, low + square.xy - square.zw);
      float v = texture2D(map, place).r;
      base = mode == 1 ? heat(v) : vec3(v);
      if (mode == 3) base = texture2D(regions, vec2((floor(v * 255.0 + 0.5) + 0.5) / 256.0, 0.5)).rgb;
    }
    vec3 side = normalize(n) * (gl_FrontFacing ? 1.0 : -1.0);
    float light = 0.35 + 0.65 * max(0.0, dot(side, normalize(toEye)));
    gl_FragColor = vec4(base * light, 1.0);
  }`;

const ROOT_VERTEX = `
  attribute float alive; uniform float size;
  varying float shown;
  void main() {
    shown = alive;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    gl_PointSize = clamp(size * projectionMatrix[1][1] / gl_Position.w, 1.0, 4.0);
  }`;

const ROOT_FRAGMENT = `
  uniform vec3 color; varying float shown;
  void main() { if (shown < 0.5) discard; gl_FragColor = vec4(color, 1.0); }`;

// A texel per number of a region.
function regionTexture() {
  const bytes = new Uint8Array(4 * 256);
  for (let id = 0; id < 256; ++id) {
    bytes.set([...regionColor(id).map((x) => Math.round(255 * x)), 255], 4 * id);
  }
  const texture = new THREE.DataTexture(bytes, 256, 1);
  texture.needsUpdate = true;
  return texture;
}

export class View3d {
  constructor(section) {
    this.section = section;
    this.canvas = section.querySelector('canvas');
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, alpha: true, antialias: false, preserveDrawingBuffer: true });
    this.ratio = Math.min(devicePixelRatio, 2); // of pixels while things move
    this.finest = 2; // when they stand still: edges are smooth
    this.drawn = 0; // milliseconds that the last picture took
    this.moving = new MovingHair(this);
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setClearColor(0x373737);
    this.scene = new THREE.Scene();
    this.camera = new ShiftCamera(FOV, 1, 0.01, 100);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.listenToKeyEvents(this.canvas); // arrows shift the view, with Shift they turn it
    this.canvas.addEventListener('keydown', (event) => {
      if (event.key === '+' || event.key === '=') this.zoomBy(1.15);
      if (event.key === '-') this.zoomBy(1 / 1.15);
    });
    this.controls.addEventListener('change', () => this.draw());
    this.uniforms = {
      map: { value: null }, mode: { value: 0 }, square: { value: new THREE.Vector4(1, 1, 0, 0) },
      ramp: { value: HEAT.map((c) => new THREE.Vector3(...c)) }, regions: { value: regionTexture() },
    };
    this.rootSize = { value: 1 };
    // White between dark: seen on bare skin, on heat and among roots.
    this.ring = new THREE.Group();
    for (const color of RINGS) {
      const loop = new THREE.LineLoop(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color, depthTest: false, transparent: true }));
      loop.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * 48), 3));
      loop.frustumCulled = false;
      loop.renderOrder = 5;
      this.ring.add(loop);
    }
    this.ring.visible = false;
    this.trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true }));
    this.trail.frustumCulled = false;
    this.trail.visible = false;
    this.trail.renderOrder = 5;
    this.scene.add(this.ring, this.trail);
    new ResizeObserver(() => this.resize()).observe(section);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.section;
    if (width > 0 && height > 0) {
      this.renderer.setSize(width, height, false);
      this.rootSize.value = 0.0003 * height * this.renderer.getPixelRatio();
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      this.draw();
    }
  }

  draw() {
    if (!this.asked) {
      this.asked = requestAnimationFrame(() => {
        this.asked = 0;
        if (this.moving.draw()) return;
        this.setRatio(this.ratio);
        this.showShare(this.ratio < 1 ? 0.25 : 1);
        this.render((milliseconds) => this.watch(milliseconds));
      });
    }
  }

  // Draws, and tells how long that took: the machine is done later than the call is. Of pictures that
  // come in quick succession not all are measured.
  render(done) {
    const gl = this.renderer.getContext();
    const begin = performance.now();
    this.renderer.render(this.scene, this.camera);
    if (this.measuring) {
      return;
    }
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.measuring = true;
    const look = () => {
      if (gl.isContextLost() || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED) {
        gl.deleteSync(fence);
        this.measuring = false;
        this.drawn = performance.now() - begin;
        done(this.drawn);
      } else {
        setTimeout(look, 8);
      }
    };
    setTimeout(look, 0);
  }

  setRatio(ratio) {
    if (ratio !== this.renderer.getPixelRatio()) {
      this.renderer.setPixelRatio(ratio);
      this.rootSize.value = 0.0003 * this.section.clientHeight * ratio; // 0.6 mm: what is painted stays in sight between
    }
  }

  // The first roots and strands alone, which lie as evenly as all of them.
  showShare(share) {
    const { geometry } = this.roots ?? {};
    geometry?.setDrawRange(0, Math.ceil(share * geometry.attributes.position.count));
    this.scene.children.forEach((child) => child.userData.showShare?.(share));
  }

  // A machine without a graphics card gets coarser pixels, fewer roots and strands while things move rather
  // than a view that lags behind, and all of them again when they stand still.
  watch(milliseconds) {
    this.slow = milliseconds > 120 ? (this.slow ?? 0) + 1 : 0;
    if (this.slow >= 5 && this.ratio > 0.5) {
      this.slow = 0;
      this.ratio = Math.max(0.5, 0.7 * this.ratio);
      this.draw();
    }
    clearTimeout(this.still);
    if (this.ratio < this.finest) {
      this.still = setTimeout(() => this.refine(), Math.max(400, 5 * milliseconds)); // pictures of live hair come sooner
    }
  }

  // A rendered picture lies over the view: what nobody sees is not made fine, and does not take the time of the picture.
  setCovered(covered) {
    const before = this.covered;
    this.covered = covered;
    if (before && !covered) this.draw();
    if (Boolean(before) !== covered) this.onCovered?.();
  }

  // A picture that stands still may take its time; where it took too long the next one is coarser.
  refine() {
    if (!this.asked && !this.covered) {
      this.setRatio(this.finest);
      this.showShare(1);
      this.render((milliseconds) => {
        if (milliseconds > 600) this.finest = Math.min(this.finest, Math.min(devicePixelRatio, 2));
      });
    }
  }

  setSurface(surface, bvh) {
    Object.assign(this, { surface, bvh, laid: false });
    if (this.head) {
      this.scene.remove(this.head);
      this.head.geometry.dispose();
    }
    const corners = 3 * surface.triangles;
    const positions = new Float32Array(3 * corners);
    const ground = new Float32Array(corners);
    for (let c = 0; c < corners; ++c) {
      positions.set(surface.positions.subarray(3 * surface.indices[c], 3 * surface.indices[c] + 3), 3 * c);
      ground[c] = surface.ground[Math.floor(c / 3)];
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(surface.normals, 3));
    geometry.setAttribute('uv', new THREE.BufferAttribute(new Float32Array(surface.uvs ?? 2 * corners), 2));
    geometry.setAttribute('corner', new THREE.BufferAttribute(new Float32Array(2 * corners), 2));
    geometry.setAttribute('ground', new THREE.BufferAttribute(ground, 1));
    this.head = new THREE.Mesh(geometry, new THREE.ShaderMaterial({
      vertexShader: HEAD_VERTEX, fragmentShader: HEAD_FRAGMENT, uniforms: this.uniforms, side: THREE.DoubleSide,
    }));
    this.scene.add(this.head);
    this.frame(surface);
  }

  // Looks at the ground from the front and a little above.
  frame(surface) {
    const box = new THREE.Box3();
    for (let t = 0; t < surface.triangles; ++t) {
      for (let i = 0; surface.ground[t] && i < 3; ++i) {
        box.expandByPoint(new THREE.Vector3(...surface.corner(t, i)));
      }
    }
    const middle = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3()).length();
    this.home = { middle, size, distance: 2.2 * size, way: [0.35, 0.3, 1] };
    this.camera.near = size / 100;
    this.camera.far = 50 * size;
    this.lookFrom();
  }

  // All of the ground, from a side: a way from its middle; without one as at first.
  lookFrom(way = this.home.way) {
    const { middle, distance } = this.home;
    this.controls.target.copy(middle);
    this.camera.fov = FOV;
    this.camera.setShift(0, 0);
    this.camera.position.copy(middle).add(new THREE.Vector3(...way).normalize().multiplyScalar(distance));
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  setShown(shown, mode) {
    if (shown !== this.shown) {
      this.uniforms.map.value?.dispose();
      this.shown = shown;
      this.uniforms.map.value = null;
      if (shown) {
        const texture = new THREE.DataTexture(shown.bytes, shown.width, shown.height, THREE.RedFormat);
        texture.unpackAlignment = 1;
        this.uniforms.map.value = texture;
        this.laySheet(shown);
      }
    }
    if (shown) {
      const texture = this.uniforms.map.value;
      texture.minFilter = texture.magFilter = mode === 3 ? THREE.NearestFilter : THREE.LinearFilter;
    }
    this.uniforms.mode.value = shown ? mode : 0;
    this.refreshShown();
  }

  // Corners of triangles lie where the sheet has their square.
  laySheet({ layer, width, height }) {
    if (!this.surface.uvs) return;
    const { squares, uvs } = this.surface.inSheet(layer);
    const { uv, corner } = this.head.geometry.attributes;
    uv.array.set(uvs);
    for (let c = 0; c < squares.length * 3; ++c) {
      const square = layer.squares[squares[Math.floor(c / 3)]] ?? layer.squares[0];
      corner.array.set([square.x / layer.width, square.y / layer.height], 2 * c);
    }
    uv.needsUpdate = corner.needsUpdate = true;
    this.uniforms.square.value.set(layer.squareWidth / layer.width, layer.squareHeight / layer.height, 0.5 / width, 0.5 / height);
  }

  refreshShown() {
    if (this.uniforms.map.value) {
      this.uniforms.map.value.needsUpdate = true;
    }
    this.draw();
  }

  // Places: 6 numbers per candidate, place and normal.
  setCandidates(places, lift) {
    if (this.roots) {
      this.scene.remove(this.roots);
      this.roots.geometry.dispose();
    }
    const count = places.length / 6;
    const positions = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) {
      for (let k = 0; k < 3; ++k) {
        positions[3 * i + k] = places[6 * i + k] + lift * places[6 * i + 3 + k];
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute('alive', new THREE.BufferAttribute(new Float32Array(count), 1));
    this.roots = new THREE.Points(geometry, new THREE.ShaderMaterial({
      vertexShader: ROOT_VERTEX, fragmentShader: ROOT_FRAGMENT,
      uniforms: { size: this.rootSize, color: { value: new THREE.Vector3(1, 0.95, 0.85) } },
    }));
    this.roots.visible = this.rootsVisible ?? true;
    this.roots.frustumCulled = false;
    this.scene.add(this.roots);
  }

  setAlive(bytes) {
    const alive = this.roots.geometry.attributes.alive;
    alive.array.set(bytes.subarray(0, alive.count));
    alive.needsUpdate = true;
    this.draw();
  }

  // The body as it stands at a frame, 3 numbers per vertex; null: at rest.
  setPose(places) {
    this.posed = places !== null;
    this.others?.carry(places);
    if (!places && !this.laid) {
      return;
    }
    this.laid = this.posed; // in what is drawn
    const from = places ?? this.surface.positions;
    const { position } = this.head.geometry.attributes;
    const { indices } = this.surface;
    for (let c = 0; c < indices.length; ++c) {
      const v = 3 * indices[c];
      position.array[3 * c] = from[v];
      position.array[3 * c + 1] = from[v + 1];
      position.array[3 * c + 2] = from[v + 2];
    }
    position.needsUpdate = true;
    this.draw();
  }

  showRoots(visible) {
    this.rootsVisible = visible;
    if (this.roots) {
      this.roots.visible = visible;
    }
    this.draw();
  }

  // The ray of a place in the canvas, in pixels.
  ray(x, y) {
    this.camera.updateMatrixWorld();
    const from = new THREE.Vector3((2 * x) / this.section.clientWidth - 1, 1 - (2 * y) / this.section.clientHeight, 0.5);
    from.unproject(this.camera);
    const origin = this.camera.position;
    const direction = from.sub(origin).normalize();
    return { origin: origin.toArray(), direction: direction.toArray() };
  }

  hit(x, y) {
    const { origin, direction } = this.ray(x, y);
    return this.bvh?.cast(origin, direction) ?? null;
  }

  // Where a place of space is in the canvas, in pixels.
  project(place) {
    this.camera.updateMatrixWorld(); // it may have been moved since the last picture
    const p = new THREE.Vector3(...place).project(this.camera);
    return [(p.x + 1) / 2 * this.section.clientWidth, (1 - p.y) / 2 * this.section.clientHeight];
  }

  // Nearer, or farther away, by a share of the distance.
  zoomBy(share) {
    const { camera, controls } = this;
    camera.position.sub(controls.target).multiplyScalar(1 / share).add(controls.target);
    controls.update();
    this.draw();
  }

  // A line over the view through places in pixels, null for none: the loop of a lasso, a gradient.
  showTrail(places) {
    this.trail.visible = Boolean(places && places.length > 1);
    if (this.trail.visible) {
      const { clientWidth: width, clientHeight: height } = this.section;
      this.trail.geometry.dispose();
      this.trail.geometry = new THREE.BufferGeometry().setFromPoints(places.map(([x, y]) =>
        new THREE.Vector3((2 * x) / width - 1, 1 - (2 * y) / height, 0).unproject(this.camera)));
    }
    this.draw();
  }

  // The ring of the brush, laid on the surface; returns where on it.
  showRing(hit, radius) {
    const around = [];
    this.ring.visible = hit !== null;
    if (hit) {
      const n = hit.normal;
      const a = Math.abs(n[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0];
      const u = normalize(cross(n, a));
      const v = cross(n, u);
      const pixel = (2 * Math.tan((Math.PI * this.camera.fov) / 360) * this.camera.position.distanceTo(new THREE.Vector3(...hit.point))) / this.section.clientHeight;
      for (let i = 0; i < 48; ++i) {
        const [c, s] = [Math.cos((2 * Math.PI * i) / 48) * radius, Math.sin((2 * Math.PI * i) / 48) * radius];
        const flat = hit.point.map((x, k) => x + c * u[k] + s * v[k]);
        const above = flat.map((x, k) => x + radius * n[k]);
        const on = this.bvh.cast(above, n.map((x) => -x), 2 * radius);
        const place = on ? on.point : flat;
        around.push(on);
        this.ring.children.forEach((loop, j) => {
          const wide = ((j - (RINGS.length - 1) / 2) * 0.5 * pixel) / radius;
          loop.geometry.attributes.position.array.set(place.map((x, k) => x + wide * (x - hit.point[k])), 3 * i);
        });
      }
      this.ring.children.forEach((loop) => { loop.geometry.attributes.position.needsUpdate = true; });
    }
    this.draw();
    return around;
  }
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const normalize = (a) => { const l = Math.hypot(...a) || 1; return a.map((x) => x / l); };
