import { clientOf, type SqlResult, type Transaction } from '@shopflow/database';

/**
 * Runs a statement that is prepared once on each connection: planning takes longer than running here. Its columns are named one
 * by one, so that a migration changes nothing about them.
 *
 * @param name that of no other statement
 */
export async function prepared<Row extends object>(
  tx: Transaction,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<SqlResult<Row>> {
  const client = await clientOf(tx);
  const { rows, rowCount } = await client.query<Row>({ name, text, values: [...values] });
  return { rows, count: rowCount ?? 0 };
}
