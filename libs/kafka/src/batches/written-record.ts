import { RecordBytes } from '../record-bytes.js';
import type { RecordContent } from './record-content.js';

/** A record that stands in a batch: it can be read, and written into another batch. Valid while its batch is. */
export class WrittenRecord implements RecordContent {
  constructor(
    private readonly source: Buffer,
    private readonly start: number,
    private readonly end: number,
  ) {}

  get bytes(): number {
    return this.end - this.start;
  }

  write(target: Buffer, at: number): void {
    this.source.copy(target, at, this.start, this.end);
  }

  /** Key and headers; a null one is the empty text. */
  read(): { readonly key: string; readonly headers: ReadonlyMap<string, string> } {
    const bytes = new RecordBytes(this.source.subarray(this.start, this.end));
    const text = () => String(bytes.buffer(bytes.varint()) ?? '');
    const key = text();
    bytes.buffer(bytes.varint());
    const headers = new Map<string, string>();
    for (let left = bytes.varint(); left > 0; left--) headers.set(text(), text());
    return { key, headers };
  }
}

/** The records in `bytes[start, end)`, which are those of a batch. */
export function* readRecords(bytes: Buffer, start: number, end: number): Generator<WrittenRecord> {
  for (let at = start; at < end;) {
    const head = new RecordBytes(bytes.subarray(at, end));
    const next = head.varint() + head.position + at;
    head.int8();
    head.varint();
    head.varint();
    yield new WrittenRecord(bytes, at + head.position, next);
    at = next;
  }
}
