import type { Meter } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AggregationTemporality, InstrumentType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';

export type { Attributes, BatchObservableResult, Counter, Histogram, Meter, Observable, ObservableGauge } from '@opentelemetry/api';

/** What asks others while it is being read, such as a database, has so long; what it has not answered then is left out. */
const COLLECT_MS = 3_000;

/** Read when somebody asks, never by itself: nothing runs between two looks. */
class OnDemandReader extends MetricReader {
  constructor() {
    super({ aggregationTemporalitySelector: temporalityOf });
  }

  protected override onForceFlush = (): Promise<void> => Promise.resolve();
  protected override onShutdown = (): Promise<void> => Promise.resolve();
}

/** A gauge that its callback does not observe any more must vanish: summed up, its last value would be repeated for ever. */
const temporalityOf = (type: InstrumentType): AggregationTemporality =>
  type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;

/** The figures of one service in one process. Make instruments with {@link meter}, once each. */
export class Metrics {
  readonly meter: Meter;
  private readonly reader = new OnDemandReader();
  private readonly provider: MeterProvider;
  private readonly serializer = new PrometheusSerializer(undefined, false, undefined, false, true);

  /** @param service its name, as in log lines */
  constructor(service: string) {
    this.provider = new MeterProvider({ resource: resourceFromAttributes({ 'service.name': service }), readers: [this.reader] });
    this.meter = this.provider.getMeter('shopflow');
  }

  /** All figures as they are now, in the text format of Prometheus. One that could not be read is missing. */
  async text(): Promise<string> {
    const { resourceMetrics } = await this.reader.collect({ timeoutMillis: COLLECT_MS });
    return `${this.serializer.serialize(resourceMetrics).trimEnd()}\n`;
  }

  close(): Promise<void> {
    return this.provider.shutdown();
  }
}

/** Media type of {@link Metrics.text}. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
