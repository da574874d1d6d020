import type { ConsumedRecord } from '@shopflow/kafka';
import type { HeldKey } from '../held/held-key.js';

/** The head of a held key, to be tried again at its due time. */
export interface WakeUp extends HeldKey {
  readonly dueAt: Date;
  /** Charged so far. */
  readonly attempts: number;
  /** The head as it lay in its original topic. */
  readonly record: ConsumedRecord;
  readonly reason: string | null;
  readonly firstFailedAt: Date | null;
  readonly lastFailedAt: Date | null;
}

/**
 * Runs what is due of a key; does nothing where nothing is. Rejects with what `concernsEvent` says no event is to blame for:
 * then nothing happened and nothing is charged. Any other rejection is a defect, which is said and left to the sweeper.
 */
export type Advance = (key: HeldKey, options: AdvanceOptions) => Promise<void>;

export interface AdvanceOptions {
  /** Does not wait for whoever is working on the key. */
  readonly skipLocked: boolean;
  /** Aborted when the partition is lost or the process ends: begin nothing more. */
  readonly signal: AbortSignal;
}

/** Resolves when events may be handled: no open breaker, no operator's pause. Also resolves when the signal is aborted. */
export type UntilAllowed = (signal: AbortSignal) => Promise<void>;
