import { pino, stdSerializers, stdTimeFunctions, type Logger } from 'pino';
import { currentContext } from './context.js';
import { maskFields } from './mask-addresses.js';

export type { Logger };

/**
 * The JSON logger of one service, one line per thing that happened, on standard output.
 * Every line carries the current {@link LogContext}; e-mail addresses in its fields are masked.
 */
export function createLogger(service: string, level = 'info'): Logger {
  return pino({
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: maskFields },
    serializers: { err: (error: Error) => maskFields(stdSerializers.err(error)) },
    mixin: () => ({ ...currentContext() }),
  });
}
