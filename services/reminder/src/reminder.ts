/** A customer is reminded of an overdue invoice, for one day. */
export interface Reminder {
  /** `reminder:1:2026-10-05` */
  readonly reminderId: string;
  readonly invoiceId: number;
  readonly number: string;
  readonly orderId: string | null;
  readonly recipient: string;
  /** Kobo; null when nobody knows. */
  readonly amountKobo: number | null;
  /** Last day (UTC) on which the invoice was paid in time. */
  readonly dueOn: string;
  /** The UTC date of the time at which the run was due. */
  readonly day: string;
}

/** What every reminder of a day is found by, in logs as in the audit trail. */
export const correlationOf = (day: string): string => `cron-${day}`;
