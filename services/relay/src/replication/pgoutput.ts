// PostgreSQL's logical replication output, protocol version 1, text columns: only the messages that a publication of inserts
// has. https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html

export interface Relation {
  readonly name: string;
  /** Column names in the order of an insert's values. */
  readonly columns: readonly string[];
}

/** What stands in the log beside transactions and rows. */
export type PgOutput =
  | { readonly kind: 'relation'; readonly id: number; readonly relation: Relation }
  /** What `pg_logical_emit_message` wrote at position `lsn`. */
  | { readonly kind: 'message'; readonly prefix: string; readonly lsn: bigint; readonly content: Buffer };

/** Types of the messages that come for every transaction: they are read in place. */
export const [BEGIN, COMMIT, INSERT] = [0x42, 0x43, 0x49];

/** The position after a commit whose message begins at `at`: everything up to there is in what came before. */
export const commitEnd = (bytes: Buffer, at: number): bigint => bytes.readBigUInt64BE(at + 10); // after type, flags, commit position

/** The relation that an insert, which begins at `at`, is of. */
export const relationOf = (bytes: Buffer, at: number): number => bytes.readUInt32BE(at + 1);

/** The output cannot be read: a protocol that we do not know. The relay stops there instead of skipping something. */
export class PgOutputError extends Error {
  constructor(detail: string) {
    super(`write-ahead log output that this relay does not know: ${detail}`);
    this.name = 'PgOutputError';
  }
}

/** Undefined for messages that say nothing about rows (types, origins). @throws PgOutputError */
export function readPgOutput(body: Buffer): PgOutput | undefined {
  switch (String.fromCharCode(body[0] ?? 0)) {
    case 'R':
      return readRelation(body);
    case 'M':
      return readMessage(body);
    case 'O':
    case 'Y':
      return undefined;
    default:
      throw new PgOutputError(`message ${JSON.stringify(String.fromCharCode(body[0] ?? 0))}`);
  }
}

/** The values of an insert as text, null for SQL NULL; slices of the message. @throws PgOutputError */
export function readValues(body: Buffer): (Buffer | null)[] {
  const count = body.readUInt16BE(6); // after the type, the relation and 'N'
  const values: (Buffer | null)[] = [];
  let at = 8;
  for (let i = 0; i < count; i++) {
    const kind = body[at++];
    if (kind === 0x6e /* n: NULL */) values.push(null);
    else if (kind === 0x74 /* t: text */) {
      const start = at + 4;
      at = start + body.readUInt32BE(at);
      values.push(body.subarray(start, at));
    } else throw new PgOutputError(`column kind ${kind}`);
  }
  return values;
}

function readRelation(body: Buffer): PgOutput {
  const schema = readText(body, 5);
  const name = readText(body, schema.end);
  const columns: string[] = [];
  let at = name.end + 3; // replica identity, number of columns
  for (let count = body.readUInt16BE(name.end + 1); count > 0; count--) {
    const column = readText(body, at + 1); // after its flags
    columns.push(column.text);
    at = column.end + 8; // type, modifier
  }
  return { kind: 'relation', id: body.readUInt32BE(1), relation: { name: name.text, columns } };
}

function readMessage(body: Buffer): PgOutput {
  const prefix = readText(body, 10); // type, flags, position
  const length = body.readUInt32BE(prefix.end);
  const start = prefix.end + 4;
  return { kind: 'message', prefix: prefix.text, lsn: body.readBigUInt64BE(2), content: body.subarray(start, start + length) };
}

function readText(body: Buffer, start: number): { text: string; end: number } {
  const zero = body.indexOf(0, start);
  return { text: body.toString('utf8', start, zero), end: zero + 1 };
}
