import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import type { DeadLetter } from '../../dead-letters/dead-letter.js';
import { encodeHeaders } from '../../dead-letters/encode-headers.js';
import { eachDeadLetter } from '../../dead-letters/list-dead-letters.js';
import type { OperatingContext } from '../operated-group.js';
import { FILTER_OPTIONS, readFilter, readState } from '../read-filter.js';
import { readCount } from '../read-number.js';
import { letterSummary } from './letter-summary.js';

const OPTIONS = { ...FILTER_OPTIONS, state: 'text', limit: 'text', json: 'switch' } as const;

/** `dlq export`: one JSON object a line, with the record byte for byte; a few letters are in memory at a time. */
export async function exportLetters(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { service, database, terminal, clock } = context;
  const { words, options } = readLine(args, OPTIONS);
  if (words.length > 0) throw new UsageError(`export takes no ${words[0]}; filters choose what is exported`);
  const limit = readCount('limit', options.limit) ?? Infinity;
  const filter = { ...readFilter(options, clock()), ...readState(options.state), limit };
  for await (const letter of eachDeadLetter(database, service.group, filter)) await terminal.print(JSON.stringify(withRecord(letter)));
  return { lines: [], ok: true };
}

const base64 = (bytes: Buffer | null) => bytes?.toString('base64') ?? null;

const withRecord = (letter: DeadLetter) => ({
  ...letterSummary(letter),
  key: base64(letter.record.key),
  value: base64(letter.record.value),
  headers: JSON.parse(encodeHeaders(letter.record.headers)) as unknown,
});
