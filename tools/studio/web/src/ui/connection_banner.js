// The banner shown while the server is unreachable, with the steps to recover.

import { getJson } from '../net/api.js';
import { paintTarget } from '../paint/painter.js';
import { state } from '../state/store.js';
import { element } from './dom.js';

const GRACE_MS = 2000; // short interruptions are not reported

const serverUrl = `${location.origin.replace(/:\d+$/, '')}:…/?token=…`;

const journalNote = () => (paintTarget.map && (paintTarget.map.activeEdits > 0 || paintTarget.map.updateDeferred)
  ? 'The last stroke was not transmitted completely; all earlier changes are kept, saved or not.'
  : 'All changes are kept, saved or not.');

// A restarted server has a new token.
async function isOtherServer() {
  try {
    await getJson('/api/state');
  } catch (error) {
    return /** @type {any} */ (error).status === 401;
  }
  return false;
}

export function createConnectionBanner() {
  const banner = element('div', { id: 'connection-banner', role: 'alert', hidden: true });
  document.body.append(banner);
  /** @type {number | undefined} */ let timer;
  let deadline = 0; // of the grace period

  const show = async () => {
    const other = await isOtherServer();
    if (timer === undefined) return; // reconnected meanwhile
    paintTarget.disconnected = true;
    const text = other
      ? `The studio this page belongs to has exited and another one is running. Open the URL it printed (${location.origin}/?token=…), then close this page. ${journalNote()}`
      : `The studio is not responding. If it has exited, restart it with: coif studio ${state.path} and use the page it opens (URL printed in the terminal: ${serverUrl}). ${journalNote()}`;
    if (banner.textContent !== text) banner.textContent = text;
    banner.hidden = false;
  };

  return {
    onConnected() {
      clearTimeout(timer);
      timer = undefined;
      deadline = 0;
      banner.hidden = true;
      paintTarget.disconnected = false;
    },

    // Called after every failed attempt: by then another server may answer.
    onDisconnected() {
      deadline ||= Date.now() + GRACE_MS;
      clearTimeout(timer);
      timer = setTimeout(show, Math.max(0, deadline - Date.now()));
    },
  };
}
