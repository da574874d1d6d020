import type { DeadLetter, Revenue, WhatBecameOf } from './what-happened.js';

/** One line of the table: what it is about, and what happened. */
type Line = readonly [about: string, ...columns: string[]];

/** Kobo as a person reads it: `₦25,000.00`. Exact for any amount. */
export function naira(kobo: bigint): string {
  const whole = (kobo / 100n).toLocaleString('en-NG');
  return `₦${whole}.${(kobo % 100n).toString().padStart(2, '0')}`;
}

/** What happened, as lines of aligned columns. */
export function happenedTable(became: readonly WhatBecameOf[], deadLetters: readonly DeadLetter[], revenue: Revenue): string[] {
  return align([
    ...became.map(orderLine),
    ...became.map(mailLine),
    ...became.flatMap(invoiceLine),
    ...became.map(auditLine),
    ['revenue', naira(BigInt(revenue.totalKobo)), `${revenue.orders} orders`],
    ...deadLetters.map(({ consumer, eventId, attempts, reason }): Line => [
      'dead letter',
      `${consumer} ${eventId}`,
      `attempt ${attempts}`,
      reason,
    ]),
  ]);
}

const orderLine = ({ order }: WhatBecameOf): Line => [
  'order',
  order.orderId,
  order.customer.email,
  `${naira(BigInt(order.totalKobo))} ${order.channel}, ${order.status}`,
];

function mailLine({ order, receipt }: WhatBecameOf): Line {
  if (receipt === undefined) return ['mail', order.orderId, 'not known to the email service yet'];
  return ['mail', order.orderId, order.customer.email, outcomeOf(receipt)];
}

function invoiceLine({ order, invoice }: WhatBecameOf): Line[] {
  return invoice === undefined ? [] : [['invoice', `${invoice.number}`, order.customer.email, outcomeOf(invoice)]];
}

function outcomeOf({ status, lastError, attempts }: NonNullable<WhatBecameOf['receipt']>): string {
  return `${status === 'sent' ? 'sent' : `${status}: ${lastError ?? 'no attempt yet'}`}, attempt ${attempts}`;
}

const auditLine = ({ order, auditLines }: WhatBecameOf): Line => [
  'audit',
  order.orderId,
  `${auditLines.length} lines`,
  auditLines.join('; '),
];

/** The last column of a line is as long as it wants to be. */
function align(lines: readonly Line[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => (column < line.length - 1 ? (line[column] ?? '').length : 0))));
  return lines.map((line) => line.map((cell, column) => (column < line.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell)).join('  '));
}
