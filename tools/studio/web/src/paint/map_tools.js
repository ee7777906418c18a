// The tools and keys that paint maps.

import { registerShortcuts } from '../state/shortcuts.js';
import { emit, on } from '../state/store.js';
import { registerTools } from '../state/tools.js';
import { preference, setPreference } from '../state/preferences.js';
import { brush } from './brush.js';
import { fill, invert } from './painter.js';

const RADIUS_STEP = 1.15;
const NAVIGATION = { right: 'Pan', wheel: 'Zoom', 'shift+left': 'Straight line', 'ctrl+right': 'Radius and strength', 'alt+left': 'Orbit', 'ctrl+left': 'Move the head', 'shift+ctrl+left': 'Rotate the head' };

/** @param {string} left */
const paints = (left) => ({ left, ...NAVIGATION, '[ ]': 'Radius', X: 'Swap values' });

export function registerMapTools() {
  registerTools([
    { id: 'set', group: 'map', name: 'Paint', icon: 'paint', key: 'b', help: 'Paints the value of the brush.', inputs: paints('Paint') },
    { id: 'add', group: 'map', name: 'Add', icon: 'add', key: 'a', help: 'Raises the value under the brush.', inputs: paints('Raise the value') },
    { id: 'subtract', group: 'map', name: 'Subtract', icon: 'subtract', key: 's', help: 'Lowers the value under the brush.', inputs: paints('Lower the value') },
    { id: 'smooth', group: 'map', name: 'Blur', icon: 'blur', key: 'm', help: 'Evens out values under the brush.', inputs: paints('Blur') },
    { id: 'smear', group: 'map', name: 'Smear', icon: 'smear', key: 'e', help: 'Drags values along the stroke.', inputs: paints('Smear') },
    { id: 'erase', group: 'map', name: 'Erase', icon: 'delete', key: 'd', help: 'Uncovers what is below a layer; on a map without layers it paints the second value.', inputs: paints('Erase') },
    { id: 'lasso', group: 'map', name: 'Lasso', icon: 'lasso', key: 'l', help: 'Fills the visible surface inside a drawn outline with the value.', inputs: paints('Draw an outline') },
    { id: 'gradient', group: 'map', name: 'Gradient', icon: 'gradient', key: 'g', help: 'Blends from the value to the second value along a drag.', inputs: paints('Drag from the value to the second value') },
    { id: 'navigate', group: 'view', name: 'Orbit', icon: 'orbit', key: 'v', help: 'Orbits with the left button, without painting.', inputs: { left: 'Orbit', right: 'Pan', wheel: 'Zoom', 'ctrl+left': 'Move the head' } },
  ]);
  on('toolChanged', (tool) => { if (tool.group !== 'hair') brush.tool = tool.id; });

  const scaleRadius = (/** @type {number} */ factor) => {
    brush.radius = Math.min(brush.maxRadius, Math.max(0.0005, brush.radius * factor));
    brush.userSized = true;
    emit('brushChanged');
  };
  registerShortcuts([
    { key: ']', section: 'Brush', help: 'Larger brush', action: () => scaleRadius(RADIUS_STEP) },
    { key: '[', section: 'Brush', help: 'Smaller brush', action: () => scaleRadius(1 / RADIUS_STEP) },
    { key: 'i', section: 'Brush', help: 'Held: click picks the value under the pointer' },
    { key: '', label: 'Shift-click', section: 'Brush', help: 'Straight line from the end of the last stroke' },
    { key: '', label: 'Ctrl-drag, right button', section: 'Brush', help: 'Radius (sideways) and strength (up and down)' },
    { key: 'x', section: 'Brush', help: 'Swap the value and the second value', action: () => {
      [brush.value, brush.secondaryValue] = [brush.secondaryValue, brush.value];
      [brush.region, brush.secondaryRegion] = [brush.secondaryRegion, brush.region];
      emit('brushChanged');
    } },
  ]);
}

/** @type {import('../ui/tool_palette.js').ToolAction[]} */ export const mapActions = [
  { id: 'fill', group: 'map', name: 'Fill', icon: 'fill', help: 'Fills the whole map with the value.', action: () => fill() },
  { id: 'invert', group: 'map', name: 'Invert', icon: 'invert', help: 'Inverts the whole map: 1 becomes 0.', action: () => invert() },
];

/** Radius and mirror of the last visit; changes are kept. */
export function rememberBrush() {
  const radius = preference('radius', 0);
  if (radius > 0) Object.assign(brush, { radius, userSized: true });
  brush.symmetric = preference('mirror', false);
  let kept = '';
  const keep = () => {
    const now = `${brush.radius} ${brush.symmetric}`;
    if (now === kept) return;
    kept = now;
    if (brush.userSized) setPreference('radius', brush.radius);
    setPreference('mirror', brush.symmetric);
  };
  on('brushChanged', keep);
  addEventListener('pagehide', keep);
}
