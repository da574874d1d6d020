import type { Client, QueryResultRow } from 'pg';
import { SELECT_OUTBOX } from './find-replayed.js';
import type { OutboxRow } from './outbox-row.js';
import type { Published } from './published.js';

const PAGE = 500;
/** Every value as the text that the server sent. */
const asText = { getTypeParser: () => (value: string) => value };

/**
 * Publishes what an open transaction sees in the outbox, in `seq` order, page by page, then the replays that were asked
 * for. Whoever writes events of one key one after the other has given them their `seq` in that order.
 *
 * @returns the snapshot of the transaction, which this ends
 */
export async function publishExisting(client: Client, publish: (rows: readonly Published[]) => Promise<void>): Promise<string> {
  const query = async <Row extends QueryResultRow>(text: string) => (await client.query<Row>({ text, types: asText })).rows;
  await query(`DECLARE existing NO SCROLL CURSOR FOR SELECT ${SELECT_OUTBOX} FROM outbox ORDER BY seq`);
  await publishPages(() => query<OutboxRow>(`FETCH ${PAGE} FROM existing`), publish, false);
  await query(`DECLARE replays NO SCROLL CURSOR FOR
    SELECT ${SELECT_OUTBOX} FROM outbox JOIN (SELECT seq AS asked, event_id FROM outbox_replays) r ON r.event_id = outbox.id ORDER BY asked`);
  await publishPages(() => query<OutboxRow>(`FETCH ${PAGE} FROM replays`), publish, true);
  const [row] = await query<{ snapshot: string }>('SELECT pg_current_snapshot()::text AS snapshot');
  await query('COMMIT');
  return row!.snapshot;
}

async function publishPages(
  fetch: () => Promise<OutboxRow[]>,
  publish: (rows: readonly Published[]) => Promise<void>,
  again: boolean,
): Promise<void> {
  for (let rows = await fetch(); rows.length > 0; rows = await fetch()) await publish(rows.map((row) => ({ row, again })));
}
