import type { Logger } from '@shopflow/telemetry';
import { partitionName, type TopicPartition } from './consumed-record.js';

export interface OffsetToCommit extends TopicPartition {
  readonly offset: number;
}

const RETRY_MS = 1_000;

/**
 * Commits offsets behind the work: one request at a time, each with the newest offset of every partition. A commit that
 * is lost costs reading again and nothing else, so nobody waits for it but {@link flush}.
 */
export class OffsetCommitter {
  private readonly pending = new Map<string, OffsetToCommit>();
  /** What failed and waits to be tried again, unless something newer is noted. */
  private readonly failed = new Map<string, OffsetToCommit>();
  private running: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private assignment = 0;

  constructor(
    private readonly send: (offsets: OffsetToCommit[]) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  note(offset: OffsetToCommit): void {
    const partition = partitionName(offset);
    this.failed.delete(partition);
    this.pending.set(partition, offset);
    void this.run();
  }

  /** Resolves when everything noted so far was tried once more, also what has failed and would be tried later. */
  async flush(): Promise<void> {
    await this.running;
    await this.runWithFailed();
  }

  /** After the assignment is lost: somebody else commits these partitions now. */
  clear(): void {
    this.assignment += 1;
    this.pending.clear();
    this.failed.clear();
    clearTimeout(this.retry);
  }

  private run(): Promise<void> {
    return (this.running ??= this.commitAll().finally(() => (this.running = undefined)));
  }

  private runWithFailed(): Promise<void> {
    clearTimeout(this.retry);
    for (const [partition, offset] of this.failed) this.pending.set(partition, offset);
    this.failed.clear();
    return this.run();
  }

  private async commitAll(): Promise<void> {
    // Everything that is noted in this turn of the event loop goes in one request.
    await Promise.resolve();
    while (this.pending.size > 0) {
      const { assignment } = this;
      const offsets = [...this.pending.values()];
      this.pending.clear();
      try {
        await this.send(offsets);
      } catch (error) {
        // What failed for an assignment that is over is no longer ours: sent now, it would go backwards.
        if (assignment === this.assignment) return this.tryLater(offsets, error);
      }
    }
  }

  private tryLater(offsets: readonly OffsetToCommit[], error: unknown): void {
    this.logger.warn({ err: error }, 'committing offsets failed; the events are done and will at worst be read again');
    for (const offset of offsets) {
      const partition = partitionName(offset);
      if (!this.pending.has(partition)) this.failed.set(partition, offset);
    }
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.runWithFailed(), RETRY_MS).unref();
  }
}
