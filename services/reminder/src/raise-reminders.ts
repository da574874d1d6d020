import { reminderRaised } from '@shopflow/contracts';
import type { Database, Transaction } from '@shopflow/database';
import type { Outbox } from '@shopflow/outbox';
import { type OwnedReminder, raiseNext } from './persistence/reminders-table.js';
import { closeEarlierRuns, isFinished, lockRun, reopenRun, type Run, saveProgress } from './persistence/runs-table.js';
import { correlationOf } from './reminder.js';
import { dayOf } from './scheduling/schedule.js';

/** Invoices in one transaction at most: a run of many neither holds its locks for long nor is lost as a whole. */
export const BATCH = 1_000;

/** What one caller has done of a run. */
export interface RaiseResult {
  /** Reminders that this call has raised. */
  readonly raised: number;
  /** False when it was asked to stop; whoever runs for the same due time goes on. */
  readonly finished: boolean;
}

/**
 * The run for one due time: a reminder for every invoice that is overdue on its day. However many processes run for the same time,
 * and wherever they die, each invoice has one reminder for the day: the run's row is locked for each batch, and says how far it has come.
 */
export class RaiseReminders {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly batch = BATCH,
  ) {}

  /**
   * Runs for a due time of the schedule. Leaves alone what is finished.
   * @param stopping ends the run behind the batch under way
   */
  execute(dueAt: Date, stopping?: AbortSignal): Promise<RaiseResult> {
    const begin = async (tx: Transaction, run: Run) => {
      if (run.finishedAt === null) await closeEarlierRuns(tx, dueAt);
    };
    return this.toTheEnd(dueAt, begin, stopping);
  }

  /** Whether the run for a due time is over. */
  isDone(dueAt: Date): Promise<boolean> {
    return isFinished(this.database, dueAt);
  }

  /** Runs, once more if need be, because a person asked: who is overdue on that day and has no reminder for it gets one. */
  again(dueAt: Date): Promise<RaiseResult> {
    return this.toTheEnd(dueAt, async (tx, run) => {
      if (run.finishedAt !== null) await reopenRun(tx, run);
    });
  }

  private async toTheEnd(dueAt: Date, begin: (tx: Transaction, run: Run) => Promise<void>, stopping?: AbortSignal): Promise<RaiseResult> {
    await this.database.inTransaction(async (tx) => begin(tx, await lockRun(tx, dueAt, dayOf(dueAt))));
    let raised = 0;
    for (;;) {
      if (stopping?.aborted) return { raised, finished: false };
      const next = await this.database.inTransaction((tx) => this.nextBatch(tx, dueAt));
      if (next === undefined) return { raised, finished: true };
      raised += next;
    }
  }

  /** @returns how many reminders it raised; undefined when the run is finished already */
  private async nextBatch(tx: Transaction, dueAt: Date): Promise<number | undefined> {
    const run = await lockRun(tx, dueAt, dayOf(dueAt));
    if (run.finishedAt !== null) return undefined;
    const reminders = await raiseNext(tx, run, this.batch);
    await this.outbox.appendAll(tx, reminderRaised, reminders.map(toEvent));
    const lastInvoiceId = reminders.at(-1)?.invoiceId ?? run.lastInvoiceId;
    await saveProgress(tx, run, { raised: reminders.length, lastInvoiceId, finished: reminders.length < this.batch });
    return reminders.length;
  }
}

const toEvent = ({ organizationId, ...reminder }: OwnedReminder) => ({
  payload: reminder,
  eventId: `evt-${reminder.reminderId}`,
  correlationId: correlationOf(reminder.day),
  causationId: null,
  organizationId,
});
