import { mayHeal, neverHeals, type Outcome, tellingOf } from './outcome.js';

/** What the provider answered: its status, its body if it was JSON of a sane size, and `Retry-After`. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: string | null;
}

/** The provider's ids are stored, published and shown: visible ASCII, short. */
const PROVIDER_ID = /^[\x21-\x7e]{1,200}$/;
/** A provider that asks for longer is asked again all the same. */
const LONGEST_WAIT_MS = 3_600_000;

/** Total. A 4xx other than 429 says "this request is wrong" and will say so every time; everything else may heal. */
export function judgeAnswer(answer: Answer, now: Date): Outcome {
  const { status, body } = answer;
  if (status >= 200 && status < 300) return acceptance(status, body);
  const said = messageOf(body);
  if (status >= 400 && status < 500 && status !== 429) return tellingOf('up', neverHeals(said ?? `mail provider answered ${status}`));
  const reason = `mail provider answered ${status}${said === undefined ? '' : `: ${said}`}`;
  const failure = mayHeal(reason, status === 429 || status === 503 ? waitOf(answer.retryAfter, now) : undefined);
  return status === 429 || status >= 500 ? tellingOf(status === 429 ? 'up' : 'down', failure) : failure;
}

/** Asking again under the same key is safe: an e-mail that was accepted is not sent twice. */
function acceptance(status: number, body: unknown): Outcome {
  const { id, replayed } = (body ?? {}) as { id?: unknown; replayed?: unknown };
  if (typeof id !== 'string' || !PROVIDER_ID.test(id)) return mayHeal(`mail provider answered ${status} without a usable message id`);
  return { kind: 'accepted', providerId: id, replayed: replayed === true };
}

function messageOf(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' && error.trim() !== '' ? error : undefined;
}

/** RFC 9110: seconds or a date. */
function waitOf(retryAfter: string | null, now: Date): number | undefined {
  if (retryAfter === null || retryAfter === '') return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_WAIT_MS) : undefined;
}
