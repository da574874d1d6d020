import type { Logger } from '@shopflow/telemetry';
import { type TopicPartition } from './consumed-record.js';

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
  private running: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly send: (offsets: OffsetToCommit[]) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  note(offset: OffsetToCommit): void {
    this.pending.set(`${offset.topic}/${offset.partition}`, offset);
    this.running ??= this.commitAll().finally(() => (this.running = undefined));
  }

  /** Resolves when everything noted so far was tried once more. */
  async flush(): Promise<void> {
    await this.running;
    if (this.pending.size > 0) await this.commitAll();
  }

  /** After the assignment is lost: somebody else commits these partitions now. */
  clear(): void {
    this.pending.clear();
    clearTimeout(this.retry);
  }

  private async commitAll(): Promise<void> {
    // Everything that is noted in this turn of the event loop goes in one request.
    await Promise.resolve();
    while (this.pending.size > 0) {
      const offsets = [...this.pending.values()];
      this.pending.clear();
      try {
        await this.send(offsets);
      } catch (error) {
        return this.tryLater(offsets, error);
      }
    }
  }

  private tryLater(offsets: readonly OffsetToCommit[], error: unknown): void {
    this.logger.warn({ err: error }, 'committing offsets failed; the events are done and will at worst be read again');
    clearTimeout(this.retry);
    this.retry = setTimeout(() => offsets.forEach((offset) => this.noteUnlessNewer(offset)), RETRY_MS).unref();
  }

  private noteUnlessNewer(offset: OffsetToCommit): void {
    if (!this.pending.has(`${offset.topic}/${offset.partition}`)) this.note(offset);
  }
}
