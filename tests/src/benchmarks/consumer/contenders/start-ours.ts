import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ConsumerModule, KafkaGroup } from '@shopflow/consumer';
import { DatabaseModule } from '@shopflow/database';
import { startService } from '@shopflow/http';
import { createLogger } from '@shopflow/telemetry';
import { contenderSettings, ready } from '../contender.js';

@Module({})
class BenchModule {}

/** A service like any other, around one consumer class. */
export async function startOurs(controller: Type): Promise<void> {
  const { brokers, databaseUrl, namespace, group, lanes } = contenderSettings();
  const logger = createLogger('bench', 'warn');
  const consumer = { group, brokers, namespace, logger, ...(lanes === undefined ? {} : { lanes, concurrency: 1 }) };
  const module: DynamicModule = {
    module: BenchModule,
    imports: [
      DatabaseModule.forRoot({ url: databaseUrl, applicationName: 'bench', poolSize: 10 + (lanes ?? 0) }),
      ConsumerModule.forRoot(consumer),
    ],
    controllers: [controller],
  };
  await startService({ name: 'bench', module, logger, host: '127.0.0.1', port: 0, strategy: KafkaGroup });
  ready();
}
