import type { Logger } from '@shopflow/telemetry';
import { partitionName, type TopicPartition } from './consumed-record.js';
import type { PartitionOffsets } from './group-offsets.js';

/** Offsets that are not read: from `from` to before `to`. */
export interface OffsetRange extends TopicPartition {
  readonly from: number;
  readonly to: number;
}

/**
 * Where each partition should go on. kafkajs goes on at the oldest record, with a line that nobody looks for, when the
 * offset that it asked for has expired; only the offset that it asked for next gives it away.
 */
export class ReadingPositions {
  private readonly next = new Map<string, number>();

  goOnAt(partition: TopicPartition, offset: number): void {
    this.next.set(partitionName(partition), offset);
  }

  forget(): void {
    this.next.clear();
  }

  /** What lies between where reading should go on and where a fetch began, if anything does. */
  leftOut({ topic, partition }: TopicPartition, fetchedFrom: number): OffsetRange | undefined {
    const from = this.next.get(partitionName({ topic, partition }));
    return from !== undefined && fetchedFrom > from ? { topic, partition, from, to: fetchedFrom } : undefined;
  }
}

/** The part of `range` whose records are gone, given the oldest offset that is still there. The rest never was for consumers: markers of transactions, and what they aborted. */
function expiredPart(range: OffsetRange, low: number): OffsetRange | undefined {
  return low > range.from ? { ...range, to: Math.min(low, range.to) } : undefined;
}

/** Says what of `range` has expired, if anything has. @throws when Kafka cannot be asked */
export async function tellIfExpired(
  range: OffsetRange,
  options: { group: string; logger: Logger; fetchOffsets: () => Promise<readonly PartitionOffsets[]> },
): Promise<void> {
  const known = (await options.fetchOffsets()).find((offsets) => partitionName(offsets) === partitionName(range));
  if (!known) throw new Error(`Kafka does not know ${partitionName(range)}`);
  const lost = expiredPart(range, known.low);
  if (lost) options.logger.error({ ...lost, count: lost.to - lost.from }, textOf(lost, options.group));
}

function textOf({ topic, partition, from, to }: OffsetRange, group: string): string {
  return (
    `offsets ${from} to ${to - 1} of ${topic}/${partition} are gone: they expired or were deleted before group ${group} had read them, ` +
    `and it goes on behind them. Have their owner publish those events again (npm run outbox -- replay), and keep the topic longer than the group may lag`
  );
}
