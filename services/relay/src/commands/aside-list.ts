import { type CommandResult, readLine, table, UsageError } from '@shopflow/command-line';
import { type BlockedKey, listBlockedKeys } from '../set-aside/blocked-keys.js';
import type { AsideContext } from './aside-context.js';
import { askSources } from './aside-sources.js';
import { sourceNamed } from './source-pool.js';

const OPTIONS = { source: 'text', topic: 'text', key: 'text', json: 'switch' } as const;

type Row = BlockedKey & { readonly source: string };

/** `aside list`: each key whose events wait, by the one that has to be decided about. */
export async function listAside({ sources, terminal }: AsideContext, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, OPTIONS);
  if (words.length > 0) throw new UsageError(`list takes no ${words[0]}; it is narrowed by --source, --topic and --key`);
  const asked = options.source === undefined ? sources : [sourceNamed(sources, options.source)];
  const answers = await askSources(asked, terminal, (pool) => listBlockedKeys(pool, options));
  const rows = answers.flatMap(({ source, value }) => value.map((blocked): Row => ({ source: source.name, ...blocked })));
  for (const line of options.json ? rows.map((row) => JSON.stringify(row)) : inTable(rows)) await terminal.print(line);
  return { lines: [], ok: answers.length === asked.length };
}

function inTable(rows: readonly Row[]): string[] {
  if (rows.length === 0) return ['nothing is set aside'];
  return table(
    ['source', 'topic', 'key', 'event', 'since', 'behind', 'reason'],
    rows.map((row) => [row.source, row.topic, row.key, row.eventId, row.since.toISOString(), row.behind, reasonOf(row)]),
  );
}

function reasonOf({ reason, refusedAt, retryAskedAt, retryAskedBy }: BlockedKey): string {
  const waits = retryAskedAt !== null && (refusedAt === null || refusedAt < retryAskedAt);
  const asked = waits ? ` (${retryAskedBy} asked for a retry at ${retryAskedAt.toISOString()})` : '';
  return `${reason ?? 'not tried since the one before it was decided'}${asked}`;
}
