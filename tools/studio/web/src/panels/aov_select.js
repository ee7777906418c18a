// Selects which AOV of the last final render is displayed instead of the image.

import { getBytes } from '../net/api.js';
import { state } from '../state/store.js';
import { element, tryOrToast } from '../ui/dom.js';

/**
 * @param {object} parts
 * @param {import('../view/render_images.js').RenderImages} parts.renderImages
 * @param {HTMLElement} parts.renderView
 * @param {(aov: string) => void} parts.onShown '' for the image itself
 */
export function createAovSelect({ renderImages, renderView, onShown }) {
  const progress = element('output', { className: 'fetching', hidden: true });
  renderView.append(progress);
  /** @type {string | undefined} 'region': of a rendered region */ let which;
  let request = 0; // number of the last selection: replies to earlier ones are dropped

  const showProgress = (/** @type {string} */ aov) => {
    progress.hidden = !aov;
    progress.textContent = aov ? `loading AOV ${aov} …` : '';
    renderView.setAttribute('aria-busy', String(Boolean(aov)));
  };

  const load = () => tryOrToast(async () => {
    const mine = ++request;
    const aov = select.value;
    showProgress(aov);
    try {
      const bytes = aov ? await getBytes('/api/image', { aov, which }) : null;
      if (mine === request) {
        await renderImages.setAov(bytes);
        onShown(aov);
      }
    } finally {
      if (mine === request) showProgress('');
    }
  });

  const select = element('select', { 'aria-label': 'AOV shown', onchange: load });
  const setOptions = (/** @type {string[]} */ names) => select.replaceChildren(...['', ...names].map((name) => element('option', { value: name }, name || 'beauty')));
  setOptions([]);

  return {
    element: select,
    get aov() { return select.value; },
    get query() { return { aov: select.value, which }; },

    // A new render displays its image.
    reset() {
      request += 1;
      select.value = '';
      showProgress('');
    },

    /** The AOVs of a finished render; a selected one is loaded again. @param {string[]} names @param {string} [renderedPart] 'region' */
    setAvailable(names, renderedPart) {
      const before = select.value;
      which = renderedPart;
      const shown = names.flatMap((name) => state.aovs.find((/** @type {any} */ aov) => aov.name === name)?.layers ?? []);
      setOptions(shown);
      select.value = shown.includes(before) ? before : '';
      if (before) load();
    },
  };
}
