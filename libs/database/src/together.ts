/** PostgreSQL: in_failed_sql_transaction. It says only that a statement before has failed. */
const AFTERMATH = '25P02';

type Sent<T extends readonly unknown[]> = { readonly [Place in keyof T]: T[Place] | Promise<T[Place]> };

/**
 * Waits for all of several statements that were sent one behind the other in one transaction.
 *
 * When one fails, the server refuses those behind it too, and which of these rejections comes first is a matter of how many promises
 * each went through: `Promise.all` may tell of the aftermath, which is of no kind, and leaves the transaction while the rest still runs.
 *
 * @throws what the statement that really failed threw
 */
export async function together<T extends readonly unknown[]>(sent: Sent<T>): Promise<T> {
  const outcomes = await Promise.allSettled(sent);
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (failures.length > 0) throw failures.find((failure) => !isAftermath(failure)) ?? failures[0];
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

const isAftermath = (failure: unknown): boolean => (failure as { code?: unknown } | null | undefined)?.code === AFTERMATH;
