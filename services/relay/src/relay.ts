import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Readiness } from '@shopflow/http';
import type { Logger } from '@shopflow/telemetry';
import { Metrics } from '@shopflow/telemetry/metrics';
import type { RelayConfig } from './config.js';
import { RelayMetrics } from './metrics/relay-metrics.js';
import { DatabaseWatch } from './source/database-watch.js';
import { reportSource, type SourceReport } from './source/source-report.js';
import { SourceRelay } from './source/source-relay.js';

/** All sources, each by itself: one that is down does not slow the others. */
export class Relay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sources: ReadonlyMap<string, SourceRelay>;
  private readonly watches: ReadonlyMap<string, DatabaseWatch>;

  constructor(config: RelayConfig, logger: Logger, { meter } = new Metrics('relay')) {
    const { shopflowNamespace: namespace, kafkaBrokers: brokers } = config;
    const metrics = new RelayMetrics(meter);
    const common = { namespace, brokers, logger, metrics, retentionDays: config.outboxRetentionDays };
    this.sources = new Map(config.sources.map((source) => [source.name, new SourceRelay({ ...source, ...common })]));
    this.watches = new Map([...this.sources].map(([name, { pool, slot }]) => [name, new DatabaseWatch(pool, slot)]));
    for (const [name, { status }] of this.sources) metrics.watch({ name, status, watch: this.watches.get(name)! });
  }

  /** A source is ready while it is published by this relay or another one. */
  addChecks(readiness: Readiness): void {
    for (const [name, { status }] of this.sources) {
      readiness.add(`source ${name}`, async () => {
        if (status.state !== 'active' && status.state !== 'standby') throw new Error(`${status.state}: ${status.reason ?? ''}`);
      });
    }
  }

  report(): Promise<SourceReport[]> {
    return Promise.all([...this.sources].map(([name, source]) => reportSource(name, source, this.watches.get(name))));
  }

  onApplicationBootstrap(): void {
    for (const source of this.sources.values()) source.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.sources.values()].map((source) => source.stop()));
  }
}
