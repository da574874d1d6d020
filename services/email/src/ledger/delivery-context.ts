import { runWithContext } from '@shopflow/telemetry';
import type { LeasedDelivery } from './delivery.js';

type Traced = Pick<
  LeasedDelivery,
  'correlationId' | 'causeEventId' | 'organizationId' | 'orderId' | 'number' | 'traceparent' | 'tracestate'
>;

/** Runs `work` in the context of the request that asked for the e-mail, long after it: log lines and events carry its ids. */
export function inContextOf<T>(delivery: Traced, work: () => T): T {
  const { correlationId, causeEventId, organizationId, orderId, number, traceparent, tracestate } = delivery;
  const context = {
    eventId: causeEventId,
    orderId: orderId ?? number ?? '',
    organizationId,
    ...(correlationId === null ? {} : { correlationId }),
    ...(traceparent === null ? {} : { traceparent }),
    ...(tracestate === null ? {} : { tracestate }),
  };
  return runWithContext(context, work);
}
