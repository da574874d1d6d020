import { parseArgs } from 'node:util';
import type { Database } from '@shopflow/database';
import { ReplayRefusedError, requestReplay } from './request-replay.js';

export interface CommandResult {
  readonly lines: readonly string[];
  readonly ok: boolean;
}

const USAGE = ['outbox status', 'outbox replay <event id> --who <name> --why <reason>'];

/** What an operator can do with a service's outbox from a terminal. `args` is the command line after the program. */
export async function runOutboxCommand(database: Database, args: readonly string[]): Promise<CommandResult> {
  const { command, eventId, who, why } = parse(args);
  if (command === 'status') return status(database);
  if (command !== 'replay' || eventId === undefined || who === undefined || why === undefined) return { lines: USAGE, ok: false };
  return replay(database, { eventId, who, why });
}

function parse(args: readonly string[]) {
  const options = { who: { type: 'string' }, why: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, strict: false, options });
  const text = (value: string | boolean | undefined) => (typeof value === 'string' && value !== '' ? value : undefined);
  return { command: positionals[0], eventId: positionals[1], who: text(values.who), why: text(values.why) };
}

async function status(database: Database): Promise<CommandResult> {
  const { rows } = await database.query<{ line: string }>(
    `SELECT format('%s waiting, the oldest for %s s; the relay reported %s', waiting, round(oldest_age_seconds::numeric, 1),
       coalesce(to_char(relay_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'never')) AS line FROM outbox_backlog`,
  );
  return { lines: rows.map(({ line }) => line), ok: true };
}

async function replay(database: Database, request: { eventId: string; who: string; why: string }): Promise<CommandResult> {
  try {
    await requestReplay(database, request);
    return { lines: [`${request.eventId}: the relay publishes it again; groups that had it answer duplicate`], ok: true };
  } catch (error) {
    if (!(error instanceof ReplayRefusedError)) throw error;
    return { lines: [error.message], ok: false };
  }
}
