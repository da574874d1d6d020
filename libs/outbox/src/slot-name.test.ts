import { expect, it } from 'vitest';
import { slotName } from './slot-name.js';

it('names a slot in the letters and the length that PostgreSQL allows', () => {
  expect(slotName('demo-1', 'orders')).toBe('demo_1_orders');
  expect(slotName('Shop.Flow', 'email')).toBe('shop_flow_email');
  expect(slotName('n'.repeat(70), 'orders')).toBe('n'.repeat(63));
});
