import { isUtf8 } from 'node:buffer';
import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import type { RawHeaders, RawHeaderValue } from '@shopflow/kafka';
import type { DeadLetter } from '../../dead-letters/dead-letter.js';
import { listDeadLetters } from '../../dead-letters/list-dead-letters.js';
import { readActions } from '../../dead-letters/read-actions.js';
import { readHeldState } from '../read-held-state.js';
import { heldKeyOf } from '../../held/held-key.js';
import type { OperatingContext } from '../operated-group.js';
import { letterSummary } from './letter-summary.js';

/** `dlq show`: everything that is known of an event's letters. */
export async function showLetter(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, { json: 'switch' });
  const [eventId, surplus] = words;
  if (eventId === undefined || surplus !== undefined) throw new UsageError('show takes one event id');
  const { group } = context.service;
  const letters = await listDeadLetters(context.database, group, { eventId });
  if (letters.length === 0) return { lines: [`group ${group} has no dead letter of event ${eventId}`], ok: false };
  const shown = await Promise.all(letters.map((letter) => describe(context, letter)));
  const lines = shown.flatMap((letter) => (options.json ? [JSON.stringify(letter)] : [...inLines(letter), '']));
  return { lines: options.json ? lines : lines.slice(0, -1), ok: true };
}

async function describe({ database, service }: OperatingContext, letter: DeadLetter) {
  const { record } = letter;
  const actions = await readActions(database, letter);
  return {
    ...letterSummary(letter),
    key: readable(record.key),
    headers: readableHeaders(record.headers),
    payload: readable(record.value),
    held: await readHeldState(database, service.group, { topic: record.topic, key: heldKeyOf(record, letter) }),
    actions: actions.map(({ editedValue, ...action }) => ({ ...action, ...(editedValue && { editedPayload: readable(editedValue) }) })),
  };
}

/** Bytes as text; as base64 when they are none. */
function readable(value: RawHeaderValue): string | null {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return bytes === null ? null : isUtf8(bytes) ? bytes.toString() : `base64:${bytes.toString('base64')}`;
}

const readableHeaders = (headers: RawHeaders) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = null]) => [name, Array.isArray(value) ? value.map(readable) : readable(value)]),
  );

type Shown = Awaited<ReturnType<typeof describe>>;

function inLines({ headers, payload, actions, held, ...rest }: Shown): string[] {
  const rows: [string, unknown][] = [
    ...Object.entries(rest),
    ...Object.entries(headers).map(([name, value]): [string, unknown] => [`header ${name}`, value]),
    [
      'key is held',
      held === null ? 'no' : held.blocked ? `yes: ${held.events} wait for a decision` : `yes: ${held.events} until ${text(held.dueAt)}`,
    ],
    ...actions.map(({ action, who, why, at }): [string, unknown] => [action, `${text(at)} by ${who}: ${why}`]),
    ...actions.flatMap(({ editedPayload }): [string, unknown][] =>
      editedPayload === undefined ? [] : [['edited payload', editedPayload]],
    ),
    ['payload', payload],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}`.trimEnd());
}

/** One line each, nothing that steers a terminal. */
function text(value: unknown): string {
  if (value === null || value === '') return '-';
  const plain =
    value instanceof Date
      ? value.toISOString()
      : typeof value === 'string' || typeof value === 'number'
        ? String(value)
        : JSON.stringify(value);
  return plain.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
