import type { TopicPartition } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import type { ChunkResult } from './chunk.js';
import type { EventLabel } from './event-item.js';

/** A chunk with more events than this says so in one line; each event's own line is there at debug level. */
const FEW = 10;

/** Says what a chunk has done, after it has committed. */
export function logResult(logger: Logger, { topic, partition }: TopicPartition, result: ChunkResult): void {
  const place = { topic, partition };
  logHandled(logger, place, result);
  for (const { reason, attempts, ...label } of result.buried) {
    logger.error({ ...fieldsOf(label), ...place, attempts, reason }, `${label.type ?? 'a record'} is a dead letter: ${reason}`);
  }
  if (result.skipped.length > 0)
    logger.debug({ ...place, types: [...new Set(result.skipped)] }, `${result.skipped.length} events of other types skipped`);
  if (result.duplicates > 0) logger.debug({ ...place, duplicates: result.duplicates }, 'duplicates skipped');
}

function logHandled(logger: Logger, place: TopicPartition, { handled }: ChunkResult): void {
  const level = handled.length <= FEW ? 'info' : 'debug';
  if (level === 'debug') logger.info({ ...place, events: handled.length }, `${handled.length} events handled`);
  if (!logger.isLevelEnabled(level)) return;
  for (const { id, type, subject, correlationId } of handled) {
    logger[level]({ ...fieldsOf({ eventId: id, type, orderId: subject, correlationId }), ...place }, `${type} handled`);
  }
}

/** Named as the log context names them; what is not known is left out. */
export function fieldsOf({ eventId, type, orderId, correlationId }: EventLabel): Record<string, string | undefined> {
  return { eventId, type: type ?? undefined, orderId: orderId ?? undefined, correlationId: correlationId ?? undefined };
}
