import type { Logger } from '@shopflow/telemetry';
import type { Kafka, LogEntry } from 'kafkajs';
import { Kafka as KafkaJs, logLevel } from './kafkajs.js';

/** How often kafkajs tries what failed: for some 9 s, at most a second apart, so that a broker that is back is seen soon. */
const RETRIES = 10;

/**
 * The kafkajs client: for consuming and administration only. It produces nothing here, because its idempotent
 * producer acknowledges records that it never writes (docs/adr/0002-two-kafka-clients.md).
 *
 * @param options.retries fewer than usual for whoever tries again by itself
 */
export function connectKafka(options: { brokers: string; clientId: string; logger: Logger; retries?: number }): Kafka {
  silenceTimeoutNegativeWarning();
  return new KafkaJs({
    clientId: options.clientId,
    brokers: options.brokers.split(','),
    retry: { initialRetryTime: 300, maxRetryTime: 1_000, retries: options.retries ?? RETRIES },
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => forward(options.logger, entry),
  });
}

/** While a broker is away these say so several times a second; who needs the broker says it once for each of its own tries. */
const CHATTY = new Set(['Connection', 'BrokerPool']);

function forward(
  logger: Logger,
  { level: itsLevel, namespace, log: { message, logger: _name, timestamp: _at, ...details } }: LogEntry,
): void {
  const level = CHATTY.has(namespace) ? logLevel.DEBUG : itsLevel;
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
