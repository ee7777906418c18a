// Buttons with an icon and a name.

import { element } from './dom.js';
import { icon } from './icons.js';
import { setTip } from './tooltip.js';

/**
 * @param {import('./icons.js').IconName} picture
 * @param {string} name shown beside the icon
 * @param {import('./tooltip.js').Tip} tip
 * @param {(event: MouseEvent) => any} onclick
 * @param {Record<string, any>} [attributes]
 */
export const iconButton = (picture, name, tip, onclick, attributes = {}) =>
  setTip(element('button', { type: 'button', onclick, ...attributes }, icon(picture), element('span', {}, name)), { name, ...tip });

/** Without a visible name: the tooltip and the accessible name have it. @param {import('./icons.js').IconName} picture @param {import('./tooltip.js').Tip & { name: string }} tip @param {(event: MouseEvent) => any} onclick @param {Record<string, any>} [attributes] */
export const smallIconButton = (picture, tip, onclick, attributes = {}) =>
  setTip(element('button', { type: 'button', className: 'icon-button', onclick, ...attributes }, icon(picture, 14)), tip);
