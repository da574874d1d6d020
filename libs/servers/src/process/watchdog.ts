// Runs as a process of its own and does one thing: when the process that started it is gone, even by SIGKILL, it ends what
// that process started. It learns of the end because the pipe to its standard input closes. Imports nothing of ours, so that
// Node runs it from the source as well as from the build.
import { createInterface } from 'node:readline';

type Signal = 'SIGTERM' | 'SIGINT';

/** Time that a process has to end by itself before it is killed. */
const PATIENCE_MS = 6_000;
const PAUSE_MS = 100;

const watched = new Map<number, Signal>();

const send = (pid: number, signal: Signal | 'SIGKILL' | 0): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it is gone, which is what we want
  }
};

/** One line per message: `watch <pid> <signal>` or `forget <pid>`. */
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [verb, pid, signal] = line.split(' ');
    if (verb === 'watch') watched.set(Number(pid), signal as Signal);
    else watched.delete(Number(pid));
  })
  .on('close', () => void endAll());

async function endAll(): Promise<void> {
  for (const [pid, signal] of watched) send(pid, signal);
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline && [...watched.keys()].some((pid) => send(pid, 0))) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  for (const pid of watched.keys()) send(pid, 'SIGKILL');
}

// The terminal's Ctrl-C is for the process that started us; it tells us by going away.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
