import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedKafka, EmbeddedPostgres } from '@shopflow/servers';
import { type DrawFault, seconds } from '../fault.js';
import type { FaultPlan } from '../fault-sequence.js';
import type { Shop } from './shop.js';

/** Everything that a fault may hit. */
export interface Stage {
  readonly kafka: EmbeddedKafka;
  readonly postgres: EmbeddedPostgres;
  readonly shop: Shop;
}

const LONGEST_AWAY_MS = 3_000;

/** @param which what the process is called begins with it */
const crash =
  (which: string): DrawFault<Stage> =>
  (random, { shop }) => {
    const process = random.one(shop.processes.filter(({ name }) => name.startsWith(which)));
    const ms = random.between(0, LONGEST_AWAY_MS);
    return {
      name: `${which} kill -9`,
      target: process.name,
      text: `${process.name} is killed, back after ${seconds(ms)}`,
      async run() {
        if (which === 'mail-provider') await shop.provider.look().catch(() => undefined);
        await process.crash(ms);
        if (which === 'mail-provider') await slowDown(shop);
      },
    };
  };

const crashServer =
  (name: 'PostgreSQL' | 'Kafka', of: (stage: Stage) => Pick<EmbeddedPostgres, 'kill' | 'restart'>): DrawFault<Stage> =>
  (random, stage) => {
    const ms = random.between(0, LONGEST_AWAY_MS);
    return {
      name: `${name} kill -9`,
      target: name,
      text: `${name} is killed, back after ${seconds(ms)}`,
      async run() {
        await of(stage).kill();
        await delay(ms);
        await of(stage).restart();
      },
    };
  };

const crashEmail = crash('email');

export const PLAN: FaultPlan<Stage> = {
  deck: [
    crashEmail,
    crashEmail,
    crashEmail,
    crashEmail,
    crashEmail,
    crashEmail,
    crash('invoices'),
    crash('invoices'),
    crash('relay'),
    crash('relay'),
    crash('mail-provider'),
    crashServer('PostgreSQL', ({ postgres }) => postgres),
    crashServer('Kafka', ({ kafka }) => kafka),
  ],
  pauseMs: [500, 3_000],
  alone: 0.4,
  restMs: 2_000,
};

/** Calls last long enough for kills to meet some of them. A provider that starts forgets it. */
const CALL_MS = 80;

export async function slowDown({ provider, processes }: Shop): Promise<void> {
  await processes.find(({ name }) => name === 'mail-provider')!.untilReady();
  await provider.control({ delayMs: CALL_MS });
}
