import { Database, migrate, type Migration } from '@shopflow/database';
import { withClient } from '@shopflow/servers';
import { createLogger, type Logger } from '@shopflow/telemetry';
import type { Client } from 'pg';
import type { Contender, Work } from '../contender.js';
import { provider } from '../provider.js';

/** The service as it is deployed; tests import no service, so what is used of it is said here. */
const EMAIL = new URL('../../../../../services/email/dist/', import.meta.url);

interface Dispatcher {
  wake(): void;
  stop(): Promise<void>;
}

interface BuildDispatcher {
  buildDispatcher(
    database: Database,
    config: Readonly<Record<string, string | number>>,
    surroundings: { readonly logger: Logger; readonly provider: typeof provider },
  ): Dispatcher;
}

const HISTORY_AT_ONCE = 100_000;

/**
 * The email service's ledger and dispatcher.
 *
 * @param variant `first`: never started before, so that each delivery also announces its start by a second outbox row
 */
export const contenderOf = (variant?: string): Contender => ({
  async prepare({ databaseUrl, jobs, finished }) {
    const { migrations } = (await import(new URL('persistence/migrations.js', EMAIL).href)) as { migrations: readonly Migration[] };
    await migrate(databaseUrl, migrations);
    await withClient(databaseUrl, async (client) => {
      await client.query('SET synchronous_commit = off');
      for (let from = 1; from <= finished; from += HISTORY_AT_ONCE) {
        await addDeliveries(client, 'old', from, Math.min(from + HISTORY_AT_ONCE - 1, finished), SENT);
      }
      await addDeliveries(client, 'delivery', 1, jobs, variant === 'first' ? QUEUED : STARTED);
      await client.query('VACUUM (ANALYZE) deliveries, contacts');
    });
  },
  load: async ({ databaseUrl, concurrency }: Work) => {
    const { buildDispatcher } = (await import(new URL('sending/build-dispatcher.js', EMAIL).href)) as BuildDispatcher;
    const database = new Database({ url: databaseUrl, applicationName: 'bench', poolSize: 10 + concurrency });
    await database.connect();
    const logger = createLogger('bench', 'warn');
    const dispatcher = buildDispatcher(database, settings(concurrency), { logger, provider });
    return {
      start: () => dispatcher.wake(),
      stop: async () => {
        await dispatcher.stop();
        await database.close();
      },
    };
  },
});

/** The service's own defaults. */
const settings = (mailConcurrency: number) => ({
  mailProviderUrl: 'http://127.0.0.1:9',
  mailConcurrency,
  mailTimeoutMs: 5_000,
  mailLeaseMs: 60_000,
  mailRetryDelaysMs: '2000,15000,60000',
});

/** Status, start, sending and the provider's id of a row. */
const QUEUED = `'queued', NULL, NULL, NULL, 0`;
/** As one that is sent again after a failure: it has announced its start. */
const STARTED = `'queued', now() - interval '1 hour', NULL, NULL, 0`;
const SENT = `'sent', now() - interval '2 days', now() - interval '2 days', 'msg_' || n, 1`;

async function addDeliveries(client: Client, prefix: string, from: number, to: number, state: string): Promise<void> {
  const order = prefix === 'old' ? 'OLD-' : 'ORD-';
  await client.query(
    `INSERT INTO contacts (order_id, email, name, event_id, occurred_at, source_partition, source_offset)
     SELECT '${order}' || n, 'buyer' || n || '@example.ng', NULL, 'evt-${order}' || n, now(), 0, n FROM generate_series($1::int, $2::int) AS n`,
    [from, to],
  );
  await client.query(
    `INSERT INTO deliveries (id, kind, dedupe_key, order_id, organization_id, cause_source, cause_event_id, cause_type, cause_version,
       correlation_id, status, started_at, sent_at, provider_id, attempts, due_at, created_at, record_topic, record_partition,
       record_offset, record_timestamp, record_key, record_value, record_headers)
     SELECT '${prefix}-' || n, 'receipt', 'receipt:${prefix}-' || n, '${order}' || n, 'shopflow', 'orders', 'evt-${order}' || n,
       'order.created', 3, 'req-${prefix}-' || n, ${state}, now() - interval '3 days' + n * interval '1 ms',
       now() - interval '3 days' + n * interval '1 ms', 'orders.events', 0, n, now(), '${order}'::bytea, '{}'::bytea, '{}'
     FROM generate_series($1::int, $2::int) AS n`,
    [from, to],
  );
}
