import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import { urlsIn } from '../operating-config.js';
import { askRelays } from './ask-relays.js';
import { readSourceStatus, type SourceStatusReport } from './read-source-status.js';
import type { OperatingContext } from './operating-context.js';
import { sourceNamed } from './source-pool.js';
import { statusTable } from './status-table.js';

const OPTIONS = { source: 'text', url: 'text', json: 'switch' } as const;

/** `relay status`: each source as its database and the relays see it. Fails when a database could not be asked. */
export async function runStatusCommand(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, OPTIONS);
  if (words.length > 0) throw new UsageError(`status takes no ${words[0]}`);
  const sources = options.source === undefined ? context.sources : [sourceNamed(context.sources, options.source)];
  const urls = options.url === undefined ? context.relayUrls : urlsIn(options.url);
  const [relays, states] = await Promise.all([
    askRelays(urls),
    Promise.all(sources.map((source) => readSourceStatus(source, context.namespace))),
  ]);
  const reports = states.map((state): SourceStatusReport => ({ ...state, relays: relays.map((relay) => relay.of(state.source)) }));
  const lines = options.json ? reports.map((report) => JSON.stringify(report)) : statusTable(reports, context.clock());
  for (const line of lines) await context.terminal.print(line);
  return { lines: [], ok: reports.every(({ database }) => database !== null) };
}
