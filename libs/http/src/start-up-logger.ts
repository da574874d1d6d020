import { type Logger, NestLogger } from '@shopflow/telemetry';

/**
 * Nest logs every error of the start by itself, with its stack, before it throws it. Whoever started the service gets
 * the error and says it once, so until then Nest's own line is only for debugging.
 */
export class StartUpLogger extends NestLogger {
  private starting = true;

  constructor(private readonly serviceLogger: Logger) {
    super(serviceLogger);
  }

  started(): void {
    this.starting = false;
  }

  override error(message: unknown, stack?: string, context?: string): void {
    if (this.starting) this.serviceLogger.debug({ context, stack, err: message }, 'start-up failed');
    else super.error(message, stack, context);
  }
}
