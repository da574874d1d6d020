import type { RecordBatch, Sequence } from './record-batch.js';

export interface Identity {
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

const SEQUENCES = 0x80000000;
const DUPLICATE_SEQUENCE_NUMBER = 46;
/**
 * The broker does not know us, or not where we are: INVALID_PRODUCER_EPOCH, OUT_OF_ORDER_SEQUENCE_NUMBER,
 * INVALID_PRODUCER_ID_MAPPING, UNKNOWN_PRODUCER_ID, PRODUCER_FENCED.
 */
const LOST_IDENTITY = new Set([47, 45, 49, 59, 90]);

/** It was written already, by an attempt whose answer was lost. */
export const wasWrittenBefore = (code: number): boolean => code === DUPLICATE_SEQUENCE_NUMBER;
export const hasLostIdentity = (code: number): boolean => LOST_IDENTITY.has(code);

/** A batch as it was when it was sent. */
interface Sent {
  readonly batch: RecordBatch;
  readonly count: number;
}

/**
 * Numbers the batches of each partition, so that a broker writes a batch that is sent again only once. A batch keeps its number
 * until it is accepted. With a new identity all begin at 0: as there is never more than one batch of a partition on its way, this
 * can repeat that batch, but neither lose nor overtake one.
 */
export class ProducerIdentity {
  private readonly next = new Map<string, number>();
  /** By partition, what may be written under its next number. */
  private readonly doubtful = new Map<string, Sent>();

  constructor(private readonly identity: Identity) {}

  /**
   * False when something else may be written under the number that the batch would get, as when a caller gave up what it had sent: a
   * broker tells batches by number and count alone, and would take this one for that one, accept it and not write it.
   */
  fits(batch: RecordBatch): boolean {
    const sent = this.doubtful.get(partitionKey(batch));
    return sent === undefined || (sent.batch === batch && sent.count === batch.count);
  }

  /** It was sent, and nobody knows whether it is written. */
  doubt(batch: RecordBatch): void {
    this.doubtful.set(partitionKey(batch), { batch, count: batch.count });
  }

  sequenceOf(batch: RecordBatch): Sequence {
    return { ...this.identity, first: this.next.get(partitionKey(batch)) ?? 0 };
  }

  accepted(batch: RecordBatch): void {
    const key = partitionKey(batch);
    this.doubtful.delete(key);
    this.next.set(key, ((this.next.get(key) ?? 0) + batch.count) % SEQUENCES);
  }
}

const partitionKey = ({ topic, partition }: RecordBatch) => `${topic}:${partition}`;
