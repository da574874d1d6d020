import type { Database } from '@shopflow/database';
import type { TopicPartition } from '@shopflow/kafka';
import type { Chunk } from './chunk.js';
import { countStart, giveBackStart } from './starts/count-start.js';

/**
 * The starts of a partition's chunks, counted where they outlive this process: an event that ends the process is found by
 * running each suspect alone, and is refused when it begins for the fourth time.
 */
export class PartitionStarts {
  /** A start that is counted and has neither ended nor hung. */
  private counted: { chunk: Chunk; starts: number } | undefined;
  private suspectUntil = 0;

  constructor(
    private readonly database: Database,
    private readonly group: string,
    private readonly partition: TopicPartition,
  ) {}

  /** @returns how often work began at the chunk's first event that is not done, this time included */
  async begin(chunk: Chunk): Promise<number> {
    if (this.counted?.chunk.from !== chunk.from) {
      const { starts, suspectUntil } = await countStart(this.database, this.group, this.partition, chunk.from, chunk.to);
      if (starts > 1) this.suspectUntil = suspectUntil;
      this.counted = { chunk, starts };
    }
    return this.counted.starts;
  }

  /** An event before this offset may have ended a process. */
  get suspect(): number {
    return this.suspectUntil;
  }

  committed(): void {
    this.counted = undefined;
  }

  /** Something of the chunk never ended; its start stays counted. */
  hung({ to }: Chunk): void {
    this.counted = undefined;
    this.suspectUntil = Math.max(this.suspectUntil, to);
  }

  /**
   * The work failed and its process lives, so it was no crash.
   *
   * @throws what the database says; then the start stays counted, and is that of the next try
   */
  async giveBack(): Promise<void> {
    if (this.counted === undefined) return;
    const { from, to } = this.counted.chunk;
    await giveBackStart(this.database, this.group, this.partition, from, to);
    this.counted = undefined;
  }
}
