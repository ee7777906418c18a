// Strands of the grooms that are not selected, in their rest shape. They follow the body rigidly, each strand with the
// triangle under its root.

import { getBytes } from '../net/api.js';
import { state } from '../state/store.js';
import { AttachedHair } from './attached_hair.js';
import { displayRadius, strandBudget } from './strand_budget.js';
import { StrandMesh } from './strand_mesh.js';
import { decodeStrandPacket } from './strand_packet.js';

const MAX_STRANDS = 8000; // per groom
const MAX_SOFTWARE_STRANDS = 2000; // per groom, with the software renderer

const bodyName = (/** @type {number} */ groom) => state.scene.grooms?.[groom]?.body;

export class BackgroundGrooms {
  /** @param {import('../view/view3d.js').View3d} view3d */
  constructor(view3d) {
    this.view3d = view3d;
    this.visible = false;
    this.software = false;
    /** @type {Map<number, StrandMesh>} by groom */ this.meshes = new Map();
    /** @type {Map<number, { attached: AttachedHair, limit: number }>} by groom */ this.hair = new Map();
    this.key = ''; // of the scene the strands were generated for
    /** @type {Float32Array | null} posed vertices; null: rest pose */ this.body = null;
    this.version = 0; // increases when the appearance changes
    view3d.backgroundGrooms = this;
  }

  /** Strands are fetched again when the scene changed. @param {boolean} visible */
  async setVisible(visible) {
    this.visible = visible; // may change again during the fetch
    if (visible) {
      const key = `${state.sceneRevision} ${state.groom}`;
      if (key !== this.key) {
        this.key = key;
        await this.load();
      }
    }
    this.version += 1;
    this.upload();
    this.view3d.draw();
  }

  visibleGrooms() {
    return [...this.meshes.keys()].filter((groom) => this.visible && groom !== state.groom && groom < state.grooms.length);
  }

  async load() {
    for (let groom = 0; groom < state.grooms.length; ++groom) {
      if (groom === state.groom) continue;
      const limit = strandBudget(groom, MAX_STRANDS);
      const packet = decodeStrandPacket(await getBytes('/api/strands', { groom, limit }));
      if (!this.meshes.has(groom)) {
        const strandMesh = new StrandMesh();
        this.meshes.set(groom, strandMesh);
        this.view3d.scene.add(strandMesh.mesh);
      }
      if (packet) this.hair.set(groom, { attached: new AttachedHair(packet, this.view3d.surface), limit });
    }
  }

  /** Pose of the body of the selected groom. @param {Float32Array | null} body */
  setBody(body) {
    if (body === this.body) return;
    this.body = body;
    this.version += 1;
    if (this.visible) this.upload();
  }

  /** Grooms on other bodies stay at rest. @param {number} groom */
  poseFor(groom) {
    return bodyName(groom) === bodyName(state.groom) ? this.body : null;
  }

  // To WebGL; the software renderer reads rasterInput().
  upload() {
    const grooms = this.visibleGrooms();
    this.meshes.forEach((strandMesh, groom) => {
      const hair = this.hair.get(groom);
      strandMesh.mesh.visible = !this.software && grooms.includes(groom) && hair !== undefined;
      if (strandMesh.mesh.visible && hair) strandMesh.update(hair.attached.deform(this.poseFor(groom)), displayRadius(groom, hair.limit));
    });
  }

  /** @param {boolean} software */
  setSoftware(software) {
    if (software !== this.software) {
      this.software = software;
      this.version += 1;
      this.upload();
    }
  }

  // Strands for the software renderer: fewer and wider. Only generated strands can be thinned by taking the first ones;
  // those of a file are not ordered for it.
  rasterInput() {
    return this.visibleGrooms().flatMap((groom) => {
      const hair = this.hair.get(groom);
      const strandMesh = this.meshes.get(groom);
      if (!hair || !strandMesh) return [];
      const { packet } = hair.attached;
      const strands = state.scene.grooms[groom].file ? packet.strandCount : Math.min(packet.strandCount, strandBudget(groom, MAX_SOFTWARE_STRANDS));
      const deformed = hair.attached.deform(this.poseFor(groom), strands);
      strandMesh.setStrands(packet);
      return [{ ...deformed, lengths: deformed.lengths.subarray(0, strands), pointColors: strandMesh.pointColors, radius: displayRadius(groom, strands) }];
    });
  }
}
