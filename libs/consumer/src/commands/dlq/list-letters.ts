import { type CommandResult, readLine, table, UsageError } from '@shopflow/command-line';
import { groupByCause } from '../../dead-letters/group-by-cause.js';
import { listDeadLetters } from '../../dead-letters/list-dead-letters.js';
import type { OperatingContext } from '../operated-group.js';
import { FILTER_OPTIONS, readFilter, readState } from '../read-filter.js';
import { readCount } from '../read-number.js';
import { letterSummary } from './letter-summary.js';

const OPTIONS = { ...FILTER_OPTIONS, state: 'text', all: 'switch', limit: 'text', json: 'switch' } as const;

/** `dlq list`: what a group's letters died of, or with `--all` the letters. */
export async function listLetters(
  { service: { group }, database, clock }: OperatingContext,
  args: readonly string[],
): Promise<CommandResult> {
  const { words, options } = readLine(args, OPTIONS);
  if (words.length > 0) throw new UsageError(`list takes no ${words[0]}; a single letter: dlq show ${words[0]} --group ${group}`);
  const filter = { ...readFilter(options, clock()), ...readState(options.state) };
  const limit = readCount('limit', options.limit) ?? 100;
  const found = options.all
    ? (await listDeadLetters(database, group, { ...filter, limit })).map(letterSummary)
    : await groupByCause(database, group, filter, limit);
  if (options.json) return { lines: found.map((row) => JSON.stringify(row)), ok: true };
  return {
    lines: found.length === 0 ? ['no dead letters'] : options.all ? lettersTable(found as Summary[]) : causesTable(found as Cause[]),
    ok: true,
  };
}

type Summary = ReturnType<typeof letterSummary>;
type Cause = Awaited<ReturnType<typeof groupByCause>>[number];

const causesTable = (causes: readonly Cause[]) =>
  table(
    ['count', 'first seen', 'last seen', 'example', 'cause', 'reason of the example'],
    causes.map(({ count, firstFailedAt, lastFailedAt, exampleEventId, cause, reason }) => [
      count,
      firstFailedAt.toISOString(),
      lastFailedAt.toISOString(),
      exampleEventId,
      cause,
      reason,
    ]),
  );

const lettersTable = (letters: readonly Summary[]) =>
  table(
    ['event', 'subject', 'type', 'key', 'state', 'attempts', 'last failure', 'reason'],
    letters.map(({ eventId, subject, type, orderId, state, attempts, lastFailedAt, reason }) => [
      eventId,
      subject,
      type,
      orderId,
      state,
      attempts,
      lastFailedAt.toISOString(),
      reason,
    ]),
  );
