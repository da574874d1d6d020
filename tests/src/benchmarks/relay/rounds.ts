import type { Bench } from './bench.js';
import { debeziumDefault, debeziumTuned } from './contenders/debezium.js';
import { relay } from './contenders/relay.js';
import { measureDecodeOnly, measureProduceOnly } from './limits/measure-limits.js';
import { measureContender } from './measure-contender.js';
import { isExact, type Measurement, medians } from './measurement.js';

type Measure = (bench: Bench) => Promise<Measurement>;

/** Those that are compared stand beside each other, so that whatever else the machine does hits both. */
const CONTENDERS: Readonly<Record<string, Measure>> = {
  relay: (bench) => measureContender(relay, bench),
  'debezium-tuned': (bench) => measureContender(debeziumTuned, bench),
  'debezium-default': (bench) => measureContender(debeziumDefault, bench),
  'decode-only': measureDecodeOnly,
  'produce-only': measureProduceOnly,
};

const WARM_ROWS = 50_000;
const WARM_SECONDS = 15;

export const contenderNames: readonly string[] = Object.keys(CONTENDERS);

/** Measures each of them `rounds` times, in turn, and every second time in the opposite order; the medians. */
export async function compare(bench: Bench, rounds: number, only: readonly string[]): Promise<Measurement[]> {
  const results: Measurement[] = [];
  await warmServers(bench);
  for (let round = 1; round <= rounds; round++)
    for (const name of round % 2 === 1 ? only : only.toReversed())
      results.push(await measureAloud(`${name} (${round} of ${rounds})`, CONTENDERS[name]!, bench));
  return medians(results);
}

/** Servers that have just started are slow: whoever came first would pay for it. */
async function warmServers(bench: Bench): Promise<void> {
  bench.say('warming Kafka and PostgreSQL up');
  await measureContender(relay, {
    ...bench,
    rows: Math.min(bench.rows, WARM_ROWS),
    latencySeconds: Math.min(bench.latencySeconds, WARM_SECONDS),
  });
}

export async function measureAloud(title: string, measure: Measure, bench: Bench): Promise<Measurement> {
  bench.say(`measuring ${title}`);
  const result = await measure(bench);
  const { warmPerSecond, coldPerSecond, busyBefore } = result;
  const faults = isExact(result) ? '' : '; NOT EXACT';
  bench.say(`  ${Math.round(warmPerSecond)} per second warm, ${Math.round(coldPerSecond)} cold; ${busyBefore} % busy before${faults}`);
  return result;
}
