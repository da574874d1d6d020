import { type Database, type Migration, sql } from '@shopflow/database';
import type { EntityManager } from 'typeorm';
import { consumerMigrations } from '../migrations.js';

/** A consuming service's database with one table that shows every effect that was made. */
export const effectMigrations: readonly Migration[] = [
  ...consumerMigrations,
  { name: 'CreateEffects1764460800901', up: 'CREATE TABLE effects (seq bigint GENERATED ALWAYS AS IDENTITY, event_id text, note text)' },
];

export async function effect(tx: EntityManager, { id }: { id: string }, note = ''): Promise<void> {
  await sql(tx, 'INSERT INTO effects (event_id, note) VALUES ($1, $2)', [id, note]);
}

/** Ids of the events that took effect, in the order of the effects. */
export async function effects(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ event_id: string }>('SELECT event_id FROM effects ORDER BY seq');
  return rows.map((row) => row.event_id);
}

export async function claimed(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ event_id: string }>('SELECT event_id FROM processed_events ORDER BY event_id');
  return rows.map((row) => row.event_id);
}

/** Between tests that share a database. */
export async function forgetEverything(database: Database): Promise<void> {
  await database.query(
    'TRUNCATE effects, processed_events, consumed_offsets, held_events, held_keys, dead_letters, dead_letter_actions, group_pauses, group_actions',
  );
}
