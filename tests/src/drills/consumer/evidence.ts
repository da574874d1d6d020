import type { Client } from 'pg';
import type { DrillEvent } from './fate.js';

export interface Effect {
  readonly eventId: string;
  /** Tries that were charged before. */
  readonly attempts: number;
  readonly early: boolean;
}

export interface Letter {
  readonly eventId: string;
  readonly kind: string;
  readonly reason: string;
  readonly attempts: number;
  readonly state: 'open' | 'replayed' | 'discarded';
  readonly published: boolean;
  readonly replays: number;
  readonly discards: number;
}

/** What is left of a drill, for {@link judge}. */
export interface Evidence {
  /** Everything that was published, in source order. */
  readonly events: readonly DrillEvent[];
  /** In the order in which they were committed. */
  readonly effects: readonly Effect[];
  readonly letters: readonly Letter[];
  /** Event ids of the records of the DLQ topic. */
  readonly dlq: readonly string[];
  readonly claims: readonly string[];
  /** Event ids, and keys without any. */
  readonly held: readonly string[];
  /** An id for each time that an event of fate `kills` or `hangs` began. */
  readonly starts: readonly string[];
  /** A crash of the server may forget a start that was counted just before. */
  readonly databaseCrashes: number;
}

type Stored = Pick<Evidence, 'effects' | 'letters' | 'claims' | 'held'>;

/** Reads what the group has stored. */
export async function readStored(client: Client): Promise<Stored> {
  const ids = async (text: string) => (await client.query<{ id: string }>(text)).rows.map(({ id }) => id);
  return {
    effects: (await client.query<Effect>(EFFECTS)).rows,
    letters: (await client.query<Letter>(LETTERS)).rows,
    claims: await ids('SELECT event_id AS id FROM processed_events'),
    held: await ids(`SELECT event_id AS id FROM held_events UNION ALL SELECT convert_from(key, 'UTF8') FROM held_keys`),
  };
}

const EFFECTS = `
  SELECT event_id AS "eventId", attempts, early FROM effects 
  ORDER BY CASE WHEN current_setting('track_commit_timestamp')::boolean THEN pg_xact_commit_timestamp(xmin) END, seq`;

const LETTERS = `
  SELECT event_id AS "eventId", error_kind AS kind, reason, attempts, state, published_at IS NOT NULL AS published,
    (SELECT count(*)::int FROM dead_letter_actions AS done WHERE done.event_id = letter.event_id AND action = 'replay') AS replays,
    (SELECT count(*)::int FROM dead_letter_actions AS done WHERE done.event_id = letter.event_id AND action = 'discard') AS discards
  FROM dead_letters AS letter ORDER BY seq`;
