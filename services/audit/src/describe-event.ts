import {
  emailFailed,
  emailSent,
  emailStarted,
  type EventContract,
  type EventOf,
  invoiceCorrected,
  invoiceDelivered,
  invoiceDeliveryFailed,
  invoiceIssued,
  invoicePaid,
  invoiceVoided,
  orderCancelled,
  orderContactUpdated,
  orderCreated,
  reminderRaised,
} from '@shopflow/contracts';

const orderEvents = [orderCreated, orderContactUpdated, orderCancelled] as const;
const invoiceEvents = [invoiceIssued, invoiceCorrected, invoiceDelivered, invoiceDeliveryFailed, invoicePaid, invoiceVoided] as const;
const emailEvents = [emailStarted, emailSent, emailFailed] as const;

/** Every event that the audit log records. */
export const auditedEvents = [...orderEvents, ...invoiceEvents, reminderRaised, ...emailEvents] as const;

type EventAmong<C> = C extends EventContract ? EventOf<C> : never;
export type AuditedEvent = EventAmong<(typeof auditedEvents)[number]>;
type OrderEvent = EventAmong<(typeof orderEvents)[number]>;
type InvoiceEvent = EventAmong<(typeof invoiceEvents)[number]>;
type EmailEvent = EventAmong<(typeof emailEvents)[number]>;

/** What a person reads in the audit log: one sentence. */
export function describeEvent(event: AuditedEvent): string {
  switch (event.type) {
    case 'order.created':
    case 'order.contact-updated':
    case 'order.cancelled':
      return `order ${event.payload.orderId} ${whatHappenedToOrder(event)}`;
    case 'reminder.raised':
      return `reminder of invoice ${event.payload.number} raised`;
    case 'email.started':
    case 'email.sent':
    case 'email.failed':
      return `${event.payload.kind} e-mail for ${subjectOf(event)} ${whatHappenedToEmail(event)}`;
    default:
      return `invoice ${event.payload.number} ${whatHappenedToInvoice(event)}`;
  }
}

/** The number of the invoice that the event is about; null when it is about none. */
export function invoiceOf({ payload }: AuditedEvent): string | null {
  return 'number' in payload ? payload.number : null;
}

const subjectOf = ({ payload: { number, orderId } }: EmailEvent) => (number === null ? `order ${orderId}` : `invoice ${number}`);

function whatHappenedToOrder(event: OrderEvent): string {
  switch (event.type) {
    case 'order.created':
      return 'created';
    case 'order.contact-updated':
      return 'contact updated';
    case 'order.cancelled':
      return `cancelled${event.payload.reason === null ? '' : `: ${event.payload.reason}`}`;
  }
}

function whatHappenedToInvoice(event: InvoiceEvent): string {
  switch (event.type) {
    case 'invoice.issued':
      return 'issued';
    case 'invoice.corrected':
      return 'corrected';
    case 'invoice.delivered':
      return 'delivered';
    case 'invoice.delivery-failed':
      return `not delivered: ${event.payload.reason}`;
    case 'invoice.paid':
      return 'paid';
    case 'invoice.voided':
      return 'voided';
  }
}

function whatHappenedToEmail(event: EmailEvent): string {
  switch (event.type) {
    case 'email.started':
      return 'started';
    case 'email.sent':
      return 'sent';
    case 'email.failed':
      return `failed: ${event.payload.reason}`;
  }
}
