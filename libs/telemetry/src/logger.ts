import { pino, stdTimeFunctions, type Logger } from 'pino';
import { currentContext } from './context.js';

export type { Logger };

/**
 * The JSON logger of one service, one line per thing that happened, on standard output.
 * Every line carries the current {@link LogContext}.
 */
export function createLogger(service: string, level = 'info'): Logger {
  return pino({
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => ({ ...currentContext() }),
  });
}
