// Standard views and fitting: buttons, number keys and the numeric keypad, and the view cube.

import { registerShortcuts } from '../state/shortcuts.js';
import { element } from '../ui/dom.js';
import { roveFocus } from '../ui/roving_focus.js';
import { setTip } from '../ui/tooltip.js';
import { fitBox, fitUvBox, orbitBy, scalpBox, scalpUvBox, selectedBox, wholeBox } from './framing.js';
import { createViewCube } from './view_cube.js';

// Name, direction from the target to the camera, key, key of the numeric keypad (^: with Ctrl). Left and right are
// those of the head.
/** @type {[string, number[], string, string][]} */ const PRESETS = [
  ['Front', [0, 0.12, 1], '1', '1'], ['Left', [1, 0.12, 0], '2', '3'], ['Back', [0, 0.12, -1], '3', '^1'],
  ['Right', [-1, 0.12, 0], '4', '^3'], ['Top', [0, 1, 0.001], '5', '7'], ['Bottom', [0, -1, 0.001], '6', '^7'],
];
const STEP = Math.PI / 12; // of a turn by the keypad

/** @param {string} label @param {import('../ui/tooltip.js').Tip} tip @param {() => void} onclick @param {string} [id] */
const tool = (label, tip, onclick, id) => setTip(element('button', { type: 'button', onclick, ...(id ? { id } : {}) }, label), tip);

/** @param {import('./view3d.js').View3d} view3d @param {import('./uv_view.js').UvView} uvView */
export function createViewPresets(view3d, uvView) {
  const isUvActive = () => uvView.section.matches(':hover') || (uvView.section.matches(':focus-within') && !view3d.section.matches(':hover'));
  const fitUvScalp = () => { if (uvView.surface) fitUvBox(uvView, scalpUvBox(uvView.surface)); };
  const fitScalp = () => (isUvActive() ? fitUvScalp() : fitBox(view3d, scalpBox(view3d)));
  const fitHair = () => (isUvActive() ? fitUvScalp() : fitBox(view3d, selectedBox(view3d)));
  const fitAll = () => (isUvActive() ? fitUvBox(uvView, null) : fitBox(view3d, wholeBox(view3d)));

  const bar = element('div', { className: 'view-presets', role: 'toolbar', 'aria-label': 'View' },
    ...PRESETS.map(([name, direction, key]) => tool(name, { name, key, help: `View from the ${name.toLowerCase()}.` }, () => view3d.lookFrom(direction))),
    tool('Fit scalp', { name: 'Fit scalp', key: 'F', help: 'Shows the whole growth area, in the view under the pointer.' }, fitScalp, 'frame-view'),
    tool('Fit hair', { name: 'Fit hair', key: 'Shift-F', help: 'Shows the displayed hair of the selected groom.' }, fitHair),
    tool('Fit all', { name: 'Fit all', key: 'Home', help: 'Shows body and hair, or all UDIM tiles.' }, fitAll));
  const uvBar = element('div', { className: 'view-presets', role: 'toolbar', 'aria-label': 'UV view' },
    tool('Fit scalp', { name: 'Fit scalp', key: 'F', help: 'Shows the UVs of the growth area.' }, fitUvScalp),
    tool('Fit all', { name: 'Fit all', key: 'Home', help: 'Shows all UDIM tiles.' }, () => fitUvBox(uvView, null)));
  view3d.section.append(bar, createViewCube(view3d, PRESETS));
  uvView.section.append(uvBar);
  roveFocus(bar, 'button');
  roveFocus(uvBar, 'button');

  const ignores = () => view3d.isOccluded; // a rendered image is displayed
  /** @type {[string, string, string, () => void][]} */ const keypad = [
    ['8', 'Keypad 8 2 4 6', 'Orbit by 15 degrees', () => orbitBy(view3d, 0, STEP)], ['2', '', '', () => orbitBy(view3d, 0, -STEP)],
    ['4', '', '', () => orbitBy(view3d, -STEP, 0)], ['6', '', '', () => orbitBy(view3d, STEP, 0)],
    ['9', 'Keypad 9', 'Turn around', () => orbitBy(view3d, Math.PI, 0)], ['Decimal', 'Keypad .', 'Fit the hair', fitHair],
    ['Add', 'Keypad + −', 'Zoom', () => view3d.zoomBy(1.15)], ['Subtract', '', '', () => view3d.zoomBy(1 / 1.15)],
  ];
  registerShortcuts([
    ...PRESETS.map(([name, direction, key]) => ({ key, section: 'View', help: `View from the ${name.toLowerCase()}`, action: () => view3d.lookFrom(direction), ignores })),
    { key: 'f', shift: false, section: 'View', help: 'Fit the scalp in the view under the pointer', action: fitScalp, ignores },
    { key: 'f', shift: true, section: 'View', help: 'Fit the hair of the groom in the view', action: fitHair, ignores },
    { key: 'home', label: 'Home', section: 'View', help: 'Fit everything in the view under the pointer', action: fitAll, ignores: (target) => view3d.isOccluded || !target.matches('body, #views canvas') },
    ...PRESETS.map(([name, direction, , pad]) => ({
      key: `numpad${pad.replace('^', '')}`, ctrl: pad.startsWith('^'), label: `${pad.startsWith('^') ? 'Ctrl-' : ''}keypad ${pad.replace('^', '')}`,
      section: 'View', help: `View from the ${name.toLowerCase()}`, action: () => view3d.lookFrom(direction), ignores,
    })),
    ...keypad.map(([pad, label, help, action]) => ({ key: `numpad${pad.toLowerCase()}`, label, section: help ? 'View' : '', help, action, ignores })),
  ]);
}
