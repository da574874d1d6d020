import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Database, type DatabaseOptions } from './database.js';

/** Connects the service's {@link Database} at start and closes it last, after everything that still writes has stopped. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [{ provide: Database, useFactory: () => new Database(options).connect() }],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
