// layer_chooser: which layer of the last full frame is looked at in place of the picture.

import { getBytes } from '../net/api.js';
import { attempt, element } from '../ui/dom.js';

// Layers that one word for the EXR file stands for, where they are not one of that name.
const NAMES = { hair_lobes: ['R', 'TT', 'TRT', 'hair_multiple', 'surface'], crypto: [], groups: [] };

// Chosen is called with the name of the layer that is shown, '' for the picture itself.
export function layerChooser({ prints, stage, chosen }) {
  const fetching = element('output', { className: 'fetching', hidden: true });
  stage.append(fetching);
  let turn = 0; // of the last choice: answers to those before it are not shown

  const say = (layer) => {
    fetching.hidden = !layer;
    fetching.textContent = layer ? `fetching layer ${layer} …` : '';
    stage.setAttribute('aria-busy', String(Boolean(layer)));
  };

  const look = () => attempt(async () => {
    const mine = ++turn;
    const layer = select.value;
    say(layer);
    try {
      const bytes = layer ? await getBytes('/api/picture', { layer }) : null;
      if (mine === turn) {
        await prints.setLayer(bytes);
        chosen(layer);
      }
    } finally {
      if (mine === turn) say('');
    }
  });

  const select = element('select', { 'aria-label': 'Layer shown', onchange: look });
  const fill = (names) => select.replaceChildren(...['', ...names].map((name) => element('option', { value: name }, name || 'beauty')));
  fill([]);

  return {
    element: select,
    get layer() { return select.value; },

    // A new picture is looked at itself.
    reset() {
      turn += 1;
      select.value = '';
      say('');
    },

    // Those of a new full frame. One that is looked at is shown anew.
    offer(words) {
      const before = select.value;
      const names = words.flatMap((word) => NAMES[word] ?? [word]);
      fill(names);
      select.value = names.includes(before) ? before : '';
      if (before) look();
    },
  };
}
