import { type Database, sql, type Transaction } from '@shopflow/database';
import type { Reminder } from '../reminder.js';
import type { Run } from './runs-table.js';

/** bigint comes as text; what the contracts let in fits a number. */
type Row = Omit<Reminder, 'amountKobo'> & { readonly amountKobo: string | null };

const COLUMNS = `
  reminder_id AS "reminderId", invoice_id::float8 AS "invoiceId", number, order_id AS "orderId", recipient,
  amount_kobo AS "amountKobo", due_on AS "dueOn", day::text`;

export type OwnedReminder = Reminder & { readonly organizationId: string };

/**
 * Raises a reminder for each invoice that is overdue on the run's day and has none for it: those with the `limit` smallest ids
 * behind the run's last one.
 *
 * @returns the new reminders in the order of their invoices; fewer than `limit` when there are no more
 */
export async function raiseNext(tx: Transaction, run: Run, limit: number): Promise<OwnedReminder[]> {
  const { rows } = await sql<Row & { organizationId: string }>(tx, RAISE, [run.day, run.dueAt.toISOString(), run.lastInvoiceId, limit]);
  return rows.map((row) => ({ ...toReminder(row), organizationId: row.organizationId }));
}

const RAISE = `
  INSERT INTO reminders (reminder_id, invoice_id, day, number, order_id, organization_id, recipient, amount_kobo, due_on, run_due_at)
  SELECT 'reminder:' || invoice_id || ':' || $1::text, invoice_id, $1::date, number, order_id, organization_id, recipient, amount_kobo, due_on, $2
  FROM invoices i
  WHERE delivered AND NOT paid AND NOT voided AND due_on < $1::text AND invoice_id > $3
    AND NOT EXISTS (SELECT 1 FROM reminders r WHERE r.invoice_id = i.invoice_id AND r.day = $1::date)
  ORDER BY invoice_id LIMIT $4
  ON CONFLICT DO NOTHING
  RETURNING ${COLUMNS}, organization_id AS "organizationId"`;

export interface ReminderFilter {
  readonly organizationId: string;
  readonly invoiceId?: number | undefined;
  /** UTC date. */
  readonly day?: string | undefined;
  readonly limit: number;
}

/** The newest day first, within it by invoice. */
export async function findReminders(database: Database, { organizationId, invoiceId, day, limit }: ReminderFilter): Promise<Reminder[]> {
  const { rows } = await database.query<Row>(
    `SELECT ${COLUMNS} FROM reminders
     WHERE organization_id = $1 AND ($2::bigint IS NULL OR invoice_id = $2) AND ($3::date IS NULL OR day = $3)
     ORDER BY reminders.day DESC, reminders.invoice_id LIMIT $4`,
    [organizationId, invoiceId ?? null, day ?? null, limit],
  );
  return rows.map(toReminder);
}

/** How many reminders of an organization a run has raised. */
export async function countOfRun(database: Database, { dueAt }: Run, organizationId: string): Promise<number> {
  const { rows } = await database.query<{ raised: number }>(
    'SELECT count(*)::int AS raised FROM reminders WHERE organization_id = $1 AND day = ($2::timestamptz AT TIME ZONE $3)::date AND run_due_at = $2',
    [organizationId, dueAt.toISOString(), 'UTC'],
  );
  return rows[0]!.raised;
}

const toReminder = ({ reminderId, invoiceId, number, orderId, recipient, amountKobo, dueOn, day }: Row): Reminder => ({
  reminderId,
  invoiceId,
  number,
  orderId,
  recipient,
  amountKobo: amountKobo === null ? null : Number(amountKobo),
  dueOn,
  day,
});
