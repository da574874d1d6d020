import { type Logger, runWithContext } from '@shopflow/telemetry';
import type { OutboxRow, Text } from './outbox-row.js';

export interface Published {
  readonly row: OutboxRow;
  /** Because somebody asked for it. */
  readonly again: boolean;
}

/** More than this at once are told of in one line: at full speed a line per event would cost more than the event. */
const LINES_PER_BATCH = 10;

/** Says what Kafka has accepted; a line about one event carries its correlation id. */
export function logPublished(logger: Logger, published: readonly Published[]): void {
  if (published.length > LINES_PER_BATCH) return logger.info({ events: published.length }, `published ${published.length} events`);
  for (const { row, again } of published) {
    runWithContext(contextOf(row), () => {
      logger.info({ type: String(row.type), topic: String(row.topic) }, `published ${String(row.id)}${again ? ' again' : ''}`);
    });
  }
}

function contextOf({ id, aggregateid, correlation_id, traceparent }: OutboxRow) {
  const known = <Name extends string>(name: Name, value: Text | null) => (value === null ? {} : { [name]: String(value) });
  return {
    eventId: String(id),
    orderId: String(aggregateid),
    ...known('correlationId', correlation_id),
    ...known('traceparent', traceparent),
  };
}
