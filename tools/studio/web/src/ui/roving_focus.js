// Arrow keys inside toolbars, tab lists and listboxes: one stop for Tab, arrow keys, Home and End between the items.

const STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity });

/**
 * @param {HTMLElement} container
 * @param {string} selector of the items
 * @param {(item: HTMLElement) => void} [onMove] after the focus moved to an item by key
 */
export function roveFocus(container, selector, onMove) {
  const items = () => /** @type {HTMLElement[]} */ ([...container.querySelectorAll(selector)])
    .filter((item) => !(/** @type {any} */ (item).disabled) && item.getAttribute('aria-disabled') !== 'true' && item.checkVisibility());
  /** @type {HTMLElement | null} */ let current = null;
  const refresh = () => {
    const all = items();
    const stop = all.find((item) => item === current) ?? all.find((item) => item.matches('[aria-selected="true"], [aria-pressed="true"], [aria-checked="true"]')) ?? all[0];
    for (const item of container.querySelectorAll(selector)) {
      const index = item === stop ? 0 : -1;
      if (/** @type {HTMLElement} */ (item).tabIndex !== index) /** @type {HTMLElement} */ (item).tabIndex = index;
    }
  };
  container.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.indexOf(/** @type {HTMLElement} */ (event.target));
    const step = STEPS[event.key];
    if (at < 0 || step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[Math.max(0, Math.min(all.length - 1, at + step))];
    current = next;
    refresh();
    next.focus();
    onMove?.(next);
  });
  container.addEventListener('focusin', (event) => {
    if (!items().includes(/** @type {HTMLElement} */ (event.target))) return;
    current = /** @type {HTMLElement} */ (event.target);
    refresh();
  });
  new MutationObserver(refresh).observe(container, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'hidden', 'aria-selected', 'aria-pressed'] });
  refresh();
}
