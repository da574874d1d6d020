/** Counts of calls to `POST /messages`. */
export interface Stats {
  /** Calls that arrived. */
  readonly handled: number;
  /** Calls that were open at the same moment, at most. */
  readonly mostAtOnce: number;
  /** Calls open now. */
  readonly atOnce: number;
}

/** Measures how many messages the provider is busy with. */
export class Traffic {
  private handled = 0;
  private atOnce = 0;
  private mostAtOnce = 0;

  enter(): void {
    this.handled += 1;
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
  }

  leave(): void {
    this.atOnce -= 1;
  }

  stats(): Stats {
    return { handled: this.handled, mostAtOnce: this.mostAtOnce, atOnce: this.atOnce };
  }

  /** Calls that are still open stay counted. */
  reset(): void {
    this.handled = this.atOnce;
    this.mostAtOnce = this.atOnce;
  }
}
