import { userInfo } from 'node:os';
import { type CommandResult, readLine, readTime, UsageError } from '@shopflow/command-line';
import { DEDUP_HORIZON_DAYS, slotName } from '@shopflow/outbox';
import type { Pool } from 'pg';
import { findOpenAdoption, requestAdoption } from '../source/adoption.js';
import { atMost, COUNT_LIMIT } from '../source/adoption-remedy.js';
import { countEvents, readScope, toPublish, toSkip } from '../source/adoption-scope.js';
import { readProgress } from '../source/progress.js';
import { assertMigrated, findLoss } from '../source/slot.js';
import type { OperatingContext } from './operating-context.js';
import { sourceNamed, withSource } from './source-pool.js';

const OPTIONS = { since: 'text', who: 'text', why: 'text', 'dry-run': 'switch', json: 'switch' } as const;

/** What came of an adoption that somebody asked for; printed as one object with `--json`. */
interface Answer {
  readonly source: string;
  readonly slot: string;
  readonly result: 'requested' | 'would be requested' | 'under way' | 'nothing to adopt';
  /** Why a relay refuses the source; who asked already; or why nothing is to be done. */
  readonly reason: string;
  /** Events that are published first; one more than a million stands for more. */
  readonly publish: number | null;
  /** Events that are not, since consumers have forgotten them. */
  readonly skip: number | null;
  readonly adoption: string | null;
}

interface Asked {
  readonly source: string;
  readonly slot: string;
  readonly since: string | null;
  /** Undefined: only tell what would be done. */
  readonly by: { readonly who: string; readonly why: string } | undefined;
}

/** `relay adopt`: lets a relay that has refused a source begin a new slot, after what is not known to be published. @throws UsageError */
export async function runAdoptCommand(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, OPTIONS);
  const [name] = words;
  if (name === undefined || words.length > 1) throw new UsageError('wanted: adopt <source>');
  const source = sourceNamed(context.sources, name);
  const since = options.since === undefined ? null : readSince(options.since, context.clock());
  const asked = { source: name, slot: slotName(context.namespace, name), since, by: options['dry-run'] ? undefined : readAsker(options) };
  const answer = await withSource(source, (pool) => adopt(pool, asked));
  const lines = options.json ? [JSON.stringify(answer)] : linesOf(answer);
  return { lines, ok: answer.result === 'requested' || answer.result === 'would be requested' };
}

function readAsker({ who, why }: { who?: string; why?: string }): Asked['by'] {
  if (why === undefined) throw new UsageError('--why is missing: say what happened to the slot; it is kept with the adoption');
  return { who: who ?? userInfo().username, why };
}

function readSince(text: string, now: Date): string {
  const since = readTime('since', text, now);
  if (since > now) throw new UsageError(`--since ${text} lies ahead`);
  return since.toISOString();
}

async function adopt(pool: Pool, { source, slot, since, by }: Asked): Promise<Answer> {
  await assertMigrated(pool);
  const none = { source, slot, publish: null, skip: null, adoption: null };
  const open = await findOpenAdoption(pool);
  if (open !== undefined)
    return { ...none, result: 'under way', reason: `${open.who} asked for it at ${open.requestedAt}`, adoption: open.id };
  const systemIdentifier = await readSystemIdentifier(pool);
  const reason = await findLoss(pool, slot, systemIdentifier);
  if (reason === undefined) return { ...none, result: 'nothing to adopt', reason: await whyNothing(pool) };
  const scope = await readScope(pool, since, systemIdentifier);
  const publish = await countEvents(pool, toPublish(scope), COUNT_LIMIT);
  const found = { source, slot, reason, publish, skip: await countEvents(pool, toSkip(scope), COUNT_LIMIT) };
  if (by === undefined) return { ...found, result: 'would be requested', adoption: null };
  const adoption = await requestAdoption(pool, { ...by, since, rows: publish });
  if (adoption === undefined) return { ...none, result: 'under way', reason: 'somebody else asked for it just now' };
  return { ...found, result: 'requested', adoption: adoption.id };
}

async function whyNothing(pool: Pool): Promise<string> {
  const begun = (await readProgress(pool)) !== undefined;
  return begun
    ? 'its slot is the one whose position relay_progress tells: a relay goes on by itself'
    : 'it was never published: a relay begins by itself, with all that the outbox holds';
}

async function readSystemIdentifier(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('SELECT system_identifier::text AS id FROM pg_control_system()');
  return rows[0]!.id;
}

function linesOf({ source, slot, result, reason, publish, skip }: Answer): string[] {
  const head = `${source}: ${result}: ${reason}`;
  if (publish === null) return [head];
  const lines = [head, `a new slot ${slot} is made, and ${atMost(publish)} published first, in the order of the outbox`];
  if (skip)
    lines.push(
      `${atMost(skip)} of more than ${DEDUP_HORIZON_DAYS} days ago skipped: consumers have forgotten them, they would take effect twice`,
    );
  return [...lines, 'consumers answer duplicate to what they had'];
}
