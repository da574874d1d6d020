import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import type { Database } from '@shopflow/database';
import { ReplayRefusedError, requestReplay } from './request-replay.js';

/** What an operator can do with a service's outbox from a terminal. `args` is the command line after the program. @throws UsageError */
export async function runOutboxCommand(database: Database, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, { who: 'text', why: 'text' });
  const [command, eventId] = words;
  const { who, why } = options;
  if (command === 'status') return status(database);
  if (command === 'replay' && eventId !== undefined && who !== undefined && why !== undefined)
    return replay(database, { eventId, who, why });
  throw new UsageError('wanted: status, or replay <event id> --who <name> --why <reason>');
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
