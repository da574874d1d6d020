import type { RecordBatch } from '@shopflow/kafka/producing';
import type { SetAsideEntry } from '../set-aside/store-set-aside.js';
import type { Snapshot } from './arrivals.js';
import type { Topic } from './topics.js';

/** What goes to one partition. */
export interface Load {
  readonly topic: Topic;
  readonly batch: RecordBatch;
}

/** What goes to Kafka at once, at most one batch for each partition, and what holds once it is accepted. */
export class Flight {
  /** By partition. */
  readonly loads = new Map<Topic, (Load | undefined)[]>();
  /** Events that are set aside instead of sent: stored before the position is acknowledged. */
  aside: SetAsideEntry[] = [];
  /** What the events take, in bytes. */
  bytes = 0;
  /** To acknowledge then. */
  position: bigint | undefined;
  snapshot: Snapshot | undefined;

  get isEmpty(): boolean {
    return this.bytes === 0 && this.position === undefined && this.snapshot === undefined;
  }

  allLoads(): Load[] {
    return [...this.loads.values()].flatMap((partitions) => partitions.filter((load) => load !== undefined));
  }

  release(): void {
    for (const { batch } of this.allLoads()) batch.release();
    this.loads.clear();
  }
}
