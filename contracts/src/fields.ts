import Type, { type TSchema } from 'typebox';

// The field types that several contracts share. `description` gives meaning and unit; the lock does not compare it.

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

/** An e-mail address as the customer gave it: one `@`, no spaces. Whether it exists only the mail provider knows. */
export const Email = Type.String({
  pattern: '^[^@\\s\\u0000]+@[^@\\s\\u0000]+$',
  maxLength: 320,
  description: 'E-mail address of the customer, as the customer gave it.',
});

/** Text without NUL, which PostgreSQL cannot store in jsonb or text. */
export const text = (description: string, maxLength = 500) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000]*$', description });

/** `null` says "not known" or "does not apply"; the field itself is always there. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
