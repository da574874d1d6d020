import { type Contender, measure, type Measurement, type Place } from './run-contender.js';
import { COPY_EVERY_NINTH, recordsOf, withTopic, type Workload } from './workload.js';

export interface BenchPlace extends Place {
  /** What the run's topics begin with. */
  readonly namespace: string;
}

const HANDLER: Contender = { name: 'handler', file: 'ours-handler' };
const BATCH: Contender = { name: 'batch', file: 'ours-batch' };
const NEST: Contender = { name: 'nest', file: 'nest', few: true };
const NEST_CONCURRENT: Contender = { ...NEST, name: 'nest-concurrent', settings: { partitionsAtOnce: 3 } };
const RAW: Contender = { name: 'kafkajs-raw', file: 'kafkajs-raw', raw: true };

/** The two that are compared first stand beside their measure, so that whatever else the machine does hits both. */
const CONTENDERS: readonly Contender[] = [HANDLER, NEST, BATCH, NEST_CONCURRENT, RAW];

/** Nest gets this share of the records: it would take minutes, and its rate is the same from the second second on. */
const FEW = 0.15;

/** @param only names of contenders; all of them when left out */
export async function compareThroughput(place: BenchPlace, records: number, only?: readonly string[]): Promise<Measurement[]> {
  const all = workload(`${place.namespace}-all`, records);
  const few = workload(`${place.namespace}-few`, records * FEW);
  const contenders = CONTENDERS.filter(({ name }) => only?.includes(name) ?? true);
  place.say(`publishing ${recordsOf(all)} records, and ${recordsOf(few)} for Nest`);
  return withTopic(all, place.brokers, place.logger, () =>
    withTopic(few, place.brokers, place.logger, async () => {
      const results: Measurement[] = [];
      for (const contender of contenders) results.push(await measureAloud(contender, contender.few ? few : all, place));
      return results;
    }),
  );
}

/** The same consumer with empty tables, and as one that has had `claimsBefore` events. */
export async function compareFilled(place: BenchPlace, records: number, claimsBefore: number): Promise<Measurement[]> {
  const all = workload(`${place.namespace}-all`, records);
  place.say(`publishing ${recordsOf(all)} records`);
  return withTopic(all, place.brokers, place.logger, async () => [
    await measureAloud(BATCH, all, place),
    await measureAloud({ ...BATCH, name: 'batch-filled', claimsBefore }, all, place),
  ]);
}

export async function measureAloud(contender: Contender, workload: Workload, place: BenchPlace): Promise<Measurement> {
  place.say(`measuring ${contender.name}`);
  const result = await measure(contender, workload, place);
  place.say(`  ${Math.round(result.perSecond)} per second; other work used ${result.busyBefore} % of the processors just before`);
  return result;
}

const workload = (namespace: string, records: number): Workload => ({
  namespace,
  partitions: 6,
  events: Math.floor((records * COPY_EVERY_NINTH) / (COPY_EVERY_NINTH + 1)),
  keys: 5_000,
  copyEvery: COPY_EVERY_NINTH,
});
