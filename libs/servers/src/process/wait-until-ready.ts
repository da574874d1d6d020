import { setTimeout as delay } from 'node:timers/promises';
import { ServersError } from '../servers-error.js';
import type { ServerProcess } from './server-process.js';

const PAUSE_MS = 50;

/**
 * Waits until `answers` resolves. A process that ends before is reported at once, with its last words.
 *
 * @throws ServersError when it ended or did not answer in time
 */
export async function waitUntilReady(
  server: ServerProcess,
  answers: () => Promise<unknown>,
  { name, logFile, timeoutMs = 60_000 }: { name: string; logFile: string; timeoutMs?: number },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const failure = await answers().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    if (!server.isRunning) throw new ServersError(`${name} ended while it started: ${server.lastWords()} (all of it: ${logFile})`);
    if (Date.now() > deadline) {
      throw new ServersError(`${name} does not answer after ${timeoutMs / 1000} s; see ${logFile}`, { cause: failure });
    }
    await delay(PAUSE_MS);
  }
}
