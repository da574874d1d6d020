import { sql } from '@shopflow/database';
import { databaseServerUrl, eventually } from '@shopflow/testing';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { listDeadLetters } from './dead-letters/list-dead-letters.js';
import { consumerOf } from './test-support/consumer-of.js';
import { consumingService } from './test-support/consuming-service.js';
import { effect, effects } from './test-support/effects.js';
import { publish } from './test-support/publish.js';
import { recordingLogger } from './test-support/recording-logger.js';

const service = consumingService();

async function asAdmin(text: string, values: readonly unknown[] = []): Promise<void> {
  const admin = new Client({ connectionString: databaseServerUrl() });
  await admin.connect();
  await admin.query(text, [...values]);
  await admin.end();
}
const databaseName = async () => (await service.database.query<{ name: string }>('SELECT current_database() AS name')).rows[0]!.name;
const endConnections = (name: string) => asAdmin('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);

it('waits out a database that is away: nothing dies, nothing is charged, every effect is there once', async () => {
  await service.createTopic();
  const name = await databaseName();
  const { logger, lines } = recordingLogger();
  const { group } = await service.start(consumerOf(), { logger });
  await publish(...service.orders('a'));
  await eventually(() => group.stats().handled === 1);
  await asAdmin(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  try {
    await endConnections(name);
    await publish(...service.orders('b', 'c'));
    await eventually(() => (group.stats().partitions[0]?.waiting?.attempts ?? 0) >= 3);
    expect(group.stats()).toMatchObject({ failures: 0, deadLettered: 0, state: 'joined' });
  } finally {
    await asAdmin(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
  }
  await eventually(() => group.stats().handled === 3);
  expect(await effects(service.database)).toEqual(['a', 'b', 'c']);
  expect(await listDeadLetters(service.database, 'audit')).toEqual([]);
  expect(lines.some((line) => line['level'] === 'error' && /no event is charged/.test(String(line['msg'])))).toBe(true);
});

it('charges no event for a connection that ends under its handler', async () => {
  await service.createTopic();
  await publish(...service.orders('a', 'b', 'c'));
  let cuts = 0;
  const { group } = await service.start(
    consumerOf(async (event, { tx }) => {
      await effect(tx, event);
      if (event.id === 'b' && cuts++ < 2) await sql(tx, 'SELECT pg_terminate_backend(pg_backend_pid())');
    }),
  );
  await eventually(() => group.stats().handled === 3);
  expect(cuts).toBe(3);
  expect(group.stats()).toMatchObject({ failures: 0, deadLettered: 0 });
  expect(await effects(service.database)).toEqual(['a', 'b', 'c']);
});

it('charges no event when its handler hides that the connection has ended', async () => {
  await service.createTopic();
  await publish(...service.orders('a'));
  let cuts = 0;
  const { group } = await service.start(
    consumerOf(async (event, { tx }) => {
      if (cuts++ < 2) await sql(tx, 'SELECT pg_terminate_backend(pg_backend_pid())').catch(() => 'never mind');
      await tx.query('INSERT INTO effects (event_id) VALUES ($1)', [event.id]);
    }),
  );
  await eventually(() => group.stats().handled === 1);
  expect(group.stats()).toMatchObject({ failures: 0, deadLettered: 0 });
  expect(await effects(service.database)).toEqual(['a']);
});

it('does the same again at once after a deadlock, uncharged', async () => {
  await service.createTopic(2);
  let meetings = 0;
  const gate = Promise.withResolvers<void>();
  // The first two events take two locks in opposite orders, each when the other has its first one.
  const { group } = await service.start(
    consumerOf(async (event, { tx }) => {
      const [first, second] = event.id === 'a' ? [1, 2] : [2, 1];
      await sql(tx, `SET LOCAL deadlock_timeout = '20ms'`);
      await sql(tx, 'SELECT pg_advisory_xact_lock($1)', [first]);
      if (++meetings === 2) gate.resolve();
      await gate.promise;
      await sql(tx, 'SELECT pg_advisory_xact_lock($1)', [second]);
      await effect(tx, event);
    }),
  );
  await publish(service.order({ id: 'a', orderId: 'ORD-X0' }), service.order({ id: 'b', orderId: 'ORD-X1' }));
  await eventually(() => group.stats().handled === 2);
  expect(meetings).toBe(3);
  expect(group.stats()).toMatchObject({ failures: 0, deadLettered: 0 });
});
