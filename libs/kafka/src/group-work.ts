import type { PartitionBatch, TopicPartition } from './consumed-record.js';

/** Whoever does the work of a member. Called synchronously; must not throw. */
export interface GroupWork {
  /** Joined with exactly these partitions, all paused until `resume` of the member; whatever was assigned before is void. */
  assigned(partitions: readonly TopicPartition[]): void;
  /** The group shares its partitions out anew, or the connection is gone: begin nothing more. */
  revoked(): void;
  /** Takes the records, or answers false: then they come again. */
  received(batch: PartitionBatch): boolean;
}

/**
 * - `joining`: looking for the broker, or the group is sharing out its partitions
 * - `joined`: reading
 * - `incomplete`: reading, but for topics that do not exist
 * - `waiting`: something failed, or the broker does not answer; the next try follows by itself
 */
export type MemberState = 'joining' | 'joined' | 'incomplete' | 'waiting' | 'left';
