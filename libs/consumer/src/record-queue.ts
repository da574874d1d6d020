import type { ConsumedRecord, PartitionBatch, TopicPartition } from '@shopflow/kafka';
import type { Chunk } from './chunk.js';

/** Fetching pauses above either of them… */
const FULL = { records: 4_000, bytes: 4_000_000 };
/** …and goes on below both, early enough that the work does not run dry before the next fetch. */
const REFILL = { records: 2_000, bytes: 2_000_000 };

/** Records of one partition that were fetched and are not done. */
export class RecordQueue {
  private records: ConsumedRecord[] = [];
  private head = 0;
  private bytes = 0;
  private end = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly partition: TopicPartition) {}

  /** Forgets everything; the next batch is expected to begin at `offset` or, where offsets are missing, behind it. */
  restart(offset: number): void {
    this.records = [];
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
    this.records = this.head === 0 ? this.records.concat(records) : this.records.slice(this.head).concat(records);
    this.head = 0;
    this.end = nextOffset;
    for (const record of records) this.bytes += sizeOf(record);
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
      this.bytes -= sizeOf(this.records[this.head]!);
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

const sizeOf = ({ key, value }: ConsumedRecord): number => (key?.length ?? 0) + (value?.length ?? 0);
