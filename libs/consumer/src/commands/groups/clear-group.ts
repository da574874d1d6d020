import { type Database, sql, type Transaction } from '@shopflow/database';
import type { Asker } from '../operated-group.js';

/**
 * Forgets everything that a group has done, and what it made of it, in one transaction: claims, held events, offsets and projections.
 * Open dead letters are discarded: their events come again. Who did it and why stays.
 *
 * @param tables the projections, by names that the service's own code gives
 */
export async function clearGroup(database: Database, consumer: string, tables: readonly string[], asker: Asker): Promise<void> {
  await database.inTransaction(async (tx) => {
    await sql(tx, 'SET LOCAL statement_timeout = 0'); // millions of claims take minutes to delete
    await discardLetters(tx, consumer, asker);
    for (const statement of FORGET) await sql(tx, statement, [consumer]);
    for (const table of tables) await emptyTable(tx, table);
    await noteRebuild(tx, consumer, asker);
  });
}

const FORGET = [
  'DELETE FROM held_events WHERE consumer = $1',
  'DELETE FROM held_keys WHERE consumer = $1',
  'DELETE FROM processed_events WHERE consumer = $1',
  // No row counts as offset 0, and a group starts from the lower of what the database and Kafka say.
  'DELETE FROM consumed_offsets WHERE consumer = $1',
];

/** A projection's own triggers protect it from its service; a table that only ever grows refuses to be emptied, for instance. */
async function emptyTable(tx: Transaction, table: string): Promise<void> {
  await sql(tx, `ALTER TABLE "${table}" DISABLE TRIGGER USER`);
  await sql(tx, `TRUNCATE "${table}"`);
  await sql(tx, `ALTER TABLE "${table}" ENABLE TRIGGER USER`);
}

async function discardLetters(tx: Transaction, consumer: string, { who, why, now }: Asker): Promise<void> {
  await sql(
    tx,
    `WITH closed AS (
       UPDATE dead_letters SET state = 'discarded' WHERE consumer = $1 AND state = 'open'
       RETURNING consumer, source, event_id, subject)
     INSERT INTO dead_letter_actions (consumer, source, event_id, subject, action, who, why, at)
     SELECT consumer, source, event_id, subject, 'discard', $2, $3, $4 FROM closed`,
    [consumer, who, `rebuild: ${why}`, now],
  );
}

async function noteRebuild(tx: Transaction, consumer: string, { who, why, now }: Asker): Promise<void> {
  const values = [consumer, who, why, now];
  await sql(tx, `INSERT INTO group_actions (consumer, action, who, why, at) VALUES ($1, 'rebuild', $2, $3, $4)`, values);
}
