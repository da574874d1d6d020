import { join } from 'node:path';
import { givenServers } from './home.js';
import { EmbeddedKafka } from './kafka/embedded-kafka.js';
import { EmbeddedPostgres } from './postgres/embedded-postgres.js';

/** A Kafka and a PostgreSQL that can be used now. */
export interface Servers {
  /** `given`: both run without us. `embedded`: at least one of them is ours, and ends with us. */
  readonly kind: 'given' | 'embedded';
  /** host:port list. */
  readonly kafkaBrokers: string;
  /** URL of the maintenance database, with the right to create databases. */
  readonly databaseUrl: string;
  /** Ours, for tests that have to stop or kill it; undefined when it was given. */
  readonly kafka: EmbeddedKafka | undefined;
  readonly postgres: EmbeddedPostgres | undefined;
  /** Stops what is ours; what was given goes on. */
  stop(): Promise<void>;
  /** Stops what is ours and deletes all that it kept. */
  remove(): Promise<void>;
}

export interface ServersOptions {
  /** Data and logs of servers that are ours. Kept from start to start. */
  readonly dir: string;
  /** Free ones where left out. */
  readonly ports?: { readonly kafka?: number; readonly kafkaController?: number; readonly postgres?: number };
  /** Given servers (`KAFKA_BROKERS`, `DATABASE_URL`), `SHOPFLOW_HOME`, `JAVA_HOME`, `PATH`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (message: string) => void;
  /** Gives the start up: what runs already is stopped, and the reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Kafka and PostgreSQL, always real. Each comes from the first of these that there is:
 * 1. given by `KAFKA_BROKERS` or `DATABASE_URL`,
 * 2. (containers, on a machine with a Docker daemon: their place is here),
 * 3. embedded: processes of ours on this machine, which end with us.
 *
 * @throws ServersError in one line that says what to do; then nothing is left running
 */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { env, onProgress = () => {} } = options;
  const given = givenServers(env);
  const starting = [
    given.kafkaBrokers === undefined ? startKafka(options, onProgress) : undefined,
    given.databaseUrl === undefined ? startPostgres(options, onProgress) : undefined,
  ] as const;
  const [kafka, postgres] = await bothOrNeither(...starting);
  return {
    kind: kafka || postgres ? 'embedded' : 'given',
    kafkaBrokers: given.kafkaBrokers ?? (kafka as EmbeddedKafka).brokers,
    databaseUrl: given.databaseUrl ?? (postgres as EmbeddedPostgres).url,
    kafka,
    postgres,
    stop: async () => void (await Promise.all([kafka?.stop(), postgres?.stop()])),
    remove: async () => void (await Promise.all([kafka?.remove(), postgres?.remove()])),
  };
}

/** Deletes what servers kept in `dir`; one that an earlier start could not end is ended. */
export async function removeServerData(dir: string): Promise<void> {
  await Promise.all([EmbeddedKafka.removeData(join(dir, 'kafka')), EmbeddedPostgres.removeData(join(dir, 'postgres'))]);
}

function startKafka({ dir, ports, env, signal }: ServersOptions, onProgress: (message: string) => void): Promise<EmbeddedKafka> {
  onProgress('starting Kafka');
  const { kafka: port, kafkaController: controllerPort } = ports ?? {};
  return EmbeddedKafka.start({ dir: join(dir, 'kafka'), onProgress, port, controllerPort, env, signal });
}

function startPostgres({ dir, ports, env, signal }: ServersOptions, onProgress: (message: string) => void): Promise<EmbeddedPostgres> {
  onProgress('starting PostgreSQL');
  return EmbeddedPostgres.start({ dir: join(dir, 'postgres'), port: ports?.postgres, env, signal });
}

/** They start at the same time; when one fails, the other is stopped before the failure is told. */
async function bothOrNeither<A extends { stop(): Promise<void> }, B extends { stop(): Promise<void> }>(
  a: Promise<A> | undefined,
  b: Promise<B> | undefined,
): Promise<[A | undefined, B | undefined]> {
  const [first, second] = await Promise.allSettled([a, b]);
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return [first.value, second.value];
  for (const outcome of [first, second]) if (outcome.status === 'fulfilled') await outcome.value?.stop();
  throw first.status === 'rejected' ? first.reason : (second as PromiseRejectedResult).reason;
}
