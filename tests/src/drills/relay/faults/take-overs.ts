import { setTimeout as delay } from 'node:timers/promises';
import type { TakeOver } from '../evidence/evidence.js';
import type { RelayProcess } from '../relay-process.js';

const LOOK_MS = 50;
const GIVE_UP_MS = 20_000;
/** So long after an outage, or its own start, a relay may still have other things to do. */
export const CALM_MS = 4_000;

/** Measures how long nobody publishes a source when a relay ends. */
export class TakeOvers {
  readonly measured: TakeOver[] = [];
  private outages = 0;
  private calmSince = -Infinity;

  /** Take-overs meanwhile and shortly afterwards are not the relay's doing alone. */
  async disturbedBy(outage: () => Promise<void>): Promise<void> {
    this.outages += 1;
    try {
      await outage();
    } finally {
      this.outages -= 1;
      this.calmSince = performance.now();
    }
  }

  /** Ends a relay and waits until the other one publishes what it did. Nothing is measured unless both answer before. */
  async measure(after: TakeOver['after'], relay: RelayProcess, heir: RelayProcess, end: () => Promise<void>): Promise<void> {
    const [owned, before] = await Promise.all([relay.sources(), heir.sources()]).catch(() => [[], []]);
    const sources = owned.filter(({ state }) => state === 'active').map(({ source }) => source);
    const began = performance.now();
    const calm = this.outages === 0 && Math.max(this.calmSince, heir.runningSince) < began - CALM_MS;
    const ended = end();
    await Promise.all(
      sources.map(async (source) => {
        const ms = await untilPublished(heir, source, before.find((state) => state.source === source)?.published ?? 0);
        if (ms === undefined) return;
        const undisturbed = calm && this.outages === 0 && this.calmSince < began && heir.runningSince < began;
        this.measured.push({ after, source, ms: ms - began, undisturbed });
      }),
    );
    await ended;
  }
}

/** @returns the time at which it was seen to have published more, or undefined when it never was */
async function untilPublished(heir: RelayProcess, source: string, before: number): Promise<number | undefined> {
  for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await delay(LOOK_MS)) {
    const states = await heir.sources().catch(() => []);
    if ((states.find((state) => state.source === source)?.published ?? 0) > before) return performance.now();
  }
  return undefined;
}
