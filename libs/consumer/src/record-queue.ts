import type { ConsumedRecord, PartitionBatch, RawHeaders, TopicPartition } from '@shopflow/kafka';
import type { Chunk } from './chunk.js';

/** Fetching pauses above either of them… */
const FULL = { records: 4_000, bytes: 4_000_000 };
/** …and goes on below both, early enough that the work does not run dry before the next fetch. */
const REFILL = { records: 2_000, bytes: 2_000_000 };

/** Records of one partition that were fetched and are not done. */
export class RecordQueue {
  private records: ConsumedRecord[] = [];
  /** Of each record: asked for once, it costs as much as everything else here. */
  private sizes: number[] = [];
  private head = 0;
  private bytes = 0;
  private end = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly partition: TopicPartition) {}

  /** Forgets everything; the next batch is expected to begin at `offset` or, where offsets are missing, behind it. */
  restart(offset: number): void {
    this.records = [];
    this.sizes = [];
    this.head = 0;
    this.bytes = 0;
    this.position = offset;
    this.end = offset;
  }

  /** Everything before it is done. */
  position = 0;

  /** Where the next batch begins. */
  get expected(): number {
    return this.end;
  }

  get length(): number {
    return this.records.length - this.head;
  }

  get full(): boolean {
    return this.length >= FULL.records || this.bytes >= FULL.bytes;
  }

  get low(): boolean {
    return this.length < REFILL.records && this.bytes < REFILL.bytes;
  }

  add({ records, nextOffset }: PartitionBatch): void {
    const sizes = records.map(sizeOf);
    this.records = this.records.slice(this.head).concat(records);
    this.sizes = this.sizes.slice(this.head).concat(sizes);
    this.head = 0;
    this.end = nextOffset;
    for (const size of sizes) this.bytes += size;
    this.notify();
  }

  /** The next records, without taking them. */
  peek(limit: number): Chunk {
    const records = this.records.slice(this.head, this.head + limit);
    const behind = this.records[this.head + limit];
    return { ...this.partition, records, from: this.position, to: behind?.offset ?? this.end };
  }

  /** Takes everything before `offset`: it is done. */
  advance(offset: number): void {
    while (this.head < this.records.length && this.records[this.head]!.offset < offset) {
      this.bytes -= this.sizes[this.head]!;
      this.head += 1;
    }
    this.position = offset;
  }

  /** Resolves when there are records, or when {@link notify} is called. */
  async wait(): Promise<void> {
    if (this.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  notify(): void {
    this.wake?.();
    this.wake = undefined;
  }
}

/** What holding a header takes beside its value. */
const PER_HEADER = 32;

/** Bytes, about: headers of a megabyte are as large as a value of one. */
function sizeOf({ key, value, headers }: ConsumedRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const name in headers) bytes += sizeOfHeader(headers[name]);
  return bytes;
}

function sizeOfHeader(value: RawHeaders[string]): number {
  if (!Array.isArray(value)) return PER_HEADER + (value?.length ?? 0);
  return value.reduce((sum, one) => sum + PER_HEADER + (one?.length ?? 0), 0);
}
