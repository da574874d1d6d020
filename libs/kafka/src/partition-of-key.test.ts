import { Partitioners } from 'kafkajs';
import { expect, it } from 'vitest';
import { partitionOfKey } from './partition-of-key.js';

const kafkajs = Partitioners.DefaultPartitioner();
const metadata = (partitions: number) =>
  Array.from({ length: partitions }, (_, partitionId) => ({ partitionId, leader: 1, isr: [1], replicas: [1], partitionErrorCode: 0 }));

it('chooses the partition that kafkajs chooses, for keys of every length', () => {
  const keys = Array.from({ length: 2_000 }, (_, n) => `ORD-${n}`.repeat(1 + (n % 5)).slice(n % 4));
  for (const key of [...keys, 'é', '🧾', '', 'x'.repeat(200)]) {
    for (const partitions of [1, 6, 12]) {
      const theirs = kafkajs({ topic: 't', partitionMetadata: metadata(partitions), message: { key, value: null } });
      expect(partitionOfKey(Buffer.from(key), partitions), key).toBe(theirs);
    }
  }
});

it("chooses the partitions of the Java client's own test vectors", () => {
  // murmur2 values of Utils.murmur2 in Kafka's UtilsTest, made positive as the Java partitioner does
  const vectors: [string, number][] = [
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ];
  for (const [key, hash] of vectors) expect(partitionOfKey(Buffer.from(key), 12)).toBe((hash & 0x7fffffff) % 12);
});
