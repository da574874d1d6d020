import type { Arrival } from '../publishing/arrivals.js';
import { OUTBOX_COLUMNS, type OutboxRow } from '../publishing/outbox-row.js';
import { bytesOf } from '../publishing/to-record.js';
import { type PgOutput, PgOutputError, type Relation } from './pgoutput.js';
import type { StreamListener } from './replication-stream.js';

/** Prefix of our own messages in the write-ahead log. */
export const MESSAGE_PREFIX = 'relay';

type Insert = Extract<PgOutput, { kind: 'insert' }>;
type ReadInsert = (values: Insert['values']) => { arrival: Arrival; bytes: number };

/** Translates the stream into arrivals. Knows where transactions end: only there may a position be acknowledged. */
export class ReadArrivals implements StreamListener {
  private readonly readers = new Map<number, ReadInsert>();
  private insideTransaction = false;

  constructor(
    private readonly add: (arrival: Arrival, bytes: number) => void,
    private readonly onReplyWanted: () => void,
  ) {}

  output(output: PgOutput): void {
    switch (output.kind) {
      case 'begin':
        this.insideTransaction = true;
        return;
      case 'commit':
        this.insideTransaction = false;
        return this.add({ kind: 'position', lsn: output.end }, 0);
      case 'relation':
        return void this.readers.set(output.id, readerOf(output.relation));
      case 'insert':
        return this.insert(output);
      case 'message':
        if (output.prefix !== MESSAGE_PREFIX) return;
        return this.add({ kind: 'snapshot', lsn: output.lsn, snapshot: output.content.toString() }, 0);
    }
  }

  /** The position goes through the same queue as the data, so an idle outbox in a busy cluster lets the server free its log. */
  keepalive(lsn: bigint, replyWanted: boolean): void {
    if (!this.insideTransaction) this.add({ kind: 'position', lsn }, 0);
    if (replyWanted) this.onReplyWanted();
  }

  private insert({ relationId, values }: Insert): void {
    const read = this.readers.get(relationId);
    if (read === undefined) throw new PgOutputError(`a row of relation ${relationId}, which was not described`);
    const { arrival, bytes } = read(values);
    this.add(arrival, bytes);
  }
}

function readerOf({ name, columns }: Relation): ReadInsert {
  if (name === 'outbox') return outboxReader(columns);
  if (name === 'outbox_replays') return replayReader(columns);
  throw new PgOutputError(`table ${name} in the publication`);
}

function outboxReader(columns: readonly string[]): ReadInsert {
  const places = OUTBOX_COLUMNS.map((column) => placeOf(columns, column, 'outbox'));
  return (values) => {
    const row: Record<string, Buffer | null> = {};
    for (let i = 0; i < places.length; i++) row[OUTBOX_COLUMNS[i]!] = values[places[i]!]!;
    return { arrival: { kind: 'event', row: row as unknown as OutboxRow }, bytes: bytesOf(row as unknown as OutboxRow) };
  };
}

const REPLAY_BYTES = 500;

function replayReader(columns: readonly string[]): ReadInsert {
  const place = (column: string) => placeOf(columns, column, 'outbox_replays');
  const [eventId, who, why, xid] = [place('event_id'), place('who'), place('why'), place('xid')];
  const text = (value: Buffer | null | undefined) => String(value ?? '');
  return (values) => ({
    arrival: { kind: 'replay', eventId: text(values[eventId]), who: text(values[who]), why: text(values[why]), xid: text(values[xid]) },
    bytes: REPLAY_BYTES,
  });
}

function placeOf(columns: readonly string[], column: string, table: string): number {
  const place = columns.indexOf(column);
  if (place < 0) throw new PgOutputError(`table ${table} without the column ${column}`);
  return place;
}
