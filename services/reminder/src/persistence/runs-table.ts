import { type Database, sql, type Transaction } from '@shopflow/database';

/** The run for one due time. */
export interface Run {
  readonly dueAt: Date;
  /** UTC date of the due time. */
  readonly day: string;
  /** Reminders that were raised, of all organizations. */
  readonly raised: number;
  /** Up to this invoice every overdue one has its reminder. */
  readonly lastInvoiceId: number;
  readonly startedAt: Date;
  /** null: under way, or left by a process that died. */
  readonly finishedAt: Date | null;
}

const COLUMNS = `
  due_at AS "dueAt", day::text, raised, last_invoice_id::float8 AS "lastInvoiceId", started_at AS "startedAt", finished_at AS "finishedAt"`;

/** The run, which nobody else works at before the transaction ends; begun here if nobody has begun it. */
export async function lockRun(tx: Transaction, dueAt: Date, day: string): Promise<Run> {
  await sql(tx, 'INSERT INTO reminder_runs (due_at, day) VALUES ($1, $2) ON CONFLICT (due_at) DO NOTHING', [dueAt.toISOString(), day]);
  const { rows } = await sql<Run>(tx, `SELECT ${COLUMNS} FROM reminder_runs WHERE due_at = $1 FOR UPDATE`, [dueAt.toISOString()]);
  return rows[0]!;
}

/** How far the run has come: behind which invoice it goes on, or that it is finished. */
export interface Progress {
  readonly raised: number;
  readonly lastInvoiceId: number;
  readonly finished: boolean;
}

export async function saveProgress(tx: Transaction, { dueAt }: Run, { raised, lastInvoiceId, finished }: Progress): Promise<void> {
  await sql(
    tx,
    `UPDATE reminder_runs SET raised = raised + $2, last_invoice_id = $3, finished_at = CASE WHEN $4 THEN now() END WHERE due_at = $1`,
    [dueAt.toISOString(), raised, lastInvoiceId, finished],
  );
}

/** Gives up what earlier runs have left: who was to be reminded then is reminded by the run for `dueAt`. */
export async function closeEarlierRuns(tx: Transaction, dueAt: Date): Promise<void> {
  await sql(tx, 'UPDATE reminder_runs SET finished_at = now() WHERE due_at < $1 AND finished_at IS NULL', [dueAt.toISOString()]);
}

/** Goes through the overdue invoices from the first one again. */
export async function reopenRun(tx: Transaction, { dueAt }: Run): Promise<void> {
  await sql(tx, 'UPDATE reminder_runs SET last_invoice_id = 0, finished_at = NULL WHERE due_at = $1', [dueAt.toISOString()]);
}

/** The run for the latest due time. */
export async function latestRun(database: Database): Promise<Run | undefined> {
  const { rows } = await database.query<Run>(`SELECT ${COLUMNS} FROM reminder_runs ORDER BY due_at DESC LIMIT 1`);
  return rows[0];
}

export async function isFinished(database: Database, dueAt: Date): Promise<boolean> {
  const { count } = await database.query('SELECT FROM reminder_runs WHERE due_at = $1 AND finished_at IS NOT NULL', [dueAt.toISOString()]);
  return count > 0;
}
