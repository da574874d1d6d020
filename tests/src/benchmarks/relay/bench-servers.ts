import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedKafka, EmbeddedPostgres } from '@shopflow/servers';

/** As a production server of this size would have it; fsync and synchronous_commit are on, as always. */
const POSTGRES_SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB' };
const HEAP_MB = 1_024;

export interface BenchServers {
  readonly brokers: string;
  readonly serverUrl: string;
  /** For whatever else the run writes. */
  readonly dir: string;
}

/** A Kafka and a PostgreSQL of the run's own; both end with it, and what they kept goes. */
export async function withBenchServers<T>(
  say: (message: string) => void,
  signal: AbortSignal,
  work: (servers: BenchServers) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'shopflow-bench-'));
  try {
    say('starting Kafka and PostgreSQL');
    const kafka = await EmbeddedKafka.start({ dir: join(dir, 'kafka'), jvm: [], heapMb: HEAP_MB, onProgress: say, signal });
    try {
      return await withPostgres(dir, signal, (serverUrl) => work({ brokers: kafka.brokers, serverUrl, dir }));
    } finally {
      await kafka.remove();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function withPostgres<T>(dir: string, signal: AbortSignal, work: (serverUrl: string) => Promise<T>): Promise<T> {
  const postgres = await EmbeddedPostgres.start({ dir: join(dir, 'postgres'), settings: POSTGRES_SETTINGS, signal });
  try {
    return await work(postgres.url);
  } finally {
    await postgres.remove();
  }
}
