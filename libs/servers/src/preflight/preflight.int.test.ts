import { databaseServerUrl, kafkaBrokers, uniqueNamespace } from '@shopflow/testing';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { freePort } from '../port.js';
import { preflight } from './preflight.js';

const servers = () => ({ kafkaBrokers: kafkaBrokers(), databaseUrl: databaseServerUrl(), slots: [] });

const withUser = (username: string, password: string) => Object.assign(new URL(databaseServerUrl()), { username, password }).toString();

it('has nothing against the servers of the tests', async () => {
  await expect(preflight(servers())).resolves.toBeInstanceOf(Array);
});

it('accepts a list of brokers of which one answers', async () => {
  await expect(preflight({ ...servers(), kafkaBrokers: `127.0.0.1:${await freePort()},${kafkaBrokers()}` })).resolves.toBeInstanceOf(Array);
});

it('names every server that is not there, and the variable that is wrong', async () => {
  const port = await freePort();
  const databaseUrl = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  await expect(preflight({ kafkaBrokers: `127.0.0.1:${port}`, databaseUrl, slots: [] })).rejects.toThrow(
    [
      `no Kafka at 127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port}): start it, or correct KAFKA_BROKERS`,
      `no PostgreSQL at 127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port}): start it, or correct DATABASE_URL`,
    ].join('\n'),
  );
});

it('names a list of brokers that is none', async () => {
  await expect(preflight({ ...servers(), kafkaBrokers: 'localhost' })).rejects.toThrow('"localhost" is not host:port');
});

it('says that a password is wrong', async () => {
  const refused = preflight({ ...servers(), databaseUrl: withUser('postgres', 'wrong') });
  await expect(refused).rejects.toThrow(/does not let postgres in .*correct DATABASE_URL/);
});

it('names the rights that the user lacks', async () => {
  const role = uniqueNamespace();
  const admin = new Client({ connectionString: databaseServerUrl() });
  await admin.connect();
  await admin.query(`CREATE ROLE "${role}" LOGIN PASSWORD 'secret'`);
  try {
    await expect(preflight({ ...servers(), databaseUrl: withUser(role, 'secret') })).rejects.toThrow(
      new RegExp(
        `${role} may not create databases: ALTER ROLE "${role}" CREATEDB\\n.*${role} may not replicate: ALTER ROLE "${role}" REPLICATION`,
      ),
    );
  } finally {
    await admin.query(`DROP ROLE "${role}"`);
    await admin.end();
  }
});
