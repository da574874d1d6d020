import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './consumer/random.js';
import type { DrawFault, Fault } from './fault.js';

export interface FaultPlan<Stage> {
  /** Each is drawn once, in some order, before any comes again. */
  readonly deck: readonly DrawFault<Stage>[];
  /** Between two draws. */
  readonly pauseMs: readonly [least: number, most: number];
  /** How likely it is that nothing else happens until a fault is undone. */
  readonly alone: number;
  /** The longest rest after such a fault; none when left out. */
  readonly restMs?: number;
}

/** Draws faults and lets them happen, now and then some at once, until it is stopped. Then everything runs again. */
export class FaultSequence<Stage> {
  readonly counts = new Map<string, number>();
  /** Faults that could not be done, and why: replays while the database is away, for instance. */
  readonly failures: string[] = [];
  last = 'none yet';
  private readonly busy = new Map<string, Promise<void>>();
  private deck: DrawFault<Stage>[] = [];

  constructor(
    private readonly random: Random,
    private readonly stage: Stage,
    private readonly plan: FaultPlan<Stage>,
  ) {}

  /** @param once a fault that happens once, so many milliseconds from now */
  async run(signal: AbortSignal, once?: { readonly afterMs: number; readonly draw: DrawFault<Stage> }): Promise<void> {
    let onceAt = once === undefined ? Infinity : Date.now() + once.afterMs;
    while (!signal.aborted) {
      await delay(this.random.between(...this.plan.pauseMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      if (once !== undefined && Date.now() >= onceAt) {
        onceAt = Infinity;
        await this.happen(once.draw(this.random, this.stage));
      } else await this.next();
    }
    await Promise.all(this.busy.values());
  }

  private async next(): Promise<void> {
    const { deck, alone, restMs } = this.plan;
    if (this.deck.length === 0) this.deck = this.random.shuffled(deck);
    const fault = this.deck.pop()!(this.random, this.stage);
    const waits = this.random.chance(alone);
    const done = this.happen(fault);
    if (!waits) return;
    await done;
    if (restMs !== undefined) await delay(this.random.between(0, restMs));
  }

  /** After what is being done to the same target. */
  private happen(fault: Fault): Promise<void> {
    const done = (this.busy.get(fault.target) ?? Promise.resolve()).then(() => this.attempt(fault));
    this.busy.set(fault.target, done);
    return done;
  }

  private async attempt({ name, text, run }: Fault): Promise<void> {
    this.last = text;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    await run().catch((error: unknown) => this.failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`));
  }
}
