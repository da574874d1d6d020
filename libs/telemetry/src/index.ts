export { currentContext, runWithContext, type LogContext } from './context.js';
export { createLogger, type Logger } from './logger.js';
export { NestLogger } from './nest-logger.js';
