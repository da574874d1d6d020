/** What all instances know of the provider's health. */
export interface Breaker {
  /** Different deliveries that failed in a row by the provider's fault, at most {@link DIFFERENT}. */
  readonly failing: readonly string[];
  /** The first of these failures. */
  readonly failingSince: Date | null;
  /** Null while it is closed. */
  readonly openSince: Date | null;
  /** Set while it is open: from then on one delivery is tried. */
  readonly probeAt: Date | null;
  readonly probeWaitMs: number;
  /** The delivery that is being tried, by a worker that is given up at `until`. */
  readonly probe: { readonly id: string; readonly until: Date } | null;
}

/** What an attempt said of the provider; undefined when it was not even called. */
export interface Sign {
  readonly id: string;
  readonly provider: 'up' | 'down' | undefined;
}

/** So many different deliveries in a row open it. */
const DIFFERENT = 5;
/** And so long nothing but failures, be it of fewer. */
const LONG_MS = 30_000;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;

export const CLOSED: Breaker = { failing: [], failingSince: null, openSince: null, probeAt: null, probeWaitMs: 0, probe: null };

/** The breaker after an attempt. One e-mail that the provider answered for closes it; what it says of one address is no matter. */
export function afterAttempt(breaker: Breaker, { id, provider }: Sign, now: Date): Breaker {
  if (provider === 'up') return isUntouched(breaker) ? breaker : CLOSED;
  const probed = breaker.probe?.id === id;
  if (provider === undefined) return probed ? { ...breaker, probe: null } : breaker;
  if (breaker.openSince !== null) return probed ? waitAgain(breaker, now) : breaker;
  const failing = breaker.failing.includes(id) ? breaker.failing : [...breaker.failing, id].slice(0, DIFFERENT);
  const failingSince = breaker.failingSince ?? now;
  const opens = failing.length === DIFFERENT || now.getTime() - failingSince.getTime() >= LONG_MS;
  const counted = { ...breaker, failing, failingSince };
  return opens ? { ...counted, openSince: now, probeAt: later(now, FIRST_WAIT_MS), probeWaitMs: FIRST_WAIT_MS } : counted;
}

/** How many deliveries may begin: all that there is room for, none, or one to see whether the provider is back. */
export function admits({ openSince, probeAt, probe }: Breaker, free: number, now: Date): number {
  if (openSince === null || probeAt === null) return free;
  const waits = now < probeAt || (probe !== null && now < probe.until);
  return waits ? 0 : Math.min(free, 1);
}

export const isOpen = ({ openSince }: Breaker): boolean => openSince !== null;

function waitAgain(breaker: Breaker, now: Date): Breaker {
  const probeWaitMs = Math.min(breaker.probeWaitMs * 2, LONGEST_WAIT_MS);
  return { ...breaker, probe: null, probeWaitMs, probeAt: later(now, probeWaitMs) };
}

const isUntouched = ({ failing, openSince }: Breaker) => failing.length === 0 && openSince === null;

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);
