// The 3-D view: body with the displayed map, roots, brush ring and navigation.

import * as THREE from 'three';
import { LiveHairView } from '../hair/live_hair_view.js';
import { posedSurface } from '../paint/posed_surface.js';
import { regionColor } from '../state/regions.js';
import { fitBox } from './framing.js';
import { BACKGROUND, HEAT, REGIONS } from './map_texture.js';
import { PointerOrbitControls } from './orbit_controls.js';
import { ShiftCamera } from './shift_camera.js';

const FOV = 30; // degrees, vertical
const SLOW_DRAW_MS = 120; // while interacting
const SLOW_REFINE_MS = 600; // after interaction
const SLOW_FRAMES = 5; // until the resolution is reduced
const FAST_FRAMES = 12; // until it is raised again, of a quarter of the slow time: twice the pixels take twice the time
const RATIO_STEP = 0.7;

const BODY_VERTEX = `
  attribute float growth; attribute vec2 udimCorner;
  varying vec2 mapUv; varying vec2 corner; varying vec3 n; varying vec3 toEye; varying float inGrowthArea;
  void main() {
    mapUv = uv; corner = udimCorner; inGrowthArea = growth; n = normalize(normalMatrix * normal);
    vec4 p = modelViewMatrix * vec4(position, 1.0);
    toEye = -p.xyz;
    gl_Position = projectionMatrix * p;
  }`;

// Headlight shading. Map lookups are clamped to the UDIM square, so filtering does not bleed from its neighbours.
const BODY_FRAGMENT = `
  uniform sampler2D map; uniform sampler2D regions; uniform int mode; uniform vec3 ramp[5];
  uniform vec4 udim; // xy: size in the atlas, zw: half a texel
  varying vec2 mapUv; varying vec2 corner; varying vec3 n; varying vec3 toEye; varying float inGrowthArea;
  vec3 heat(float v) {
    float s = clamp(v, 0.0, 1.0) * 4.0;
    vec3 c = ramp[0];
    for (int i = 0; i < 4; ++i) c = mix(c, ramp[i + 1], clamp(s - float(i), 0.0, 1.0));
    return c;
  }
  void main() {
    vec3 base = vec3(0.42);
    if (inGrowthArea > 0.5 && mode > 0) {
      vec2 at = clamp(vec2(mapUv.x, 1.0 - mapUv.y), corner + udim.zw, corner + udim.xy - udim.zw);
      float v = texture2D(map, at).r;
      base = mode == 1 ? heat(v) : vec3(v);
      if (mode == 3) base = texture2D(regions, vec2((floor(v * 255.0 + 0.5) + 0.5) / 256.0, 0.5)).rgb;
    }
    vec3 facing = normalize(n) * (gl_FrontFacing ? 1.0 : -1.0);
    float light = 0.35 + 0.65 * max(0.0, dot(facing, normalize(toEye)));
    gl_FragColor = vec4(base * light, 1.0);
  }`;

const ROOT_VERTEX = `
  attribute float alive; uniform float size;
  varying float isAlive;
  void main() {
    isAlive = alive;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    gl_PointSize = clamp(size * projectionMatrix[1][1] / gl_Position.w, 1.0, 4.0);
  }`;

const ROOT_FRAGMENT = `
  uniform vec3 color; varying float isAlive;
  void main() { if (isAlive < 0.5) discard; gl_FragColor = vec4(color, 1.0); }`;

/** One texel per region id. @param {Map<number, string>} [colors] chosen ones */
function regionBytes(colors) {
  const bytes = new Uint8Array(4 * 256);
  for (let id = 0; id < 256; ++id) bytes.set([...regionColor(id, colors).map((x) => Math.round(255 * x)), 255], 4 * id);
  return bytes;
}

function createRegionTexture() {
  const texture = new THREE.DataTexture(regionBytes(), 256, 1);
  texture.needsUpdate = true;
  return texture;
}

