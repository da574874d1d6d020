const HEADER_BYTES = 5;
const USUAL_BYTES = 256 * 1024;
/** A read finds at least this much room. */
const ROOM_BYTES = 64 * 1024;

/** A message of this type (its character's code) has its body in `bytes[start, end)`: only until the call returns. */
export type EachMessage = (type: number, bytes: Buffer, start: number, end: number) => void;

/**
 * Cuts the bytes of a PostgreSQL connection into messages. All are read into the same buffer: what is read and done with leaves
 * nothing behind, and only a message that is not complete yet is moved.
 */
export class MessageFramer {
  private bytes = Buffer.allocUnsafeSlow(USUAL_BYTES);
  private filled = 0;
  private wanted = HEADER_BYTES;

  /** Where the next bytes belong. */
  get room(): Buffer {
    return this.bytes.subarray(this.filled);
  }

  /** Bytes that came elsewhere. */
  push(chunk: Buffer, each: EachMessage): void {
    for (let at = 0; at < chunk.length;) {
      const count = chunk.copy(this.room, 0, at);
      this.received(count, each);
      at += count;
    }
  }

  /** So many bytes have come into {@link room}. Calls `each` for every message that is complete now. */
  received(count: number, each: EachMessage): void {
    this.filled += count;
    if (this.filled >= this.wanted) this.keepFrom(this.takeMessages(each));
    if (this.bytes.length - this.filled < ROOM_BYTES || this.bytes.length > USUAL_BYTES) this.resize();
  }

  /** @returns where what is not complete begins */
  private takeMessages(each: EachMessage): number {
    const { bytes, filled } = this;
    let start = 0;
    while (filled - start >= HEADER_BYTES) {
      const end = start + 1 + bytes.readUInt32BE(start + 1);
      if (end > filled) break;
      each(bytes[start]!, bytes, start + HEADER_BYTES, end);
      start = end;
    }
    return start;
  }

  private keepFrom(start: number): void {
    this.bytes.copyWithin(0, start, this.filled);
    this.filled -= start;
    this.wanted = this.filled < HEADER_BYTES ? HEADER_BYTES : 1 + this.bytes.readUInt32BE(1);
  }

  /** Room for a message that is larger than usual; back to the usual size behind it. */
  private resize(): void {
    const size = Math.max(USUAL_BYTES, this.wanted + ROOM_BYTES, this.filled + ROOM_BYTES);
    if (size === this.bytes.length) return;
    const other = Buffer.allocUnsafeSlow(size);
    this.bytes.copy(other, 0, 0, this.filled);
    this.bytes = other;
  }
}
