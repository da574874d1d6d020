import type { Logger } from '@shopflow/telemetry';
import { Kafka, logLevel, type LogEntry } from 'kafkajs';

/**
 * The kafkajs client: for consuming and administration only. It produces nothing here, because its idempotent
 * producer acknowledges records that it never writes (docs/adr/0002-two-kafka-clients.md).
 */
export function connectKafka(options: { brokers: string; clientId: string; logger: Logger }): Kafka {
  silenceTimeoutNegativeWarning();
  return new Kafka({
    clientId: options.clientId,
    brokers: options.brokers.split(','),
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => forward(options.logger, entry),
  });
}

function forward(logger: Logger, { level, namespace, log: { message, logger: _name, timestamp: _at, ...details } }: LogEntry): void {
  const write = level === logLevel.ERROR ? logger.error : level === logLevel.WARN ? logger.warn : logger.debug;
  write.call(logger, { kafkajs: namespace, ...details }, message);
}

let silenced = false;

/** kafkajs computes negative timeouts, on which Node 24 warns once per process; every other warning stays. */
function silenceTimeoutNegativeWarning(): void {
  if (silenced) return;
  silenced = true;
  const emit = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    const name = typeof rest[0] === 'string' ? rest[0] : (rest[0] as { type?: string } | undefined)?.type;
    if (name === 'TimeoutNegativeWarning') return;
    (emit as (...args: unknown[]) => void)(warning, ...rest);
  }) as typeof process.emitWarning;
}
