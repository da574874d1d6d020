import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';
import { arrayLiteral } from './array-literal.js';
import { preparedName } from './prepared-name.js';

export interface SqlResult<Row> {
  readonly rows: Row[];
  /** Rows that the statement touched; 0 where the server does not say. */
  readonly count: number;
}

export type PgClient = ClientBase & { getTransactionStatus(): string };

/** The node-postgres client below a transaction: for set-based statements, where TypeORM's result shapes differ by verb. */
export async function clientOf(manager: EntityManager): Promise<PgClient> {
  if (!manager.queryRunner) throw new Error('this EntityManager has no connection of its own: pass the one that inTransaction gives');
  return (await manager.queryRunner.connect()) as PgClient;
}

/**
 * Runs one parameterised statement on the transaction's connection. Arrays become arrays of PostgreSQL, objects JSON. A
 * statement with parameters that comes again and again and answers no rows is prepared.
 */
export async function sql<Row extends object = Record<string, unknown>>(
  tx: EntityManager,
  text: string,
  values: readonly unknown[] = [],
): Promise<SqlResult<Row>> {
  const client = await clientOf(tx);
  // Without parameters it may be several statements, which cannot be prepared together.
  const name = values.length === 0 ? undefined : preparedName(text);
  const statement = { text, values: values.map(toParameter) };
  const { rows, rowCount } = await client.query<Row>(name === undefined ? statement : { ...statement, name });
  return { rows, count: rowCount ?? 0 };
}

/** Node-postgres does the rest. */
const toParameter = (value: unknown): unknown => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value);
