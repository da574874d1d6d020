import { copyBytes, headerNames, type RecordContent, varintLength, writeVarint } from '@shopflow/kafka/producing';
import { type EventRow, newBounds, readBounds } from './event-row.js';
import { assertUtc, ISO_BYTES, writeIsoTime } from './iso-time.js';
import { OUTBOX_COLUMNS, type OutboxRow } from './outbox-row.js';

const place = (column: keyof OutboxRow) => OUTBOX_COLUMNS.indexOf(column);
const [KEY, PAYLOAD, TOPIC, TIME] = [place('aggregateid'), place('payload'), place('topic'), place('created_at')];

interface ColumnHeader {
  readonly field: number;
  /** Length and name, as the record format has them. */
  readonly name: Buffer;
}

const columnHeader = (name: string, column: keyof OutboxRow): ColumnHeader => ({ field: place(column), name: withLength(name) });

/** Headers whose value is a column's; what is NULL has none. The time is written apart, for its form changes. */
const COLUMN_HEADERS: readonly ColumnHeader[] = [
  columnHeader(headerNames.id, 'id'),
  columnHeader(headerNames.type, 'type'),
  columnHeader(headerNames.subject, 'aggregateid'),
  columnHeader(headerNames.version, 'version'),
  columnHeader(headerNames.organizationId, 'organization_id'),
  columnHeader(headerNames.correlationId, 'correlation_id'),
  columnHeader(headerNames.causationId, 'causation_id'),
  columnHeader(headerNames.traceparent, 'traceparent'),
  columnHeader(headerNames.tracestate, 'tracestate'),
];

const TIME_NAME = Buffer.concat([withLength(headerNames.time), varintOf(ISO_BYTES)]);

/**
 * Turns a row into the record that goes to Kafka: CloudEvents headers, the payload's bytes as they are. One of these is loaded with
 * one row after the other, so that a row costs no objects.
 */
export class EventContent implements RecordContent {
  bytes = 0;
  private row!: EventRow;
  private headers = 0;
  private readonly bounds = newBounds();
  private readonly constants: Buffer;
  private readonly constantHeaders = 3;

  /** @param source the service that owns the outbox: `orders` */
  constructor(source: string) {
    this.constants = Buffer.concat([
      headerOf(headerNames.specversion, '1.0'),
      headerOf(headerNames.source, source),
      headerOf(headerNames.contentType, 'application/json'),
      TIME_NAME,
    ]);
  }

  /** @throws TimeError PgOutputError */
  load(row: EventRow): void {
    this.row = row;
    const { start, end } = this.bounds;
    readBounds(row, this.bounds);
    assertUtc(row.chunk, start[TIME]!, end[TIME]!);
    this.headers = this.constantHeaders + 1;
    let bytes = this.constants.length + ISO_BYTES + sized(end[KEY]! - start[KEY]!) + sized(end[PAYLOAD]! - start[PAYLOAD]!);
    for (const { field, name } of COLUMN_HEADERS) {
      if (end[field] === -1) continue;
      bytes += name.length + sized(end[field]! - start[field]!);
      this.headers += 1;
    }
    this.bytes = bytes + varintLength(this.headers);
  }

  /** Where key and topic stand. */
  get chunk(): Buffer {
    return this.row.chunk;
  }
  get keyStart(): number {
    return this.bounds.start[KEY]!;
  }
  get keyEnd(): number {
    return this.bounds.end[KEY]!;
  }
  get topicStart(): number {
    return this.bounds.start[TOPIC]!;
  }
  get topicEnd(): number {
    return this.bounds.end[TOPIC]!;
  }

  write(target: Buffer, at: number): void {
    const { chunk } = this.row;
    const { start, end } = this.bounds;
    at = this.writeField(target, at, KEY);
    at = this.writeField(target, at, PAYLOAD);
    at = writeVarint(target, at, this.headers);
    at += this.constants.copy(target, at);
    writeIsoTime(target, at, chunk, start[TIME]!, end[TIME]!);
    at += ISO_BYTES;
    for (const { field, name } of COLUMN_HEADERS) {
      if (end[field] === -1) continue;
      at = copyBytes(target, at, name, 0, name.length);
      at = this.writeField(target, at, field);
    }
  }

  private writeField(target: Buffer, at: number, field: number): number {
    const start = this.bounds.start[field]!;
    const end = this.bounds.end[field]!;
    return copyBytes(target, writeVarint(target, at, end - start), this.row.chunk, start, end);
  }
}

const sized = (length: number) => varintLength(length) + length;

function varintOf(value: number): Buffer {
  const bytes = Buffer.alloc(varintLength(value));
  writeVarint(bytes, 0, value);
  return bytes;
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([varintOf(bytes.length), bytes]);
}

const headerOf = (name: string, value: string) => Buffer.concat([withLength(name), withLength(value)]);
