import type { Terminal } from '@shopflow/command-line';
import type { SourceConfig } from '../read-sources.js';
import { findEntries } from '../set-aside/find-entries.js';
import { askSources } from './aside-sources.js';

export interface Holders {
  /** Event ids by the source that has them set aside, or had. */
  readonly held: ReadonlyMap<SourceConfig, readonly string[]>;
  readonly refused: readonly { readonly source: null; readonly eventId: string; readonly result: 'refused'; readonly detail: string }[];
  /** Every source has answered. */
  readonly answered: boolean;
}

/** Finds the source of each event: the one where it waits, else where it was decided about. */
export async function findHolders(sources: readonly SourceConfig[], terminal: Terminal, eventIds: readonly string[]): Promise<Holders> {
  const answers = await askSources(sources, terminal, (pool) => findEntries(pool, eventIds));
  const found = answers.flatMap(({ source, value }) =>
    value.map(({ eventId, state }) => ({ eventId, source, waits: state === 'waiting' })),
  );
  const byId = Map.groupBy(found, ({ eventId }) => eventId);
  const chosen = eventIds.map((eventId) => ({ eventId, ...choose(byId.get(eventId) ?? [], sources) }));
  const held = Map.groupBy(
    chosen.filter((choice) => 'source' in choice),
    ({ source }) => source,
  );
  return {
    held: new Map([...held].map(([source, ids]) => [source, ids.map(({ eventId }) => eventId)])),
    refused: chosen.flatMap((choice) =>
      'detail' in choice ? [{ source: null, eventId: choice.eventId, result: 'refused' as const, detail: choice.detail }] : [],
    ),
    answered: answers.length === sources.length,
  };
}

interface Place {
  readonly source: SourceConfig;
  readonly waits: boolean;
}

function choose(places: readonly Place[], asked: readonly SourceConfig[]): { source: SourceConfig } | { detail: string } {
  const waiting = places.filter(({ waits }) => waits);
  if (waiting.length > 1) return { detail: `it is set aside in ${names(waiting.map(({ source }) => source))}: say which with --source` };
  const [place] = waiting.length === 1 ? waiting : places;
  return place === undefined ? { detail: `it was never set aside in ${names(asked)}; see: aside list` } : { source: place.source };
}

const names = (sources: readonly SourceConfig[]): string => sources.map(({ name }) => name).join(' and ');
