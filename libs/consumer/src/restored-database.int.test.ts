import { eventually, testKafka } from '@shopflow/testing';
import { expect, it } from 'vitest';
import { consumerOf } from './test-support/consumer-of.js';
import { consumingService } from './test-support/consuming-service.js';
import { effects } from './test-support/effects.js';
import { publish } from './test-support/publish.js';
import { recordingLogger } from './test-support/recording-logger.js';

const service = consumingService();
const ALL = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The database as it was after the first `count` events. */
async function restore(count: number): Promise<void> {
  const lost = ALL.slice(count);
  await service.database.query('DELETE FROM effects WHERE event_id = ANY($1)', [lost]);
  await service.database.query('DELETE FROM processed_events WHERE event_id = ANY($1)', [lost]);
  if (count === 0) await service.database.query('DELETE FROM consumed_offsets');
  else await service.database.query('UPDATE consumed_offsets SET next_offset = $1', [count]);
}

it.each([[4], [0]])('a database restored to after %i events loses nothing, and says so', async (count) => {
  await service.createTopic();
  await publish(...service.orders(...ALL));
  const before = await service.start(consumerOf());
  await eventually(() => before.group.stats().handled === ALL.length);
  await before.stop();
  await restore(count);
  const { logger, lines } = recordingLogger();
  const after = await service.start(consumerOf(), { logger });
  await eventually(() => after.group.stats().handled === ALL.length - count);
  expect(await effects(service.database)).toEqual(ALL);
  expect(after.group.stats().duplicates).toBe(0);
  const said = lines.find((line) => String(line['msg']).includes('the database was restored'));
  expect(said).toMatchObject({ level: 'error', topic: 'orders.events', partition: 0, offset: count });
});

it('a database that is restored under a running group loses nothing', async () => {
  await service.createTopic();
  await publish(...service.orders(...ALL));
  const { group } = await service.start(consumerOf());
  await eventually(() => group.stats().handled === ALL.length);
  await restore(2);
  await publish(...service.orders('g'));
  await eventually(() => group.stats().handled === ALL.length + 5);
  expect(await effects(service.database)).toEqual([...ALL, 'g']);
});

it('reads again what Kafka does not know to be done, and every effect is there once', async () => {
  await service.createTopic();
  await publish(...service.orders(...ALL));
  const before = await service.start(consumerOf());
  await eventually(() => before.group.stats().handled === ALL.length);
  await before.stop();
  const admin = testKafka().admin();
  await admin.connect();
  await admin.deleteGroups([`${service.namespace}.audit`]);
  await admin.disconnect();
  const after = await service.start(consumerOf());
  await eventually(() => after.group.stats().duplicates === ALL.length);
  expect(await effects(service.database)).toEqual(ALL);
});

it('reads a topic that was created anew from its beginning', async () => {
  const topic = await service.createTopic();
  await publish(...service.orders(...ALL));
  const before = await service.start(consumerOf());
  await eventually(() => before.group.stats().handled === ALL.length);
  await before.stop();
  const admin = testKafka().admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await eventually(async () => !(await admin.listTopics()).includes(topic));
  await admin.disconnect();
  await service.createTopic();
  await publish(...service.orders('new-1', 'new-2'));
  const after = await service.start(consumerOf());
  await eventually(() => after.group.stats().handled === 2);
  expect(await effects(service.database)).toEqual([...ALL, 'new-1', 'new-2']);
});
