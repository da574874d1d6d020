import type { Measurement } from './measurement.js';

/** Undefined where one of the two was left out. */
export type Ratios = Readonly<Record<string, number | undefined>>;

/** Our relay beside the well tuned Debezium and beside the limits. Above 1 is good for rates, below 1 for everything else. */
export function ratiosOf(results: readonly Measurement[]): Ratios {
  const over = (other: string, pick: (result: Measurement) => number | undefined) => {
    const [ours, theirs] = ['relay', other].map((name) => results.find((result) => result.name === name));
    return ratio(ours && pick(ours), theirs && pick(theirs));
  };
  return {
    overDebezium: over('debezium-tuned', ({ warmPerSecond }) => warmPerSecond),
    overDebeziumCold: over('debezium-tuned', ({ coldPerSecond }) => coldPerSecond),
    cpuOverDebezium: over('debezium-tuned', ({ cpuSecondsPerMillion }) => cpuSecondsPerMillion),
    memoryOverDebezium: over('debezium-tuned', ({ peakMb }) => peakMb),
    ofProducerLimit: over('produce-only', ({ warmPerSecond }) => warmPerSecond),
    ofDecodeLimit: over('decode-only', ({ warmPerSecond }) => warmPerSecond),
    latencyP50OverDebezium: over('debezium-tuned', ({ latency }) => latency?.p50Ms),
    latencyP99OverDebezium: over('debezium-tuned', ({ latency }) => latency?.p99Ms),
  };
}

/** With a table that is full, over the same with an empty one. */
export function filledRatios(results: readonly Measurement[]): Ratios {
  const [empty, filled] = results;
  return {
    filledOverEmpty: ratio(filled?.warmPerSecond, empty?.warmPerSecond),
    filledOverEmptyCold: ratio(filled?.coldPerSecond, empty?.coldPerSecond),
  };
}

const ratio = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined || other === 0 ? undefined : Math.round((one / other) * 100) / 100;
