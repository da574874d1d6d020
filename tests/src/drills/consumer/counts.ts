import type { Client } from 'pg';

/** Where a group stands, as its database says. */
export interface Counts {
  readonly effects: number;
  readonly held: number;
  /** Heads that wait for a decision. */
  readonly blocked: number;
  readonly dead: number;
  readonly unpublished: number;
  /** Of each partition that was ever read. */
  readonly nextOffsets: Readonly<Record<number, number>>;
}

export async function readCounts(client: Client): Promise<Counts> {
  const { rows } = await client.query<Counts>(`
    SELECT (SELECT count(*)::int FROM effects) AS effects, (SELECT count(*)::int FROM held_keys) + count(*)::int AS held,
      count(*) FILTER (WHERE state = 'dead')::int AS blocked,
      (SELECT count(*)::int FROM dead_letters WHERE state = 'open') AS dead,
      (SELECT count(*)::int FROM dead_letters WHERE published_at IS NULL) AS unpublished,
      (SELECT COALESCE(json_object_agg(partition, next_offset), '{}') FROM consumed_offsets) AS "nextOffsets"
    FROM held_events`);
  return rows[0]!;
}
