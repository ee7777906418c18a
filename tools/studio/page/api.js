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

async function ask(method, path, query, body) {
  const answer = await fetch(address(path, query), { method, body, headers: { 'X-Coif-Token': token } });
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

export const getJson = async (path, query) => (await ask('GET', path, query)).json();
export const getBytes = async (path, query) => (await ask('GET', path, query)).arrayBuffer();
export const post = async (path, query, value) =>
  (await ask('POST', path, query, value === undefined ? undefined : JSON.stringify(value))).json();
export const put = async (path, query, body) => (await ask('PUT', path, query, body)).json();
export const downloadAddress = (path, query) => address(path, { ...query, token });

// Calls handlers by the event's name; the browser reconnects by itself, and opened is called each
// time, because things may have changed meanwhile.
export function listen(handlers, opened, lost) {
  const source = new EventSource(address('/api/events', { token }));
  for (const [name, handler] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
  }
  source.onopen = opened;
  source.onerror = lost;
}
