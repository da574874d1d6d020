/**
 * How a failing call ends: an answer with that status, no answer at all (`hang`), or the worst moment for the caller,
 * no answer although the e-mail was accepted (`hang-after-accepting`).
 */
export type Failure = 503 | 429 | 'hang' | 'hang-after-accepting';

/** What the provider can be told over `POST /control`; what is left out stays as it is. */
export interface Orders {
  /** Forgets every e-mail, failure and count first. */
  readonly reset?: boolean;
  /** That many of the next calls fail which would have been accepted. */
  readonly failNext?: number;
  /** How they fail; 503 unless said. */
  readonly failWith?: Failure;
  /** `Retry-After` of a 429. */
  readonly retryAfterSeconds?: number;
  /** How long every judged call takes. */
  readonly delayMs?: number;
  /** While true every connection that brings a message is cut. */
  readonly down?: boolean;
}

const FAILURES: readonly unknown[] = [503, 429, 'hang', 'hang-after-accepting'];
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const CHECKS: Record<keyof Orders, (value: unknown) => boolean> = {
  reset: (value) => typeof value === 'boolean',
  failNext: isCount,
  failWith: (value) => FAILURES.includes(value),
  retryAfterSeconds: isCount,
  delayMs: isCount,
  down: (value) => typeof value === 'boolean',
};

/** Names of the fields that the provider does not understand. */
export function faultsIn(orders: unknown): string[] {
  if (typeof orders !== 'object' || orders === null || Array.isArray(orders)) return ['body'];
  const checks = new Map(Object.entries(CHECKS));
  return Object.entries(orders).flatMap(([name, value]) => (checks.get(name)?.(value) ? [] : [name]));
}

/** The orders in force. */
export class Behaviour {
  private failuresLeft = 0;
  private failWith: Failure = 503;
  retryAfterSeconds: number | undefined;
  delayMs = 0;
  down = false;

  follow(orders: Orders): void {
    if (orders.reset) this.forget();
    if (orders.failNext !== undefined) this.failuresLeft = orders.failNext;
    if (orders.failNext !== undefined || orders.failWith !== undefined) this.failWith = orders.failWith ?? 503;
    if (orders.retryAfterSeconds !== undefined) this.retryAfterSeconds = orders.retryAfterSeconds;
    if (orders.delayMs !== undefined) this.delayMs = orders.delayMs;
    if (orders.down !== undefined) this.down = orders.down;
  }

  /** The failure of this call, or undefined when it may succeed. Asked only for calls that would be accepted. */
  takeFailure(): Failure | undefined {
    if (this.failuresLeft === 0) return undefined;
    this.failuresLeft -= 1;
    return this.failWith;
  }

  private forget(): void {
    this.failuresLeft = 0;
    this.failWith = 503;
    this.retryAfterSeconds = undefined;
    this.delayMs = 0;
    this.down = false;
  }
}
