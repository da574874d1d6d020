import { Injectable } from '@nestjs/common';
import type { EventOf, orderCancelled, orderCreated } from '@shopflow/contracts';
import { Database, sql, type Transaction } from '@shopflow/database';
import { type Amount, type Sum, sumByDayAndChannel, utcDay } from './sum-revenue.js';

/** Revenue of one UTC day and channel. `totalKobo` is a decimal string: a sum may exceed what a JSON number holds exactly. */
export interface RevenueOfDay {
  readonly day: string;
  readonly channel: string;
  readonly totalKobo: string;
  readonly orders: number;
}

type Created = EventOf<typeof orderCreated>;
type Cancelled = EventOf<typeof orderCancelled>;

/**
 * Adds up revenue, each order once: counted when created, taken back from the same day and channel when cancelled.
 * A batch is summed first and the sums are written once, in key order, so batches of several partitions cannot deadlock on a hot day.
 */
@Injectable()
export class Revenue {
  constructor(private readonly database: Database) {}

  /** Creations before cancellations: the order of the two does not change what an order counts for in the end. */
  async count(tx: Transaction, events: readonly (Created | Cancelled)[]): Promise<void> {
    const added = await countCreated(
      tx,
      events.filter((event) => event.type === 'order.created'),
    );
    const takenBack = await countCancelled(
      tx,
      events.filter((event) => event.type === 'order.cancelled'),
    );
    await writeSums(tx, sumByDayAndChannel(added, takenBack));
  }

  /** Days from `from` to `to`, both included (UTC dates, YYYY-MM-DD); days and channels that never had an order are left out. */
  async between(from: string, to: string): Promise<RevenueOfDay[]> {
    const { rows } = await this.database.query<RevenueOfDay>(
      `SELECT day::text, channel, total_kobo::text AS "totalKobo", orders::float8 AS orders
       FROM revenue WHERE day BETWEEN $1 AND $2 ORDER BY day, channel`,
      [from, to],
    );
    return rows;
  }
}

/** Gives what is new of it. Of several events of one order the first counts. */
async function countCreated(tx: Transaction, created: readonly Created[]): Promise<Amount[]> {
  const firsts = new Map<string, Created>();
  for (const event of created) if (!firsts.has(event.payload.orderId)) firsts.set(event.payload.orderId, event);
  if (firsts.size === 0) return [];
  const orders = [...firsts.values()];
  const { rows } = await sql<Amount & { cancelled: boolean }>(
    tx,
    `INSERT INTO counted_orders AS counted (order_id, day, channel, total_kobo, cancelled)
     SELECT order_id, day, channel, total_kobo, false
     FROM unnest($1::text[], $2::date[], $3::text[], $4::bigint[]) AS placed (order_id, day, channel, total_kobo)
     ON CONFLICT (order_id) DO UPDATE SET day = EXCLUDED.day, channel = EXCLUDED.channel, total_kobo = EXCLUDED.total_kobo
       WHERE counted.day IS NULL
     RETURNING day::text, channel, total_kobo::text AS "totalKobo", cancelled`,
    [
      orders.map(({ payload }) => payload.orderId),
      orders.map(({ time }) => utcDay(time)),
      orders.map(({ payload }) => payload.channel),
      orders.map(({ payload }) => payload.totalKobo),
    ],
  );
  return rows.filter(({ cancelled }) => !cancelled);
}

/** Gives what is to be taken back: orders that were counted and had not been cancelled before. */
async function countCancelled(tx: Transaction, cancelled: readonly Cancelled[]): Promise<Amount[]> {
  if (cancelled.length === 0) return [];
  const { rows } = await sql<Amount | { day: null }>(
    tx,
    `INSERT INTO counted_orders AS counted (order_id, cancelled)
     SELECT DISTINCT unnest($1::text[]), true
     ON CONFLICT (order_id) DO UPDATE SET cancelled = true WHERE NOT counted.cancelled
     RETURNING day::text, channel, total_kobo::text AS "totalKobo"`,
    [cancelled.map(({ payload }) => payload.orderId)],
  );
  return rows.filter((row): row is Amount => row.day !== null);
}

async function writeSums(tx: Transaction, sums: readonly Sum[]): Promise<void> {
  if (sums.length === 0) return;
  await sql(
    tx,
    `INSERT INTO revenue (day, channel, total_kobo, orders)
     SELECT * FROM unnest($1::date[], $2::text[], $3::bigint[], $4::bigint[])
     ON CONFLICT (day, channel) DO UPDATE
       SET total_kobo = revenue.total_kobo + EXCLUDED.total_kobo, orders = revenue.orders + EXCLUDED.orders`,
    [sums.map((sum) => sum.day), sums.map((sum) => sum.channel), sums.map((sum) => sum.totalKobo), sums.map((sum) => sum.orders)],
  );
}
