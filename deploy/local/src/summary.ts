import type { Servers } from '@shopflow/servers';
import { join } from 'node:path';
import { FIRST_CLICK } from './first-invoice.js';
import { firstOrders } from './first-orders.js';
import { happenedTable } from './happened-table.js';
import { searchLogs } from './search-logs.js';
import { processNames } from './services.js';
import type { System } from './system.js';
import { allRevenue, openDeadLetters, whatBecameOfInTheEnd } from './what-happened.js';

/** What became of the first orders, once nothing of it is outstanding. */
export async function summary(urls: System['urls'], stop: AbortSignal): Promise<string[]> {
  const became = await Promise.all(firstOrders.map(({ order }) => whatBecameOfInTheEnd(urls, order.orderId, stop)));
  return ['What happened', ...indent(happenedTable(became, await openDeadLetters(urls), await allRevenue(urls)))];
}

/** One search over every service's log, for the click that the e-mail with the invoice belongs to. Nothing when an earlier run left no logs. */
export function logSearch(dir: string): string[] {
  const lines = searchLogs(dir, FIRST_CLICK);
  const command = `grep -h ${FIRST_CLICK} ${join(dir, 'logs')}/*.log`;
  return lines.length === 0 ? [] : [`Every log line of ${FIRST_CLICK}, from the click to the mail (${command})`, ...indent(lines), ''];
}

/** Addresses to open, and the files that tell more. */
export function whereToLook(urls: System['urls'], servers: Pick<Servers, 'kafkaBrokers' | 'databaseUrl'>, dir: string): string[] {
  const { orderId } = firstOrders[0].order;
  const examples: Partial<Record<keyof System['urls'], string>> = {
    orders: `/orders/${orderId}`,
    invoices: '/invoices',
    reminder: '/status/schedule',
    relay: '/status',
    email: `/deliveries?orderId=${orderId}`,
    audit: `/audit?orderId=${orderId}`,
    analytics: '/revenue?from=2026-01-01&to=2026-12-31',
    'mail-provider': '/inbox',
  };
  const addresses = processNames.map((name) => `${name.padEnd(14)} ${urls[name]}${examples[name] ?? ''}`);
  const rest = [`Kafka          ${servers.kafkaBrokers}`, `PostgreSQL     ${servers.databaseUrl}`, `logs           ${join(dir, 'logs')}`];
  return ['Where to look', ...indent([...addresses, ...rest])];
}

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
