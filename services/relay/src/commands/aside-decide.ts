import type { CommandResult } from '@shopflow/command-line';
import type { Pool } from 'pg';
import type { SourceConfig } from '../read-sources.js';
import { listBlockedKeys } from '../set-aside/blocked-keys.js';
import { type DecidedEntry, decideEntries } from '../set-aside/decide-entries.js';
import type { AsideContext } from './aside-context.js';
import { findHolders } from './aside-holders.js';
import { type AsideWish, readAsideWish } from './aside-selection.js';
import { askSources } from './aside-sources.js';
import { sourceNamed } from './source-pool.js';

/** What became of one event. */
interface Item {
  readonly source: string | null;
  readonly eventId: string;
  readonly topic?: string;
  readonly key?: string;
  readonly result: DecidedEntry['result'];
  readonly detail: string;
}

/** `aside retry` and `aside discard`: one line for each event; fails when one of them was refused or a source did not answer. */
export async function decideAside(context: AsideContext, what: 'retry' | 'discard', args: readonly string[]): Promise<CommandResult> {
  const wish = readAsideWish(what, args);
  const sources = wish.source === undefined ? context.sources : [sourceNamed(context.sources, wish.source)];
  const { items, answered } =
    wish.eventIds.length > 0 ? await decideNamed(context, sources, wish) : await decideHeads(context, sources, wish);
  for (const item of items) await context.terminal.print(inWords(item, wish));
  if (items.length === 0 && answered) context.terminal.note('nothing is set aside that fits');
  return { lines: [], ok: answered && items.every(({ result }) => result !== 'refused') };
}

interface Outcome {
  readonly items: readonly Item[];
  /** Every source that was asked has answered. */
  readonly answered: boolean;
}

async function decideNamed({ terminal }: AsideContext, sources: readonly SourceConfig[], wish: AsideWish): Promise<Outcome> {
  const { held, refused, answered } = await findHolders(sources, terminal, wish.eventIds);
  const holders = [...held.keys()];
  const answers = await askSources(holders, terminal, (pool, source) => decideEntries(pool, held.get(source) ?? [], wish.request));
  const decided = answers.flatMap(({ source, value }) => value.map((entry) => toItem(source, entry)));
  const place = new Map(wish.eventIds.map((id, index) => [id, index]));
  const items = [...decided, ...refused].sort((a, b) => place.get(a.eventId)! - place.get(b.eventId)!);
  return { items, answered: answered && answers.length === holders.length };
}

async function decideHeads({ terminal }: AsideContext, sources: readonly SourceConfig[], wish: AsideWish): Promise<Outcome> {
  const answers = await askSources(sources, terminal, async (pool) => decideEntries(pool, await headsOf(pool, wish), wish.request));
  const items = answers.flatMap(({ source, value }) => value.map((entry) => toItem(source, entry)));
  return { items, answered: answers.length === sources.length };
}

/** Given up is only what Kafka has refused; the relay is about to try the others. */
async function headsOf(pool: Pool, { filter, request }: AsideWish): Promise<string[]> {
  const blocked = await listBlockedKeys(pool, filter);
  const fitting = request.what === 'retry' || request.behind ? blocked : blocked.filter(({ reason }) => reason !== null);
  return fitting.map(({ eventId }) => eventId);
}

const toItem = (source: SourceConfig, { entry: { eventId, topic, key }, result, detail }: DecidedEntry): Item => ({
  source: source.name,
  eventId,
  topic,
  key,
  result,
  detail,
});

function inWords(item: Item, { json, request: { dryRun } }: AsideWish): string {
  if (json) return JSON.stringify(dryRun ? { ...item, dryRun } : item);
  const would = dryRun && (item.result === 'retry asked' || item.result === 'discarded') ? 'would be ' : '';
  return `${item.eventId}  ${would}${item.result}: ${item.detail}`;
}
