/** What a run of the story led to. */
export interface Outcome {
  /** Events of the orders outbox that the relay has published. */
  readonly relayed: number;
  /** Requests to publish one of them again that it has answered. */
  readonly relayedAgain: number;
  /** What customers received, by address. */
  readonly mails: readonly { readonly to: string; readonly text: string }[];
  /** Audit rows of the orders' `order.created` events. */
  readonly auditRows: number;
  readonly revenueKobo: number;
  /** Open ones of every group. */
  readonly deadLetters: readonly {
    readonly consumer: string;
    readonly eventId: string;
    readonly attempts: number;
    readonly reason: string;
  }[];
}

/** Three orders of ₦9,000, ₦25,000 and ₦4,500: each counted once, one receipt per mailbox that exists, one letter with its reason. */
export const expectedOutcome: Outcome = {
  relayed: 3,
  relayedAgain: 1,
  mails: [
    { to: 'ada@shop.ng', text: 'Hi Ada, order ORD-1001 is confirmed' },
    { to: 'tunde@shop.ng', text: 'Hello, order ORD-0999 is confirmed' },
  ],
  auditRows: 3,
  revenueKobo: 3_850_000,
  deadLetters: [{ consumer: 'email', eventId: 'evt-ORD-1002', attempts: 1, reason: 'mailbox bola@shop.invalid does not exist' }],
};
