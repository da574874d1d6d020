import { DataSource } from 'typeorm';
import { isNetworkError } from './classify-error.js';
import { inTransaction, type Transaction } from './transaction.js';
import type { SqlResult } from './sql.js';
import { ConnectionLostError } from './transaction-errors.js';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Connections at most, at least 1. */
  readonly poolSize?: number;
  /** A statement of this service that runs for longer fails; 60 s unless given, 0 for no limit. Migrations have none. */
  readonly statementTimeoutMs?: number;
}

/** A statement that runs for longer is ended by the server, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Nobody waits without end: not for a connection, not for a server or client that has vanished without a word, not for the
 * locks of a process that stands still in the middle of a transaction, not for a statement. Most of these are an outage or
 * contention, and the same is done again. The server looks after a running statement's client, too: who destroys its connection
 * frees its locks at once. Waking for that twice a second costs nothing that can be measured.
 */
const patience = ({ statementTimeoutMs = STATEMENT_TIMEOUT_MS }: DatabaseOptions) => ({
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  connectionTimeoutMillis: 10_000,
  options: Object.entries({
    tcp_keepalives_idle: '5',
    tcp_keepalives_interval: '2',
    tcp_keepalives_count: '3',
    client_connection_check_interval: '500ms',
    lock_timeout: '5s',
    statement_timeout: `${statementTimeoutMs}ms`,
    idle_in_transaction_session_timeout: '15s',
  })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
});

/** A service's own PostgreSQL database. */
export class Database {
  readonly dataSource: DataSource;
  /** Connections at most. */
  readonly poolSize: number;

  constructor(options: DatabaseOptions) {
    this.poolSize = options.poolSize ?? 10;
    this.dataSource = new DataSource({
      type: 'postgres',
      url: options.url,
      applicationName: options.applicationName,
      poolSize: this.poolSize,
      // A statement is sent when it is asked for, not when the one before it is answered. The server still takes them in order.
      extra: { ...patience(options), pipeline: true },
      // An idle connection that the server closed (a restart) is replaced by the pool at the next use; not an event of ours.
      poolErrorHandler: () => {},
    });
  }

  /** @throws when the server cannot be reached */
  async connect(): Promise<this> {
    await this.dataSource.initialize();
    return this;
  }

  inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(this.dataSource, work);
  }

  /**
   * Runs one statement outside any transaction.
   *
   * @param options.name prepares it under this name, which is that of no other statement: for what is run all the time
   * @throws ConnectionLostError, or what the server says
   */
  async query<Row extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
    { name }: { name?: string } = {},
  ): Promise<SqlResult<Row>> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = await runner.connect();
      const { rows, rowCount } = await client.query({ text, values: [...values], ...(name !== undefined && { name }) });
      return { rows, count: rowCount ?? 0 };
    } catch (error) {
      throw isNetworkError(error) ? new ConnectionLostError(error) : error;
    } finally {
      await runner.release();
    }
  }

  async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
