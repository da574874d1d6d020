import type { emailFailed, emailSent, emailStarted, EventOf } from '@shopflow/contracts';

export type DeliveryStatus = 'queued' | 'running' | 'sent' | 'dead';

/** The e-mail with an invoice, as far as the email service has told of it. Times are ISO 8601 in UTC. */
export interface Delivery {
  readonly deliveryId: number;
  readonly invoiceId: number;
  readonly number: string;
  readonly status: DeliveryStatus;
  /** Calls to the mail provider, known once it is over. */
  readonly attempts: number;
  readonly providerId: string | null;
  /** Why it was given up, for a person; null unless it is dead. */
  readonly reason: string | null;
  /** Id of the request that asked for it. */
  readonly correlationId: string | null;
  readonly createdAt: string;
  readonly changedAt: string;
}

export type EmailEvent = EventOf<typeof emailStarted> | EventOf<typeof emailSent> | EventOf<typeof emailFailed>;

/** What the delivery is after the event, or undefined when nothing changes: `sent` is final, and a repetition says nothing new. */
export function decideProgress(
  status: DeliveryStatus,
  event: EmailEvent,
): Pick<Delivery, 'status' | 'attempts' | 'providerId' | 'reason'> | undefined {
  if (status === 'sent') return undefined;
  switch (event.type) {
    case 'email.started': // of a dead one: somebody replayed it
      return status === 'running' ? undefined : { status: 'running', attempts: 0, providerId: null, reason: null };
    case 'email.sent':
      return { status: 'sent', attempts: event.payload.attempts, providerId: event.payload.providerId, reason: null };
    case 'email.failed':
      return { status: 'dead', attempts: event.payload.attempts, providerId: null, reason: event.payload.reason };
  }
}

const ID = /^delivery-([1-9]\d{0,15})$/;

/** `delivery-7`: its name in events, and its `Idempotency-Key`. */
export const eventIdOf = (deliveryId: number): `delivery-${number}` => `delivery-${deliveryId}`;

/** The other way round; undefined for what is no delivery of an invoice. */
export function deliveryIdOf(name: string): number | undefined {
  const digits = ID.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
