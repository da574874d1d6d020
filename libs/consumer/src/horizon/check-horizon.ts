import { DLQ_RETENTION_MS, dlqTopic } from '@shopflow/contracts';
import { connectKafka, physicalTopic, readTopicRetention, waitOrAbort } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import { horizonFault, HorizonTooShortError } from './horizon-fault.js';

export interface HorizonOptions {
  readonly group: string;
  /** Comma-separated host:port. */
  readonly brokers: string;
  readonly namespace: string;
  /** Logical names of the topics that the group reads. */
  readonly topics: readonly string[];
  /** `dedupRetentionDays`: how long the group remembers; Infinity: for ever. */
  readonly horizonDays: number;
  /** All pauses between the attempts of one event, in milliseconds. */
  readonly retriesMs: number;
  readonly logger: Logger;
}

/** Between two tries while Kafka does not answer. */
const PAUSE_MS = 5_000;

/**
 * Compares how long the group remembers with how long its topics keep records, as the broker is set now. A topic that does
 * not exist yet keeps nothing.
 *
 * @throws HorizonTooShortError, or Kafka's error when it cannot be asked
 */
export async function checkHorizon(options: HorizonOptions): Promise<void> {
  const { group, brokers, namespace, logger, horizonDays, retriesMs } = options;
  if (horizonDays === Infinity) return;
  const dlq = physicalTopic(namespace, dlqTopic(group));
  const sources = options.topics.map((topic) => physicalTopic(namespace, topic));
  const found = await readTopicRetention(connectKafka({ brokers, clientId: `${group}-horizon`, logger, retries: 2 }), [...sources, dlq]);
  const fault = horizonFault(group, horizonDays, {
    sources: found.filter(({ topic }) => topic !== dlq),
    retriesMs,
    dlq: { topic: dlq, retentionMs: found.find(({ topic }) => topic === dlq)?.retentionMs ?? DLQ_RETENTION_MS },
  });
  if (fault) throw fault;
}

/**
 * {@link checkHorizon}, again and again until Kafka answers: an outage does not keep a service from starting. Resolves when
 * the horizon fits, or when the signal is aborted.
 *
 * @throws HorizonTooShortError
 */
export async function waitForHorizon(options: HorizonOptions, signal: AbortSignal): Promise<void> {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      return await checkHorizon(options);
    } catch (error) {
      if (error instanceof HorizonTooShortError) throw error;
      const level = tries === 1 ? 'warn' : 'debug';
      options.logger[level](
        { err: error },
        'Kafka cannot be asked yet how long it keeps records; that is compared with the dedup horizon when it can',
      );
      await waitOrAbort(PAUSE_MS, signal);
    }
  }
}
