import type { ChunkResult, WorkResult } from './chunk.js';

/** Counted since the process started. */
export interface GroupCounts {
  /** Events that took effect, at their first try or later. */
  readonly handled: number;
  /** Events that this group had taken charge of before. */
  readonly duplicates: number;
  /** Records of types that nobody in the group subscribes to. */
  readonly skipped: number;
  readonly skippedByType: Readonly<Record<string, number>>;
  readonly deadLettered: number;
  /** Tries that failed and left their event held. */
  readonly failures: number;
  /** Events that were held because an earlier one of their key was. */
  readonly followers: number;
  /** Held events that took effect. */
  readonly healed: number;
}

/** Types come from outside: only so many are counted by name. */
const MAX_TYPES = 100;

export class GroupStats {
  private handled = 0;
  private duplicates = 0;
  private skipped = 0;
  private deadLettered = 0;
  private failures = 0;
  private followers = 0;
  private healed = 0;
  private readonly skippedByType = new Map<string, number>();

  /** What a chunk has committed. */
  add(result: ChunkResult): void {
    this.addWork(result);
    this.duplicates += result.duplicates;
    this.followers += result.followers;
    this.skipped += result.skipped.length;
    for (const type of result.skipped) this.countSkipped(type);
  }

  /** What was committed of held events. */
  addHeld(result: WorkResult): void {
    this.addWork(result);
    this.healed += result.handled.length;
  }

  get counts(): GroupCounts {
    const { handled, duplicates, skipped, deadLettered, failures, followers, healed } = this;
    return {
      handled,
      duplicates,
      skipped,
      deadLettered,
      failures,
      followers,
      healed,
      skippedByType: Object.fromEntries(this.skippedByType),
    };
  }

  private addWork({ handled, buried, held }: WorkResult): void {
    this.handled += handled.length;
    this.deadLettered += buried.length;
    this.failures += held.length;
  }

  private countSkipped(type: string): void {
    const name = this.skippedByType.has(type) || this.skippedByType.size < MAX_TYPES ? type : 'other';
    this.skippedByType.set(name, (this.skippedByType.get(name) ?? 0) + 1);
  }
}
