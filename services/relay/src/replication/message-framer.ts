const HEADER_BYTES = 5;

/** A message of this type (its character's code) has its body in `bytes[start, end)`. */
export type EachMessage = (type: number, bytes: Buffer, start: number, end: number) => void;

/**
 * Cuts the bytes of a PostgreSQL connection into messages. Bodies are parts of the chunks that arrived and
 * stay valid: nothing is copied but a message that spans chunks. pg's own parser reuses its buffer, so a slice that waits
 * for Kafka would change under us.
 */
export class MessageFramer {
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private wanted = HEADER_BYTES;

  /** Calls `each` for every message that is complete now. */
  push(chunk: Buffer, each: EachMessage): void {
    this.pending.push(chunk);
    this.pendingBytes += chunk.length;
    if (this.pendingBytes < this.wanted) return;
    const rest = this.takeMessages(this.pending.length === 1 ? chunk : Buffer.concat(this.pending, this.pendingBytes), each);
    this.pending = rest.length === 0 ? [] : [rest];
    this.pendingBytes = rest.length;
    this.wanted = rest.length < HEADER_BYTES ? HEADER_BYTES : 1 + rest.readUInt32BE(1);
  }

  private takeMessages(bytes: Buffer, each: EachMessage): Buffer {
    let start = 0;
    while (bytes.length - start >= HEADER_BYTES) {
      const end = start + 1 + bytes.readUInt32BE(start + 1);
      if (end > bytes.length) break;
      each(bytes[start]!, bytes, start + HEADER_BYTES, end);
      start = end;
    }
    return bytes.subarray(start);
  }
}
