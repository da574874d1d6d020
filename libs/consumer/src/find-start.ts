import type { Database } from '@shopflow/database';
import type { GroupMember, PartitionOffsets, TopicPartition } from '@shopflow/kafka';
import { readConsumedOffset, storeStartOffset } from './consumed-offsets.js';
import { type StartOffset, startOffset } from './start-offset.js';

/** Decides where partitions go on, and writes it down before anything is read. */
export class StartFinder {
  private lookup: Promise<PartitionOffsets[]> | undefined;

  constructor(
    private readonly database: Database,
    private readonly member: Pick<GroupMember, 'fetchOffsets'>,
    private readonly group: string,
  ) {}

  /** @throws when Kafka or the database cannot be asked */
  async find(partition: TopicPartition): Promise<StartOffset> {
    const offsets = await this.offsetsOf(partition);
    const stored = await readConsumedOffset(this.database, this.group, partition);
    const start = startOffset(offsets, stored?.nextOffset ?? null);
    if (!stored || !isWhereItWas(stored.nextOffset, start.offset, offsets))
      await storeStartOffset(this.database, this.group, partition, start.offset);
    return start;
  }

  /** All partitions ask at the same time after an assignment, and get one answer. */
  private async offsetsOf({ topic, partition }: TopicPartition): Promise<PartitionOffsets> {
    this.lookup ??= this.member.fetchOffsets().finally(() => (this.lookup = undefined));
    const found = (await this.lookup).find((offsets) => offsets.topic === topic && offsets.partition === partition);
    if (!found) throw new Error(`Kafka does not know ${topic}/${partition}`);
    return found;
  }
}

/**
 * Kafka is often behind after a crash, since commits are sent later. Then the stored offset stays, and with it the starts that
 * were counted there: otherwise an event that ends its process each time would be met as a new one each time. Not so
 * where Kafka has no offset at all, or a log that ends before it: that is another topic of this name.
 */
const isWhereItWas = (stored: number, start: number, { committed, high }: PartitionOffsets): boolean =>
  stored === start || (stored > start && committed !== null && Math.max(stored, committed) <= high);
