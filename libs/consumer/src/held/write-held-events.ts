import { sql, type Transaction } from '@shopflow/database';
import { boundedText } from '../bounded-text.js';
import type { Standing } from './held-event.js';
import type { HeldKey } from './held-key.js';

/** Held events of one key, by their `seq`. */
export interface HeldSeqs extends HeldKey {
  readonly consumer: string;
  readonly seqs: readonly number[];
}

const THESE = 'consumer = $1 AND topic = $2 AND key = $3 AND seq = ANY($4::bigint[])';

const valuesOf = ({ consumer, topic, key, seqs }: HeldSeqs): unknown[] => [consumer, topic, key, seqs];

/** Takes events that are done with, or dead and not in anybody's way, out of their key. */
export async function deleteHeldEvents(tx: Transaction, held: HeldSeqs): Promise<void> {
  if (held.seqs.length > 0) await sql(tx, `DELETE FROM held_events WHERE ${THESE}`, valuesOf(held));
}

/** Writes down how an event stands after its try. */
export async function restandHeldEvent(
  tx: Transaction,
  { consumer, topic, key, seq }: HeldKey & { consumer: string; seq: number },
  { waitsFor, attempts, dueAt, failure }: Standing,
): Promise<void> {
  await sql(
    tx,
    `UPDATE held_events SET waits_for = $5, state = CASE $5 WHEN 'a decision' THEN 'dead' ELSE 'waiting' END, attempts = $6, starts = 0,
       due_at = $7, reason = $8, first_failed_at = $9, last_failed_at = $10
     WHERE consumer = $1 AND topic = $2 AND key = $3 AND seq = $4`,
    [
      consumer,
      topic,
      key,
      seq,
      waitsFor,
      attempts,
      dueAt,
      failure && boundedText(failure.reason),
      failure?.firstFailedAt ?? null,
      failure?.lastFailedAt ?? null,
    ],
  );
}

/** Events whose start was counted and whose turn did not come. */
export async function uncountStarts(tx: Transaction, held: HeldSeqs): Promise<void> {
  if (held.seqs.length > 0) await sql(tx, `UPDATE held_events SET starts = 0 WHERE ${THESE}`, valuesOf(held));
}
