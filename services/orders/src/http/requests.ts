import { orderCreated } from '@shopflow/contracts';
import Type from 'typebox';
import { Compile } from 'typebox/compile';

// What the API takes. Stricter than the contracts, which must also read what older producers wrote.

const { orderId: OrderId, currency: Currency } = orderCreated.latest.schema.properties;

/**
 * Ten billion naira: far more than any order, and so far below what a sum of a day holds (bigint) that no order can be the one
 * that finance cannot add any more.
 */
const MAX_TOTAL_KOBO = 1_000_000_000_000;
const Kobo = Type.Integer({ minimum: 1, maximum: MAX_TOTAL_KOBO, wanted: `a whole number of kobo from 1 to ${MAX_TOTAL_KOBO}` });

const Email = Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 320, wanted: 'an e-mail address of at most 320 characters' });

const words = (maxLength: number) =>
  Type.String({
    pattern: '^(?=.*\\S)\\P{Cc}*$',
    maxLength,
    wanted: `text of 1 to ${maxLength} characters, without control characters`,
  });
const optional = (maxLength: number) => Type.Optional(Type.Union([words(maxLength), Type.Null()]));

export const ContactRequest = Type.Object({ email: Email, name: optional(200) });

export const OrderRequest = Type.Object({
  orderId: Type.Optional(OrderId),
  customer: ContactRequest,
  totalKobo: Kobo,
  currency: Currency,
  channel: Type.Enum(['web', 'app']),
});

export const CancelRequest = Type.Object({ reason: optional(500) });

const orderIds = Compile(OrderId);
export const isOrderId = (text: string): boolean => orderIds.Check(text);
