import { slotName } from '@shopflow/outbox/slot-name';
import type { SourceConfig } from '../read-sources.js';
import { type DatabaseReport, readCluster, readDatabaseReport } from '../source/database-report.js';
import type { RelayView } from './ask-relays.js';
import { judgeSource, type SourceVerdict } from './judge-source.js';
import { withSource } from './source-pool.js';

export interface SourceStatusReport extends SourceVerdict {
  readonly source: string;
  readonly slot: string;
  /** Null: it could not be asked; the reason says why. */
  readonly database: DatabaseReport | null;
  /** PostgreSQL's own identifier of the cluster; null when this user may not ask. */
  readonly cluster: string | null;
  readonly relays: readonly RelayView[];
}

/** By SQL alone, so that it is true with every relay dead. */
export async function readSourceStatus(source: SourceConfig, namespace: string): Promise<Omit<SourceStatusReport, 'relays'>> {
  const slot = slotName(namespace, source.name);
  const named = { source: source.name, slot };
  try {
    return await withSource(source, async (pool) => {
      const database = await readDatabaseReport(pool, slot);
      const cluster = await readCluster(pool);
      return { ...named, ...judgeSource(named, cluster, database), database, cluster };
    });
  } catch (error) {
    return { ...named, state: 'unknown', reason: reasonOf(error), database: null, cluster: null };
  }
}

const NO_TABLE = '42P01';

function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  if (code === NO_TABLE) return `${message}: the migrations of its service have not run`;
  return message || code || 'the database does not answer';
}
