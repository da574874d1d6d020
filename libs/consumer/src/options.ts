import type { Logger } from '@shopflow/telemetry';

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
  readonly backoff?: { readonly firstMs: number; readonly mostMs: number };
  /** How long a dead process keeps its partitions; 10 s unless given. */
  readonly sessionTimeoutMs?: number;
  /** How often dead letters are looked for whose record is not in the DLQ topic yet; 10 s unless given. */
  readonly sweepMs?: number;
  readonly clock?: () => Date;
}

/** Injection token of the {@link ConsumerOptions}. */
export const CONSUMER_OPTIONS = Symbol('shopflow.consumer-options');

export type CompleteConsumerOptions = Required<ConsumerOptions>;

/** @throws Error when an option makes no sense */
export function completeOptions(options: ConsumerOptions): CompleteConsumerOptions {
  const complete = {
    namespace: 'shopflow',
    chunkSize: 500,
    concurrency: 3,
    backoff: { firstMs: 1_000, mostMs: 30_000 },
    sessionTimeoutMs: 10_000,
    sweepMs: 10_000,
    clock: () => new Date(),
    ...withoutUndefined(options),
  };
  for (const name of ['chunkSize', 'concurrency', 'sessionTimeoutMs', 'sweepMs'] as const) {
    if (!(complete[name] >= 1)) throw new Error(`consumer option ${name} is ${complete[name]}; it must be at least 1`);
  }
  return complete;
}

const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter((entry) => entry[1] !== undefined)) as T;
