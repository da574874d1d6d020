import { physicalTopic } from '@shopflow/kafka/producing';
import type { EventContent } from './event-content.js';

/** Half of a topic's default limit for one batch (1 MiB). */
const BATCH_BYTES = 512_000;

export interface Topic {
  /** As the rows name it. */
  readonly logical: string;
  /** Name on the broker. */
  readonly physical: string;
  readonly bytes: Buffer;
  /** What a batch may hold; less than usual once the brokers have refused one for its size alone. */
  batchBytes: number;
}

/** The topics of one source. */
export class Topics {
  private readonly known: Topic[] = [];

  constructor(private readonly namespace: string) {}

  /** Without a string for each row: an outbox has few topics. */
  of({ chunk, topicStart, topicEnd }: EventContent): Topic {
    for (const topic of this.known) if (holds(topic.bytes, chunk, topicStart, topicEnd)) return topic;
    const logical = chunk.toString('utf8', topicStart, topicEnd);
    const physical = physicalTopic(this.namespace, logical);
    const topic: Topic = { logical, physical, bytes: Buffer.from(logical), batchBytes: BATCH_BYTES };
    this.known.push(topic);
    return topic;
  }
}

function holds(name: Buffer, chunk: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== chunk[start + i]) return false;
  return true;
}
