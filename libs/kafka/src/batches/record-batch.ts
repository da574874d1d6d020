import type { BatchBuffers } from './batch-buffers.js';
import type { RecordContent } from './record-content.js';
import { readRecords, type WrittenRecord } from './written-record.js';
import { varintLength, writeVarint } from './varint.js';

/** Who the broker takes a batch to be from, so that it writes each batch once. */
export interface Sequence {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** Number of the batch's first record among all of its partition. */
  readonly first: number;
}

const HEADER_BYTES = 61;
const CRC_AT = 17;
/** The checksum covers everything from here on. */
const CHECKED_FROM = 21;
const MAGIC = 2;

/**
 * Records of one partition in the form in which the broker stores them (format v2, uncompressed), written as they come into one
 * buffer: https://kafka.apache.org/documentation/#recordbatch
 */
export class RecordBatch {
  count = 0;
  private bytes: Buffer;
  private end = HEADER_BYTES;

  constructor(
    readonly topic: string,
    readonly partition: number,
    private readonly buffers: BatchBuffers,
  ) {
    this.bytes = buffers.take(HEADER_BYTES);
  }

  /** Bytes of the whole batch so far. */
  get size(): number {
    return this.end;
  }

  append(content: RecordContent): void {
    const length = 2 + varintLength(this.count) + content.bytes; // attributes, timestamp delta, offset delta
    const end = this.end + varintLength(length) + length;
    if (end > this.bytes.length) this.grow(end);
    let at = writeVarint(this.bytes, this.end, length);
    this.bytes[at++] = 0;
    this.bytes[at++] = 0;
    at = writeVarint(this.bytes, at, this.count);
    content.write(this.bytes, at);
    this.end = end;
    this.count += 1;
  }

  /** What has been appended so far; valid until the batch is released, or appended to. */
  records(): WrittenRecord[] {
    return [...readRecords(this.bytes, HEADER_BYTES, this.end)];
  }

  /**
   * The whole batch under this sequence; valid until the next call of anything.
   *
   * @param timestamp of all records, in milliseconds: when it is sent, for a topic may refuse what is older or newer than it allows
   */
  seal({ producerId, producerEpoch, first }: Sequence, timestamp: number, crc32c: (bytes: Buffer) => number): Buffer {
    const { bytes, end } = this;
    bytes.writeBigInt64BE(0n, 0);
    bytes.writeInt32BE(end - 12, 8);
    bytes.writeInt32BE(-1, 12);
    bytes[16] = MAGIC;
    bytes.writeInt16BE(0, 21);
    bytes.writeInt32BE(this.count - 1, 23);
    bytes.writeBigInt64BE(BigInt(timestamp), 27);
    bytes.writeBigInt64BE(BigInt(timestamp), 35);
    bytes.writeBigInt64BE(producerId, 43);
    bytes.writeInt16BE(producerEpoch, 51);
    bytes.writeInt32BE(first, 53);
    bytes.writeInt32BE(this.count, 57);
    bytes.writeUInt32BE(crc32c(bytes.subarray(CHECKED_FROM, end)) >>> 0, CRC_AT);
    return bytes.subarray(0, end);
  }

  /** Gives the buffer back. The batch cannot be used any more. */
  release(): void {
    this.buffers.give(this.bytes);
    this.bytes = NOTHING;
  }

  private grow(wanted: number): void {
    const larger = this.buffers.take(wanted);
    this.bytes.copy(larger, 0, 0, this.end);
    this.buffers.give(this.bytes);
    this.bytes = larger;
  }
}

const NOTHING = Buffer.alloc(0);
