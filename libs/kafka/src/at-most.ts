import { waitOrAbort } from './wait-or-abort.js';

/** Waits for `work`, but no longer than `ms` milliseconds. Gives up waiting, not the work. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, waitOrAbort(ms, done.signal)]).finally(() => done.abort());
}
