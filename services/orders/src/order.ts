import type { PayloadOf, orderCreated } from '@shopflow/contracts';
import { OrderDiffers, OrderIsCancelled } from './order-errors.js';

// What may become of an order: decisions without database or clock.

export interface Contact {
  readonly email: string;
  /** `null` when it is not known. */
  readonly name: string | null;
}

/** Which order, and whose. Ids are unique over all organizations, for they are the keys of the events. */
export interface OrderRef {
  readonly organizationId: string;
  readonly orderId: string;
}

/** What a customer asked for; never changes. */
export interface Placement {
  /** Undefined when the service is to choose one. */
  readonly orderId: string | undefined;
  readonly customer: Contact;
  readonly totalKobo: number;
  readonly currency: 'NGN';
  readonly channel: 'web' | 'app';
}

/** An order as it stands. Times are ISO 8601 in UTC. */
export interface Order {
  readonly orderId: string;
  readonly status: 'placed' | 'cancelled';
  readonly customer: Contact;
  readonly totalKobo: number;
  readonly currency: 'NGN';
  readonly channel: 'web' | 'app';
  readonly createdAt: string;
  readonly cancelledAt: string | null;
  readonly cancelReason: string | null;
}

/** An order together with the contact that it was placed with, by which a repeat of the same request is known. */
export interface StoredOrder extends Order {
  readonly placedBy: Contact;
}

/** A request to place an order, as the API takes it. */
export type NewOrder = Omit<Placement, 'orderId' | 'customer'> & { orderId?: string; customer: { email: string; name?: string | null } };

/** Every field is there and in a fixed order, so that equal requests have equal JSON. */
export function decidePlacement({ orderId, customer, totalKobo, currency, channel }: NewOrder): Placement {
  return { orderId, customer: { email: customer.email, name: customer.name ?? null }, totalKobo, currency, channel };
}

/**
 * The answer to a placement whose id is taken: what the first one was answered, whatever became of the order since.
 * @throws OrderDiffers when the first one had other content
 */
export function repeatPlacement(existing: StoredOrder, placement: Placement): Order {
  const same =
    isSameContact(existing.placedBy, placement.customer) &&
    existing.totalKobo === placement.totalKobo &&
    existing.currency === placement.currency &&
    existing.channel === placement.channel;
  if (!same) throw new OrderDiffers(existing.orderId);
  return { ...toOrder(existing), status: 'placed', customer: existing.placedBy, cancelledAt: null, cancelReason: null };
}

/**
 * The new contact, or undefined when nothing changes. A name that is left out stays as it is.
 * @throws OrderIsCancelled when there is something to change in a cancelled order
 */
export function decideContact(order: Order, change: { email: string; name?: string | null }): Contact | undefined {
  const contact = { email: change.email, name: change.name === undefined ? order.customer.name : change.name };
  if (isSameContact(order.customer, contact)) return undefined;
  if (order.status === 'cancelled') throw new OrderIsCancelled(order.orderId);
  return contact;
}

/** What to store, or undefined for an order that is cancelled already: it keeps its first reason. */
export function decideCancellation(order: Order, reason: string | null | undefined): { reason: string | null } | undefined {
  return order.status === 'cancelled' ? undefined : { reason: reason ?? null };
}

export const toOrderCreated = ({ orderId, customer, totalKobo, currency, channel }: Order): PayloadOf<typeof orderCreated> => ({
  orderId,
  customer,
  totalKobo,
  currency,
  channel,
});

/** Without what only this service needs to know. */
export function toOrder({ placedBy: _placedBy, ...order }: StoredOrder): Order {
  return order;
}

/**
 * Order events that happen once have an id that follows from the order, so that nobody can publish them twice. No order id
 * has a colon in it, so no other order's event can have the same one.
 */
export const createdEventId = (orderId: string) => `evt-${orderId}`;
export const cancelledEventId = (orderId: string) => `evt-${orderId}:cancelled`;

const isSameContact = (a: Contact, b: Contact) => a.email === b.email && a.name === b.name;
