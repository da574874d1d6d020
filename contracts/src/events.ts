import type { EventContract } from './contract.js';
import { emailFailed } from './email-failed/index.js';
import { emailSent } from './email-sent/index.js';
import { emailStarted } from './email-started/index.js';
import { invoiceCorrected } from './invoice-corrected/index.js';
import { invoiceDelivered } from './invoice-delivered/index.js';
import { invoiceDeliveryFailed } from './invoice-delivery-failed/index.js';
import { invoiceIssued } from './invoice-issued/index.js';
import { invoicePaid } from './invoice-paid/index.js';
import { invoiceVoided } from './invoice-voided/index.js';
import { orderCancelled } from './order-cancelled/index.js';
import { orderContactUpdated } from './order-contact-updated/index.js';
import { orderCreated } from './order-created/index.js';
import { reminderRaised } from './reminder-raised/index.js';

export {
  emailFailed,
  emailSent,
  emailStarted,
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
};

/** Every event that ShopFlow publishes. */
export const events: readonly EventContract[] = [
  orderCreated,
  orderContactUpdated,
  orderCancelled,
  invoiceIssued,
  invoiceCorrected,
  invoiceDelivered,
  invoiceDeliveryFailed,
  invoicePaid,
  invoiceVoided,
  emailStarted,
  emailSent,
  emailFailed,
  reminderRaised,
];
