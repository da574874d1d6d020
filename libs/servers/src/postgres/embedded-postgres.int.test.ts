import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { preflight } from '../preflight/preflight.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { reachableFolder } from './reachable-folder.js';
import { unprivilegedAccount } from './unprivileged-account.js';

let dir: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  // Only its owner may enter it: as root, the server's account cannot, and its data has to be elsewhere.
  dir = await mkdtemp(join(tmpdir(), 'shopflow-postgres-'));
  postgres = await EmbeddedPostgres.start({ dir: join(dir, 'postgres') });
});

afterAll(async () => {
  await postgres.remove();
  await rm(dir, { recursive: true });
});

async function query<Row extends object>(text: string): Promise<Row[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

const dataDir = async () => join(await reachableFolder(join(dir, 'postgres'), unprivilegedAccount()), 'data');

it('offers logical replication, on the loopback interface alone, with a bound on what a slot may keep', async () => {
  const settings = await query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN ('wal_level', 'listen_addresses', 'max_slot_wal_keep_size', 'fsync') ORDER BY name`,
  );
  expect(settings.map(({ name, setting }) => `${name}=${setting}`)).toEqual([
    'fsync=on',
    'listen_addresses=127.0.0.1',
    'max_slot_wal_keep_size=4096',
    'wal_level=logical',
  ]);
});

it('keeps what was committed through kill -9, and comes back on the same port', async () => {
  await query('CREATE TABLE kept AS SELECT 42 AS answer');
  const { port } = postgres;
  await postgres.kill();
  await postgres.restart();
  expect(postgres.port).toBe(port);
  expect(await query('SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

it('starts although the lock of a killed server names a process that is another one by now', async () => {
  await postgres.kill();
  // Of the same account: PostgreSQL takes a process of another one for no danger.
  const another = spawn('sleep', ['60'], { ...unprivilegedAccount(), stdio: 'ignore' });
  const lock = join(await dataDir(), 'postmaster.pid');
  await writeFile(lock, (await readFile(lock, 'utf8')).replace(/^\d+/, String(another.pid)));
  postgres = await EmbeddedPostgres.start({ dir: join(dir, 'postgres'), port: postgres.port });
  expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  another.kill();
});

it('says in one line that its port is taken, and with which variable another one is chosen', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const starting = EmbeddedPostgres.start({ dir: join(dir, 'another'), port });
  await expect(starting).rejects.toThrow(
    `port ${port}, which PostgreSQL wants, is taken: stop what listens there, or choose another with POSTGRES_PORT=…`,
  );
  other.close();
  await EmbeddedPostgres.removeData(join(dir, 'another'));
});

it('is refused by the preflight without logical replication or free slots, with what to set', async () => {
  await postgres.stop();
  const { port } = postgres;
  postgres = await EmbeddedPostgres.start({
    dir: join(dir, 'postgres'),
    port,
    settings: { wal_level: 'replica', max_replication_slots: '1' },
  });
  const checking = preflight({ kafkaBrokers: `127.0.0.1:${port}`, databaseUrl: postgres.url, slots: ['a_orders', 'a_email'] });
  await expect(checking).rejects.toThrow(
    [
      `no Kafka at 127.0.0.1:${port} (what listens there is not a Kafka broker): start it, or correct KAFKA_BROKERS`,
      `PostgreSQL at 127.0.0.1:${port} has wal_level=replica, so the outbox cannot be read: set wal_level=logical and restart the server`,
      `PostgreSQL at 127.0.0.1:${port} has 1 free replication slots and 2 are needed: drop unused ones, or raise max_replication_slots`,
    ].join('\n'),
  );
});
