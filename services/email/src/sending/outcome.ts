/** The provider took the e-mail. `replayed`: it had taken it before, under the same key, and sent nothing now. */
export interface Accepted {
  readonly kind: 'accepted';
  readonly providerId: string;
  readonly replayed: boolean;
}

/** The call did not lead to an acceptance that we know of. */
export interface Failed {
  readonly kind: 'failed';
  /** For a person: 1 to 1,000 characters, no control characters. */
  readonly reason: string;
  /** The same request will be refused every time. */
  readonly permanent: boolean;
  /** The provider asked not to be called earlier. */
  readonly retryAfterMs?: number;
  /** `down`: no answer, or one that says so. `up`: it answered, and refused this e-mail alone. Not set where it is not known. */
  readonly provider?: 'up' | 'down';
}

export type Outcome = Accepted | Failed;

const REASON_LENGTH = 1_000;

/** Makes text from outside fit for a database row, a header and a log line. */
export function readable(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim();
  return line.slice(0, REASON_LENGTH).toWellFormed() || 'no reason given';
}

export const mayHeal = (reason: string, retryAfterMs?: number): Failed => ({
  kind: 'failed',
  reason: readable(reason),
  permanent: false,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

export const neverHeals = (reason: string): Failed => ({ kind: 'failed', reason: readable(reason), permanent: true });

/** The failure and what it says of the provider. */
export const tellingOf = (provider: 'up' | 'down', failure: Failed): Failed => ({ ...failure, provider });
