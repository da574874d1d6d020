import type { ConsumedRecord } from '@shopflow/kafka';

/** In one transaction: enough that a transaction costs little for each, few enough that its locks are soon free again. */
const MOST_RECORDS = 8;

/**
 * Divides records into packs, each for a transaction of its own: all records of a key in one of them, in offset order. With
 * few records the packs are smaller, so that every lane has two.
 *
 * @param keyOf undefined for records that concern nobody
 * @returns the largest first, which takes longest
 */
export function packKeys(
  records: readonly ConsumedRecord[],
  keyOf: (record: ConsumedRecord) => string | undefined,
  lanes: number,
): ConsumedRecord[][] {
  const enough = Math.min(MOST_RECORDS, Math.ceil(records.length / lanes / 2));
  const packs: ConsumedRecord[][] = [];
  let open: ConsumedRecord[] | undefined;
  for (const ofKey of Map.groupBy(records, keyOf).values()) {
    if (open === undefined) packs.push((open = ofKey));
    else open.push(...ofKey);
    if (open.length >= enough) open = undefined;
  }
  for (const pack of packs) pack.sort((a, b) => a.offset - b.offset);
  return packs.sort((a, b) => b.length - a.length);
}
