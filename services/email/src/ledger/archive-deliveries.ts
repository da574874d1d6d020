import type { Database } from '@shopflow/database';

export interface Archived {
  /** Rows that are in the archive now and were not before. */
  readonly copied: number;
  /** Rows that left the ledger. */
  readonly moved: number;
}

const BATCH = 1_000;
const DAY_MS = 86_400_000;
/**
 * Between the copy and the deletion: longer than any statement may run. So whoever queues a delivery finds its key in the ledger or in
 * the archive, also when both change while he looks.
 */
const SETTLED_MS = 3_600_000;

/** Moves e-mails that were sent long ago out of the ledger, in bounded batches. Several instances at once do no harm. */
export class ArchiveDeliveries {
  /** @param days after which a sent e-mail is moved */
  constructor(
    private readonly database: Database,
    private readonly days: number,
  ) {}

  async execute(now: Date, stopping?: AbortSignal): Promise<Archived> {
    const moved = await this.repeat(() => this.deleteCopied(now), stopping);
    let last: Place | undefined = { createdAt: '-infinity', id: '' };
    const copied = await this.repeat(async () => {
      const batch: Batch = await this.copy(now, last!);
      last = batch.last ?? last;
      return batch.count;
    }, stopping);
    return { copied, moved };
  }

  private async repeat(batch: () => Promise<number>, stopping?: AbortSignal): Promise<number> {
    const goesOn = () => !stopping?.aborted;
    let sum = 0;
    for (let count = BATCH; count === BATCH && goesOn(); sum += count) count = await batch();
    return sum;
  }

  private async copy(now: Date, after: Place): Promise<Batch> {
    const before = new Date(now.getTime() - this.days * DAY_MS);
    const { rows } = await this.database.query<Place>(COPY, [before, after.createdAt, after.id, BATCH, now]);
    return { count: rows.length, last: rows.at(-1) };
  }

  private async deleteCopied(now: Date): Promise<number> {
    const { count } = await this.database.query(DELETE, [new Date(now.getTime() - SETTLED_MS), BATCH]);
    return count;
  }
}

interface Place {
  /** As text: a Date knows milliseconds alone, and rows would come again. */
  readonly createdAt: string;
  readonly id: string;
}

interface Batch {
  readonly count: number;
  readonly last: Place | undefined;
}

const COLUMNS = `id, kind, dedupe_key, order_id, number, organization_id, cause_source, cause_event_id, correlation_id, attempts, due_at,
  provider_id, created_at, sent_at`;

const COPY = `
  WITH old AS (
    SELECT ${COLUMNS} FROM deliveries
    WHERE status = 'sent' AND created_at < $1 AND sent_at < $1 AND (created_at, id) > ($2::timestamptz, $3)
    ORDER BY created_at, id LIMIT $4
  ), copied AS (
    INSERT INTO deliveries_archive (${COLUMNS}, archived_at) SELECT ${COLUMNS}, $5 FROM old ON CONFLICT DO NOTHING
  )
  SELECT created_at::text AS "createdAt", id FROM old ORDER BY created_at, id`;

const DELETE = `
  DELETE FROM deliveries WHERE id IN (
    SELECT d.id FROM deliveries d JOIN deliveries_archive a ON a.id = d.id
    WHERE d.status = 'sent' AND a.archived_at < $1 LIMIT $2)`;
