import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../consumer/random.js';
import type { DrawFault, Fault, Stage } from './fault.js';
import { freezeRelay, killRelay, stopRelay } from './relay-faults.js';
import { crashBroker, crashPostgres, crashTwoBrokers, restartBroker, restartPostgres } from './server-faults.js';

/** Each is drawn once, in some order, before any comes again. */
const DECK: readonly DrawFault[] = [
  killRelay,
  killRelay,
  killRelay,
  killRelay,
  stopRelay,
  stopRelay,
  stopRelay,
  freezeRelay,
  crashBroker,
  crashBroker,
  crashBroker,
  restartBroker,
  crashTwoBrokers,
  crashPostgres,
  crashPostgres,
  restartPostgres,
];

const PAUSE_MS = [500, 3_000] as const;
const ALONE = 0.4;
const REST_MS = 2_000;

/** Draws faults and lets them happen, now and then some at once, until it is stopped. Then everything runs again. */
export class FaultSequence {
  readonly counts = new Map<string, number>();
  /** Faults that could not be done, and why. */
  readonly failures: string[] = [];
  last = 'none yet';
  private readonly busy = new Map<string, Promise<void>>();
  private deck: DrawFault[] = [];

  constructor(
    private readonly random: Random,
    private readonly stage: Stage,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(this.random.between(...PAUSE_MS), undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.next();
    }
    await Promise.all(this.busy.values());
  }

  private async next(): Promise<void> {
    if (this.deck.length === 0) this.deck = this.random.shuffled(DECK);
    const fault = this.deck.pop()!(this.random, this.stage);
    const alone = this.random.chance(ALONE);
    const done = this.happen(fault);
    if (!alone) return;
    await done;
    await delay(this.random.between(0, REST_MS));
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
