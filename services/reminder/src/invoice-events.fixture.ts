import { EventContext } from '@shopflow/consumer';
import {
  type EventContract,
  type EventOf,
  invoiceCorrected,
  invoiceDelivered,
  invoiceIssued,
  invoicePaid,
  invoiceVoided,
} from '@shopflow/contracts';
import type { Transaction } from '@shopflow/database';
import type { InvoicesConsumer } from './consuming/invoices.consumer.js';

/** An event of the invoices service and its place in the topic. */
export interface Told {
  readonly contract: EventContract;
  readonly payload: Record<string, unknown>;
  /** When it happened, in hours after 2026-09-01; also its offset. */
  readonly place: number;
}

const subject = { orderId: null, invoiceId: 1, number: 'INV-0001' };
const particulars = { recipient: 'accounts@mamaput.ng', amountKobo: 4_500_000, dueOn: '2026-10-01' };

/** INV-0001: due on 2026-10-01, its address corrected. */
export const story = {
  issued: { contract: invoiceIssued, payload: { ...subject, ...particulars, deliveryId: 'delivery-1' }, place: 1 },
  corrected: { contract: invoiceCorrected, payload: { ...subject, ...particulars, recipient: 'finance@mamaput.ng' }, place: 2 },
  delivered: { contract: invoiceDelivered, payload: { ...subject, deliveryId: 'delivery-1', kind: 'invoice' }, place: 3 },
  reminded: { contract: invoiceDelivered, payload: { ...subject, deliveryId: 'delivery-1', kind: 'reminder' }, place: 4 },
  paid: { contract: invoicePaid, payload: { ...subject, paidOn: '2026-10-02' }, place: 5 },
  voided: { contract: invoiceVoided, payload: subject, place: 6 },
} as const satisfies Record<string, Told>;

/** The consumer's method for each event. */
const handlers: Readonly<Record<string, keyof InvoicesConsumer>> = {
  'invoice.issued': 'keep',
  'invoice.corrected': 'keep',
  'invoice.delivered': 'onDelivered',
  'invoice.paid': 'onPaid',
  'invoice.voided': 'onVoided',
};

/** Hands the event to the consumer as its group would. */
export async function tell(consumer: InvoicesConsumer, tx: Transaction, { contract, payload, place }: Told, organizationId = 'shopflow') {
  const time = new Date(Date.UTC(2026, 8, 1, place));
  const record = { topic: contract.topic.name, partition: 0, offset: place } as EventContext['record'];
  const event = { type: contract.type, payload, time, organizationId } as EventOf<typeof invoiceIssued>;
  const handler = consumer[handlers[contract.type]!] as (event: unknown, context: EventContext) => Promise<void>;
  await handler.call(consumer, event, new EventContext(tx, 'reminder', record, new AbortController()));
}

/** Every order in which the things can come. */
export function permutations<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((first, index) => permutations(things.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}
