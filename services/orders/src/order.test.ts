import { expect, it } from 'vitest';
import { OrderDiffers, OrderIsCancelled } from './order-errors.js';
import { decideCancellation, decideContact, decidePlacement, type NewOrder, repeatPlacement, type StoredOrder } from './order.js';

const request: NewOrder = {
  orderId: 'ORD-1001',
  customer: { email: 'ada@shop.ng', name: 'Ada' },
  totalKobo: 2_500_000,
  currency: 'NGN',
  channel: 'web',
};
const placed: StoredOrder = {
  orderId: 'ORD-1001',
  status: 'placed',
  customer: { email: 'ada@shop.ng', name: 'Ada' },
  placedBy: { email: 'ada@shop.ng', name: 'Ada' },
  totalKobo: 2_500_000,
  currency: 'NGN',
  channel: 'web',
  createdAt: '2026-11-30T12:00:00.000Z',
  cancelledAt: null,
  cancelReason: null,
};
const cancelled: StoredOrder = { ...placed, status: 'cancelled', cancelledAt: '2026-11-30T13:00:00.000Z', cancelReason: 'changed my mind' };

it('takes a name that is left out for one that is not known', () => {
  const unnamed = { ...request, customer: { email: 'ada@shop.ng' } };
  expect(decidePlacement(unnamed)).toEqual(decidePlacement({ ...request, customer: { email: 'ada@shop.ng', name: null } }));
});

it('answers a repeated placement as the first time, whatever became of the order since', () => {
  const since = { ...cancelled, customer: { email: 'ada@new.ng', name: null } };
  const { placedBy: _placedBy, ...first } = placed;
  expect(repeatPlacement(since, decidePlacement(request))).toEqual(first);
});

it.each<Partial<NewOrder>>([
  { totalKobo: 1 },
  { channel: 'app' },
  { customer: { email: 'eve@shop.ng', name: 'Ada' } },
  { customer: { email: 'ada@shop.ng' } },
])('refuses a placement with a known id and other content: %j', (other) => {
  expect(() => repeatPlacement(placed, decidePlacement({ ...request, ...other }))).toThrow(OrderDiffers);
});

it('keeps the name when only the address is corrected, and forgets it when it is null', () => {
  expect(decideContact(placed, { email: 'ada@new.ng' })).toEqual({ email: 'ada@new.ng', name: 'Ada' });
  expect(decideContact(placed, { email: 'ada@shop.ng', name: null })).toEqual({ email: 'ada@shop.ng', name: null });
});

it('changes nothing when the contact is the same already', () => {
  expect(decideContact(placed, { email: 'ada@shop.ng' })).toBeUndefined();
  expect(decideContact(cancelled, { email: 'ada@shop.ng', name: 'Ada' })).toBeUndefined();
});

it('refuses a new contact for a cancelled order', () => {
  expect(() => decideContact(cancelled, { email: 'ada@new.ng' })).toThrow(OrderIsCancelled);
});

it('cancels once: the first reason stays', () => {
  expect(decideCancellation(placed, undefined)).toEqual({ reason: null });
  expect(decideCancellation(placed, 'too late')).toEqual({ reason: 'too late' });
  expect(decideCancellation(cancelled, 'another')).toBeUndefined();
});
