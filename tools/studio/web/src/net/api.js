// HTTP requests to the studio server. Every request carries the token of the start URL.

const token = new URLSearchParams(location.search).get('token') ?? '';
export const clientId = Math.random().toString(36).slice(2, 10);

/** @typedef {Record<string, string | number | undefined>} Query undefined values are left out */

// A response outside 2xx; message is the server's error text.
export class ApiError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** @param {string} path @param {Query} [query] */
function urlOf(path, query) {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return given.length ? `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : path;
}

/** @param {string} method @param {string} path @param {Query} [query] @param {BodyInit} [body] @param {AbortSignal} [signal] */
async function request(method, path, query, body, signal) {
  const response = await fetch(urlOf(path, query), { method, body, signal, headers: { 'X-Coif-Token': token } }).catch((error) => {
    if (error.name === 'AbortError') throw error;
    throw new Error(method === 'GET' ? 'The program does not answer.' : 'Not saved: the program does not answer.'); // without a status
  });
  if (!response.ok) {
    const text = await response.text();
    let message = text;
    try {
      message = JSON.parse(text).error ?? text;
    } catch { /* not JSON: use the text */ }
    throw new ApiError(message, response.status);
  }
  return response;
}

/** JSON with spaces after colons and commas: the server inserts the value into the scene file verbatim. @returns {string | undefined} */
export function formatJson(/** @type {any} */ value) {
  if (Array.isArray(value)) return `[${value.map((each) => formatJson(each) ?? 'null').join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value).filter(([, each]) => each !== undefined).map(([key, each]) => `${JSON.stringify(key)}: ${formatJson(each)}`).join(', ')}}`;
}

/** @type {(path: string, query?: Query) => Promise<any>} */ export const getJson = async (path, query) => (await request('GET', path, query)).json();
/** @type {(path: string, query?: Query) => Promise<ArrayBuffer>} */
export const getBytes = async (path, query) => (await request('GET', path, query)).arrayBuffer();
/** @type {(path: string, query: Query, signal: AbortSignal) => Promise<ReadableStream<Uint8Array> | null>} */
export const openStream = async (path, query, signal) => (await request('GET', path, query, undefined, signal)).body;
/** @type {(path: string, query?: Query, value?: any) => Promise<any>} */ export const post = async (path, query, value) =>
  (await request('POST', path, query, value === undefined ? undefined : formatJson(value))).json();
/** @type {(path: string, query: Query, body: BodyInit, reply?: 'json' | 'bytes') => Promise<any>} */
export const put = async (path, query, body, reply = 'json') => {
  const response = await request('PUT', path, query, body);
  return reply === 'json' ? response.json() : response.arrayBuffer();
};

/** @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** Saves a response as a browser download under the file name given by the server. @param {string} path @param {Query} query */
export async function download(path, query) {
  const response = await request('GET', path, query);
  const [, name] = /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  saveBlob(await response.blob(), name ?? 'coif');
}

// Subscribes to server-sent events. onOpen runs after every (re)connection, because events may have been missed, and after those
// that the server dropped for a page that did not read them.
/** @param {Record<string, (event: any) => void>} handlers by event name @param {() => void} onOpen @param {() => void} onError */
export function subscribe(handlers, onOpen, onError) {
  const source = new EventSource(urlOf('/api/events', { token }));
  for (const [name, handler] of Object.entries(handlers)) source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
  source.onopen = onOpen;
  source.addEventListener('missed', onOpen);
  source.onerror = () => {
    onError();
    // The browser does not retry after an HTTP error status.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => subscribe(handlers, onOpen, onError), 3000);
  };
}
