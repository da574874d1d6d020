import type { EventEnvelope } from '@shopflow/contracts';
import { type LogContext, runWithContext } from '@shopflow/telemetry';
import { isObservable, lastValueFrom } from 'rxjs';
import { BatchContext, EventContext } from './event-context.js';
import type { EventItem } from './event-item.js';
import { assertOpen, type Unit } from './unit-of-work.js';

/** What handlers get from outside the transaction. */
export interface Surroundings {
  readonly group: string;
  readonly signal: AbortSignal;
}

/** Calls the handler of one event and waits until it is done. @throws what the handler, or anything around it, threw */
export async function callWithEvent(item: EventItem, unit: Unit, { group, signal }: Surroundings): Promise<void> {
  const context = new EventContext(unit.tx, group, item.record, signal);
  await runWithContext(logContextOf(item.event, group), () => settled(item.subscriber.handle(item.event, context)));
  assertOpen(unit);
}

/** Calls a batch handler with consecutive events of its subscription. */
export async function callWithBatch(items: readonly EventItem[], unit: Unit, { group, signal }: Surroundings): Promise<void> {
  const records = items.map((item) => item.record);
  const events = items.map((item) => item.event);
  const context = new BatchContext(unit.tx, group, records, signal);
  const logContext = events.length === 1 ? logContextOf(events[0]!, group) : { group };
  await runWithContext(logContext, () => settled(items[0]!.subscriber.handle(events, context)));
  assertOpen(unit);
}

/** With an interceptor Nest answers with an Observable that nobody has subscribed to: until then the handler has not run. */
async function settled(result: unknown): Promise<void> {
  const answer = await result;
  if (isObservable(answer)) await lastValueFrom(answer, { defaultValue: undefined });
}

function logContextOf(event: EventEnvelope, group: string): LogContext {
  return {
    group,
    eventId: event.id,
    orderId: event.subject,
    correlationId: event.correlationId ?? undefined,
    traceparent: event.traceparent ?? undefined,
    tracestate: event.tracestate ?? undefined,
  };
}
