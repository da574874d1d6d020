import type { Database } from '@shopflow/database';
import { countHeldStarts, giveBackHeldStarts } from '../starts/count-held-starts.js';
import type { HeldKey } from './held-key.js';

/** The starts of held events that this process counts; what did not end with a process is given back. */
export class HeldStarts {
  /** Counted, ended, and not given back because the database was away: their next start is counted already. */
  private readonly owed = new Set<number>();

  constructor(
    private readonly database: Database,
    private readonly group: string,
  ) {}

  async count(key: HeldKey, seqs: readonly number[]): Promise<void> {
    const uncounted = seqs.filter((seq) => !this.owed.delete(seq));
    if (uncounted.length > 0) await countHeldStarts(this.database, this.group, { ...key, seqs: uncounted });
  }

  /** Never throws: it is called when something went wrong, which is what must come out. */
  async giveBack(key: HeldKey, seqs: readonly number[]): Promise<void> {
    if (seqs.length === 0) return;
    try {
      await giveBackHeldStarts(this.database, this.group, { ...key, seqs });
    } catch {
      for (const seq of seqs) this.owed.add(seq);
    }
  }
}
