import type { Transaction } from '@shopflow/database';
import type { ConsumedRecord } from '@shopflow/kafka';

/** Whatever holds a signal: made only when somebody asks for it. */
interface HasSignal {
  readonly signal: AbortSignal;
}

/** What a handler gets beside its event. */
export class EventContext {
  constructor(
    /** The transaction in which the event is claimed: write with it, and the effect happens once. */
    readonly tx: Transaction,
    readonly group: string,
    /** The record as it lies in Kafka; its topic is the logical name. */
    readonly record: ConsumedRecord,
    private readonly call: HasSignal,
  ) {}

  /**
   * Aborted when the handler is over its time limit, the partition is lost or the service stops: long work may end early by
   * throwing. Pass it on to whatever takes one, such as `fetch`.
   */
  get signal(): AbortSignal {
    return this.call.signal;
  }

  get topic(): string {
    return this.record.topic;
  }

  get partition(): number {
    return this.record.partition;
  }

  get offset(): number {
    return this.record.offset;
  }
}

/** What a batch handler gets beside its events. */
export class BatchContext {
  constructor(
    /** The transaction in which the events are claimed. */
    readonly tx: Transaction,
    readonly group: string,
    /** One for each event, in the same order. */
    readonly records: readonly ConsumedRecord[],
    private readonly call: HasSignal,
  ) {}

  /** Like that of {@link EventContext}. */
  get signal(): AbortSignal {
    return this.call.signal;
  }

  get topic(): string {
    return this.records[0]!.topic;
  }

  get partition(): number {
    return this.records[0]!.partition;
  }
}
