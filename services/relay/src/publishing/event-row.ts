import { PgOutputError } from '../replication/pgoutput.js';
import { OUTBOX_COLUMNS, type OutboxRow } from './outbox-row.js';

const NULL = 0x6e;
const TEXT = 0x74;
/** Type, relation and `N`, then the number of columns. */
const COUNT_AT = 6;
const COLUMNS_AT = 8;
/** What a row takes in memory beside its bytes, roughly. */
const ROW_OVERHEAD = 200;

/** Which of {@link OUTBOX_COLUMNS} each column of an insert is; -1 for one that the relay does not need. */
export type ColumnFields = Int8Array;

/** @throws PgOutputError when a column is missing */
export function fieldsOf(columns: readonly string[]): ColumnFields {
  const missing = OUTBOX_COLUMNS.find((column) => !columns.includes(column));
  if (missing !== undefined) throw new PgOutputError(`table outbox without the column ${missing}`);
  return Int8Array.from(columns, (column) => OUTBOX_COLUMNS.indexOf(column as keyof OutboxRow));
}

/** A row of the outbox in the bytes in which the log brought it: its values are read, and copied, only where they are needed. */
export class EventRow {
  readonly kind = 'event';

  constructor(
    /** What came from the server, an insert of pgoutput from `start` to `end` of it: https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html */
    readonly chunk: Buffer,
    readonly start: number,
    private readonly end: number,
    readonly fields: ColumnFields,
    /** Because somebody asked for it. */
    readonly again = false,
  ) {}

  /** The same row in bytes of its own: those of the stream hold only until the next ones come. */
  kept(): EventRow {
    const own = Buffer.from(this.chunk.subarray(this.start, this.end));
    return new EventRow(own, 0, own.length, this.fields, this.again);
  }

  get bytes(): number {
    return this.end - this.start + ROW_OVERHEAD;
  }

  /** One value; null for SQL NULL. The quick way to all of them is {@link readBounds}. */
  text(column: keyof OutboxRow): string | null {
    readBounds(this, bounds);
    const field = OUTBOX_COLUMNS.indexOf(column);
    return bounds.end[field] === -1 ? null : this.chunk.toString('utf8', bounds.start[field], bounds.end[field]);
  }

  /** A row that came by a query. */
  static fromColumns(row: OutboxRow, again = false): EventRow {
    const values = OUTBOX_COLUMNS.map((column) => valueOf(row[column]));
    const body = Buffer.concat([Buffer.alloc(COLUMNS_AT), ...values]);
    body.writeUInt16BE(values.length, COUNT_AT);
    return new EventRow(body, 0, body.length, ALL_FIELDS, again);
  }
}

const ALL_FIELDS = fieldsOf(OUTBOX_COLUMNS);

function valueOf(value: string | Buffer | null): Buffer {
  if (value === null) return Buffer.of(NULL);
  const text = Buffer.from(value as string);
  const head = Buffer.alloc(5, TEXT);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, text]);
}

/** Where the values of a row stand in its chunk, by the place of their column in {@link OUTBOX_COLUMNS}; end -1 for NULL. */
export interface Bounds {
  readonly start: Int32Array;
  readonly end: Int32Array;
}

export const newBounds = (): Bounds => ({
  start: new Int32Array(OUTBOX_COLUMNS.length),
  end: new Int32Array(OUTBOX_COLUMNS.length),
});

const bounds = newBounds();

/** @throws PgOutputError */
export function readBounds({ chunk, start: from, fields }: EventRow, { start, end }: Bounds): void {
  let at = from + COLUMNS_AT;
  for (let column = 0; column < fields.length; column++) {
    const kind = chunk[at++];
    const field = fields[column]!;
    if (kind === TEXT) {
      const value = at + 4;
      at = value + ((chunk[at]! << 24) | (chunk[at + 1]! << 16) | (chunk[at + 2]! << 8) | chunk[at + 3]!);
      if (field >= 0) {
        start[field] = value;
        end[field] = at;
      }
    } else if (kind === NULL) {
      if (field >= 0) end[field] = -1;
    } else throw new PgOutputError(`column kind ${kind}`);
  }
}
