import type { EventEnvelope } from '@shopflow/contracts';
import { destroyConnection } from '@shopflow/database';
import { type LogContext, type Logger, runWithContext } from '@shopflow/telemetry';
import { isObservable, lastValueFrom } from 'rxjs';
import { BatchContext, EventContext } from './event-context.js';
import { type EventItem, labelOf } from './event-item.js';
import { HandlerTimeoutError } from './failure.js';
import { fieldsOf } from './log-result.js';
import { CallSignal } from './time-limit/call-signal.js';
import { withinLimit } from './time-limit/within-limit.js';
import { assertOpen, type Unit } from './unit-of-work.js';

/** What handlers get from outside the transaction, and how long they may take. */
export interface Surroundings {
  readonly group: string;
  /** Aborted when the partition is lost or the service stops. */
  readonly signal: AbortSignal;
  /** For one call, in milliseconds. */
  readonly timeLimitMs: number;
  /** Hears of calls that were over their limit. */
  readonly logger?: Logger;
}

/**
 * Calls the handler of one event and waits until it is done.
 *
 * @throws HandlerTimeoutError when it takes too long; then the transaction's connection is gone, and what the handler still does
 *   counts for nothing; or what the handler, or anything around it, threw
 */
export async function callWithEvent(item: EventItem, unit: Unit, around: Surroundings): Promise<void> {
  await limited([item], unit, around, (call) => {
    const context = new EventContext(unit.tx, around.group, item.record, call);
    return runWithContext(logContextOf(item.event, around.group), () => settled(item.subscriber.handle(item.event, context)));
  });
}

/** Calls a batch handler with consecutive events of its subscription. @throws like {@link callWithEvent} */
export async function callWithBatch(items: readonly EventItem[], unit: Unit, around: Surroundings): Promise<void> {
  const records = items.map((item) => item.record);
  const events = items.map((item) => item.event);
  const logContext = events.length === 1 ? logContextOf(events[0]!, around.group) : { group: around.group };
  await limited(items, unit, around, (call) => {
    const context = new BatchContext(unit.tx, around.group, records, call);
    return runWithContext(logContext, () => settled(items[0]!.subscriber.handle(events, context)));
  });
}

async function limited(
  items: readonly EventItem[],
  unit: Unit,
  around: Surroundings,
  handle: (call: CallSignal) => Promise<void>,
): Promise<void> {
  const callSignal = new CallSignal(around.signal);
  const onLimit = () => giveUp(items, unit, around, callSignal);
  try {
    await withinLimit(async () => handle(callSignal), around.timeLimitMs, onLimit);
  } finally {
    callSignal.end();
  }
  assertOpen(unit);
}

/** The connection first: nothing that the handler does when it hears of it may count. */
function giveUp(items: readonly EventItem[], unit: Unit, { timeLimitMs, logger }: Surroundings, callSignal: CallSignal): Error {
  const { handler } = items[0]!.subscriber.subscription;
  const error = new HandlerTimeoutError(
    handler,
    timeLimitMs,
    items.map(({ identity }) => identity.eventId),
  );
  destroyConnection(unit.tx, error);
  logger?.warn({ ...fieldsOf(labelOf(items[0]!)), handler, events: items.length, timeLimitMs }, error.message);
  callSignal.abort(error);
  return error;
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
    organizationId: event.organizationId,
    correlationId: event.correlationId ?? undefined,
    traceparent: event.traceparent ?? undefined,
    tracestate: event.tracestate ?? undefined,
  };
}
