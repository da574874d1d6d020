import { invoiceIssued, orderCreated } from '@shopflow/contracts';
import Type from 'typebox';

// What the API takes.

const { number: InvoiceNumber, recipient, dueOn: Day } = invoiceIssued.latest.schema.properties;
const { orderId: OrderId } = orderCreated.latest.schema.properties;

const Recipient = Type.String({ ...recipient, maxLength: 320 });

/** Far more than any invoice; a sum of many of them still fits what finance adds up with. */
const MAX_KOBO = 1_000_000_000_000;
const Kobo = Type.Union([
  Type.Integer({ minimum: 1, maximum: MAX_KOBO, wanted: `a whole number of kobo from 1 to ${MAX_KOBO}` }),
  Type.Null(),
]);

export const ImportRequest = Type.Object({
  number: InvoiceNumber,
  customerEmail: Recipient,
  amountKobo: Type.Optional(Kobo),
  dueOn: Day,
  orderId: Type.Optional(OrderId),
});

export const CorrectionRequest = Type.Object({
  customerEmail: Type.Optional(Recipient),
  amountKobo: Type.Optional(Kobo),
  dueOn: Type.Optional(Day),
});

export const PaymentRequest = Type.Object({ paidOn: Type.Optional(Day) });

export const ListQuery = Type.Object({
  status: Type.Optional(Type.Enum(['draft', 'sending', 'sent', 'paid', 'void'])),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$', description: '1 to 1000' })),
});
