import { inspect } from 'node:util';
import { DEDUP_HORIZON_DAYS, RETRY_TIERS } from '@shopflow/contracts';
import type { Logger } from '@shopflow/telemetry';
import type { Backoff } from './backoff.js';
import type { DelaysMs } from './retry/tier.js';

export interface ConsumerOptions {
  /** The group's logical name, e.g. `audit`: who has taken charge of an event. Never change it. */
  readonly group: string;
  /** Comma-separated host:port. */
  readonly brokers: string;
  readonly logger: Logger;
  /** `shopflow` unless given. */
  readonly namespace?: string;
  /** Records in one transaction at most; 500 unless given. */
  readonly chunkSize?: number;
  /** Partitions that are worked on at once; 3 unless given. Each takes one connection of the service's pool. */
  readonly concurrency?: number;
  /** Pauses after a failure: 1 s, doubling to 30 s, unless given. */
  readonly backoff?: Backoff;
  /** How long a dead process keeps its partitions; 10 s unless given. */
  readonly sessionTimeoutMs?: number;
  /** Pauses before the second, third and fourth try of an event, in ms; 5 s, 1 min and 10 min unless given. */
  readonly retryDelaysMs?: DelaysMs;
  /** How long a handler may take for a call; 10 s unless given. Beyond it its transaction is given up and runs again. */
  readonly timeLimitMs?: number;
  /** Transactions of one partition at once, each with a few keys of its own, and each on a connection; 1 unless given. */
  readonly lanes?: number;
  /** So many heads of one key that die in a row make the next dead one block the key; 5 unless given. */
  readonly blockAfterDeaths?: number;
  /** So many events in a row that fail in the same way open a handler's breaker; 20 unless given. */
  readonly breakerThreshold?: number;
  /** When an open breaker lets an event try: 5 s, doubling to 60 s, unless given. */
  readonly breakerProbe?: Backoff;
  /** How often overdue keys and unpublished dead letters are looked for; 10 s unless given. */
  readonly sweepMs?: number;
  /** How long a key must be overdue before a sweep takes it, in ms: its wake-up comes first; 5 s unless given. */
  readonly sweepGraceMs?: number;
  /** For how long a group remembers what it has had; 45 days unless given, Infinity for ever. */
  readonly dedupRetentionDays?: number;
  /** The process is ended when its event loop stands still for so long; 60 s unless given, 0 for never. */
  readonly watchdogMs?: number;
  readonly clock?: () => Date;
}

/** Injection token of the {@link ConsumerOptions}. */
export const CONSUMER_OPTIONS = Symbol('shopflow.consumer-options');

export type CompleteConsumerOptions = Required<ConsumerOptions>;

const AT_LEAST_ONE = [
  'chunkSize',
  'concurrency',
  'lanes',
  'timeLimitMs',
  'blockAfterDeaths',
  'breakerThreshold',
  'sessionTimeoutMs',
  'sweepMs',
] as const;

/** @throws Error when an option makes no sense */
export function completeOptions(options: ConsumerOptions): CompleteConsumerOptions {
  const complete = {
    namespace: 'shopflow',
    chunkSize: 500,
    concurrency: 3,
    backoff: { firstMs: 1_000, mostMs: 30_000 },
    retryDelaysMs: [5_000, 60_000, 600_000] as const,
    timeLimitMs: 10_000,
    lanes: 1,
    blockAfterDeaths: 5,
    breakerThreshold: 20,
    breakerProbe: { firstMs: 5_000, mostMs: 60_000 },
    sessionTimeoutMs: 10_000,
    sweepMs: 10_000,
    sweepGraceMs: 5_000,
    dedupRetentionDays: DEDUP_HORIZON_DAYS,
    watchdogMs: 60_000,
    clock: () => new Date(),
    ...withoutUndefined(options),
  };
  refuseNonsense(complete);
  return complete;
}

function refuseNonsense(options: CompleteConsumerOptions): void {
  for (const name of AT_LEAST_ONE) if (!(options[name] >= 1)) refuse(name, options[name], 'it must be at least 1');
  // kafkajs beats once a second, and never joins with less.
  if (options.sessionTimeoutMs <= 1_000) refuse('sessionTimeoutMs', options.sessionTimeoutMs, 'it must be more than 1000');
  if (!Number.isInteger(options.timeLimitMs)) refuse('timeLimitMs', options.timeLimitMs, 'give whole milliseconds');
  if (!areDelays(options.retryDelaysMs))
    refuse('retryDelaysMs', options.retryDelaysMs, `give ${RETRY_TIERS} pauses in milliseconds, each a number from 0 on`);
  for (const name of BACKOFFS) if (!isBackoff(options[name])) refuse(name, options[name], IT_MUST_BE_A_BACKOFF);
}

const BACKOFFS = ['backoff', 'breakerProbe'] as const;
/** A timer that is set for longer ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const IT_MUST_BE_A_BACKOFF = `give firstMs and mostMs in milliseconds, 1 ≤ firstMs ≤ mostMs ≤ ${LONGEST_TIMER_MS}`;

/** False also for what only JavaScript could pass; `>=` alone would take the text '5'. */
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const areDelays = (delays: readonly unknown[]): boolean =>
  Array.isArray(delays) && delays.length === RETRY_TIERS && delays.every((delay) => isNumber(delay) && delay >= 0);

const isBackoff = ({ firstMs, mostMs }: Backoff): boolean =>
  isNumber(firstMs) && isNumber(mostMs) && firstMs >= 1 && firstMs <= mostMs && mostMs <= LONGEST_TIMER_MS;

function refuse(name: keyof ConsumerOptions, value: unknown, remedy: string): never {
  throw new Error(`consumer option ${name} is ${inspect(value)}; ${remedy}`);
}

const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter((entry) => entry[1] !== undefined)) as T;
