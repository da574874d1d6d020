import { expect, it } from 'vitest';
import { isExact, type Measurement, medians, ratiosOf } from './measurement.js';

const measured = (name: string, perSecond: number, faults: Partial<Measurement> = {}): Measurement => ({
  name,
  perSecond,
  busyBefore: 0,
  lost: 0,
  twice: 0,
  ...faults,
});

it('compares our ledger with the faster of the peers, and the full one with the empty one', () => {
  const results = [measured('ours', 1_500), measured('graphile-worker', 1_000), measured('pg-boss', 600), measured('ours-full', 1_350)];
  expect(ratiosOf(results)).toMatchObject({ overFasterPeer: 1.5, fullOverEmpty: 0.9 });
});

it('has no ratio of what was left out', () => {
  expect(JSON.stringify(ratiosOf([measured('ours', 1_500)]))).toBe('{}');
});

it('takes the median of the rates and hides no fault of any round', () => {
  const [result] = medians([measured('ours', 1), measured('ours', 3, { twice: 1, busyBefore: 40 }), measured('ours', 8)]);
  expect(result).toEqual(measured('ours', 3, { twice: 1, busyBefore: 40 }));
  expect(isExact(result!)).toBe(false);
});
