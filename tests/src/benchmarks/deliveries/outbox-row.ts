/** The data of a job, of which its event is made. */
export interface JobData {
  readonly deliveryId: string;
  readonly orderId: string;
  readonly causeEventId: string;
  readonly email: string;
}

/** The data of job `n`, in SQL: every contender is given the same. */
export const JOB_DATA = `jsonb_build_object('deliveryId', 'delivery-' || n, 'orderId', 'ORD-' || n, 'causeEventId', 'evt-ORD-' || n,
  'email', 'buyer' || n || '@example.ng')`;

/** One `email.sent` for each, as our ledger writes it. `$1` to `$4`: keys, payloads, correlations, causes. */
export const INSERT_EVENTS = `
  INSERT INTO outbox (aggregateid, type, version, topic, payload, organization_id, correlation_id, causation_id)
  SELECT key, 'email.sent', 2, 'emails.events', payload::jsonb, 'shopflow', correlation, cause
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS event (key, payload, correlation, cause)`;

/** The values of {@link INSERT_EVENTS}. */
export function eventsOf(jobs: readonly (JobData & { readonly providerId: string })[]): unknown[] {
  return [
    jobs.map(({ orderId }) => orderId),
    jobs.map(({ orderId, deliveryId, causeEventId, providerId }) =>
      JSON.stringify({ orderId, number: null, deliveryId, kind: 'receipt', causeEventId, providerId, attempts: 1 }),
    ),
    jobs.map(({ deliveryId }) => `req-${deliveryId}`),
    jobs.map(({ causeEventId }) => causeEventId),
  ];
}

/** The mail that the event's e-mail would be: composed by everybody. */
export const mailOf = ({ email, orderId }: JobData) => ({
  to: email,
  subject: `Order ${orderId} is confirmed`,
  text: `Hello, order ${orderId} is confirmed`,
});
