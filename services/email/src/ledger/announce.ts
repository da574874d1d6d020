import { emailFailed, emailSent, emailStarted } from '@shopflow/contracts';
import type { Transaction } from '@shopflow/database';
import type { Outbox } from '@shopflow/outbox';
import type { LeasedDelivery } from './delivery.js';

/** The events that tell other services how e-mails fare, written with the change of their rows. */
export class Announcer {
  constructor(private readonly outbox: Outbox) {}

  started(tx: Transaction, deliveries: readonly About[]): Promise<void> {
    return this.outbox.appendAll(
      tx,
      emailStarted,
      deliveries.map((delivery) => ({ ...originOf(delivery), payload: subjectOf(delivery) })),
    );
  }

  sent(tx: Transaction, sent: readonly { delivery: About; providerId: string; attempts: number }[]): Promise<void> {
    const events = sent.map(({ delivery, ...result }) => ({ ...originOf(delivery), payload: { ...subjectOf(delivery), ...result } }));
    return this.outbox.appendAll(tx, emailSent, events);
  }

  async failed(tx: Transaction, delivery: About, result: { reason: string; attempts: number }): Promise<void> {
    await this.outbox.append(tx, emailFailed, { ...subjectOf(delivery), ...result }, originOf(delivery));
  }
}

type About = Omit<LeasedDelivery, 'contact' | 'invoice' | 'lease'>;

/** The request that asked for the e-mail, long before. */
const originOf = ({ correlationId, causeEventId, organizationId, traceparent, tracestate }: About) => ({
  correlationId,
  causationId: causeEventId,
  organizationId,
  traceparent,
  tracestate,
});

const subjectOf = ({ id, kind, orderId, number, causeEventId }: About) => ({ orderId, number, deliveryId: id, kind, causeEventId });
