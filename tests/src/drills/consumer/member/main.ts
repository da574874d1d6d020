// One member of the drill's group: a service like any other.
import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { ConsumerModule, KafkaGroup } from '@shopflow/consumer';
import { DatabaseModule } from '@shopflow/database';
import { serve } from '@shopflow/http';
import type { Logger } from '@shopflow/telemetry';
import { DELAYS_MS, drillSettings, type DrillSettings, TIME_LIMIT_MS } from '../settings.js';
import { DrillConsumer, SETTINGS } from './drill.consumer.js';

@Module({})
class MemberModule {
  static forRoot({ settings }: MemberConfig, logger: Logger): DynamicModule {
    const { brokers, databaseUrl, namespace, group, lanes, sessionTimeoutMs, name } = settings;
    const chunks = { chunkSize: 200 }; // a batch handler has to stay below the time limit
    const times = { retryDelaysMs: DELAYS_MS, timeLimitMs: TIME_LIMIT_MS, sessionTimeoutMs };
    const sweeps = { sweepMs: 2_000, sweepGraceMs: 2_000, backoff: { firstMs: 200, mostMs: 2_000 } };
    return {
      module: MemberModule,
      imports: [
        DatabaseModule.forRoot({ url: databaseUrl, applicationName: name, poolSize: 10 + 3 * lanes }),
        // A key whose heads die in a row would block by itself, and which keys do is not foreseen here.
        ConsumerModule.forRoot({ group, brokers, namespace, logger, lanes, blockAfterDeaths: 1_000_000, ...chunks, ...times, ...sweeps }),
      ],
      controllers: [DrillConsumer],
      providers: [{ provide: SETTINGS, useValue: settings }],
    };
  }
}

interface MemberConfig {
  readonly settings: DrillSettings;
  readonly port: number;
  readonly host: string;
  readonly logLevel: string;
}

const settings = drillSettings();
await serve<MemberConfig>({
  name: settings.name,
  config: () => ({ settings, port: 0, host: '127.0.0.1', logLevel: 'info' }),
  module: MemberModule.forRoot,
  strategy: KafkaGroup,
});
