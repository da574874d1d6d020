// Runs as a process of its own and does one thing: when the process that started it is gone, even by SIGKILL, it ends what
// that process started. It learns of the end because the pipe to its standard input closes. Imports nothing of ours, so that
// Node runs it from the source as well as from the build.
import { createInterface } from 'node:readline';

type Signal = 'SIGTERM' | 'SIGINT';

/** Time that processes have to end by themselves before they are killed: together less than the 10 s in which all has to be gone. */
const PATIENCE_MS = 6_000;
const LAST_PATIENCE_MS = 3_000;
const PAUSE_MS = 100;

interface Watched {
  readonly signal: Signal;
  /** What others work with: it ends when they are gone, so that they can say goodbye to it. */
  readonly last: boolean;
}

const watched = new Map<number, Watched>();

const send = (pid: number, signal: Signal | 'SIGKILL' | 0): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it is gone, which is what we want
  }
};

/** One line per message: `watch <pid> <signal>`, `watch <pid> <signal> last` or `forget <pid>`. */
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [verb, pid, signal, last] = line.split(' ');
    if (verb === 'watch') watched.set(Number(pid), { signal: signal as Signal, last: last === 'last' });
    else watched.delete(Number(pid));
  })
  .on('close', () => void endAll());

async function endAll(): Promise<void> {
  await end(
    [...watched].filter(([, { last }]) => !last),
    PATIENCE_MS,
  );
  await end(
    [...watched].filter(([, { last }]) => last),
    LAST_PATIENCE_MS,
  );
}

async function end(processes: readonly (readonly [number, Watched])[], patienceMs: number): Promise<void> {
  for (const [pid, { signal }] of processes) send(pid, signal);
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline && processes.some(([pid]) => send(pid, 0))) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  for (const [pid] of processes) send(pid, 'SIGKILL');
}

// The terminal's Ctrl-C is for the process that started us; it tells us by going away.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
