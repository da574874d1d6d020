const SMALLEST = 16 * 1024;
/** A larger one is rare and not kept. */
const LARGEST_KEPT = 1024 * 1024;
/** Kept for the next batches at most, in bytes. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** Buffers of batches that are done with, for the next ones: allocating megabytes for each send costs more than filling them. */
export class BatchBuffers {
  private readonly free = new Map<number, Buffer[]>();
  private kept = 0;

  /** One of at least `bytes`, with anything in it. Its size is a power of two. */
  take(bytes: number): Buffer {
    const size = Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(bytes)));
    const known = this.free.get(size)?.pop();
    if (known === undefined) return Buffer.allocUnsafeSlow(size);
    this.kept -= size;
    return known;
  }

  give(buffer: Buffer): void {
    const { length } = buffer;
    if (length === 0 || length > LARGEST_KEPT || this.kept + length > KEPT_BYTES) return;
    const free = this.free.get(length);
    if (free === undefined) this.free.set(length, [buffer]);
    else free.push(buffer);
    this.kept += length;
  }
}
