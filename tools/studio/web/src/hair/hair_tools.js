// The tools that brush hair.

import { registerShortcuts } from '../state/shortcuts.js';
import { registerTools } from '../state/tools.js';

const NAVIGATION = { right: 'Pan', wheel: 'Zoom', 'ctrl+right': 'Radius and strength', 'alt+left': 'Orbit', 'ctrl+left': 'Move the head', '[ ]': 'Radius' };

/** @param {string} left @param {string} [shifted] */
const brushes = (left, shifted) => ({ left, ...(shifted ? { 'shift+left': shifted } : {}), ...NAVIGATION });

export function registerHairTools() {
  registerTools([
    { id: 'comb', group: 'hair', name: 'Comb', icon: 'comb', key: 'b', help: 'Drags hair along. Roots and lengths stay.', inputs: brushes('Comb', 'Smooth') },
    { id: 'hair-smooth', group: 'hair', name: 'Smooth', icon: 'smooth', key: 'm', help: 'Straightens bends of the strands.', inputs: brushes('Smooth') },
    { id: 'puff', group: 'hair', name: 'Puff', icon: 'puff', key: 'p', help: 'Raises hair from the skin.', inputs: brushes('Puff', 'Press flat') },
    { id: 'clump', group: 'hair', name: 'Clump', icon: 'clump', key: 'g', help: 'Gathers hair towards the middle of the brush.', inputs: brushes('Clump', 'Spread') },
    { id: 'twist', group: 'hair', name: 'Twist', icon: 'twist', key: 't', help: 'Twists a lock around itself.', inputs: brushes('Twist', 'Twist the other way') },
    { id: 'part', group: 'hair', name: 'Part', icon: 'part', key: 'a', help: 'Parts hair to both sides of a line drawn on the skin.', inputs: brushes('Draw the line of the parting') },
    { id: 'lengthen', group: 'hair', name: 'Lengthen', icon: 'lengthen', key: 'l', help: 'Makes strands longer.', inputs: brushes('Lengthen', 'Shorten') },
    { id: 'cut', group: 'hair', name: 'Cut', icon: 'cut', key: 'k', help: 'Cuts strands where the brush touches them.', inputs: brushes('Cut') },
    { id: 'draw', group: 'hair', name: 'Draw', icon: 'draw', key: 'd', help: 'Draws a new strand from the skin, also where no hair grows. Hair around its root follows it.', inputs: brushes('Draw a strand from the skin', 'Hair in the brush follows the line') },
    { id: 'delete', group: 'hair', name: 'Remove', icon: 'delete', key: 'e', help: 'Removes strands.', inputs: brushes('Remove strands') },
    { id: 'pin', group: 'hair', name: 'Pin', icon: 'pin', key: 'n', help: 'Pinned strands are left alone by the other tools.', inputs: brushes('Pin', 'Unpin') },
  ]);
  registerShortcuts([
    { key: '', label: 'Shift-drag', section: 'Groom', help: 'The opposite of the tool: shorten, flatten, spread, unpin. With Comb: smooth. With Draw: existing hair follows the line' },
  ]);
}

/** Name of a tool in dabs. @param {string} id */
export const dabTool = (id) => (id === 'hair-smooth' ? 'smooth' : id);
