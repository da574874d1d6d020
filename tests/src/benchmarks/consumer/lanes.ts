import type { Measurement } from './run-contender.js';
import { type BenchPlace, measureAloud } from './throughput.js';
import { withTopic, type Workload } from './workload.js';

/** Events at once in one partition. */
const LANES = 16;

/** A handler that waits 5 ms for each of 10,000 events on one partition: one after the other, and in lanes by key. */
export async function compareLanes(place: BenchPlace): Promise<Measurement[]> {
  const workload: Workload = { namespace: place.namespace, partitions: 1, events: 10_000, keys: 1_000, copyEvery: 0 };
  return withTopic(workload, place.brokers, place.logger, async () => [
    await measureAloud({ name: 'sequential', file: 'ours-slow' }, workload, place),
    await measureAloud({ name: 'lanes', file: 'ours-slow', settings: { lanes: LANES } }, workload, place),
  ]);
}
