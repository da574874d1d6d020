import { type KafkaProducer, unlessAborted } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';

export interface Closing {
  /** Aborted when nobody waits for the broker any longer. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** What the connection was for, for the log: `publishes dead letters`. */
  readonly purpose: string;
}

/** Closes the connection, if there is one. Never throws: what was sent has been answered, and whoever comes next connects anew. */
export async function closeProducer(producer: KafkaProducer | undefined, { signal, logger, purpose }: Closing): Promise<void> {
  if (producer === undefined) return;
  try {
    await unlessAborted(producer.close(), signal);
  } catch (error) {
    logger.warn({ err: error }, `closing the connection that ${purpose} failed`);
  }
}
