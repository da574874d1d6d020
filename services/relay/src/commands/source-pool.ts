import { UsageError } from '@shopflow/command-line';
import { Pool } from 'pg';
import type { SourceConfig } from '../read-sources.js';

const CONNECT_MS = 5_000;
const QUERY_MS = 30_000;

/** Runs the work on a connection to the source's database that nobody waits for longer than half a minute. */
export async function withSource<T>({ databaseUrl }: SourceConfig, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({
    connectionString: databaseUrl,
    options: '-c TimeZone=UTC -c DateStyle=ISO',
    application_name: 'relay-command',
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
  });
  pool.on('error', () => {}); // a lost connection rejects the query in progress
  try {
    return await work(pool);
  } finally {
    void pool.end(); // a server that does not answer any more does not hold the command back
  }
}

/** The source of that name. @throws UsageError naming those that there are */
export function sourceNamed(sources: readonly SourceConfig[], name: string): SourceConfig {
  const source = sources.find((known) => known.name === name);
  if (source === undefined)
    throw new UsageError(`no source ${JSON.stringify(name)}: one of ${sources.map((known) => known.name).join(', ')}`);
  return source;
}
