// Long work of the page in slices, so that the view is drawn and input handled between them.

const SLICE_MS = 12;

// A task of its own; timers would wait 4 ms each.
const channel = new MessageChannel();
/** @type {(() => void)[]} */ const waiting = [];
channel.port1.onmessage = () => waiting.shift()?.();
const nextTask = () => new Promise((resolve) => {
  waiting.push(() => resolve(undefined));
  channel.port2.postMessage(null);
});

/** Runs a generator to its end. @param {Iterator<unknown>} steps @param {() => void} [pause] called before every pause */
export async function inSlices(steps, pause = () => {}) {
  while (!runSlice(steps)) {
    pause();
    await nextTask();
  }
}

/** Runs a generator for one slice; returns whether it ended. @param {Iterator<unknown>} steps */
export function runSlice(steps) {
  const end = performance.now() + SLICE_MS;
  while (!steps.next().done) {
    if (performance.now() > end) return false;
  }
  return true;
}
