import { describe, expect, it } from 'vitest';
import { orderCancelledV1 } from './order-cancelled/v1.js';
import { orderCreatedV3 } from './order-created/v3.js';
import { compilePayload } from './payload.js';

const placed = compilePayload(orderCreatedV3.schema);
const cancelled = compilePayload(orderCancelledV1.schema);

const order = { orderId: 'ORD-1', customer: { email: 'ada@shop.ng', name: 'Ada' }, totalKobo: 1, currency: 'NGN', channel: 'web' };
const faultsWith = (change: object) => placed.invalidFields({ ...order, ...change });
const faultsWithCustomer = (change: object) => faultsWith({ customer: { ...order.customer, ...change } });

describe('the order id', () => {
  it.each(['ORD-1', 'ORD-1001', 'ORD-2026.11_a-B', `ORD-${'9'.repeat(60)}`])('is %s', (orderId) => {
    expect(faultsWith({ orderId })).toEqual([]);
  });

  it.each(['', 'ORD-', 'ord-1', 'XORD-1', 'ORD-1 ', 'ORD-1\n', 'ORD-1/2', 'ORD-\u0000', `ORD-${'9'.repeat(61)}`, 1001, null])(
    'is not %j',
    (orderId) => {
      expect(faultsWith({ orderId })).toEqual(['orderId']);
    },
  );
});

describe('an amount', () => {
  it.each([1, 2_500_000, Number.MAX_SAFE_INTEGER])('is %d kobo', (totalKobo) => {
    expect(faultsWith({ totalKobo })).toEqual([]);
  });

  it.each([0, -5, 0.5, Number.NaN, Infinity, Number.MAX_SAFE_INTEGER + 1, '1', 1n, null])('is not %s', (totalKobo) => {
    expect(faultsWith({ totalKobo })).toEqual(['totalKobo']);
  });
});

describe('an address', () => {
  it.each(['ada@shop.ng', 'Ada Obi <ada@shop.ng>', '"a@b"@shop.ng', '@', 'ọba@shop.ng', 'ada@😀.ng'])(
    'may be %j, for producers only ever asked for an @',
    (email) => {
      expect(faultsWithCustomer({ email })).toEqual([]);
    },
  );

  it.each(['', 'ada', 'ada@shop.ng\u0000', '\u0000@', 'ada@\ud800.ng', '\udc00@shop.ng', null, undefined, 7])('is not %j', (email) => {
    expect(faultsWithCustomer({ email })).toEqual(['customer.email']);
  });
});

describe("a customer's name", () => {
  it.each([null, '', 'Ada', 'Ọlá 😀', 'x'.repeat(10_000)])('may be whatever old producers wrote (%#)', (name) => {
    expect(faultsWithCustomer({ name })).toEqual([]);
  });

  it.each([undefined, 7, ['Ada'], 'A\u0000da', 'half \ud83d'])('is not %j', (name) => {
    expect(faultsWithCustomer({ name })).toEqual(['customer.name']);
  });
});

describe('a text', () => {
  it.each(['x', '😀'.repeat(500)])('has 1 to 500 characters, however wide (%#)', (reason) => {
    expect(cancelled.invalidFields({ orderId: 'ORD-1', reason })).toEqual([]);
  });

  it.each(['', 'x'.repeat(501), 'NUL \u0000', 'half \ud83d'])('is neither empty, longer nor impossible to store (%#)', (reason) => {
    expect(cancelled.invalidFields({ orderId: 'ORD-1', reason })).toEqual(['reason']);
  });
});
