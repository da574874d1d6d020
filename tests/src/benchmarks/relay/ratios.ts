import type { Measurement } from './measurement.js';

/** Undefined where one of the two was left out. */
export type Ratios = Readonly<Record<string, number | undefined>>;

/** Our relay beside the well tuned Debezium and beside the limits. Above 1 is good for rates, below 1 for everything else. */
export function ratiosOf(results: readonly Measurement[]): Ratios {
  const named = (name: string) => results.find((result) => result.name === name);
  const [relay, debezium] = [named('relay'), named('debezium-tuned')];
  const over = (pick: (result: Measurement) => number | undefined, other = debezium) => ratio(relay && pick(relay), other && pick(other));
  return {
    overDebezium: over(({ warmPerSecond }) => warmPerSecond),
    overDebeziumCold: over(({ coldPerSecond }) => coldPerSecond),
    cpuOverDebezium: over(({ cpuSecondsPerMillion }) => cpuSecondsPerMillion),
    memoryOverDebezium: over(({ peakMb }) => peakMb),
    ofProducerLimit: over(({ warmPerSecond }) => warmPerSecond, named('produce-only')),
    ofDecodeLimit: over(({ warmPerSecond }) => warmPerSecond, named('decode-only')),
    latencyP50OverDebezium: over(({ latency }) => latency?.p50Ms),
    latencyP99OverDebezium: over(({ latency }) => latency?.p99Ms),
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
