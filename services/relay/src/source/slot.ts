import { DEDUP_HORIZON_DAYS } from '@shopflow/outbox';
import type { Pool } from 'pg';
import { NotMigratedError, RefusedSourceError, SlotInUseError } from './source-errors.js';
import { readProgress } from './progress.js';

export const PUBLICATION = 'shopflow_outbox';
const TABLES = ['outbox', 'outbox_replays'];

export async function assertMigrated(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ tablename: string }>('SELECT tablename FROM pg_publication_tables WHERE pubname = $1', [PUBLICATION]);
  const published = rows.map(({ tablename }) => tablename);
  if (!TABLES.every((table) => published.includes(table))) throw new NotMigratedError();
}

/** Asked before anything is opened: what a standby does twice a second. @throws SlotInUseError */
export async function assertSlotFree(pool: Pool, slot: string): Promise<void> {
  if ((await findSlot(pool, slot))?.active) throw new SlotInUseError(slot);
}

interface SlotRow {
  readonly active: boolean;
  readonly usable: boolean;
  readonly invalid: string | null;
}

export interface SlotPlan {
  /** `continue`: the stream goes on where it stopped. `begin`: a new slot, after what the table already holds. */
  readonly start: 'continue' | 'begin';
  /** A slot whose beginning was never finished: all that it saw is still in the table. */
  readonly dropFirst: boolean;
}

/**
 * Decides how the slot is taken.
 *
 * @throws SlotInUseError when another relay has it
 * @throws RefusedSourceError when the slot or the server is not the one whose position relay_progress tells
 */
export async function planSlot(pool: Pool, slot: string, systemIdentifier: string): Promise<SlotPlan> {
  const existing = await findSlot(pool, slot);
  if (existing?.active) throw new SlotInUseError(slot);
  const progress = await readProgress(pool);
  if (progress === undefined) return { start: 'begin', dropFirst: existing !== undefined };
  if (progress.systemIdentifier !== systemIdentifier) throw foreignServer(progress.systemIdentifier, systemIdentifier);
  if (progress.slot !== slot) throw otherSlot(progress.slot, slot);
  if (existing === undefined) throw lostSlot(`slot ${slot} is gone`);
  if (!existing.usable) throw lostSlot(`slot ${slot} does not read this database with pgoutput`);
  if (existing.invalid !== null) throw lostSlot(`slot ${slot} was invalidated by the server (${existing.invalid})`);
  return { start: 'continue', dropFirst: false };
}

async function findSlot(pool: Pool, slot: string): Promise<SlotRow | undefined> {
  const { rows } = await pool.query<SlotRow>(
    `SELECT active, plugin = 'pgoutput' AND database = current_database() AS usable, invalidation_reason AS invalid
     FROM pg_replication_slots WHERE slot_name = $1`,
    [slot],
  );
  return rows[0];
}

const REMEDY =
  'find out what is published, then delete the row of relay_progress to publish the whole outbox again. ' +
  `Consumers know what they had for ${DEDUP_HORIZON_DAYS} days: an older event would take effect twice, so delete from the outbox first what is that old and published`;

const lostSlot = (what: string) =>
  new RefusedSourceError(`${what}: events that were committed since the last progress would be skipped; ${REMEDY}`);

const foreignServer = (expected: string, found: string) =>
  new RefusedSourceError(`relay_progress is of PostgreSQL cluster ${expected}, this is ${found}: a restored or copied database; ${REMEDY}`);

const otherSlot = (expected: string, found: string) =>
  new RefusedSourceError(
    `relay_progress is of slot ${expected}, this relay would use ${found}: another namespace or source name; ${REMEDY}`,
  );
