// Icons of buttons and lists: outlines of 24 x 24 units in the colour of the text. General ones come from Lucide, those
// of hair tools are drawn here.

import {
  Blend, Box, Camera, Check, ChevronDown, ChevronRight, Circle, CircleDot, Copy, Diamond, Download, Eraser, Expand, Eye, EyeOff, Film, Folder, FolderOpen, Hand, House,
  Image, Key, Lasso, Layers, Lightbulb, Link, Lock, LockOpen, Magnet, Minus, MoveVertical, Paintbrush, PaintBucket, Palette, Pause, PencilLine, PersonStanding, Pin, Pipette,
  Play, Plus, Redo2, RefreshCw, Rotate3d, RotateCcw, Save, Scan, Scissors, Search, Settings, Shield, SkipBack, SquareMinus, SquarePlus, Square, StepForward, SunDim, Trash, TriangleAlert, Undo2,
  Upload, Wind, X, Contrast, CircleQuestionMark, PanelRight, ArrowUp, ArrowDown, Droplet, FlipHorizontal2, Hash,
} from 'lucide';

/** @typedef {[string, Record<string, string | number | undefined>][]} IconNode tags and attributes */

/** @param {string[]} outlines @returns {IconNode} */
const drawn = (...outlines) => outlines.map((d) => ['path', { d }]);

const icons = /** @satisfies {Record<string, any>} */ ({
  // Map tools
  paint: Paintbrush, add: SquarePlus, subtract: SquareMinus, blur: Droplet, lasso: Lasso, orbit: Rotate3d, fill: PaintBucket, invert: Contrast,
  smear: drawn('M3 17c3-6 6-6 8-3s5 3 10-4', 'M17 9l4 1-1 4', 'M3 21c4-3 7-3 9-2'),
  gradient: drawn('M4 4h16v16H4z', 'M8 4v16', 'M11.5 8v12', 'M15 12v8', 'M18 16v4'),
  // Hair tools
  comb: drawn('M4 5h16v4H4z', 'M5 9v11', 'M8.5 9v11', 'M12 9v11', 'M15.5 9v11', 'M19 9v11'),
  cut: Scissors,
  lengthen: drawn('M6 21V11', 'M6 3v3', 'M4 5l2-2 2 2', 'M12 21V11', 'M12 3v3', 'M10 5l2-2 2 2', 'M18 21V11', 'M18 3v3', 'M16 5l2-2 2 2'),
  puff: drawn('M4 20c0-6-1-9-2-12', 'M9 20c0-7-1-11-2-15', 'M15 20c0-7 1-11 2-15', 'M20 20c0-6 1-9 2-12', 'M10 9l2-4 2 4', 'M12 5v9'),
  smooth: drawn('M3 8c3-5 5 5 8 0s6 5 10 0', 'M3 16c6-2 12-2 18 0', 'M3 20c6-2 12-2 18 0'),
  clump: drawn('M4 3c0 9 5 11 7 18', 'M9 3c0 8 2 12 3 18', 'M15 3c0 8-2 12-3 18', 'M20 3c0 9-5 11-7 18'),
  twist: drawn('M8 3c0 5 8 4 8 9s-8 4-8 9', 'M16 3c0 5-8 4-8 9s8 4 8 9'),
  part: drawn('M12 21V3', 'M10 5C6 6 4 11 3 20', 'M14 5c4 1 6 6 7 15', 'M10 10c-2 2-3 6-3 10', 'M14 10c2 2 3 6 3 10'),
  draw: PencilLine, delete: Eraser, pin: Pin, strands: drawn('M5 21c0-7-2-10 0-18', 'M10 21c0-7-2-10 0-18', 'M15 21c0-7-2-10 0-18', 'M20 21c0-7-2-10 0-18'),
  flow: drawn('M3 7c5-4 9 3 15-1', 'M15 3l3 3-3 3', 'M3 17c5-4 9 3 15-1', 'M15 13l3 3-3 3'),
  // Transport and history
  play: Play, pause: Pause, record: CircleDot, step: StepForward, stop: Square, first: SkipBack, reset: RotateCcw, undo: Undo2, redo: Redo2, save: Save, refresh: RefreshCw,
  // Lists
  eye: Eye, 'eye-off': EyeOff, lock: Lock, unlock: LockOpen, plus: Plus, minus: Minus, duplicate: Copy, trash: Trash, up: ArrowUp, down: ArrowDown,
  search: Search, close: X, check: Check, 'chevron-down': ChevronDown, 'chevron-right': ChevronRight, link: Link, key: Key, settings: Settings, help: CircleQuestionMark,
  // Scene
  camera: Camera, light: Lightbulb, body: PersonStanding, groom: Layers, force: Wind, collider: Shield, mesh: Box, material: Palette, image: Image, film: Film, sun: SunDim,
  folder: Folder, 'folder-open': FolderOpen, upload: Upload, download: Download, home: House, magnet: Magnet, hand: Hand, warning: TriangleAlert, number: Hash,
  keyframe: Diamond, mirror: FlipHorizontal2, blend: Blend, pipette: Pipette, fit: Scan, expand: Expand, panel: PanelRight, circle: Circle, move: MoveVertical,
});

/** @typedef {keyof typeof icons} IconName */

const SVG = 'http://www.w3.org/2000/svg';

/** @param {IconName} name @param {number} [size] pixels */
export function icon(name, size = 16) {
  const svg = document.createElementNS(SVG, 'svg');
  const attributes = { class: 'icon', viewBox: '0 0 24 24', width: size, height: size, fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': 'true' };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, String(value));
  for (const [tag, properties] of /** @type {IconNode} */ (icons[name])) {
    const part = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(properties)) part.setAttribute(key, String(value));
    svg.append(part);
  }
  return svg;
}
