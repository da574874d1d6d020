import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type ProcessIdentity, readIdentity, removeIdentity } from './process-identity.js';

/** Time that a process has to end by itself before it is killed. Services have 6 s before the servers; everything has to be gone within 10 s. */
export const PATIENCE_MS = 3_000;
const PAUSE_MS = 50;

/** Ends exactly this process: asks with `signal`, and kills it when it does not obey. */
export async function endProcess(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  if (!isAlive(identity)) return;
  process.kill(identity.pid, signal);
  const deadline = Date.now() + PATIENCE_MS;
  while (isAlive(identity)) {
    if (Date.now() > deadline) process.kill(identity.pid, 'SIGKILL');
    await delay(PAUSE_MS);
  }
}

/** Ends what an earlier run of ours recorded in `pidFile` and could not stop: the machine went down, or kill -9 hit it. */
export async function endRecorded(pidFile: string, signal: NodeJS.Signals): Promise<void> {
  const recorded = readIdentity(pidFile);
  if (recorded) await endProcess(recorded, signal);
  removeIdentity(pidFile);
}
