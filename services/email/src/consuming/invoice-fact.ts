import type { EventOf, invoiceCorrected, invoiceIssued, reminderRaised } from '@shopflow/contracts';
import type { ConsumedRecord } from '@shopflow/kafka';
import type { InvoiceFact } from '../invoice/invoice.js';

type Telling = EventOf<typeof invoiceIssued> | EventOf<typeof invoiceCorrected> | EventOf<typeof reminderRaised>;

/** What the event says of its invoice, and where it says so. */
export const invoiceFactOf = ({ id, time, payload }: Telling, { topic, partition, offset }: ConsumedRecord): InvoiceFact => ({
  invoiceId: payload.invoiceId,
  number: payload.number,
  recipient: payload.recipient,
  amountKobo: payload.amountKobo,
  dueOn: payload.dueOn,
  eventId: id,
  time,
  topic,
  partition,
  offset,
});
