import { unlessAborted } from '@shopflow/kafka';
import { withClient } from '@shopflow/servers';
import type { Place } from '../relay/bench.js';
import { TOPIC } from '../relay/event.js';

const AT_ONCE = 250_000;

/**
 * Puts published events of 40 days ago into the outbox. They bypass the relay: it would only pass them on, and take its time for it.
 * Call it while no relay runs.
 */
export async function fillOld({ databaseUrl, signal, say }: Place, rows: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('SET synchronous_commit = off');
    await client.query('ALTER PUBLICATION shopflow_outbox DROP TABLE outbox');
    for (let from = 0; from < rows; from += AT_ONCE) {
      const to = Math.min(from + AT_ONCE, rows);
      await unlessAborted(client.query(OLD, [from, to - 1]), signal);
      if (to % (4 * AT_ONCE) === 0 || to === rows) say(`  ${to} of ${rows} old events are in the outbox`);
    }
    await client.query('ALTER PUBLICATION shopflow_outbox ADD TABLE outbox');
    await unlessAborted(client.query('VACUUM (ANALYZE) outbox'), signal);
    await unlessAborted(client.query('CHECKPOINT'), signal); // now, and not in the middle of a measurement
  });
}

const OLD = `
  INSERT INTO outbox (aggregateid, type, version, topic, payload, created_at)
  SELECT 'ORD-' || n % 5000, 'order.created', 2, '${TOPIC}',
    jsonb_build_object('orderId', 'ORD-' || n, 'currency', 'NGN', 'pad', repeat('x', 200)), now() - interval '40 days'
  FROM generate_series($1::int, $2::int) AS n`;

/** How many of them are left. They came first, so they have the lowest numbers. */
export async function countOld({ databaseUrl }: Place): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM outbox WHERE created_at < now() - interval '39 days'`,
    );
    return rows[0]!.count;
  });
}
