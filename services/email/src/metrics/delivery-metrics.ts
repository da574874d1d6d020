import type { DeathKind } from '@shopflow/consumer';
import type { Counter, Histogram, Meter } from '@shopflow/telemetry/metrics';
import type { DeliveryKind } from '../ledger/delivery.js';
import type { FindDeliveries } from '../ledger/find-deliveries.js';

/** Names as they are in Prometheus but for dots, which are underscores there; counters end in `_total`. */
export const metricNames = {
  /** E-mails that the provider accepted, by `kind`. */
  sent: 'deliveries.sent',
  /** From the call to the provider until the result was written, in milliseconds. */
  duration: 'deliveries.duration_ms',
  /** E-mails that were given up, by `reason`: rejected, retries-exhausted, crashed. The number to alert on. */
  dead: 'deliveries.dead',
  /** Rows of the ledger that are not over, by `status`: queued, running, dead. */
  depth: 'deliveries.queue_depth',
  /** How long the oldest that is queued or running has waited; 0 when none is. */
  oldestWaiting: 'deliveries.oldest_waiting_seconds',
  /** 1 while the breaker is open because the mail provider is down, 0 otherwise; the same of every instance. */
  providerDown: 'deliveries.provider_down',
} as const;

/** What the death of a delivery is called in figures. */
const REASONS: Partial<Record<DeathKind, string>> = { permanent: 'rejected', exhausted: 'retries-exhausted', crashed: 'crashed' };

const BOUNDARIES_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** The figures of sending e-mails. */
export class DeliveryMetrics {
  private readonly counts: { readonly sent: Counter; readonly dead: Counter };
  private readonly durations: Histogram;

  constructor(meter: Meter) {
    this.counts = {
      sent: meter.createCounter(metricNames.sent, { description: 'e-mails that the provider accepted' }),
      dead: meter.createCounter(metricNames.dead, { description: 'e-mails that were given up' }),
    };
    const advice = { explicitBucketBoundaries: BOUNDARIES_MS };
    this.durations = meter.createHistogram(metricNames.duration, { description: 'from the call to the written result, ms', advice });
  }

  sent(kind: DeliveryKind, durationMs: number): void {
    this.counts.sent.add(1, { kind });
    this.durations.record(durationMs);
  }

  dead(errorKind: DeathKind): void {
    this.counts.dead.add(1, { reason: REASONS[errorKind] ?? errorKind });
  }
}

/** How the line stands, asked of the database when somebody looks. */
export function observeLine(meter: Meter, deliveries: FindDeliveries, clock: () => Date = () => new Date()): void {
  const depth = meter.createObservableGauge(metricNames.depth, { description: 'deliveries that are not over' });
  const oldest = meter.createObservableGauge(metricNames.oldestWaiting, { description: 'how long the oldest delivery has waited, s' });
  const down = meter.createObservableGauge(metricNames.providerDown, { description: '1 while nothing is sent, for the provider is down' });
  meter.addBatchObservableCallback(
    async (result) => {
      const { queued, running, dead, oldestWaitingSeconds, providerDown } = await deliveries.lineState(clock());
      for (const [status, count] of Object.entries({ queued, running, dead })) result.observe(depth, count, { status });
      result.observe(oldest, oldestWaitingSeconds);
      result.observe(down, Number(providerDown));
    },
    [depth, oldest, down],
  );
}
