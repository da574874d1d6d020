import { Database, migrate, type Migration } from '@shopflow/database';
import { dropDatabase, withClient, withDatabase } from '@shopflow/servers';
import type { Client } from 'pg';
import { inject } from 'vitest';
import { eventually } from './eventually.js';
import './provided.js';
import { newDatabaseName } from './unique-name.js';

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  readonly database: Database;
  /** Closes {@link database} and drops the database with its replication slots. @throws LeakedConnectionsError */
  drop(): Promise<void>;
}

/** A test closed its database while something of it was still connected: it would go on working behind the next test. */
export class LeakedConnectionsError extends Error {
  constructor(readonly applications: readonly string[]) {
    super(`still connected at the end of the test: ${applications.join(', ')}; close it before drop()`);
    this.name = 'LeakedConnectionsError';
  }
}

/** How long closed connections may take to leave the server's list. */
const LEAVING_MS = 3_000;

/**
 * A database of this test file's own, migrated and connected. Created in milliseconds; drop it in `afterAll`.
 *
 * @param options.poolSize connections of `database` at most, 10 unless given
 */
export async function createTestDatabase(migrations: readonly Migration[], options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const name = newDatabaseName(inject('runId'));
  const url = withDatabase(databaseServerUrl(), name);
  await asAdmin((admin) => admin.query(`CREATE DATABASE "${name}"`));
  await migrate(url, migrations);
  const database = await new Database({ url, applicationName: 'test', ...options }).connect();
  return { name, url, database, drop: () => drop(name, database) };
}

/** URL of the PostgreSQL server of this run (its maintenance database). */
export const databaseServerUrl = (): string => inject('databaseUrl');

async function drop(name: string, database: Database): Promise<void> {
  await database.close();
  await asAdmin(async (admin) => {
    const leaked = await connectionsThatStay(admin, name);
    await dropDatabase(admin, name);
    if (leaked.length > 0) throw new LeakedConnectionsError(leaked);
  });
}

async function connectionsThatStay(admin: Client, name: string): Promise<string[]> {
  const connected = async () => {
    const { rows } = await admin.query<{ application: string }>(
      `SELECT coalesce(nullif(application_name, ''), 'unnamed') AS application FROM pg_stat_activity
       WHERE datname = $1 AND backend_type IN ('client backend', 'walsender')`,
      [name],
    );
    return rows.map((row) => row.application);
  };
  const gone = async () => (await connected()).length === 0;
  return eventually(gone, { timeoutMs: LEAVING_MS }).then(
    () => [],
    () => connected(),
  );
}

const asAdmin = <T>(work: (admin: Client) => Promise<T>): Promise<T> =>
  withClient({ connectionString: databaseServerUrl(), application_name: 'test-admin' }, work);
