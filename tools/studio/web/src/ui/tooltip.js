// Tooltips: the name, the key and one sentence, shown at once under the pointer or the keyboard focus. Escape hides them.

import { element } from './dom.js';

const GAP = 6; // pixels between control and tooltip

/** @typedef {{ name?: string, key?: string, help?: string }} Tip */

/** Gives an element its tooltip; the name of a control without text is also its accessible name. @template {HTMLElement} T @param {T} target @param {Tip} tip @returns {T} */
export function setTip(target, { name = '', key = '', help = '' }) {
  Object.assign(target.dataset, { tipName: name, tipKey: key, tip: help });
  if (key) target.setAttribute('aria-keyshortcuts', key.replace(/^Ctrl-/, 'Control+').replaceAll('-', '+'));
  if (help) target.setAttribute('aria-description', help);
  if (name && !target.textContent) target.setAttribute('aria-label', name);
  return target;
}

export function createTooltips() {
  const box = element('div', { id: 'tooltip', role: 'tooltip', hidden: true });
  /** @type {HTMLElement | null} */ let shown = null;

  const hide = () => {
    shown = null;
    box.hidden = true;
  };
  const show = (/** @type {HTMLElement} */ target) => {
    const { tip = '', tipName = '', tipKey = '' } = target.dataset;
    shown = target;
    box.replaceChildren(
      ...(tipName || tipKey ? [element('div', { className: 'tip-title' }, element('strong', {}, tipName), ...(tipKey ? [element('kbd', {}, tipKey)] : []))] : []),
      ...(tip && tip !== tipName ? [element('div', {}, tip)] : []));
    if (!box.textContent) {
      hide();
      return;
    }
    (target.closest('dialog') ?? document.body).append(box); // a modal dialog covers the rest of the page
    box.hidden = false;
    const [around, own] = [target.getBoundingClientRect(), box.getBoundingClientRect()];
    const below = around.bottom + GAP + own.height <= innerHeight;
    box.style.left = `${Math.max(GAP, Math.min(innerWidth - own.width - GAP, around.left))}px`;
    box.style.top = `${below ? around.bottom + GAP : Math.max(GAP, around.top - own.height - GAP)}px`;
  };
  const targetOf = (/** @type {Event} */ event) => (event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest('[data-tip], [data-tip-name]')) : null);

  document.addEventListener('pointerover', (event) => {
    const target = event.pointerType === 'touch' || event.buttons ? null : targetOf(event);
    if (target === shown) return;
    if (target) show(target); else hide();
  });
  document.addEventListener('focusin', (event) => {
    const target = targetOf(event);
    if (target && /** @type {Element} */ (event.target).matches(':focus-visible')) show(target);
  });
  for (const name of ['focusout', 'pointerdown', 'wheel']) document.addEventListener(name, hide, { capture: true, passive: true });
  document.documentElement.addEventListener('pointerleave', hide);
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); }, { capture: true });
}
