import type { Client } from 'pg';
import type { DrillEvent } from '../evidence/evidence.js';
import { copyIn } from './copy-in.js';
import type { Step } from './plan.js';

/** Takes places of a key, and its lock until the transaction ends: places follow the order of commits. */
const TAKE_PLACES = 'UPDATE drill_keys SET places = places + $2 WHERE key = $1 RETURNING places::int';
const COLUMNS = '(id, aggregateid, type, version, topic, payload)';
const VERSION = 1;
const TYPE = 'order.created';

let written = 0;

/** Takes the places of a step's events. They count as rolled back until somebody commits them. */
export async function takePlaces(client: Client, source: string, { key, rows }: Step): Promise<DrillEvent[]> {
  const { rows: found } = await client.query<{ places: number }>(TAKE_PLACES, [key, rows]);
  const first = found[0]!.places - rows + 1;
  return Array.from({ length: rows }, (_, index) => {
    const place = first + index;
    return { source, key, place, id: `${source}/${key}/${place}/${(written++).toString(36)}`, fate: 'rolled back' };
  });
}

/** @param topic the logical one */
export async function insertEvents(client: Client, events: readonly DrillEvent[], how: Step['how'], topic: string): Promise<void> {
  const rows = events.map((event) => [event.id, event.key, TYPE, String(VERSION), topic, payloadOf(event)]);
  if (how === 'copy')
    return copyIn(
      client,
      `COPY outbox ${COLUMNS} FROM STDIN`,
      rows.map((row) => row.join('\t')),
    );
  for (const some of how === 'each' ? rows.map((row) => [row]) : [rows]) {
    const values = some.map((row, index) => `(${row.map((_, column) => `$${index * row.length + column + 1}`).join()})`);
    await client.query(`INSERT INTO outbox ${COLUMNS} VALUES ${values.join()}`, some.flat());
  }
}

/** From nothing to half a kilobyte beside its place; neither tabs nor backslashes, which COPY would read as its own. */
const payloadOf = ({ key, place }: DrillEvent): string => JSON.stringify({ key, place, note: 'x'.repeat((place * 37) % 500) });
