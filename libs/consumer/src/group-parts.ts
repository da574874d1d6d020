import type { Database } from '@shopflow/database';
import { GroupMember, type GroupWork, type TopicPartition } from '@shopflow/kafka';
import { Breaker } from './breaker/breaker.js';
import type { BreakerNotice } from './breaker/breaker-notice.js';
import type { ChunkResult, WorkResult } from './chunk.js';
import { DeadLetterPublisher } from './dead-letters/dead-letter-publisher.js';
import { StartFinder } from './find-start.js';
import type { GroupStats } from './group-stats.js';
import { advance } from './held/advance.js';
import type { HeldKey } from './held/held-key.js';
import { HeldStarts } from './held/held-starts.js';
import { checkHorizon, type HorizonOptions } from './horizon/check-horizon.js';
import { Pruner } from './horizon/pruner.js';
import { Limiter } from './limiter.js';
import { logChunk, logResult } from './log-result.js';
import type { CompleteConsumerOptions } from './options.js';
import type { WorkerParts } from './worker-parts.js';
import { PauseWatch } from './pauses/pause-watch.js';
import { RetryConsumer } from './retry/retry-consumer.js';
import { Sweeper } from './retry/sweeper.js';
import type { DelaysMs } from './retry/tier.js';
import type { Advance } from './retry/wake-up.js';
import { WakeUps } from './retry/wake-ups.js';
import type { Subscriptions } from './subscriptions.js';

/** What a group consists of while it runs. */
export interface GroupParts {
  readonly member: GroupMember;
  readonly breaker: Breaker;
  readonly publisher: DeadLetterPublisher;
  readonly wakeUps: WakeUps;
  readonly retry: RetryConsumer;
  readonly sweeper: Sweeper;
  readonly pauses: PauseWatch;
  readonly pruner: Pruner;
  readonly horizon: HorizonOptions;
  readonly heldStarts: HeldStarts;
  /** For its partitions. */
  readonly worker: WorkerParts;
}

/** What a group is put together from. */
interface Ground {
  readonly database: Database;
  readonly subscriptions: Subscriptions;
  readonly stats: GroupStats;
  readonly work: GroupWork;
}

/** Puts a group together; nothing runs yet. */
export function buildGroup(options: CompleteConsumerOptions, ground: Ground): GroupParts {
  const { group, sweepMs, clock, logger } = options;
  const { database, subscriptions, work } = ground;
  const shared = { ...options, delaysMs: options.retryDelaysMs, sources: subscriptions.topics, topics: subscriptions.topics };
  const horizon = { ...shared, horizonDays: options.dedupRetentionDays, retriesMs: sumOf(options.retryDelaysMs) };
  const common = {
    breaker: buildBreaker(options),
    pauses: new PauseWatch(database, group, logger),
    publisher: new DeadLetterPublisher(database, { ...shared, sweepMs }),
    wakeUps: new WakeUps(shared),
    member: new GroupMember({ ...shared, clientId: group }, work),
  };
  const pruner = new Pruner(database, { group, horizonDays: horizon.horizonDays, logger, clock, check: () => checkHorizon(horizon) });
  return { ...common, pruner, horizon, ...buildWork(shared, ground, common) };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

type Shared = CompleteConsumerOptions & { readonly delaysMs: DelaysMs; readonly sources: readonly string[] };
type Common = Pick<GroupParts, 'breaker' | 'pauses' | 'publisher' | 'wakeUps' | 'member'>;

/** What runs events: those that are read, and those that are held. */
function buildWork(shared: Shared, ground: Ground, common: Common): Pick<GroupParts, 'retry' | 'sweeper' | 'worker' | 'heldStarts'> {
  const { database, subscriptions } = ground;
  const { breaker, pauses, member } = common;
  const after = committed(shared, { ...ground, ...common });
  const parts = { ...shared, database, subscriptions, breaker, member, limiter: new Limiter(shared.concurrency) };
  const heldStarts = new HeldStarts(database, shared.group);
  const isPaused = () => pauses.pause !== null;
  const tryKey: Advance = (key, how) => advance({ ...parts, heldStarts, isPaused, onCommitted: after.heldEvents }, key, how);
  const untilAllowed = (signal: AbortSignal) => pauses.untilResumed(signal);
  const retried = { ...parts, advance: tryKey, untilAllowed };
  const starts = new StartFinder(database, member, shared.group);
  return {
    heldStarts,
    retry: new RetryConsumer(retried),
    sweeper: new Sweeper(database, { ...retried, readable: subscriptions.readable, graceMs: shared.sweepGraceMs }),
    worker: { ...parts, starts, untilAllowed, onCommitted: after.chunk },
  };
}

/** In the order in which they start. */
export const partsToStart = (parts: GroupParts): readonly { start(): void }[] => {
  const { pauses, publisher, wakeUps, member, retry, sweeper, pruner } = parts;
  return [pauses, publisher, wakeUps, member, retry, sweeper, pruner];
};

function buildBreaker({ breakerThreshold, breakerProbe, clock, logger, group }: CompleteConsumerOptions): Breaker {
  const onChange = ({ level, text, ...fields }: BreakerNotice) => logger[level]({ group, ...fields }, text);
  return new Breaker({
    threshold: breakerThreshold,
    firstProbeMs: breakerProbe.firstMs,
    mostProbeMs: breakerProbe.mostMs,
    clock,
    onChange,
  });
}

/** What follows a commit: it is counted, said, and told to Kafka. */
function committed(
  { logger }: CompleteConsumerOptions,
  { stats, publisher, wakeUps }: { stats: GroupStats; publisher: DeadLetterPublisher; wakeUps: WakeUps },
) {
  const tellKafka = (result: WorkResult) => {
    if (result.buried.length > 0) publisher.wake();
    if (result.wakeUps.length > 0) wakeUps.wake(result.wakeUps);
  };
  return {
    chunk: ({ topic, partition }: TopicPartition, result: ChunkResult) => {
      stats.add(result);
      tellKafka(result);
      logChunk(logger, { topic, partition }, result);
    },
    heldEvents: ({ topic }: HeldKey, result: WorkResult) => {
      stats.addHeld(result);
      tellKafka(result);
      logResult(logger, { topic, held: 'true' }, result);
    },
  };
}
