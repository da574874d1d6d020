// PostgreSQL's messages around logical replication:
// https://www.postgresql.org/docs/current/protocol-replication.html and protocol-logicalrep-message-formats.html

const HEAD_BYTES = 5;
const COPY_DATA = 0x64;
const ERROR = 0x45;
const XLOG_DATA = 0x77;
const INSERT = 0x49;
const TEXT = 0x74;
/** Of a COPY message: its type and length, then the kind of what it brings, two positions and a time. */
const OUTPUT_AT = HEAD_BYTES + 25;
/** Of an insert: its type, the relation, `N`, the number of columns. */
const COLUMNS_AT = 6;

/** Reads a replication stream, chunk by chunk; tells of each inserted row once it is there as a whole. @throws Error with what the server says */
export function countInserts(onInsert: (bytes: number) => void): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  return (chunk) => {
    const data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (at + HEAD_BYTES <= data.length) {
      const end = at + 1 + data.readUInt32BE(at + 1);
      if (end > data.length) break;
      if (data[at] === ERROR) throw new Error(`the server ends the stream: ${data.toString('utf8', at + HEAD_BYTES, end)}`);
      if (isInsert(data, at)) onInsert(bytesOfValues(data, at + OUTPUT_AT));
      at = end;
    }
    rest = at === data.length ? undefined : data.subarray(at);
  };
}

const isInsert = (data: Buffer, at: number): boolean =>
  data[at] === COPY_DATA && data[at + HEAD_BYTES] === XLOG_DATA && data[at + OUTPUT_AT] === INSERT;

/** Looks where each value begins and ends, as whoever wants them has to. */
function bytesOfValues(data: Buffer, insertAt: number): number {
  const columns = data.readUInt16BE(insertAt + COLUMNS_AT);
  let at = insertAt + COLUMNS_AT + 2;
  let bytes = 0;
  for (let column = 0; column < columns; column++) {
    const length = data[at++] === TEXT ? data.readUInt32BE(at) : undefined;
    bytes += length ?? 0;
    at += length === undefined ? 0 : 4 + length;
  }
  return bytes;
}
