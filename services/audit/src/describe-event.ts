import type { EventOf, emailFailed, emailSent, emailStarted, orderCancelled, orderContactUpdated, orderCreated } from '@shopflow/contracts';

// What a person reads in the audit log, one sentence per event type.

export const describe = {
  orderCreated: ({ payload }: EventOf<typeof orderCreated>) => `order ${payload.orderId} created`,
  orderContactUpdated: ({ payload }: EventOf<typeof orderContactUpdated>) => `order ${payload.orderId} contact updated`,
  orderCancelled: ({ payload }: EventOf<typeof orderCancelled>) =>
    `order ${payload.orderId} cancelled${payload.reason === null ? '' : `: ${payload.reason}`}`,
  emailStarted: ({ payload }: EventOf<typeof emailStarted>) => `${payload.kind} e-mail for order ${payload.orderId} started`,
  emailSent: ({ payload }: EventOf<typeof emailSent>) => `${payload.kind} e-mail for order ${payload.orderId} sent`,
  emailFailed: ({ payload }: EventOf<typeof emailFailed>) =>
    `${payload.kind} e-mail for order ${payload.orderId} failed: ${payload.reason}`,
};
