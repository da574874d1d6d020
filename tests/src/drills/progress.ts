import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 5_000;

/** Says every few seconds how far a drill is. */
export async function tellProgress(lineOf: () => Promise<string>, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const began = Date.now();
  while (!signal.aborted) {
    say(`${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${await lineOf()}`);
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
