import type { Database } from '@shopflow/database';
import { countHeldStarts, giveBackHeldStarts } from '../starts/count-held-starts.js';
import type { HeldKey } from './held-key.js';

/** The starts of held events that this process counts; what did not end with a process is given back. */
export class HeldStarts {
  /** Counted, ended, and not given back because the database was away: their next start is counted already. */
  private readonly owed = new Set<number>();
  /** Counted, and under way. */
  private readonly running = new Map<number, HeldKey>();

  constructor(
    private readonly database: Database,
    private readonly group: string,
  ) {}

  /** Tries of an event that began and did not end, and are not known to have ended otherwise. @param event under the lock of its key */
  unfinished({ seq, starts }: { seq: number; starts: number }): number {
    return this.owed.has(seq) ? Math.max(0, starts - 1) : starts;
  }

  /** Under the lock of the key: so a start that others find there is one that did not end. */
  async count(key: HeldKey, seqs: readonly number[]): Promise<void> {
    const uncounted = seqs.filter((seq) => !this.owed.has(seq));
    if (uncounted.length > 0) await countHeldStarts(this.database, this.group, { ...key, seqs: uncounted });
    for (const seq of seqs) {
      this.owed.delete(seq);
      this.running.set(seq, key);
    }
  }

  /** They ended, and their rows say how. */
  ended(seqs: readonly number[]): void {
    for (const seq of seqs) this.running.delete(seq);
  }

  /** Never throws: it is called when something went wrong, which is what must come out. */
  async giveBack(key: HeldKey, seqs: readonly number[]): Promise<void> {
    this.ended(seqs);
    if (seqs.length === 0) return;
    try {
      await giveBackHeldStarts(this.database, this.group, { ...key, seqs });
    } catch {
      for (const seq of seqs) this.owed.add(seq);
    }
  }

  /** The process ends orderly in the middle of its work. */
  async giveBackAll(): Promise<void> {
    const running = Map.groupBy(this.running.entries(), ([, key]) => key);
    await Promise.all(
      [...running].map(([key, entries]) =>
        this.giveBack(
          key,
          entries.map(([seq]) => seq),
        ),
      ),
    );
  }
}
