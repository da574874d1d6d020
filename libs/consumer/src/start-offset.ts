import type { PartitionOffsets } from '@shopflow/kafka';

/** Where a group goes on in a partition, and what a person should know about it. */
export interface StartOffset {
  readonly offset: number;
  /** `error`: events may be missing, or effects had to be made again. `info`: nothing is lost. */
  readonly notice?: { readonly level: 'info' | 'error'; readonly text: string };
}

/**
 * The lower of what Kafka and the database say: an event that is read twice takes effect once, one that is left out is lost.
 *
 * @param stored `consumed_offsets`, or null when the database knows nothing of this partition
 */
export function startOffset(
  { committed, low, high }: Pick<PartitionOffsets, 'committed' | 'low' | 'high'>,
  stored: number | null,
): StartOffset {
  const [kafka, database] = [committed ?? 0, stored ?? 0];
  const offset = Math.min(kafka, database);
  const furthest = Math.max(kafka, database);
  if (furthest > high) return at(low, 'error', `the topic ends at ${high}, before offset ${furthest}: it was created anew`);
  // What the database has, it has: that Kafka knows less of it is no loss.
  if (database < low && (committed !== null || stored !== null)) return at(low, 'error', expired(database, low));
  if (kafka > database)
    return at(offset, 'error', `Kafka is at ${kafka}, the database at ${stored ?? 'nothing'}: the database was restored`);
  if (database > kafka) {
    const known = committed ?? 'nothing';
    return at(Math.max(offset, low), 'info', `the database is at ${database}, Kafka at ${known}: a lost commit, or a topic created anew`);
  }
  return { offset: Math.max(offset, low) };
}

const expired = (from: number, low: number): string =>
  `offsets ${from} to ${low - 1} are gone: they expired or were deleted before this group had read them. Have their owner publish ` +
  'those events again (npm run outbox -- replay), and keep the topic longer than the group may lag';

const at = (offset: number, level: 'info' | 'error', text: string): StartOffset => ({ offset, notice: { level, text } });
