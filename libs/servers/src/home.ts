import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Env = Readonly<Record<string, string | undefined>>;

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the local platform keeps downloads, data and logs: `.shopflow` in the repository, or where `SHOPFLOW_HOME` says. */
export const shopflowHome = (env: Env = process.env): string => env['SHOPFLOW_HOME'] || join(REPOSITORY, '.shopflow');

/** What is used by every namespace and survives `--fresh`: Kafka's jars, PostgreSQL's binaries. */
export const cacheFolder = (env?: Env): string => join(shopflowHome(env), 'cache');

/** Servers that somebody else runs, by the variables that every service reads too. */
export const givenServers = (env: Env = process.env): { kafkaBrokers: string | undefined; databaseUrl: string | undefined } => ({
  kafkaBrokers: env['KAFKA_BROKERS'] || undefined,
  databaseUrl: env['DATABASE_URL'] || undefined,
});
