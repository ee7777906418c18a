// lost: what is said when the program behind the page has gone: what to do, and what is kept.

import { getJson } from '../net/api.js';
import { element } from './dom.js';
import { canvas } from '../paint/painter.js';
import { state } from '../state/store.js';

const address = `${location.origin.replace(/:\d+$/, '')}:…/?token=…`;

// A stroke that the program has not been told of whole.
const kept = () => (canvas.layer && (canvas.layer.holders > 0 || canvas.layer.missed)
  ? 'The last stroke here had not reached the program whole; everything before it is kept, saved or not.'
  : 'Everything that was done here is kept, saved or not.');

// A program that was started again has a token of its own, at the same address or at another.
async function isAnother() {
  try {
    await getJson('/api/state');
  } catch (error) {
    return error.status === 401;
  }
  return false;
}

export function makeLost() {
  const banner = element('div', { id: 'lost', role: 'alert', hidden: true });
  document.body.append(banner);
  let timer = 0;
  let waits = 0; // for how long nothing may be heard before it is said

  const say = async () => {
    const another = await isAnother();
    if (!timer) return; // it is back
    canvas.away = true;
    const text = another
      ? `The program that this page belongs to has ended, and another coif studio answers in its place. Go on there: open the address that it has printed where it was started (${location.origin}/?token=…), then close this page. ${kept()}`
      : `The program behind this page does not answer. If it has ended, start it again, coif studio ${state.path}, and go on in the page that it opens, whose address it prints (${address}). ${kept()}`;
    if (banner.textContent !== text) banner.textContent = text;
    banner.hidden = false;
  };

  return {
    found() {
      clearTimeout(timer);
      timer = 0;
      waits = 0;
      banner.hidden = true;
      canvas.away = false;
    },

    // Told again with every try that fails: what answers may be another one by then.
    lost() {
      waits ||= Date.now() + 2000;
      clearTimeout(timer);
      timer = setTimeout(say, Math.max(0, waits - Date.now()));
    },
  };
}
