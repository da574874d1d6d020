import type { ConsumedRecord } from '@shopflow/kafka';
import { expect, it } from 'vitest';
import { packKeys } from './pack-keys.js';

const record = (key: string, offset: number): ConsumedRecord => ({
  topic: 'orders.events',
  partition: 0,
  offset,
  timestamp: 0,
  key: Buffer.from(key),
  value: null,
  headers: {},
});
const pack = (keys: readonly string[], lanes: number) =>
  packKeys(
    keys.map((key, offset) => record(key, offset)),
    ({ key }) => key?.toString(),
    lanes,
  );
const offsets = (packs: ConsumedRecord[][]) => packs.map((each) => each.map(({ offset }) => offset));

it('keeps the records of a key together and everything in offset order', () => {
  const keys = Array.from({ length: 200 }, (_, n) => `ORD-${(n * 7) % 30}`);
  const packs = pack(keys, 4);
  expect(packs.flat()).toHaveLength(200);
  for (const each of packs) expect(each.map(({ offset }) => offset)).toEqual(each.map(({ offset }) => offset).sort((a, b) => a - b));
  const places = Map.groupBy(
    packs.flatMap((each, place) => each.map(({ key }) => ({ place, key: String(key) }))),
    ({ key }) => key,
  );
  for (const each of places.values()) expect(new Set(each.map(({ place }) => place)).size).toBe(1);
});

it('has a pack for each key when there is a lane for each', () => {
  expect(offsets(pack(['a', 'b', 'a', 'c'], 8))).toEqual([[0, 2], [1], [3]]);
});

it('puts several keys into one transaction when there are many, up to eight records', () => {
  const packs = pack(
    Array.from({ length: 500 }, (_, n) => `ORD-${n}`),
    16,
  );
  expect(packs.map((each) => each.length)).toEqual([...Array<number>(62).fill(8), 4]);
});

it('begins with the key that has most to do', () => {
  const keys = [...Array<string>(10).fill('a'), ...Array<string>(50).fill('busy')];
  expect(pack(keys, 2)[0]).toHaveLength(50);
});
