import type { RawHeaders } from './headers.js';

/** One record as it lies in Kafka. `topic` is the logical name, without the namespace. */
export interface ConsumedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Milliseconds since 1970, as the producer or the broker wrote it. */
  readonly timestamp: number;
  readonly key: Buffer | null;
  /** Null for a tombstone. */
  readonly value: Buffer | null;
  readonly headers: RawHeaders;
}

/** A partition of a topic, by its logical name. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** `orders.events/3`: one partition, as the key of a map and in what people read. */
export const partitionName = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** Consecutive records of one partition. */
export interface PartitionBatch extends TopicPartition {
  readonly records: readonly ConsumedRecord[];
  /** Where reading goes on behind them: not always the last offset + 1, since some offsets hold nothing for consumers. */
  readonly nextOffset: number;
  /** One behind the newest record of the partition, as far as the broker has said. */
  readonly highWatermark: number;
}
