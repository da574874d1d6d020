import { setTimeout as delay } from 'node:timers/promises';
import { ServersError } from '../servers-error.js';
import type { ServerProcess } from './server-process.js';

const PAUSE_MS = 50;

/**
 * Waits until `answers` resolves. A process that ends before is reported at once, with its last words.
 *
 * @throws ServersError when it ended or did not answer in time; the reason of `signal` when that is aborted
 */
export async function waitUntilReady(
  server: Pick<ServerProcess, 'isRunning' | 'lastWords'>,
  answers: () => Promise<unknown>,
  { name, logFile, timeoutMs = 120_000, signal }: { name: string; logFile: string; timeoutMs?: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
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

/** {@link waitUntilReady}; a server that does not get ready is stopped before that is told. */
export async function readyOrStopped(server: ServerProcess, ...[answers, options]: Rest<Parameters<typeof waitUntilReady>>): Promise<void> {
  try {
    await waitUntilReady(server, answers, options);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

type Rest<T extends unknown[]> = T extends [unknown, ...infer R] ? R : never;
