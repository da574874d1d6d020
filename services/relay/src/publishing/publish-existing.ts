import type { Client } from 'pg';
import { FLIGHT_BYTES } from './loader.js';
import { SELECT_OUTBOX } from './find-replayed.js';
import type { OutboxRow } from './outbox-row.js';

const FIRST_PAGE = 100;
const LARGEST_PAGE = 5_000;
/** Every value as the text that the server sent. */
const asText = { getTypeParser: () => (value: string) => value };

/**
 * Publishes what an open transaction sees in the outbox (`o`) and the condition chooses, in `seq` order, page by page. Whoever
 * writes events of one key one after the other has given them their `seq` in that order.
 *
 * @returns how many
 */
export async function publishExisting(
  client: Client,
  { where, values }: { readonly where: string; readonly values: readonly unknown[] },
  publish: (rows: readonly OutboxRow[]) => Promise<void>,
): Promise<number> {
  const text = `DECLARE existing NO SCROLL CURSOR FOR SELECT ${SELECT_OUTBOX} FROM outbox o WHERE ${where} ORDER BY o.seq`;
  await client.query(text, [...values]);
  const fetch = async (count: number) => (await client.query<OutboxRow>({ text: `FETCH ${count} FROM existing`, types: asText })).rows;
  let published = 0;
  await publishPages(fetch, async (rows) => {
    await publish(rows);
    published += rows.length;
  });
  await client.query('CLOSE existing');
  return published;
}

/** Fetches the next page while Kafka takes the last one. */
async function publishPages(
  fetch: (count: number) => Promise<OutboxRow[]>,
  publish: (rows: readonly OutboxRow[]) => Promise<void>,
): Promise<void> {
  let page = await fetch(FIRST_PAGE);
  while (page.length > 0) {
    const next = fetch(nextPageSize(page));
    next.catch(() => {}); // awaited below, unless publishing ends all of it first
    await publish(page);
    page = await next;
  }
}

/** As many rows as make a batch, going by the size of the last ones. */
function nextPageSize(page: readonly OutboxRow[]): number {
  const bytes = page.reduce((sum, row) => sum + row.payload.length + ROW_OVERHEAD, 0);
  return Math.min(LARGEST_PAGE, Math.ceil((FLIGHT_BYTES * page.length) / bytes));
}

/** What the other columns take, roughly. */
const ROW_OVERHEAD = 400;
