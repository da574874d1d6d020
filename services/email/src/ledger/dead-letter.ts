import { causeOf, closeDeadLetter, type DeathKind, decodeHeaders, openDeadLetter } from '@shopflow/consumer';
import { sql, type Transaction } from '@shopflow/database';

/** The consumer group whose dead letters these are. */
export const GROUP = 'email';
/** What died of the event: not its handling, which ended with a row in the ledger, but the e-mail. */
const SUBJECT = 'delivery';

/** Who asks for a second chance, and why; kept for ever. */
export interface Asker {
  readonly who: string;
  readonly why: string;
}

/** Opens the letter of a delivery that has just been marked dead. Its record goes to `email.dlq` after the commit. */
export async function openDeliveryLetter(tx: Transaction, id: string, errorKind: DeathKind, now: Date): Promise<void> {
  const { rows } = await sql<LetterRow>(tx, SELECT, [id]);
  for (const { timestamp, offset, headers, topic, partition, key, value, ...death } of rows) {
    const record = {
      topic,
      partition,
      key,
      value,
      offset: Number(offset),
      timestamp: timestamp.getTime(),
      headers: decodeHeaders(headers),
    };
    const cause = causeOf(new Error(death.reason), SUBJECT);
    await openDeadLetter(tx, { ...death, consumer: GROUP, subject: SUBJECT, record, errorKind, cause, lastFailedAt: now });
  }
}

/** Closes the letter of a delivery that is brought back. One that somebody discarded stays discarded. */
export async function closeDeliveryLetter(tx: Transaction, cause: { source: string; eventId: string }, asker: Asker): Promise<void> {
  await closeDeadLetter(tx, { ...cause, consumer: GROUP, subject: SUBJECT }, { action: 'replay', ...asker });
}

interface LetterRow {
  readonly source: string;
  readonly eventId: string;
  readonly type: string;
  readonly version: number;
  readonly orderId: string;
  readonly correlationId: string | null;
  readonly attempts: number;
  readonly reason: string;
  readonly firstFailedAt: Date;
  readonly topic: string;
  readonly partition: number;
  /** bigint, as text. */
  readonly offset: string;
  readonly timestamp: Date;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Record<string, string | string[]>;
}

const SELECT = `
  SELECT cause_source AS source, cause_event_id AS "eventId", cause_type AS type, cause_version AS version, coalesce(order_id, number) AS "orderId",
         correlation_id AS "correlationId", attempts, last_error AS reason, first_failed_at AS "firstFailedAt",
         record_topic AS topic, record_partition AS partition, record_offset AS "offset", record_timestamp AS timestamp,
         record_key AS key, record_value AS value, record_headers AS headers
  FROM deliveries WHERE id = $1`;
