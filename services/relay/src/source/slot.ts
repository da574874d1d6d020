import type { Pool } from 'pg';
import { type Adoption, findOpenAdoption } from './adoption.js';
import { refuse } from './adoption-remedy.js';
import { readProgress } from './progress.js';
import { NotMigratedError, NotPromotedError, RefusedSourceError, SlotInUseError } from './source-errors.js';

export const PUBLICATION = 'shopflow_outbox';
const TABLES = ['outbox', 'outbox_replays'];

export async function assertMigrated(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ tablename: string; complete: boolean }>(
    `SELECT tablename, to_regclass('relay_adoptions') IS NOT NULL AS complete FROM pg_publication_tables WHERE pubname = $1`,
    [PUBLICATION],
  );
  const published = rows.filter(({ complete }) => complete).map(({ tablename }) => tablename);
  if (!TABLES.every((table) => published.includes(table))) throw new NotMigratedError();
}

/** Asked before anything is opened: what a standby does all the time. @throws SlotInUseError NotPromotedError */
export async function assertSlotFree(pool: Pool, slot: string): Promise<void> {
  const { rows } = await pool.query<{ active: boolean; standby: boolean }>(
    `SELECT pg_is_in_recovery() AS standby, EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = $1 AND active) AS active`,
    [slot],
  );
  if (rows[0]!.standby) throw new NotPromotedError();
  if (rows[0]!.active) throw new SlotInUseError(slot);
}

/** `continue`: the stream goes on where it stopped. `begin`: a new slot, after what the table already holds. */
export type SlotPlan =
  | { readonly start: 'continue'; readonly failover: boolean }
  /** `adoption` is what somebody decided, undefined at the first start; `drop` the slots that it takes the place of. */
  | { readonly start: 'begin'; readonly adoption: Adoption | undefined; readonly drop: readonly string[] };

/**
 * Decides how the slot is taken.
 *
 * @throws SlotInUseError when another relay has it
 * @throws RefusedSourceError when the slot or the server is not the one whose position relay_progress tells
 */
export async function planSlot(pool: Pool, slot: string, systemIdentifier: string): Promise<SlotPlan> {
  const existing = await findSlot(pool, slot);
  if (existing?.active) throw new SlotInUseError(slot);
  const adoption = await findOpenAdoption(pool);
  const progress = await readProgress(pool);
  if (adoption !== undefined || progress === undefined) return planBeginning(pool, [slot, progress?.slot ?? slot], adoption);
  const lost = whyLost({ slot, systemIdentifier, progress, existing });
  if (lost !== undefined) throw await refuse(pool, lost, systemIdentifier);
  return { start: 'continue', failover: existing!.failover };
}

/** What relay_progress says of the slot is not so. */
function whyLost(found: {
  slot: string;
  systemIdentifier: string;
  progress: { slot: string; systemIdentifier: string };
  existing: SlotRow | undefined;
}): string | undefined {
  const { slot, systemIdentifier, progress, existing } = found;
  if (progress.systemIdentifier !== systemIdentifier)
    return `relay_progress is of PostgreSQL cluster ${progress.systemIdentifier}, this is ${systemIdentifier}: a restored or copied database`;
  if (progress.slot !== slot)
    return `relay_progress is of slot ${progress.slot}, this relay would use ${slot}: another namespace or source name`;
  if (existing === undefined) return `slot ${slot} is gone`;
  if (!existing.ours) return `slot ${slot} does not read this database with pgoutput`;
  if (existing.invalid !== null) return `slot ${slot} was invalidated by the server (${existing.invalid})`;
  return undefined;
}

/** What the relay would refuse, as a person's command asks: without taking anything. Undefined when it would go on or begin by itself. */
export async function findLoss(pool: Pool, slot: string, systemIdentifier: string): Promise<string | undefined> {
  const progress = await readProgress(pool);
  return progress && whyLost({ slot, systemIdentifier, progress, existing: await findSlot(pool, slot) });
}

/** The slots of this outbox make room: its own name's, and the one that the progress is of. Never one that somebody uses. */
async function planBeginning(pool: Pool, names: readonly string[], adoption: Adoption | undefined): Promise<SlotPlan> {
  const drop: string[] = [];
  const [own] = names;
  for (const name of new Set(names)) {
    const found = await findSlot(pool, name);
    if (found?.active && found.ours) throw new RefusedSourceError(`slot ${name} is in use by another relay of this outbox: stop it first`);
    if (found?.ours) drop.push(name);
    else if (found !== undefined && name === own)
      throw new RefusedSourceError(`slot ${name} does not read this database with pgoutput; ${NOT_OURS}`);
  }
  return { start: 'begin', adoption, drop };
}

const NOT_OURS =
  'it is not dropped for being of somebody else: drop it yourself (pg_drop_replication_slot) or give the relay another namespace';

interface SlotRow {
  readonly active: boolean;
  readonly ours: boolean;
  readonly invalid: string | null;
  readonly failover: boolean;
}

async function findSlot(pool: Pool, slot: string): Promise<SlotRow | undefined> {
  const { rows } = await pool.query<SlotRow>(
    `SELECT active, coalesce(plugin = 'pgoutput' AND database = current_database(), false) AS ours, invalidation_reason AS invalid, failover
     FROM pg_replication_slots WHERE slot_name = $1`,
    [slot],
  );
  return rows[0];
}
