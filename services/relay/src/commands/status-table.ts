import { table } from '@shopflow/command-line';
import type { DatabaseReport } from '../source/database-report.js';
import type { SourceStatusReport } from './read-source-status.js';
import { readableBytes, readableSeconds } from './readable.js';

const COLUMNS = ['source', 'state', 'waiting', 'oldest', 'reported', 'slot keeps', 'not acked', 'log', 'until lost', 'set aside'];

/** A line for each source, then what every instance says of it, then what is not as it should be. */
export function statusTable(reports: readonly SourceStatusReport[], now: Date): string[] {
  const rows = reports.map((report) => rowOf(report, now));
  const remarked = reports.flatMap(remarks);
  return [...table(COLUMNS, rows), ...relayLines(reports), ...(remarked.length > 0 ? ['', ...remarked] : [])];
}

function rowOf({ source, state, database }: SourceStatusReport, now: Date): (string | number | null)[] {
  if (database === null) return [source, state, ...COLUMNS.slice(2).map(() => null)];
  return [source, state, ...outboxCells(database, now), ...slotCells(database), asideCell(database)];
}

const outboxCells = ({ waiting, oldestAgeSeconds, relaySeenAt }: DatabaseReport, now: Date) => [
  waiting,
  waiting === 0 ? '-' : readableSeconds(oldestAgeSeconds),
  relaySeenAt === null ? 'never' : `${readableSeconds((now.getTime() - new Date(relaySeenAt).getTime()) / 1_000)} ago`,
];

const slotCells = ({ slotKeptBytes, slotLagBytes, walStatus, safeWalBytes }: DatabaseReport) => [
  slotKeptBytes === null ? '-' : readableBytes(slotKeptBytes),
  slotLagBytes === null ? '-' : readableBytes(slotLagBytes),
  walStatus ?? '-',
  safeWalBytes === null ? '-' : readableBytes(safeWalBytes),
];

const asideCell = ({ setAsideKeys, setAsideEvents }: DatabaseReport): string =>
  setAsideEvents === 0 ? '-' : `${setAsideEvents} of ${setAsideKeys} ${setAsideKeys === 1 ? 'key' : 'keys'}`;

function relayLines(reports: readonly SourceStatusReport[]): string[] {
  const rows = reports.flatMap(({ source, relays }) =>
    relays.map(({ url, state, reason, published }) => [url, source, state ?? 'unknown', published, reason]),
  );
  return rows.length === 0 ? [] : ['', ...table(['relay', 'source', 'state', 'published', 'reason'], rows)];
}

function remarks({ source, state, reason, database }: SourceStatusReport): string[] {
  const holder = database?.slotActive
    ? `slot held by ${database.slotHolder ?? 'somebody'} from ${database.slotHolderAddress ?? 'this machine'} (process ${database.slotPid} of the server)`
    : undefined;
  const aside = database && database.setAsideEvents > 0 ? 'events are set aside: relay aside list' : undefined;
  const lines = [reason === null ? undefined : `${state}: ${reason}`, holder, aside].filter((line) => line !== undefined);
  return lines.map((line) => `${source}: ${line}`);
}
