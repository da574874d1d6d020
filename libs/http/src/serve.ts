import { DEVELOPMENT_KEY } from '@shopflow/config';
import type { DynamicModule, InjectionToken } from '@nestjs/common';
import { createLogger, type Logger } from '@shopflow/telemetry';
import { failStart } from './fail-start.js';
import { type RunningService, startService } from './start-service.js';

export interface ServeOptions<Config> {
  /** The service's name in its log lines. */
  readonly name: string;
  /** Reads the configuration; a ConfigError ends the process with every fault. */
  readonly config: () => Config;
  readonly module: (config: Config, logger: Logger) => DynamicModule;
  /** Injection token of the microservice strategy, for a service that consumes events. */
  readonly strategy?: InjectionToken;
  /** False for a configuration with which it consumes none all the same. */
  readonly consumes?: (config: Config) => boolean;
}

type ListeningConfig = { port: number; host: string; logLevel: string; organizationKey?: string | undefined };

const OPEN_TO_ALL = 'ORGANIZATION_KEY is the development key: whoever has read the code can act for any organization';

/** An orderly stop takes less; `npm start` kills after 6 s (deploy/local/src/supervised-process.ts). */
const STOP_MS = 5_500;

/**
 * Runs a service until SIGTERM or SIGINT: the whole of a `main.ts`. Exit code 0 after an orderly stop; 1 when it could
 * not start (one line on standard error says why) or could not stop in time.
 */
export async function serve<Config extends ListeningConfig>(options: ServeOptions<Config>): Promise<void> {
  let logger = createLogger(options.name);
  try {
    const config = options.config();
    logger = createLogger(options.name, config.logLevel);
    process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ err: error }, 'the process dies of an error that nothing caught'));
    const { name, consumes = () => true } = options;
    const strategy = consumes(config) ? options.strategy : undefined;
    const service = await startService({
      name,
      ...(strategy === undefined ? {} : { strategy }),
      module: options.module(config, logger),
      logger,
      host: config.host,
      port: config.port,
      organizationKey: config.organizationKey,
    });
    if (config.organizationKey === DEVELOPMENT_KEY) logger.warn(OPEN_TO_ALL);
    stopOnSignals(service, logger);
    logger.info(`${name} is listening on ${service.url}`);
  } catch (error) {
    failStart(error, options.name, logger);
  }
}

function stopOnSignals(service: RunningService, logger: Logger): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info(`${signal}: stopping`);
    setTimeout(() => giveUp(logger, `not stopped after ${STOP_MS} ms`), STOP_MS).unref();
    await service.stop().catch((error: unknown) => giveUp(logger, 'stopping failed', error));
    logger.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}

function giveUp(logger: Logger, reason: string, error?: unknown): never {
  logger.fatal({ err: error }, reason);
  process.exit(1);
}
