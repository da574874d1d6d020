/** What the code below is started with. */
export interface WatchOrders {
  /** Beats of the main thread: an Int32Array of one element. */
  readonly beats: SharedArrayBuffer;
  readonly limitMs: number;
  /** Parts of the limit; so many in a row without a beat end the process. */
  readonly parts: number;
  /** In the log line. */
  readonly name: string;
}

/**
 * Runs in a thread of its own, as plain JavaScript: a file could not be found both from the sources and from what is built of
 * them. It counts its own ticks: a process that was stopped and goes on has both of its threads stopped, and is not at fault.
 */
export const watchCode = `
  const { writeSync } = require('node:fs');
  const { workerData: { beats, limitMs, parts, name } } = require('node:worker_threads');
  const counter = new Int32Array(beats);
  let last = 0;
  let silent = 0;

  setInterval(() => {
    const now = Atomics.load(counter, 0);
    silent = now === last ? silent + 1 : 0;
    last = now;
    if (silent >= parts) end();
  }, limitMs / parts);

  function end() {
    const msg = name + ': the event loop has been blocked for ' + limitMs + ' ms, so the process ends itself; an event that does this ' +
      'three times becomes a dead letter: find the handler that computes without end and let it wait in between';
    const line = { level: 'fatal', time: new Date().toISOString(), service: name, blockedMs: limitMs, pid: process.pid, msg };
    try {
      writeSync(2, JSON.stringify(line) + '\\n');
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  }
`;
