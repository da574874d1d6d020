import { emailFailed, emailSent, emailStarted, type EventOf, orderCancelled, orderContactUpdated, orderCreated } from '@shopflow/contracts';

/** Every event that the audit log records. */
export const auditedEvents = [orderCreated, orderContactUpdated, orderCancelled, emailStarted, emailSent, emailFailed] as const;

type Audited<C = (typeof auditedEvents)[number]> = C extends (typeof auditedEvents)[number] ? EventOf<C> : never;
export type AuditedEvent = Audited;

/** What a person reads in the audit log: one sentence. */
export function describeEvent(event: AuditedEvent): string {
  const { orderId } = event.payload;
  switch (event.type) {
    case 'order.created':
      return `order ${orderId} created`;
    case 'order.contact-updated':
      return `order ${orderId} contact updated`;
    case 'order.cancelled':
      return `order ${orderId} cancelled${event.payload.reason === null ? '' : `: ${event.payload.reason}`}`;
    case 'email.started':
      return `${event.payload.kind} e-mail for order ${orderId} started`;
    case 'email.sent':
      return `${event.payload.kind} e-mail for order ${orderId} sent`;
    case 'email.failed':
      return `${event.payload.kind} e-mail for order ${orderId} failed: ${event.payload.reason}`;
  }
}
