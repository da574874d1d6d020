import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.js';
import { discardLetter, replayLetters } from './click-letters.js';
import type { DrawFault, Fault, Stage } from './fault.js';
import { freezeMember, joinAndLeave, killMember, redeployMember } from './member-faults.js';
import { purgeRetries } from './purge-retries.js';
import { crashKafka, crashPostgres } from './server-faults.js';

/** Each is drawn once, in some order, before any comes again. */
const DECK: readonly DrawFault[] = [
  killMember,
  killMember,
  killMember,
  freezeMember,
  freezeMember,
  joinAndLeave,
  redeployMember,
  crashPostgres(0, 4_000),
  crashKafka,
  purgeRetries,
  replayLetters,
  replayLetters,
  discardLetter,
];

/** In the middle of a long drill. */
const LONG_OUTAGE = crashPostgres(60_000, 60_000);

/** Draws faults and lets them happen, now and then some at once, until it is stopped. */
export class FaultSequence {
  readonly counts = new Map<string, number>();
  /** Faults that could not be done, and why: replays while the database is away, for instance. */
  readonly failures: string[] = [];
  last = '';
  private readonly busy = new Map<string, Promise<void>>();
  private deck: DrawFault[] = [];

  constructor(
    private readonly random: Random,
    private readonly stage: Stage,
    private readonly pauseMs: readonly [least: number, most: number],
  ) {}

  /** @param longOutageAfterMs when the database is away for a minute; never when left out */
  async run(signal: AbortSignal, longOutageAfterMs?: number): Promise<void> {
    let longOutageAt = longOutageAfterMs === undefined ? Infinity : Date.now() + longOutageAfterMs;
    while (!signal.aborted) {
      await delay(this.random.between(...this.pauseMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      if (Date.now() >= longOutageAt) {
        longOutageAt = Infinity;
        await this.happen(LONG_OUTAGE(this.random, this.stage));
      } else await this.next();
    }
    await Promise.all(this.busy.values());
  }

  private async next(): Promise<void> {
    if (this.deck.length === 0) this.deck = this.random.shuffled(DECK);
    const fault = this.deck.pop()!(this.random, this.stage);
    const alone = this.random.chance(0.5);
    const done = this.happen(fault);
    if (alone) await done;
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
