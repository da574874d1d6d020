import { describe, expect, it } from 'vitest';
import { type Measurement, medians } from './measurement.js';
import { filledRatios, ratiosOf } from './ratios.js';

const measured = (name: string, changes: Partial<Measurement> = {}): Measurement => ({
  name,
  coldPerSecond: 100,
  warmPerSecond: 200,
  cpuSecondsPerMillion: 10,
  peakMb: 100,
  latency: { p50Ms: 2, p99Ms: 10, maxMs: 20 },
  busyBefore: 0,
  lost: 0,
  repeated: 0,
  reordered: 0,
  malformed: 0,
  ...changes,
});

describe('ratios', () => {
  it('are those of the relay over the tuned Debezium and of the limits', () => {
    const tuned = measured('debezium-tuned', {
      coldPerSecond: 50,
      cpuSecondsPerMillion: 40,
      peakMb: 1_000,
      latency: { p50Ms: 8, p99Ms: 20, maxMs: 0 },
    });
    const limits = [
      measured('produce-only', { warmPerSecond: 400, latency: undefined }),
      measured('decode-only', { warmPerSecond: 800, latency: undefined }),
    ];
    expect(ratiosOf([measured('relay'), tuned, measured('debezium-default', { warmPerSecond: 1 }), ...limits])).toEqual({
      overDebezium: 1,
      overDebeziumCold: 2,
      cpuOverDebezium: 0.25,
      memoryOverDebezium: 0.1,
      ofProducerLimit: 0.5,
      ofDecodeLimit: 0.25,
      latencyP50OverDebezium: 0.25,
      latencyP99OverDebezium: 0.5,
    });
  });

  it('are left out where one of the two is', () => {
    const known = (...names: string[]) =>
      Object.entries(ratiosOf(names.map((name) => measured(name)))).filter(([, ratio]) => ratio !== undefined);
    expect(known('relay')).toEqual([]);
    expect(known('debezium-tuned', 'produce-only')).toEqual([]);
    expect(known('relay', 'debezium-default', 'produce-only')).toEqual([['ofProducerLimit', 1]]);
    expect(known('relay', 'debezium-tuned').map(([name]) => name)).not.toContain('ofProducerLimit');
  });

  it('compare a full table with an empty one', () => {
    const found = filledRatios([measured('relay'), measured('relay-filled', { warmPerSecond: 190, coldPerSecond: 95 })]);
    expect(found).toEqual({ filledOverEmpty: 0.95, filledOverEmptyCold: 0.95 });
  });
});

describe('rounds', () => {
  it('give each contender its medians', () => {
    const rounds = [100, 900, 200].map((warmPerSecond) => measured('relay', { warmPerSecond }));
    expect(medians([...rounds, measured('other')]).map(({ name, warmPerSecond }) => [name, warmPerSecond])).toEqual([
      ['relay', 200],
      ['other', 200],
    ]);
  });

  it('give two of them the middle', () => {
    expect(medians([measured('relay', { peakMb: 100 }), measured('relay', { peakMb: 200 })])[0]?.peakMb).toBe(150);
  });

  it('hide no fault: one is one, whatever the others were', () => {
    const rounds = [measured('relay'), measured('relay', { lost: 1 }), measured('relay')];
    expect(medians(rounds)[0]?.lost).toBe(1);
  });
});