export class View3d {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.canvas = /** @type {HTMLCanvasElement} */ (section.querySelector('canvas'));
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, alpha: true, antialias: false, preserveDrawingBuffer: true });
    this.interactiveRatio = Math.min(devicePixelRatio, 2); // pixel ratio while something moves
    this.stillRatio = 2; // pixel ratio of refined frames: supersampling
    this.drawMs = 0; // of the last frame
    this.slowFrames = 0;
    this.fastFrames = 0;
    this.fastRefines = 0;
    this.frameRequest = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.refineTimer = undefined;
    this.isMeasuring = false;
    this.isOccluded = false; // a rendered image covers the view
    /** @type {(() => void) | null} */ this.onOccludedChange = null;
    /** @type {(() => void) | null} after every frame */ this.onDrawn = null;
    /** @type {Float32Array | null} vertices of the body as drawn; null: its rest pose */ this.pose = null;
    this.poseUploaded = false;
    this.rootsVisible = true;
    /** @type {any} Surface */ this.surface = null;
    /** @type {any} THREE.Mesh */ this.bodyMesh = null;
    /** @type {any} THREE.Points */ this.roots = null;
    /** @type {import('./map_texture.js').MapTexture | null} */ this.mapTexture = null;
    /** @type {import('../hair/background_grooms.js').BackgroundGrooms | null} */ this.backgroundGrooms = null;
    this.home = { box: new THREE.Box3(), size: 1, direction: [0.35, 0.3, 1] };
    this.liveHair = new LiveHairView(this);
    this.renderer.setPixelRatio(this.interactiveRatio);
    this.renderer.setClearColor(BACKGROUND);
    this.scene = new THREE.Scene();
    this.camera = new ShiftCamera(FOV, 1, 0.01, 100);
    this.controls = new PointerOrbitControls(this.camera, this.canvas, ({ offsetX, offsetY }) => {
      const hit = this.hit(offsetX, offsetY);
      return hit && new THREE.Vector3().fromArray(hit.point);
    });
    this.controls.listenToKeyEvents(this.canvas); // arrow keys pan, with Shift they orbit
    this.canvas.addEventListener('keydown', (event) => {
      if (event.key === '+' || event.key === '=') this.zoomBy(1.15);
      if (event.key === '-') this.zoomBy(1 / 1.15);
    });
    this.controls.addEventListener('change', () => this.draw());
    this.reportLostContext();
    this.uniforms = {
      map: { value: /** @type {THREE.DataTexture | null} */ (null) }, mode: { value: 0 }, udim: { value: new THREE.Vector4(1, 1, 0, 0) },
      ramp: { value: HEAT.map(([r, g, b]) => new THREE.Vector3(r, g, b)) }, regions: { value: createRegionTexture() },
    };
    this.rootSize = { value: 1 };
    this.trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true }));
    this.trail.frustumCulled = false;
    this.trail.visible = false;
    this.trail.renderOrder = 5;
    this.scene.add(this.trail);
    new ResizeObserver(() => this.resize()).observe(section);
  }

  // The driver may take the WebGL context away, for example after a suspend, and give it back later.
  reportLostContext() {
    const note = document.createElement('p');
    Object.assign(note, { className: 'context-lost', hidden: true, textContent: 'The graphics driver has reset the 3-D view. It comes back by itself; if it does not, reload the page. Nothing is lost.' });
    note.setAttribute('role', 'alert');
    this.section.append(note);
    this.canvas.addEventListener('webglcontextlost', () => { note.hidden = false; });
    this.canvas.addEventListener('webglcontextrestored', () => {
      note.hidden = true;
      this.draw();
    });
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.section;
    if (width > 0 && height > 0) {
      this.renderer.setSize(width, height, false);
      this.updateRootSize();
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      this.draw();
    }
  }

  // Roots are 0.6 mm wide, so the map stays visible between them.
  updateRootSize() {
    this.rootSize.value = 0.0003 * this.section.clientHeight * this.renderer.getPixelRatio();
  }

  draw() {
    if (!this.frameRequest) {
      this.frameRequest = requestAnimationFrame(() => {
        this.frameRequest = 0;
        if (!this.liveHair.draw()) {
          this.setPixelRatio(this.interactiveRatio);
          this.setDrawFraction(this.interactiveRatio < 1 ? 0.25 : 1);
          this.render((milliseconds) => this.adaptResolution(milliseconds));
        }
        this.onDrawn?.();
      });
    }
  }

  /** Draws and reports the GPU time through a fence. While a measurement is pending further frames are not measured. @param {(milliseconds: number) => void} done */
  render(done) {
    const gl = /** @type {WebGL2RenderingContext} */ (this.renderer.getContext());
    const begin = performance.now();
    this.renderer.render(this.scene, this.camera);
    if (this.isMeasuring) return;
    const fence = /** @type {WebGLSync} */ (gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0));
    gl.flush();
    this.isMeasuring = true;
    const poll = () => {
      if (gl.isContextLost() || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED) {
        gl.deleteSync(fence);
        this.isMeasuring = false;
        this.drawMs = performance.now() - begin;
        done(this.drawMs);
      } else {
        setTimeout(poll, 8);
      }
    };
    setTimeout(poll, 0);
  }

  /** @param {number} ratio */
  setPixelRatio(ratio) {
    if (ratio !== this.renderer.getPixelRatio()) {
      this.renderer.setPixelRatio(ratio);
      this.updateRootSize();
    }
  }

  /** Draws only the first roots and strands; any prefix of them is evenly distributed. @param {number} fraction */
  setDrawFraction(fraction) {
    const { geometry } = this.roots ?? {};
    geometry?.setDrawRange(0, Math.ceil(fraction * geometry.attributes.position.count));
    this.scene.children.forEach((child) => child.userData.setDrawFraction?.(fraction));
  }

  /** Without a GPU: lower resolution and fewer roots and strands during interaction, then one refined frame. @param {number} milliseconds */
  adaptResolution(milliseconds) {
    this.slowFrames = milliseconds > SLOW_DRAW_MS ? this.slowFrames + 1 : 0;
    this.fastFrames = milliseconds < SLOW_DRAW_MS / 4 ? this.fastFrames + 1 : 0;
    const full = Math.min(devicePixelRatio, 2);
    if (this.slowFrames >= SLOW_FRAMES && this.interactiveRatio > 0.5) {
      this.slowFrames = 0;
      this.interactiveRatio = Math.max(0.5, RATIO_STEP * this.interactiveRatio);
      this.draw();
    } else if (this.fastFrames >= FAST_FRAMES && this.interactiveRatio < full) {
      this.fastFrames = 0;
      this.interactiveRatio = Math.min(full, this.interactiveRatio / RATIO_STEP);
      this.draw();
    }
    clearTimeout(this.refineTimer);
    if (this.interactiveRatio < this.stillRatio) {
      this.refineTimer = setTimeout(() => this.refine(), Math.max(400, 5 * milliseconds)); // longer than the interval of live frames
    }
  }

  /** While a rendered image covers the view, refining and live frames would only slow the renderer down. @param {boolean} isOccluded */
  setOccluded(isOccluded) {
    const before = this.isOccluded;
    this.isOccluded = isOccluded;
    if (before && !isOccluded) this.draw();
    if (before !== isOccluded) this.onOccludedChange?.();
  }

  // A supersampled frame; if it takes too long later ones use the display's own pixel ratio.
  refine() {
    if (!this.frameRequest && !this.isOccluded) {
      this.setPixelRatio(this.stillRatio);
      this.setDrawFraction(1);
      this.render((milliseconds) => this.adaptRefinement(milliseconds));
    }
  }

  /** Supersampling is left out while it takes too long; it costs up to four times as much. @param {number} milliseconds of a refined frame */
  adaptRefinement(milliseconds) {
    this.fastRefines = milliseconds < SLOW_REFINE_MS / 8 ? this.fastRefines + 1 : 0;
    if (milliseconds > SLOW_REFINE_MS) this.stillRatio = Math.min(devicePixelRatio, 2);
    else if (this.fastRefines >= 3) this.stillRatio = 2;
  }

  /** @param {import('../paint/surface.js').Surface} surface */
  setSurface(surface) {
    this.surface = surface;
    this.poseUploaded = false;
    if (this.bodyMesh) {
      this.scene.remove(this.bodyMesh);
      this.bodyMesh.geometry.dispose();
    }
    const corners = 3 * surface.triangles;
    const positions = new Float32Array(3 * corners);
    const growth = new Float32Array(corners);
    for (let c = 0; c < corners; ++c) {
      positions.set(surface.positions.subarray(3 * surface.indices[c], 3 * surface.indices[c] + 3), 3 * c);
      growth[c] = surface.growthMask[Math.floor(c / 3)];
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(surface.normals, 3));
    geometry.setAttribute('uv', new THREE.BufferAttribute(surface.uvs ? surface.uvs.slice() : new Float32Array(2 * corners), 2));
    geometry.setAttribute('udimCorner', new THREE.BufferAttribute(new Float32Array(2 * corners), 2));
    geometry.setAttribute('growth', new THREE.BufferAttribute(growth, 1));
    this.bodyMesh = new THREE.Mesh(geometry, new THREE.ShaderMaterial({
      vertexShader: BODY_VERTEX, fragmentShader: BODY_FRAGMENT, uniforms: this.uniforms, side: THREE.DoubleSide,
    }));
    this.scene.add(this.bodyMesh);
    this.setHome(surface);
  }

  /** The home view frames the growth area from the front and slightly above. @param {import('../paint/surface.js').Surface} surface */
  setHome(surface) {
    const box = new THREE.Box3();
    for (let t = 0; t < surface.triangles; ++t) {
      for (let i = 0; surface.growthMask[t] && i < 3; ++i) box.expandByPoint(new THREE.Vector3().fromArray(surface.corner(t, i)));
    }
    if (box.isEmpty()) box.setFromArray(surface.triangles > 0 ? surface.positions : [-0.15, -0.15, -0.15, 0.15, 0.15, 0.15]); // nothing grows
    const size = box.getSize(new THREE.Vector3()).length();
    this.home = { box, size, direction: [0.35, 0.3, 1] };
    this.camera.near = size / 100;
    this.camera.far = 50 * size;
    this.controls.minDistance = 2 * this.camera.near;
    this.lookFrom();
  }

  // Frames the growth area with the standard lens; direction points from its centre to the camera.
  lookFrom(direction = this.home.direction) {
    this.camera.fov = FOV;
    fitBox(this, this.home.box, direction);
  }

  /** @param {Map<number, string>} colors chosen ones by region */
  setRegionColors(colors) {
    const { value: texture } = this.uniforms.regions;
    /** @type {Uint8Array} */ (texture.image.data).set(regionBytes(colors));
    texture.needsUpdate = true;
    this.draw();
  }

  /** @param {import('./map_texture.js').MapTexture | null} mapTexture @param {number} mode */
  setMapTexture(mapTexture, mode) {
    if (mapTexture !== this.mapTexture) {
      this.uniforms.map.value?.dispose();
      this.mapTexture = mapTexture;
      this.uniforms.map.value = null;
      if (mapTexture) {
        const texture = new THREE.DataTexture(mapTexture.bytes, mapTexture.width, mapTexture.height, THREE.RedFormat);
        texture.unpackAlignment = 1;
        this.uniforms.map.value = texture;
        this.updateAtlasUvs(mapTexture);
      }
    }
    if (this.uniforms.map.value) {
      const texture = this.uniforms.map.value;
      texture.minFilter = texture.magFilter = mode === REGIONS ? THREE.NearestFilter : THREE.LinearFilter;
    }
    this.uniforms.mode.value = mapTexture ? mode : 0;
    this.refreshMapTexture();
  }

  /** Vertex UVs in the atlas of the map. @param {import('./map_texture.js').MapTexture} mapTexture */
  updateAtlasUvs({ map, width, height }) {
    if (!this.surface.uvs) return;
    const { udimIndices, uvs } = this.surface.atlasUvs(map);
    const { uv, udimCorner } = this.bodyMesh.geometry.attributes;
    uv.array.set(uvs);
    for (let c = 0; c < udimIndices.length * 3; ++c) {
      const udim = map.udims[udimIndices[Math.floor(c / 3)]] ?? map.udims[0];
      udimCorner.array.set([udim.x / map.width, udim.y / map.height], 2 * c);
    }
    uv.needsUpdate = udimCorner.needsUpdate = true;
    this.uniforms.udim.value.set(map.udimWidth / map.width, map.udimHeight / map.height, 0.5 / width, 0.5 / height);
  }

  refreshMapTexture() {
    if (this.uniforms.map.value) this.uniforms.map.value.needsUpdate = true;
    this.draw();
  }

  /** @param {Float32Array} candidates position and normal per root @param {number} offset along the normal, metres */
  setRootCandidates(candidates, offset) {
    if (this.roots) {
      this.scene.remove(this.roots);
      this.roots.geometry.dispose();
    }
    const count = candidates.length / 6;
    const positions = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) {
      for (let k = 0; k < 3; ++k) positions[3 * i + k] = candidates[6 * i + k] + offset * candidates[6 * i + 3 + k];
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute('alive', new THREE.BufferAttribute(new Float32Array(count), 1));
    this.roots = new THREE.Points(geometry, new THREE.ShaderMaterial({
      vertexShader: ROOT_VERTEX, fragmentShader: ROOT_FRAGMENT,
      uniforms: { size: this.rootSize, color: { value: new THREE.Vector3(1, 0.95, 0.85) } },
    }));
    this.roots.visible = this.rootsVisible;
    this.roots.frustumCulled = false;
    this.scene.add(this.roots);
  }

  /** @param {Uint8Array} bytes 1 per candidate that grows */
  setRootsAlive(bytes) {
    const { alive } = this.roots.geometry.attributes;
    alive.array.set(bytes.subarray(0, alive.count));
    alive.needsUpdate = true;
    this.draw();
  }

  /** Vertex positions of the body at a frame; null: rest pose. @param {Float32Array | null} positions */
  setPose(positions) {
    this.pose = positions;
    this.backgroundGrooms?.setBody(positions);
    if (!positions && !this.poseUploaded) return;
    this.poseUploaded = positions !== null;
    const from = positions ?? this.surface.positions;
    const { position } = this.bodyMesh.geometry.attributes;
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

  /** @param {boolean} visible */
  setRootsVisible(visible) {
    this.rootsVisible = visible;
    if (this.roots) this.roots.visible = visible;
    this.draw();
  }

  /** The viewing ray through a pixel. @param {number} x @param {number} y */
  ray(x, y) {
    this.camera.updateMatrixWorld();
    const through = new THREE.Vector3((2 * x) / this.section.clientWidth - 1, 1 - (2 * y) / this.section.clientHeight, 0.5);
    through.unproject(this.camera);
    const origin = this.camera.position;
    const direction = through.sub(origin).normalize();
    return { origin: origin.toArray(), direction: direction.toArray() };
  }

  get posed() {
    return this.pose !== null;
  }

  // The surface of the body as it is drawn.
  get shownSurface() {
    return this.pose && this.surface ? posedSurface(this.surface, this.pose) : this.surface;
  }

  /** The surface as drawn under a pixel. @param {number} x @param {number} y */
  hit(x, y) {
    const { origin, direction } = this.ray(x, y);
    return this.shownSurface?.raycast(origin, direction) ?? null;
  }

  /** The pixel of a point in space. @param {number[]} point */
  toPixels(point) {
    this.camera.updateMatrixWorld(); // the camera may have moved since the last draw
    const p = new THREE.Vector3().fromArray(point).project(this.camera);
    return [(p.x + 1) / 2 * this.section.clientWidth, (1 - p.y) / 2 * this.section.clientHeight];
  }

  /** @param {number} factor above 1: closer */
  zoomBy(factor) {
    const { camera, controls } = this;
    camera.position.sub(controls.target).multiplyScalar(1 / factor).add(controls.target);
    controls.update();
    this.draw();
  }

  /** A polyline over the view in pixels: lasso or gradient; null for none. @param {number[][] | null} pixels */
  setTrail(pixels) {
    this.trail.visible = pixels !== null && pixels.length > 1;
    if (pixels && this.trail.visible) {
      const { clientWidth: width, clientHeight: height } = this.section;
      this.trail.geometry.dispose();
      this.trail.geometry = new THREE.BufferGeometry().setFromPoints(pixels.map(([x, y]) =>
        new THREE.Vector3((2 * x) / width - 1, 1 - (2 * y) / height, 0).unproject(this.camera)));
    }
    this.draw();
  }

  /** Size of a pixel at a point, metres. @param {number[]} point */
  pixelSizeAt(point) {
    return (2 * Math.tan((Math.PI * this.camera.fov) / 360) * this.camera.position.distanceTo(new THREE.Vector3().fromArray(point))) / this.section.clientHeight;
  }
}
