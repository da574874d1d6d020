import type { Contact } from '../contact/contact.js';
import type { Invoice } from '../invoice/invoice.js';

/** What the e-mail is. */
export type DeliveryKind = 'receipt' | 'invoice' | 'reminder';

/**
 * ```
 * queued ──claim──► running ──accepted──► sent
 *   ▲                 │ │
 *   ├──may heal───────┘ └──refused, 4th failure, 3 crashes──► dead
 *   └──replay, corrected contact──────────────────────────────┘
 * ```
 */
export type DeliveryStatus = 'queued' | 'running' | 'sent' | 'dead';

/** One e-mail that is owed to a customer, or was. */
export interface Delivery {
  /** Also the `Idempotency-Key` at the provider, through every attempt and replay. A receipt has the id of its event, an invoice `delivery-7`, a reminder `reminder:1:2026-10-05`. */
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly status: DeliveryStatus;
  /** Null for an invoice without an order. */
  readonly orderId: string | null;
  /** Number of the invoice that it is about; null for a receipt. */
  readonly number: string | null;
  readonly organizationId: string;
  readonly causeEventId: string;
  readonly correlationId: string | null;
  /** Calls to the provider that count against the four. */
  readonly attempts: number;
  /** Starts that have not finished: one while an attempt runs, more after crashes. */
  readonly claims: number;
  readonly dueAt: Date;
  readonly providerId: string | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

/** The right to work on a delivery. It names one claim: whoever claims the row again has another one. */
export interface Lease {
  /** The worker and which of its claims. */
  readonly holder: string;
  /** Put off while the worker is seen to be at it. */
  until: Date;
}

/** A running delivery and whose it is. */
export interface LeasedDelivery {
  readonly id: string;
  readonly kind: DeliveryKind;
  /** Null for an invoice without an order. */
  readonly orderId: string | null;
  /** Number of the invoice that it is about; null for a receipt. */
  readonly number: string | null;
  readonly organizationId: string;
  readonly causeEventId: string;
  readonly correlationId: string | null;
  readonly traceparent: string | null;
  readonly tracestate: string | null;
  /** Charged before this attempt. */
  readonly attempts: number;
  readonly claims: number;
  /** As it was at the claim; undefined when none is known. */
  readonly contact: Contact | undefined;
  /** As it was at the claim; undefined for a receipt. */
  readonly invoice: Invoice | undefined;
  readonly lease: Lease;
}

/** A delivery that this worker may try to send once. */
export interface ClaimedDelivery extends LeasedDelivery {
  /** A call that begins later could be one too many at the provider. */
  readonly callBefore: Date;
  /** The lease is not renewed from then on: by then the call has long timed out and its result could have been written. */
  readonly renewBefore: Date;
}

/** Gives the row free again, in any UPDATE that ends a claim. */
export const NO_LEASE = 'locked_by = NULL, locked_until = NULL, slot_until = NULL';
