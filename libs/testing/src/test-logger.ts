import { createLogger, type Logger } from '@shopflow/telemetry';

/** Silent unless something goes wrong badly: a test says what it expects in assertions, not in lines that somebody has to read. */
export const testLogger = (name = 'test', level = 'fatal'): Logger => createLogger(name, level);
