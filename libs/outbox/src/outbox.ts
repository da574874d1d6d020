import type { EventContract, PayloadOf } from '@shopflow/contracts';
import { clientOf, type Transaction } from '@shopflow/database';
import { currentContext } from '@shopflow/telemetry';
import { checkId, checkPayload } from './check-event.js';
import { EventRefusedError, NoTransactionError } from './event-refused.js';

export interface AppendOptions {
  /** Where the event has a natural id, e.g. `evt-ORD-1001`; a UUIDv7 otherwise. At most 200 bytes. */
  readonly eventId?: string;
  /** Kafka key; otherwise the payload's `orderId`, and where that is null the invoice's `number`. */
  readonly key?: string;
  /** The current context's otherwise. */
  readonly correlationId?: string | null;
  /** Id of the event that caused this one. */
  readonly causationId?: string | null;
  /** The current context's otherwise, and `shopflow` where there is none. */
  readonly organizationId?: string;
  /** W3C trace context; the current context's otherwise. */
  readonly traceparent?: string | null;
  readonly tracestate?: string | null;
}

/** One of many events that are appended together. */
export type AppendedEvent<C extends EventContract> = AppendOptions & { readonly payload: PayloadOf<C> };

const INSERT = `
  INSERT INTO outbox (id, aggregateid, type, version, topic, payload, organization_id, correlation_id, causation_id, traceparent, tracestate)
  VALUES (coalesce($1, uuidv7()::text), $2, $3, $4, $5, $6, coalesce($7, 'shopflow'), $8, $9, $10, $11)
  RETURNING id`;

const INSERT_MANY = `
  INSERT INTO outbox (id, aggregateid, type, version, topic, payload, organization_id, correlation_id, causation_id, traceparent, tracestate)
  SELECT coalesce(id, uuidv7()::text), key, type, version, topic, payload::jsonb, coalesce(organization_id, 'shopflow'),
         correlation_id, causation_id, traceparent, tracestate
  FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
    WITH ORDINALITY AS event (id, key, type, version, topic, payload, organization_id, correlation_id, causation_id, traceparent, tracestate, place)
  ORDER BY place`;

/** The events that one service publishes: rows that commit with the change they tell of, and that the relay then sends. */
export class Outbox {
  /** @param source the service, as contracts name their owner: `orders` */
  constructor(private readonly source: string) {}

  /**
   * Writes an event of the contract's latest version into the transaction.
   *
   * @returns the event's id
   * @throws EventRefusedError when the contract, its owner or the size limit forbids it
   * @throws NoTransactionError when `tx` is not an open transaction
   */
  async append<C extends EventContract>(tx: Transaction, contract: C, payload: PayloadOf<C>, options: AppendOptions = {}): Promise<string> {
    this.assertOwner(contract);
    const row = rowOf(contract, payload, options);
    const client = await clientOfOpen(tx, contract);
    const { rows } = await client.query<{ id: string }>(INSERT, row);
    return rows[0]!.id;
  }

  /**
   * Writes many events of one contract with one statement, in their order. All of them, or none when one is refused.
   *
   * @throws as {@link append} does
   */
  async appendAll<C extends EventContract>(tx: Transaction, contract: C, events: readonly AppendedEvent<C>[]): Promise<void> {
    this.assertOwner(contract);
    const rows = events.map(({ payload, ...options }) => rowOf(contract, payload, options));
    const client = await clientOfOpen(tx, contract);
    if (rows.length > 0) await client.query(INSERT_MANY, columnsOf(rows));
  }

  private assertOwner({ type, owner }: EventContract): void {
    if (owner === this.source) return;
    throw new EventRefusedError(type, [], `${this.source} may not publish it`, `only its owner ${owner} does`);
  }
}

async function clientOfOpen(tx: Transaction, { type }: EventContract): ReturnType<typeof clientOf> {
  if (!tx.queryRunner) throw new NoTransactionError(type);
  const client = await clientOf(tx);
  if (client.getTransactionStatus() === 'I') throw new NoTransactionError(type);
  return client;
}

/** An event about neither an order nor an invoice needs the option `key`; an empty key is refused. */
function keyOf(payload: object): string {
  const { orderId, number } = payload as { orderId?: unknown; number?: unknown };
  const key = orderId ?? number;
  return typeof key === 'string' ? key : '';
}

/** The values of an event's row, checked. */
function rowOf(contract: EventContract, payload: object, options: AppendOptions): unknown[] {
  const { type, latest, topic } = contract;
  const json = checkPayload(contract, payload);
  const key = options.key ?? keyOf(payload);
  checkId(type, 'key', key);
  if (options.eventId !== undefined) checkId(type, 'eventId', options.eventId);
  // What an option says counts, null too.
  const { correlationId = null, organizationId = null, traceparent = null, tracestate = null } = { ...currentContext(), ...options };
  const { eventId = null, causationId = null } = options;
  return [eventId, key, type, latest.number, topic.name, json, organizationId, correlationId, causationId, traceparent, tracestate];
}

const columnsOf = (rows: readonly (readonly unknown[])[]): unknown[][] => rows[0]!.map((_, column) => rows.map((row) => row[column]));
