// Kafka's record format has signed varints in zigzag: https://kafka.apache.org/documentation/#recordbatch. All of ours are not negative, but for null.

/** Bytes that `value` takes, from -1 up. */
export function varintLength(value: number): number {
  const zigzag = value < 0 ? 1 : value * 2;
  return zigzag < 0x80 ? 1 : zigzag < 0x4000 ? 2 : zigzag < 0x200000 ? 3 : zigzag < 0x10000000 ? 4 : 5;
}

/** @returns the position behind it */
export function writeVarint(target: Uint8Array, at: number, value: number): number {
  let rest = value < 0 ? 1 : value * 2;
  while (rest >= 0x80) {
    target[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  target[at++] = rest;
  return at;
}
