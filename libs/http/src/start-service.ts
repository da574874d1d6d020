import type { AddressInfo } from 'node:net';
import { type DynamicModule, type InjectionToken, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from '@shopflow/telemetry';
import { HealthModule } from './health/health.module.js';
import { Readiness } from './health/readiness.js';
import { watchStrategy } from './health/watch-strategy.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OpenConnections } from './open-connections.js';
import { organizationContext } from './organization.js';
import { ProblemFilter } from './problem-filter.js';
import { requestContext } from './request-context.js';
import { ListenError } from './start-up-fault.js';
import { StartUpLogger } from './start-up-logger.js';
import { stopService } from './stop-service.js';

export interface ServiceOptions {
  readonly name: string;
  readonly module: DynamicModule;
  readonly logger: Logger;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Signs the tokens by which a request names its organization; none are taken when left out. */
  readonly organizationKey?: string | undefined;
  /** Injection token of the microservice strategy, for a service that consumes events. */
  readonly strategy?: InjectionToken;
}

export interface RunningService {
  /** `http://127.0.0.1:3001` */
  readonly url: string;
  readonly app: NestExpressApplication;
  /** Finishes what has begun, then closes everything, the database last. */
  stop(): Promise<void>;
}

/** Larger than anything that people or services send here on purpose. */
const BODY_LIMIT = '100kb';

@Module({})
class ServiceRoot {}

/**
 * Starts a service in this process: HTTP with request context, problem+json, health and metrics, and its consumer if it has one.
 * @throws what stood in the way: the database, the broker, a taken port
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { logger, host, port, strategy } = options;
  const nestLogger = new StartUpLogger(logger);
  const root = { module: ServiceRoot, imports: [HealthModule, MetricsModule.of(options.name), options.module] };
  const app = await NestFactory.create<NestExpressApplication>(root, { bodyParser: false, abortOnError: false, logger: nestLogger });
  const connections = new OpenConnections(app.getHttpServer());
  try {
    configureHttp(app, options);
    if (strategy !== undefined) connectConsumer(app, app.get<object>(strategy));
    await app.init();
    await app.startAllMicroservices();
    await app.listen(port, host).catch((cause: unknown) => Promise.reject(new ListenError(host, port, cause)));
  } catch (error) {
    await app.close().catch((second: unknown) => logger.error({ err: second }, 'closing after the failed start failed too'));
    throw error;
  }
  nestLogger.started();
  const { port: actual } = app.getHttpServer().address() as AddressInfo;
  return { url: `http://${host}:${actual}`, app, stop: () => stopService(app, connections, app.get(Readiness)) };
}

function connectConsumer(app: NestExpressApplication, strategy: object): void {
  // Interceptors and filters that the service's module provides apply to its handlers too.
  app.connectMicroservice({ strategy }, { inheritAppConfig: true });
  watchStrategy(app, strategy);
}

function configureHttp(app: NestExpressApplication, { logger, organizationKey }: ServiceOptions): void {
  app.disable('x-powered-by');
  app.use(requestContext(logger));
  app.use(organizationContext(organizationKey));
  app.useBodyParser('json', { limit: BODY_LIMIT, type: ['json', '+json'] });
  app.useGlobalFilters(new ProblemFilter(logger));
}
