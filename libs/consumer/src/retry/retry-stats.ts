/** Counted since the process started, for people. */
export interface WakeCounts {
  /** Wake-ups that were followed, also those whose key had gone on by another way. */
  readonly woken: number;
  /** From the due time until the try began, in milliseconds: time without a member, outages and pauses count too. */
  readonly lateMs: { readonly last: number; readonly max: number };
}

export class RetryStats {
  private woken = 0;
  private last = 0;
  private max = 0;

  add(lateMs: number): void {
    this.woken += 1;
    this.last = lateMs;
    this.max = Math.max(this.max, lateMs);
  }

  get counts(): WakeCounts {
    return { woken: this.woken, lateMs: { last: this.last, max: this.max } };
  }
}
