import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Readiness } from '@shopflow/http';
import type { Logger } from '@shopflow/telemetry';
import type { RelayConfig } from './config.js';
import { reportSource, type SourceReport } from './source/source-report.js';
import { SourceRelay } from './source/source-relay.js';

/** All sources, each by itself: one that is down does not slow the others. */
export class Relay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sources: ReadonlyMap<string, SourceRelay>;

  constructor(config: RelayConfig, logger: Logger) {
    const { shopflowNamespace: namespace, kafkaBrokers: brokers } = config;
    this.sources = new Map(config.sources.map((source) => [source.name, new SourceRelay({ ...source, namespace, brokers, logger })]));
  }

  /** A source is ready while it is published by this relay or another one. */
  addChecks(readiness: Readiness): void {
    for (const [name, { status }] of this.sources) {
      readiness.add(`source ${name}`, async () => {
        if (status.state !== 'publishing' && status.state !== 'standby') throw new Error(`${status.state}: ${status.reason ?? ''}`);
      });
    }
  }

  report(): Promise<SourceReport[]> {
    return Promise.all([...this.sources].map(([name, source]) => reportSource(name, source)));
  }

  onApplicationBootstrap(): void {
    for (const source of this.sources.values()) source.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.sources.values()].map((source) => source.stop()));
  }
}
