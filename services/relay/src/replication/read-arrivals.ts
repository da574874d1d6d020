import type { Arrival, Decision, Replay } from '../publishing/arrivals.js';
import { EventRow, fieldsOf } from '../publishing/event-row.js';
import { ASIDE_PREFIX } from '../set-aside/aside-key.js';
import type { Lsn } from './lsn.js';
import { type PgOutput, PgOutputError, readValues, type Relation, relationOf } from './pgoutput.js';
import type { StreamListener } from './replication-stream.js';

/** Prefix of our own messages in the write-ahead log. */
export const MESSAGE_PREFIX = 'relay';

type ReadInsert = (bytes: Buffer, start: number, end: number) => Arrival;

/** Translates the stream into arrivals. Knows where transactions end: only there may a position be acknowledged. */
export class ReadArrivals implements StreamListener {
  private readonly readers = new Map<number, ReadInsert>();
  private insideTransaction = false;

  constructor(
    private readonly add: (arrival: Arrival) => void,
    private readonly onReplyWanted: () => void,
  ) {}

  begin(): void {
    this.insideTransaction = true;
  }

  commit(end: Lsn): void {
    this.insideTransaction = false;
    this.add({ kind: 'position', lsn: end });
  }

  insert(bytes: Buffer, start: number, end: number): void {
    this.add(this.readerOf(relationOf(bytes, start))(bytes, start, end));
  }

  output(output: PgOutput): void {
    if (output.kind === 'relation') this.readers.set(output.id, readerOf(output.relation));
    else this.message(output);
  }

  /** The position goes through the same queue as the data, so an idle outbox in a busy cluster lets the server free its log. */
  keepalive(lsn: bigint, replyWanted: boolean): void {
    if (!this.insideTransaction) this.add({ kind: 'position', lsn });
    if (replyWanted) this.onReplyWanted();
  }

  private readerOf(relationId: number): ReadInsert {
    const read = this.readers.get(relationId);
    if (read === undefined) throw new PgOutputError(`a row of relation ${relationId}, which was not described`);
    return read;
  }

  private message({ prefix, lsn, content }: Extract<PgOutput, { kind: 'message' }>): void {
    if (prefix === MESSAGE_PREFIX) this.add({ kind: 'snapshot', lsn, snapshot: content.toString() });
    else if (prefix === ASIDE_PREFIX) this.add(decisionOf(content));
  }
}

function readerOf({ name, columns }: Relation): ReadInsert {
  if (name === 'outbox') {
    const fields = fieldsOf(columns);
    return (bytes, start, end) => new EventRow(bytes, start, end, fields);
  }
  if (name === 'outbox_replays') return replayReader(columns);
  throw new PgOutputError(`table ${name} in the publication`);
}

function replayReader(columns: readonly string[]): ReadInsert {
  const place = (column: string) => {
    if (!columns.includes(column)) throw new PgOutputError(`table outbox_replays without the column ${column}`);
    return columns.indexOf(column);
  };
  const [eventId, who, why, xid] = [place('event_id'), place('who'), place('why'), place('xid')];
  return (bytes, start, end): Replay => {
    const values = readValues(bytes.subarray(start, end));
    const text = (at: number) => String(values[at] ?? '');
    return { kind: 'replay', eventId: text(eventId), who: text(who), why: text(why), xid: text(xid) };
  };
}

/** @throws PgOutputError */
function decisionOf(content: Buffer): Decision {
  const { topic, key } = JSON.parse(content.toString()) as Record<string, unknown>;
  if (typeof topic !== 'string' || typeof key !== 'string')
    throw new PgOutputError('a decision about a key that names neither topic nor key');
  return { kind: 'decision', topic, key };
}
