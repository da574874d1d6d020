import type { Transaction } from '@shopflow/database';
import type { LeasedDelivery } from './delivery.js';
import { DELIVERY_COLUMNS, type DeliveryRow, leasedFrom } from './delivery-columns.js';
import { prepared } from './prepared.js';

export interface Start {
  readonly now: Date;
  readonly holder: string;
  readonly leaseUntil: Date;
  readonly slotUntil: Date;
}

export interface StartedDelivery extends LeasedDelivery {
  /** Never started before. */
  readonly fresh: boolean;
}

type Row = DeliveryRow & { readonly fresh: boolean };

/** Starts due rows, one of each organization in turn, and further rows of each only when there are more slots than organizations. */
export const startByTurn = (tx: Transaction, start: Start, limit: number): Promise<StartedDelivery[]> =>
  run(tx, 'start-by-turn', BY_TURN, [...valuesOf(start), limit]);

/** Starts again a row whose worker is gone. */
export const startAgain = (tx: Transaction, start: Start, id: string): Promise<StartedDelivery[]> =>
  run(tx, 'start-again', AGAIN, [...valuesOf(start), id]);

async function run(tx: Transaction, name: string, text: string, values: readonly unknown[]): Promise<StartedDelivery[]> {
  const { rows } = await prepared<Row>(tx, name, text, values);
  return rows.map(({ fresh, ...row }) => ({ ...leasedFrom(row), fresh }));
}

const valuesOf = ({ now, holder, leaseUntil, slotUntil }: Start) => [now, holder, leaseUntil, slotUntil];

const START = `
  UPDATE deliveries d
  SET status = 'running', claims = claims + 1, locked_by = $2, locked_until = $3, slot_until = $4,
      started_at = coalesce(started_at, $1::timestamptz)`;
const STARTED = `RETURNING ${DELIVERY_COLUMNS}, old.started_at IS NULL AS fresh`;

const AGAIN = `${START} WHERE d.id = $5 AND d.status = 'running' AND d.locked_until <= $1 ${STARTED}`;

const NEXT = (where: string, lap: string) => `(
  SELECT organization_id, ${lap} AS lap, due_at <= $1::timestamptz AS due FROM deliveries
  WHERE status = 'queued' AND ${where} ORDER BY organization_id, due_at, id LIMIT 1)`;

/**
 * The walk goes from organization to organization, by one look at the index each: behind the turn, and then from the first one
 * up to the turn. It ends when it has met as many with something due as there are slots, so the rows of one organization, however
 * many, and finished rows cost nothing. What is picked is found by its place, which nothing moves under the lock: by its id, a plan
 * made while the table was small could go by the wrong index.
 */
const BY_TURN = `
  WITH RECURSIVE walk (organization_id, lap, due, met, step) AS (
    SELECT turn, 0, false, 0, 0 FROM dispatching
    UNION ALL
    SELECT next.organization_id, next.lap, next.due, walk.met + next.due::int, walk.step + 1
    FROM walk CROSS JOIN LATERAL (
      ${NEXT('walk.lap = 0 AND organization_id > walk.organization_id', '0')}
      UNION ALL
      ${NEXT('walk.lap = 0 AND organization_id <= (SELECT turn FROM dispatching)', '1')}
      UNION ALL
      ${NEXT('walk.lap = 1 AND organization_id > walk.organization_id AND organization_id <= (SELECT turn FROM dispatching)', '1')}
      LIMIT 1) next
    WHERE walk.met < $5::int
  ), picked AS (
    SELECT due.id, due.place, walk.organization_id, walk.step, row_number() OVER (PARTITION BY walk.step ORDER BY due.due_at, due.id) AS nth
    FROM walk CROSS JOIN LATERAL (
      SELECT id, due_at, ctid AS place FROM deliveries
      WHERE status = 'queued' AND organization_id = walk.organization_id AND due_at <= $1::timestamptz
      ORDER BY due_at, id LIMIT $5::int) due
    WHERE walk.due ORDER BY nth, step LIMIT $5::int
  ), served AS (
    SELECT organization_id FROM picked ORDER BY nth DESC, step DESC LIMIT 1
  ), turned AS (
    UPDATE dispatching SET turn = served.organization_id FROM served WHERE turn <> served.organization_id
  ), started AS (
    ${START} WHERE d.ctid = ANY (ARRAY(SELECT place FROM picked)) AND d.status = 'queued' ${STARTED}
  )
  SELECT started.* FROM started JOIN picked USING (id) ORDER BY nth, step`;
