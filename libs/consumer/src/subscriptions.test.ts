import { orderCancelled, orderCreated } from '@shopflow/contracts';
import { expect, it } from 'vitest';
import { SubscriptionError, Subscriptions } from './subscriptions.js';

const subscription = (handler: string) => ({
  contracts: [orderCreated, orderCancelled],
  batch: false,
  handler,
  afterDeath: 'release' as const,
});
const handle = () => undefined;

it('finds the subscriber of an event on its topic only', () => {
  const subscriptions = new Subscriptions();
  subscriptions.add('order.created', subscription('Audit.record'), handle);
  expect(subscriptions.find('orders.events', 'order.created')).toMatchObject({ contract: orderCreated });
  expect(subscriptions.find('emails.events', 'order.created')).toBeUndefined();
  expect(subscriptions.find('orders.events', 'order.cancelled')).toBeUndefined();
});

it('refuses a second subscription of one event, naming both', () => {
  const subscriptions = new Subscriptions();
  subscriptions.add('order.created', subscription('Audit.record'), handle);
  const again = () => subscriptions.add('order.created', subscription('Points.add'), handle);
  expect(again).toThrow(SubscriptionError);
  expect(again).toThrow('Audit.record and Points.add both subscribe to order.created');
});
