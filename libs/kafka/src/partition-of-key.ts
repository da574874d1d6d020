const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;

/** 32-bit murmur2 as Kafka's Java client computes it. */
function murmur2(data: Uint8Array): number {
  const { length } = data;
  const tail = length & ~3;
  let hash = SEED ^ length;
  for (let i = 0; i < tail; i += 4) {
    let block = data[i]! | (data[i + 1]! << 8) | (data[i + 2]! << 16) | (data[i + 3]! << 24);
    block = Math.imul(block, MULTIPLIER);
    block ^= block >>> 24;
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(block, MULTIPLIER);
  }
  if (length > tail) {
    for (let i = length - 1; i >= tail; i--) hash ^= data[i]! << (8 * (i - tail));
    hash = Math.imul(hash, MULTIPLIER);
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, MULTIPLIER);
  return hash ^ (hash >>> 15);
}

/** The partition of a key, the same that the Java client and kafkajs's DefaultPartitioner choose. */
export const partitionOfKey = (key: Uint8Array, partitions: number): number => (murmur2(key) & 0x7fffffff) % partitions;
