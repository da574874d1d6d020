import { measure, type Measurement } from './run-contender.js';
import type { BenchPlace } from './throughput.js';
import { publish, type Workload } from './workload.js';

/** Events at once in one partition. */
const LANES = 16;

/** A handler that waits 5 ms for each of 10,000 events on one partition: one after the other, and in lanes by key. */
export async function compareLanes(place: BenchPlace): Promise<Measurement[]> {
  const workload: Workload = { namespace: place.namespace, partitions: 1, events: 10_000, keys: 1_000, copyEvery: 0 };
  await publish(workload, place.brokers, place.logger);
  const results: Measurement[] = [];
  for (const [name, settings] of [
    ['sequential', {}],
    ['lanes', { lanes: LANES }],
  ] as const) {
    place.say(`measuring ${name}`);
    results.push(await measure({ name, file: 'ours-slow', settings }, workload, place));
  }
  return results;
}
