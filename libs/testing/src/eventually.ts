import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 50;

/** The condition did not come true in time; `cause` is what the last check said. */
export class NotInTimeError extends Error {
  constructor(message: string, timeoutMs: number, cause: unknown) {
    const last = cause instanceof Error ? `: ${cause.message}` : '';
    super(`${message} did not come true within ${timeoutMs} ms${last}`, { cause });
    this.name = 'NotInTimeError';
  }
}

/**
 * Waits for a condition: repeats `check` until it neither throws nor answers false or undefined, and gives its answer.
 *
 * @throws NotInTimeError with the last failure as its cause
 */
export async function eventually<T>(
  check: () => Promise<T> | T,
  { timeoutMs = 15_000, message = 'the condition' }: { timeoutMs?: number; message?: string } = {},
): Promise<Exclude<T, undefined | false>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const outcome = await attempt(check);
    if (outcome.ok) return outcome.value;
    if (Date.now() >= deadline) throw new NotInTimeError(message, timeoutMs, outcome.failure);
    await delay(PAUSE_MS);
  }
}

type Outcome<T> = { ok: true; value: Exclude<T, undefined | false> } | { ok: false; failure: unknown };

async function attempt<T>(check: () => Promise<T> | T): Promise<Outcome<T>> {
  try {
    const value = await check();
    if (value === false || value === undefined) return { ok: false, failure: undefined };
    return { ok: true, value: value as Exclude<T, undefined | false> };
  } catch (failure) {
    return { ok: false, failure };
  }
}
