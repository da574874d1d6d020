import { Worker } from 'node:worker_threads';
import { watchCode, type WatchOrders } from './watch-code.js';

export interface WatchdogOptions {
  /** The event loop may be blocked for so long, in milliseconds; 60 s unless given. */
  readonly limitMs?: number;
  /** The group, for the line that it writes at the end. */
  readonly name: string;
  /** Hears that the watchdog itself has ended, or could not start: the process goes on unwatched. */
  readonly onError: (error: Error) => void;
}

const LIMIT_MS = 60_000;
const PARTS = 12;

/**
 * Ends the process by SIGKILL, after one JSON line on standard error, when its event loop is blocked for the limit: an endless
 * loop in a handler leaves nobody else who could, and a process that only seems to live keeps its partitions. Time in which the
 * whole process is stopped does not count. Does not keep the process alive.
 */
export function startWatchdog({ limitMs = LIMIT_MS, name, onError }: WatchdogOptions): { stop(): void } {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const orders: WatchOrders = { beats: counter.buffer, limitMs, parts: PARTS, name };
  // Without what the process was started with: the watchdog needs no telemetry, and no debugger.
  const worker = new Worker(watchCode, { eval: true, workerData: orders, execArgv: [], env: {}, name: 'watchdog' });
  worker.on('error', onError);
  worker.unref();
  const beat = setInterval(() => Atomics.add(counter, 0, 1), limitMs / PARTS / 2).unref();
  return {
    stop() {
      clearInterval(beat);
      void worker.terminate();
    },
  };
}
