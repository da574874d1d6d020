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
import { Limiter } from './limiter.js';
import { logChunk, logResult } from './log-result.js';
import type { CompleteConsumerOptions } from './options.js';
import type { WorkerParts } from './partition-worker.js';
import { PauseWatch } from './pauses/pause-watch.js';
import { RetryConsumer } from './retry/retry-consumer.js';
import { Sweeper } from './retry/sweeper.js';
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
  /** For its partitions. */
  readonly worker: WorkerParts;
}

/** Puts a group together; nothing runs yet. */
export function buildGroup(
  options: CompleteConsumerOptions,
  { database, subscriptions, stats, work }: { database: Database; subscriptions: Subscriptions; stats: GroupStats; work: GroupWork },
): GroupParts {
  const { group, brokers, namespace, logger, clock, retryDelaysMs: delaysMs, sweepMs } = options;
  const { topics } = subscriptions;
  const shared = { group, brokers, namespace, logger, clock, delaysMs, sources: topics };
  const breaker = buildBreaker(options);
  const pauses = new PauseWatch(database, group, logger);
  const publisher = new DeadLetterPublisher(database, { ...shared, sweepMs });
  const wakeUps = new WakeUps(shared);
  const limiter = new Limiter(options.concurrency);
  const after = committed(options, { stats, publisher, wakeUps });
  const untilAllowed = async (signal: AbortSignal) => {
    await pauses.untilResumed(signal);
    await breaker.untilAllowed(signal);
  };
  const heldStarts = new HeldStarts(database, group);
  const advanceParts = { ...options, database, subscriptions, breaker, delaysMs, heldStarts, onCommitted: after.heldEvents };
  const tryKey: Advance = (key, how) => advance(advanceParts, key, how);
  const retried = { ...options, ...shared, advance: tryKey, untilAllowed, limiter };
  const member = new GroupMember({ ...options, clientId: group, topics }, work);
  return {
    ...{ member, breaker, publisher, wakeUps, pauses },
    retry: new RetryConsumer(retried),
    sweeper: new Sweeper(database, { ...retried, readable: subscriptions.readable, graceMs: options.sweepGraceMs }),
    worker: {
      ...options,
      ...{ database, subscriptions, member, breaker, limiter, delaysMs },
      starts: new StartFinder(database, member, group),
      untilAllowed: (signal) => pauses.untilResumed(signal),
      onCommitted: after.chunk,
    },
  };
}

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
