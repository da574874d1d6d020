import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { PermanentError, RetryableError } from '@shopflow/consumer';
import type { Transaction } from '@shopflow/database';
import { deathOf, eventOf, type Fate, triesOf } from '../fate.js';
import { type DrillSettings, TIME_LIMIT_MS } from '../settings.js';
import { readStanding, writeEffect } from './effects.js';

/** Some events take a moment, so that faults meet handlers at work. */
const MOMENT_MS = 8;
const SLOW_MS = 500;
/** A process rarely ends at once of what its event does to it. */
const KILLING_MS = 250;
/** The limit is counted in the process's own time, which a busy machine stretches. */
const HANGING_MS = 3 * TIME_LIMIT_MS;

/** Does to an event what its id says. */
export async function actOut(tx: Transaction, eventId: string, settings: DrillSettings): Promise<void> {
  const { fate, place } = eventOf(eventId);
  if (fate === 'slow') await delay(SLOW_MS);
  else if (fate !== 'healthy') await suffer(tx, eventId, fate, settings);
  else if (place % 2 === 0) await delay(place % MOMENT_MS);
  await writeEffect(tx, settings.group, eventId, settings.name);
}

async function suffer(tx: Transaction, eventId: string, fate: Fate, { group, startsFile }: DrillSettings): Promise<void> {
  const { attempts, replays } = await readStanding(tx, group, eventId);
  const death = deathOf(fate);
  if (death === undefined) {
    if (attempts + 1 < triesOf(fate)) throw new RetryableError(`${fate}: its provider does not answer yet`);
    return;
  }
  if (replays >= death.replays) return;
  if (fate === 'refused') throw new PermanentError('its address does not exist');
  if (fate === 'doomed' || fate === 'stubborn') throw new Error('its provider answers 500');
  appendFileSync(startsFile, `${eventId}\n`);
  if (fate === 'kills') await delay(KILLING_MS).then(() => process.kill(process.pid, 'SIGKILL'));
  await delay(HANGING_MS); // and goes on when nobody waits for it any more
}
