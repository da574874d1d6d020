import { expect, it } from 'vitest';
import { happenedTable, naira } from './happened-table.js';

it('writes kobo as naira, exactly for any amount', () => {
  expect(naira(2_500_000n)).toBe('₦25,000.00');
  expect(naira(5n)).toBe('₦0.05');
  expect(naira(9_007_199_254_740_993_01n)).toBe('₦9,007,199,254,740,993.01');
});

it('shows what became of an order, in aligned columns', () => {
  const order = { orderId: 'ORD-1', status: 'placed', customer: { email: 'ada@shop.ng' }, totalKobo: 100, channel: 'web' };
  const receipt = { kind: 'receipt', number: null, status: 'dead', attempts: 4, lastError: 'answered 503' } as const;
  const invoice = { kind: 'invoice', number: 'INV-0001', status: 'sent', attempts: 3, lastError: 'answered 503' } as const;
  const letter = { consumer: 'email', eventId: 'evt-ORD-1', attempts: 4, reason: 'answered 503' };
  expect(
    happenedTable([{ order, receipt, invoice, auditLines: ['order ORD-1 created'] }], [letter], { totalKobo: '100', orders: 1 }),
  ).toEqual([
    'order        ORD-1            ada@shop.ng  ₦1.00 web, placed',
    'mail         ORD-1            ada@shop.ng  dead: answered 503, attempt 4',
    'invoice      INV-0001         ada@shop.ng  sent, attempt 3',
    'audit        ORD-1            1 lines      order ORD-1 created',
    'revenue      ₦1.00            1 orders',
    'dead letter  email evt-ORD-1  attempt 4    answered 503',
  ]);
});

it('says when a service has not heard of the order yet', () => {
  const order = { orderId: 'ORD-1', status: 'placed', customer: { email: 'ada@shop.ng' }, totalKobo: 100, channel: 'web' };
  const lines = happenedTable([{ order, receipt: undefined, invoice: undefined, auditLines: [] }], [], { totalKobo: '0', orders: 0 });
  expect(lines[1]).toBe('mail     ORD-1  not known to the email service yet');
});
