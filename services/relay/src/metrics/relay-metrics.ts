import type { Counter, Histogram, Meter } from '@shopflow/telemetry/metrics';
import { metricNames } from './metric-names.js';
import { observeSource, SourceGauges, type ObservedSource } from './source-gauges.js';

/** From a send of one event on a quiet machine to the longest that a producer waits. Seconds. */
const SEND_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const BATCH_EVENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** The figures of all sources of this process. */
export class RelayMetrics {
  private readonly batches: Counter;
  private readonly batchSize: Histogram;
  private readonly sendDuration: Histogram;
  private readonly deletedRows: Counter;
  private readonly gauges: SourceGauges;

  constructor(private readonly meter: Meter) {
    this.gauges = new SourceGauges(meter);
    this.batches = meter.createCounter(metricNames.batches, { description: 'sends that Kafka accepted' });
    this.batchSize = meter.createHistogram(metricNames.batchSize, {
      description: 'events in one send',
      advice: { explicitBucketBoundaries: BATCH_EVENTS },
    });
    this.sendDuration = meter.createHistogram(metricNames.sendDuration, {
      description: 'from the send to the acknowledgement of Kafka',
      unit: 's',
      advice: { explicitBucketBoundaries: SEND_SECONDS },
    });
    this.deletedRows = meter.createCounter(metricNames.deleted, { description: 'rows that retention has deleted' });
  }

  /** From now on every look shows the source as it is then. */
  watch(source: ObservedSource): void {
    this.meter.addBatchObservableCallback((result) => observeSource(result, this.gauges, source), this.gauges.all);
  }

  /** Kafka has accepted one send. */
  sent(source: string, events: number, seconds: number): void {
    this.batches.add(1, { source });
    this.batchSize.record(events, { source });
    this.sendDuration.record(seconds, { source });
  }

  deleted(source: string, rows: number): void {
    this.deletedRows.add(rows, { source });
  }
}
