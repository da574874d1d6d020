import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../consumer/random.js';
import type { RelayProcess } from '../relay-process.js';
import { type DrawFault, type Fault, seconds, type Stage } from './fault.js';

export const killRelay: DrawFault = (random, stage) =>
  endRelay(random, stage, 'relay kill -9', async (relay, heir) => {
    await stage.takeOvers.measure('crash', relay, heir, () => relay.kill());
  });

export const stopRelay: DrawFault = (random, stage) =>
  endRelay(random, stage, 'relay stop', async (relay, heir) => {
    await stage.takeOvers.measure('stop', relay, heir, () => relay.stop());
  });

/** Long enough that the other one takes over, or not; then it goes on with what it held in its hands. */
export const freezeRelay: DrawFault = (random, { relays }) => {
  const relay = random.one(relays);
  const ms = random.between(500, 15_000);
  const run = async () => {
    if (relay.state !== 'running') return;
    relay.freeze();
    await delay(ms);
    relay.thaw();
  };
  return { name: 'relay frozen', target: relay.name, text: `${relay.name} stands still for ${seconds(ms)}`, run };
};

function endRelay(random: Random, { relays }: Stage, name: string, end: (relay: RelayProcess, heir: RelayProcess) => Promise<void>): Fault {
  const [relay, heir] = random.shuffled(relays) as [RelayProcess, RelayProcess];
  const ms = random.between(0, 5_000);
  const run = async () => {
    if (relay.state === 'running') await end(relay, heir);
    await delay(ms);
    if (relay.state === 'down') await relay.start();
  };
  return { name, target: relay.name, text: `${name}: ${relay.name}, back after ${seconds(ms)}`, run };
}
