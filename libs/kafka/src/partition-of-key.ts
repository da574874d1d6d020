const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;

/** 32-bit murmur2 of `data[start, end)` as Kafka's Java client computes it. */
function murmur2(data: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const tail = end - (length & 3);
  let hash = SEED ^ length;
  for (let i = start; i < tail; i += 4) {
    let block = data[i]! | (data[i + 1]! << 8) | (data[i + 2]! << 16) | (data[i + 3]! << 24);
    block = Math.imul(block, MULTIPLIER);
    block ^= block >>> 24;
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(block, MULTIPLIER);
  }
  if (end > tail) {
    for (let i = end - 1; i >= tail; i--) hash ^= data[i]! << (8 * (i - tail));
    hash = Math.imul(hash, MULTIPLIER);
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, MULTIPLIER);
  return hash ^ (hash >>> 15);
}

/** The partition of a key, the same that the Java client and kafkajs's DefaultPartitioner choose. The key may be a part of `bytes`. */
export const partitionOfKey = (bytes: Uint8Array, partitions: number, start = 0, end = bytes.length): number =>
  (murmur2(bytes, start, end) & 0x7fffffff) % partitions;
