import { type EventContract, emailFailed, emailSent, emailStarted, type PayloadOf } from '@shopflow/contracts';
import type { Transaction } from '@shopflow/database';
import type { Outbox } from '@shopflow/outbox';
import type { LeasedDelivery } from './delivery.js';
import { inContextOf } from './delivery-context.js';

/** The events that tell other services how an e-mail fares, written with the change of its row. */
export class Announcer {
  constructor(private readonly outbox: Outbox) {}

  started(tx: Transaction, delivery: About): Promise<void> {
    return this.append(tx, emailStarted, delivery, subjectOf(delivery));
  }

  sent(tx: Transaction, delivery: About, result: { providerId: string; attempts: number }): Promise<void> {
    return this.append(tx, emailSent, delivery, { ...subjectOf(delivery), ...result });
  }

  failed(tx: Transaction, delivery: About, result: { reason: string; attempts: number }): Promise<void> {
    return this.append(tx, emailFailed, delivery, { ...subjectOf(delivery), ...result });
  }

  private async append<C extends EventContract>(tx: Transaction, contract: C, about: About, payload: PayloadOf<C>): Promise<void> {
    const { correlationId, causeEventId, organizationId } = about;
    const options = { correlationId, causationId: causeEventId, organizationId };
    await inContextOf(about, () => this.outbox.append(tx, contract, payload, options));
  }
}

type About = Omit<LeasedDelivery, 'contact' | 'invoice' | 'lease'>;

const subjectOf = ({ id, kind, orderId, number, causeEventId }: About) => ({ orderId, number, deliveryId: id, kind, causeEventId });
