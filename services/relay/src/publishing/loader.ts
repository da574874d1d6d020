import { partitionOfKey } from '@shopflow/kafka/producing';
import { asideKey } from '../set-aside/aside-key.js';
import type { SetAside } from '../set-aside/load-set-aside.js';
import type { SetAsideEntry } from '../set-aside/store-set-aside.js';
import { EventContent } from './event-content.js';
import type { EventRow } from './event-row.js';
import { eventOf } from './event-of-record.js';
import type { Flight, Load } from './flight.js';
import { TimeError } from './iso-time.js';
import type { LoadEvent } from './outgoing.js';
import type { Sender } from './sender.js';
import { type Topic, Topics } from './topics.js';

/** One flight takes about this much, so that a restart repeats little. */
export const FLIGHT_BYTES = 1024 * 1024;
/** What stands around a record at most, beside its content. */
const RECORD_BYTES = 20;

/** What the rows of one source have in common on the wire. */
export interface Origin {
  readonly namespace: string;
  /** The service that owns the outbox: `orders`. */
  readonly source: string;
}

/** Writes events into the batches of a flight, each where its key goes; what is set aside, or waits behind it, into the flight's list. */
export class Loader {
  /** Undefined until it is known: nothing can be loaded before. */
  aside: SetAside | undefined;
  private readonly content: EventContent;
  private readonly topics: Topics;

  constructor(
    { namespace, source }: Origin,
    private readonly sender: Pick<Sender, 'partitionsOf' | 'open'>,
  ) {
    this.content = new EventContent(source);
    this.topics = new Topics(namespace);
  }

  readonly load: LoadEvent = (flight, row) => {
    if (this.aside === undefined || flight.bytes >= FLIGHT_BYTES) return 'full';
    const answer = this.diverted(flight, row, this.aside) ? 'loaded' : this.place(flight, true);
    if (answer === 'loaded') flight.bytes += row.bytes;
    return answer;
  };

  /**
   * Writes a row whatever is set aside and however large the batch becomes.
   *
   * @returns the topic, when it is not known yet
   * @throws TimeError
   */
  write(flight: Flight, row: EventRow): string | undefined {
    this.content.load(row);
    const answer = this.place(flight, false);
    return typeof answer === 'string' ? undefined : answer.unknown;
  }

  /** Takes what has been loaded for a key, which is set aside now, out of the batches. */
  divert(flight: Flight, topic: Topic, key: string): void {
    const loads = flight.loads.get(topic) ?? [];
    for (const [partition, load] of loads.entries()) if (load !== undefined) loads[partition] = this.without(flight, load, key);
  }

  private without(flight: Flight, { topic, batch }: Load, key: string): Load | undefined {
    const kept = this.sender.open(topic.physical, batch.partition);
    const taken: SetAsideEntry[] = [];
    for (const record of batch.records()) {
      const event = eventOf(record);
      if (event.key === key) taken.push({ eventId: event.id, topic: topic.logical, key, reason: null, evenIfDiscarded: true });
      else kept.append(record);
    }
    batch.release();
    flight.aside = [...taken, ...flight.aside]; // what is there of the key came after them
    if (kept.count > 0) return { topic, batch: kept };
    kept.release();
    return undefined;
  }

  /** @returns whether the event does not go to Kafka */
  private diverted(flight: Flight, row: EventRow, { keys, discarded }: SetAside): boolean {
    const fault = this.read(row);
    if (fault === undefined && keys.size === 0 && discarded.size === 0) return false;
    const [eventId, topic, key] = [row.text('id')!, row.text('topic')!, row.text('aggregateid')!];
    if (!row.again && discarded.has(eventId)) return true;
    if (fault === undefined && !keys.has(asideKey(topic, key))) return false;
    keys.add(asideKey(topic, key));
    flight.aside.push({ eventId, topic, key, reason: fault ?? null, evenIfDiscarded: row.again });
    return true;
  }

  /** @returns why it can be no record */
  private read(row: EventRow): string | undefined {
    try {
      this.content.load(row);
      return undefined;
    } catch (error) {
      if (error instanceof TimeError) return error.message;
      throw error;
    }
  }

  private place(flight: Flight, bounded: boolean): ReturnType<LoadEvent> {
    const { content } = this;
    const topic = this.topics.of(content);
    const partitions = this.sender.partitionsOf(topic.physical);
    if (partitions === undefined) return { unknown: topic.physical };
    const partition = partitionOfKey(content.chunk, partitions, content.keyStart, content.keyEnd);
    const { batch } = this.loadOf(flight, topic, partition);
    if (bounded && batch.count > 0 && batch.size + content.bytes + RECORD_BYTES > topic.batchBytes) return 'full';
    batch.append(content);
    return 'loaded';
  }

  private loadOf(flight: Flight, topic: Topic, partition: number): Load {
    let loads = flight.loads.get(topic);
    if (loads === undefined) flight.loads.set(topic, (loads = []));
    return (loads[partition] ??= { topic, batch: this.sender.open(topic.physical, partition) });
  }
}
