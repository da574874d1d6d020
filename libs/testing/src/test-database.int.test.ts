import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase, databaseServerUrl, LeakedConnectionsError } from './test-database.js';

const notes = { name: 'CreateNotes1764460800000', up: 'CREATE TABLE notes (text text)' };

const exists = async (name: string) => {
  const client = new Client({ connectionString: databaseServerUrl() });
  await client.connect();
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  await client.end();
  return rowCount === 1;
};

it('gives a migrated database of its own and drops it', async () => {
  const { name, database, drop } = await createTestDatabase([notes]);
  await database.query('INSERT INTO notes VALUES ($1)', ['hello']);
  expect((await database.query('SELECT text FROM notes')).rows).toEqual([{ text: 'hello' }]);
  await drop();
  expect(await exists(name)).toBe(false);
});

it('drops a database whose replication slot was left behind', async () => {
  const { name, database, drop } = await createTestDatabase([]);
  await database.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [`${name}_slot`]);
  await drop();
  expect(await exists(name)).toBe(false);
});

it('names the application that is still connected at the end, and drops the database all the same', async () => {
  const { name, url, drop } = await createTestDatabase([]);
  const forgotten = new Client({ connectionString: url, application_name: 'forgotten-relay' });
  forgotten.on('error', () => {}); // the drop ends it from the server's side
  await forgotten.connect();
  await expect(drop()).rejects.toThrow(new LeakedConnectionsError(['forgotten-relay']));
  expect(await exists(name)).toBe(false);
});
