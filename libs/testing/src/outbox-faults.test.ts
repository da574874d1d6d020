import { expect, it } from 'vitest';
import { outboxFaults, type OutboxRow } from './outbox-faults.js';

const row: OutboxRow = {
  type: 'order.cancelled',
  version: 1,
  topic: 'orders.events',
  aggregateid: 'ORD-1',
  payload: { orderId: 'ORD-1', reason: null },
};

it('finds nothing in a row that keeps its contract', () => {
  expect(outboxFaults('orders', [row])).toEqual([]);
});

it.each<[string, Partial<OutboxRow>, string]>([
  ['no contract', { type: 'order.eaten' }, 'order.eaten is no contract'],
  ['a bad field', { payload: { orderId: 'ORD-1', reason: 7 } }, 'order.cancelled: invalid reason'],
  ['a field too many', { payload: { ...row.payload, colour: 'red' } }, 'order.cancelled: unknown colour'],
  ['another version', { version: 2 }, 'order.cancelled: v2 is not the current version'],
  ['another topic', { topic: 'emails.events' }, 'order.cancelled: not ours on emails.events'],
  ['another key', { aggregateid: 'ORD-2' }, 'order.cancelled: key ORD-2'],
])('names %s', (_, change, fault) => {
  expect(outboxFaults('orders', [{ ...row, ...change }])).toEqual([fault]);
});

it("names another service's event", () => {
  expect(outboxFaults('email', [row])).toEqual(['order.cancelled: not ours on orders.events']);
});
