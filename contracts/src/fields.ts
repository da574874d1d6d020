import Type, { type TSchema } from 'typebox';

// The field types that several contracts share. `description` gives meaning and unit; the lock does not compare it.

/** One character that PostgreSQL can store in jsonb and text: neither NUL nor half of a surrogate pair. */
export const STORABLE = '[^\\u0000\\p{Cs}]';

/** `null` says "not known" or "does not apply"; the field itself is always there. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** Business identity of an order, and the Kafka key of everything about it. */
export const OrderId = Type.String({
  pattern: '^ORD-[A-Za-z0-9._-]{1,60}$',
  description: 'The order. Also the Kafka key, so all events of one order stay in order.',
});

/** An amount of money as an integer number of kobo (1 naira = 100 kobo). */
export const Kobo = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Amount in kobo (1/100 naira), a whole number greater than zero.',
});

/**
 * An e-mail address as the customer gave it: anything with an `@`, as producers have always checked. Stricter reading would
 * keep a paid order out of the revenue for a typing error; whether the mailbox exists only the mail provider knows.
 */
export const Email = Type.String({
  pattern: `^[^@\\u0000\\p{Cs}]*@${STORABLE}*$`,
  description: 'E-mail address of the customer, as the customer gave it.',
});

/** Old producers took any text as a name, the empty one too. */
export const CustomerName = Nullable(
  Type.String({
    pattern: `^${STORABLE}*$`,
    description: 'Name of the customer for a greeting; null when it was never recorded. An empty name says the same.',
  }),
);

/** Text that says something: 1 to `maxLength` characters. */
export const text = (description: string, maxLength = 500) =>
  Type.String({ minLength: 1, maxLength, pattern: `^${STORABLE}*$`, description });
