import type { BreakerStatus } from './breaker-status.js';

/** One handler's failures in a row, and its probes while the breaker is open. */
export class Circuit {
  readonly events = new Set<string>();
  open = false;
  /** Somebody has a probe under way. */
  probing = false;
  /** The pause before the next probe, or before the one under way. */
  probeMs = 0;
  nextProbeAt: Date;

  constructor(
    readonly handler: string,
    readonly cause: string,
    public since: Date,
  ) {
    this.nextProbeAt = since;
  }

  /** @param giveUpMs after which the next may probe, should this one never be answered */
  probe(now: Date, giveUpMs: number): void {
    this.probing = true;
    this.nextProbeAt = new Date(now.getTime() + giveUpMs);
  }

  pause(now: Date, ms: number, probeMs: number): void {
    this.probing = false;
    this.probeMs = probeMs;
    this.nextProbeAt = new Date(now.getTime() + ms);
  }

  get status(): BreakerStatus {
    const { handler, open, cause, since, nextProbeAt, events } = this;
    return { handler, open, cause, since, nextProbeAt, inARow: events.size };
  }
}
