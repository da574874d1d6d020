import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';

export interface SqlResult<Row> {
  readonly rows: Row[];
  /** Rows that the statement touched; 0 where the server does not say. */
  readonly count: number;
}

type PgClient = ClientBase & { getTransactionStatus(): string };

/** The node-postgres client below a transaction: for set-based statements, where TypeORM's result shapes differ by verb. */
export async function clientOf(manager: EntityManager): Promise<PgClient> {
  if (!manager.queryRunner) throw new Error('this EntityManager has no connection of its own: pass the one that inTransaction gives');
  return (await manager.queryRunner.connect()) as PgClient;
}

/** Runs one parameterised statement on the transaction's connection. */
export async function sql<Row extends object = Record<string, unknown>>(
  tx: EntityManager,
  text: string,
  values: readonly unknown[] = [],
): Promise<SqlResult<Row>> {
  const client = await clientOf(tx);
  const { rows, rowCount } = await client.query<Row>(text, [...values]);
  return { rows, count: rowCount ?? 0 };
}
