import { randomBytes } from 'node:crypto';
import { migrate } from '@shopflow/database';
import { unlessAborted } from '@shopflow/kafka';
import { outboxMigrations } from '@shopflow/outbox';
import { dropDatabase, withClient, withDatabase } from '@shopflow/servers';
import type { Bench, Place } from './bench.js';
import { ADD_EVENT } from './event.js';

/** Makes a database with an empty outbox, works with it, drops it with its slots. */
export async function withOutbox<T>(bench: Bench, work: (place: Place) => Promise<T>): Promise<T> {
  const namespace = `bench-${randomBytes(4).toString('hex')}`;
  const name = namespace.replace('-', '_');
  const databaseUrl = withDatabase(bench.serverUrl, name);
  await withClient(bench.serverUrl, (admin) => admin.query(`CREATE DATABASE ${name}`));
  try {
    await migrate(databaseUrl, outboxMigrations);
    await withClient(databaseUrl, (client) => client.query(ADD_EVENT));
    return await work({ ...bench, namespace, databaseUrl });
  } finally {
    await withClient(bench.serverUrl, (admin) => dropDatabase(admin, name));
  }
}

/** Writers at once. Each has every so-manieth event, and as the number of keys is a multiple of it, all events of its keys. */
const WRITERS = 2;

/** Each event in a transaction of its own, as orders make them. */
const FILL = (from: number, to: number) =>
  `DO $$ BEGIN FOR n IN ${from}..${to - 1} BY ${WRITERS} LOOP PERFORM add_event(n); COMMIT; END LOOP; END $$`;

/** Commits events `from` … `to`-1, those of a key in this order. That nobody waits for the disk is quicker, and nothing to the contender. */
export async function fill({ databaseUrl, signal }: Place, from: number, to: number): Promise<void> {
  const write = (writer: number) =>
    withClient(databaseUrl, async (client) => {
      await client.query('SET synchronous_commit = off');
      await unlessAborted(client.query(FILL(from + writer, to)), signal);
    });
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  // Writing them out is not for the contender to pay.
  await withClient(databaseUrl, (client) => client.query('CHECKPOINT'));
}
