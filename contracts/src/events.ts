import type { EventContract } from './contract.js';
import { emailFailed } from './email-failed/index.js';
import { emailSent } from './email-sent/index.js';
import { emailStarted } from './email-started/index.js';
import { orderCancelled } from './order-cancelled/index.js';
import { orderContactUpdated } from './order-contact-updated/index.js';
import { orderCreated } from './order-created/index.js';

export { emailFailed, emailSent, emailStarted, orderCancelled, orderContactUpdated, orderCreated };

/** Every event that ShopFlow publishes. */
export const events: readonly EventContract[] = [orderCreated, orderContactUpdated, orderCancelled, emailStarted, emailSent, emailFailed];
