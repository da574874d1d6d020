import type { ChunkResult } from './chunk.js';

/** Counted since the process started. */
export interface GroupCounts {
  /** Events that took effect. */
  readonly handled: number;
  /** Events that this group had taken charge of before. */
  readonly duplicates: number;
  /** Records of types that nobody in the group subscribes to. */
  readonly skipped: number;
  readonly skippedByType: Readonly<Record<string, number>>;
  readonly deadLettered: number;
  /** Tries of an event that failed and may heal. */
  readonly failures: number;
}

/** Types come from outside: only so many are counted by name. */
const MAX_TYPES = 100;

export class GroupStats {
  private handled = 0;
  private duplicates = 0;
  private skipped = 0;
  private deadLettered = 0;
  private failures = 0;
  private readonly skippedByType = new Map<string, number>();

  add({ handled, duplicates, skipped, buried, waiting }: ChunkResult): void {
    this.handled += handled.length;
    this.duplicates += duplicates;
    this.skipped += skipped.length;
    this.deadLettered += buried.length;
    if (waiting) this.failures += 1;
    for (const type of skipped) this.countSkipped(type);
  }

  get counts(): GroupCounts {
    const { handled, duplicates, skipped, deadLettered, failures } = this;
    return { handled, duplicates, skipped, skippedByType: Object.fromEntries(this.skippedByType), deadLettered, failures };
  }

  private countSkipped(type: string): void {
    const name = this.skippedByType.has(type) || this.skippedByType.size < MAX_TYPES ? type : 'other';
    this.skippedByType.set(name, (this.skippedByType.get(name) ?? 0) + 1);
  }
}
