import type { Pool } from 'pg';
import { type DatabaseReport, readDatabaseReport } from './database-report.js';

/** Nobody who looks at the relay waits longer for a database that does not answer. */
const ANSWER_MS = 1_500;
/** Counting millions that wait takes seconds: it takes a twentieth of the time at most. */
const REST = 20;
/** One that answers again is seen within this. */
const LONGEST_REST_MS = 30_000;

interface Look {
  readonly at: number;
  /** Null while the database does not answer. */
  readonly report: DatabaseReport | null;
}

/** Asks one source's database for those who look at the relay: seldom, and never with two questions at once. */
export class DatabaseWatch {
  private last: Look | undefined;
  private restUntil = 0;
  private looking: Promise<Look> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly slot: string,
  ) {}

  /**
   * @param maxAgeMs how old the answer may be, unless the question takes long
   * @returns null when the database does not answer in 1.5 s; what it said before is not repeated then
   */
  async read(maxAgeMs: number): Promise<DatabaseReport | null> {
    const now = performance.now();
    const { last } = this;
    const look = last && now < Math.max(last.at + maxAgeMs, this.restUntil) ? last : await this.lookInTime();
    return look && agedBy(look, performance.now());
  }

  private lookInTime(): Promise<Look | null> {
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    return Promise.race([this.looking, noAnswer()]);
  }

  private async look(): Promise<Look> {
    const start = performance.now();
    const report = await readDatabaseReport(this.pool, this.slot).catch(() => null); // the relay's own state tells of the outage
    const at = performance.now();
    this.restUntil = at + Math.min((at - start) * REST, LONGEST_REST_MS);
    this.last = { at, report };
    return this.last;
  }
}

const noAnswer = (): Promise<null> => new Promise((resolve) => void setTimeout(resolve, ANSWER_MS, null).unref());

/** What waits has grown older since. */
function agedBy({ at, report }: Look, now: number): DatabaseReport | null {
  if (report === null || report.waiting === 0) return report;
  return { ...report, oldestAgeSeconds: report.oldestAgeSeconds + (now - at) / 1_000 };
}
