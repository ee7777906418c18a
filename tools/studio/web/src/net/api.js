// api: how the page speaks with the program. Every request carries the token of the start address.

const token = new URLSearchParams(location.search).get('token') ?? '';
export const client = Math.random().toString(36).slice(2, 10);

// An answer that is no success; its message is what the program said.
export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

function address(path, query) {
  const words = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return words.length ? `${path}?${new URLSearchParams(words)}` : path;
}

async function ask(method, path, query, body, signal) {
  const answer = await fetch(address(path, query), { method, body, signal, headers: { 'X-Coif-Token': token } });
  if (!answer.ok) {
    const text = await answer.text();
    let message = text;
    try {
      message = JSON.parse(text).error ?? text;
    } catch { /* not JSON: said as it is */ }
    throw new Refusal(message, answer.status);
  }
  return answer;
}

// Values as hands write them into scenes, with room after colons and commas: they go there letter by letter.
const written = (value) => {
  if (Array.isArray(value)) return `[${value.map((each) => written(each) ?? 'null').join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value).filter(([, each]) => each !== undefined).map(([key, each]) => `${JSON.stringify(key)}: ${written(each)}`).join(', ')}}`;
};

export const getJson = async (path, query) => (await ask('GET', path, query)).json();
export const getBytes = async (path, query) => (await ask('GET', path, query)).arrayBuffer();
export const openStream = async (path, query, signal) => (await ask('GET', path, query, undefined, signal)).body;
export const post = async (path, query, value) =>
  (await ask('POST', path, query, value === undefined ? undefined : written(value))).json();
export const put = async (path, query, body) => (await ask('PUT', path, query, body)).json();

// Into the folder of downloads, under the name that the program gives it; a refusal is said, not stored.
export async function download(path, query) {
  const answer = await ask('GET', path, query);
  const [, name] = /filename="([^"]*)"/.exec(answer.headers.get('Content-Disposition') ?? '') ?? [];
  const address = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement('a'), { href: address, download: name ?? 'coif' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// Calls handlers by the event's name; the browser reconnects by itself, and opened is called each
// time, because things may have changed meanwhile.
export function listen(handlers, opened, lost) {
  const source = new EventSource(address('/api/events', { token }));
  for (const [name, handler] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
  }
  source.onopen = opened;
  source.onerror = () => {
    lost();
    // One that was refused is given up by the browser.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(handlers, opened, lost), 3000);
  };
}
