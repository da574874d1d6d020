import { type Logger, runWithContext } from '@shopflow/telemetry';
import { eventOf, type ToldEvent } from './event-of-record.js';
import type { Load } from './flight.js';

/** More than this at once are told of in one line: at full speed a line per event would cost more than the event. */
const LINES_PER_FLIGHT = 10;

/**
 * Says what Kafka has accepted; a line about one event carries its correlation id.
 *
 * @param aside ids of events among them that were set aside instead
 */
export function logPublished(logger: Logger, loads: readonly Load[], events: number, aside: readonly string[]): void {
  if (events > LINES_PER_FLIGHT) return logger.info({ events }, `published ${events} events`);
  for (const { topic, batch } of loads) {
    for (const event of batch.records().map(eventOf)) {
      if (aside.includes(event.id)) continue;
      runWithContext(contextOf(event), () => logger.info({ type: event.type, topic: topic.logical }, `published ${event.id}`));
    }
  }
}

function contextOf({ id, key, correlationId, traceparent }: ToldEvent) {
  return {
    eventId: id,
    orderId: key,
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
