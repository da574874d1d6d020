import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@shopflow/servers';
import { firstOrders } from '../first-orders.js';
import { getJson, postJson } from '../http-json.js';
import type { Progress } from '../progress.js';
import type { System } from '../system.js';
import { allRevenue, openDeadLetters } from '../what-happened.js';
import { untilConsumed } from './until-consumed.js';
import { type Outcome } from './outcome.js';

const OLD_ORDER = 'ORD-0999';
const ORDERS = [OLD_ORDER, ...firstOrders.map(({ order }) => order.orderId)];
const PAUSE_MS = 100;

/** An event that an old version of the orders service wrote: it waits in the outbox since before anything else ran. */
export const leaveOldEvent = (databases: System['databases']): Promise<void> =>
  withClient(databases.orders, async (client) => {
    await client.query(
      `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ($1, $2, 'order.created', 1, 'orders.events', $3)`,
      [`evt-${OLD_ORDER}`, OLD_ORDER, { orderId: OLD_ORDER, email: 'tunde@shop.ng', totalKobo: 900_000 }],
    );
  });

/** Everything goes wrong at once: see {@link expectedOutcome} for what comes of it all the same. */
export async function playStory(system: System, stop: AbortSignal, say: Progress): Promise<Outcome> {
  const { urls } = system;
  say(`${OLD_ORDER}, an order.created v1 of an older orders service, has waited in the outbox since before anything ran`);
  await postJson(`${urls['mail-provider']}/control`, { failNext: 2 });
  say('the mail provider will fail twice');
  for (const { order, correlationId } of firstOrders) {
    await postJson(`${urls.orders}/orders`, order, { 'x-request-id': correlationId });
    say(`placed ${order.orderId} for ${order.customer.email} (${correlationId})`);
  }
  await until(stop, async () => (await deliveriesUnderWay(urls)) === 0 && (await currentOutcome(system)).relayed === 3);
  say('every receipt is sent or given up; publishing one event again');
  await publishAgain(system);
  await until(stop, async () => (await currentOutcome(system)).relayedAgain === 1);
  await untilConsumed(system, stop);
  return currentOutcome(system);
}

const publishAgain = (system: System): Promise<void> =>
  withClient(system.databases.orders, async (client) => {
    await client.query('INSERT INTO outbox_replays (event_id, who, why) VALUES ($1, $2, $3)', [
      'evt-ORD-1001',
      'demo',
      'a relay that crashed would',
    ]);
  });

async function deliveriesUnderWay(urls: System['urls']): Promise<number> {
  const found = await Promise.all(ORDERS.map((id) => getJson<{ status: string }[]>(`${urls.email}/deliveries?orderId=${id}`)));
  return found.filter(([delivery]) => delivery?.status !== 'sent' && delivery?.status !== 'dead').length;
}

async function currentOutcome({ urls, databases }: System): Promise<Outcome> {
  const published = await withClient(databases.orders, async (client) => {
    const { rows } = await client.query<Pick<Outcome, 'relayed' | 'relayedAgain'>>(
      `SELECT (SELECT count(*)::int FROM outbox_state WHERE state = 'published') AS relayed,
              (SELECT count(*)::int FROM outbox_replays_state WHERE state = 'published') AS "relayedAgain"`,
    );
    return rows[0]!;
  });
  const [inbox, letters, revenue, auditRows] = await Promise.all([
    getJson<{ to: string; text: string }[]>(`${urls['mail-provider']}/inbox`),
    openDeadLetters(urls),
    allRevenue(urls),
    ordersCreatedInAudit(urls),
  ]);
  return {
    ...published,
    mails: inbox.map(({ to, text }) => ({ to, text })).sort((a, b) => a.to.localeCompare(b.to)),
    auditRows,
    revenueKobo: Number(revenue.totalKobo),
    deadLetters: letters.map(({ consumer, eventId, attempts, reason }) => ({ consumer, eventId, attempts, reason })),
  };
}

async function ordersCreatedInAudit(urls: System['urls']): Promise<number> {
  const found = await Promise.all(ORDERS.map((id) => getJson<{ entries: { type: string }[] }>(`${urls.audit}/audit?orderId=${id}`)));
  return found.flatMap(({ entries }) => entries).filter(({ type }) => type === 'order.created').length;
}

async function until(stop: AbortSignal, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(PAUSE_MS, undefined, { signal: stop });
}
