import { eventually, testKafka } from '@shopflow/testing';
import { expect, it } from 'vitest';
import { consumerOf } from './test-support/consumer-of.js';
import { consumingService } from './test-support/consuming-service.js';
import { effect, effects } from './test-support/effects.js';
import { ORDERS, publish } from './test-support/publish.js';

const service = consumingService();

async function committedOffset(): Promise<number> {
  const admin = testKafka().admin();
  await admin.connect();
  const topic = `${service.namespace}.${ORDERS}`;
  const [committed] = await admin.fetchOffsets({ groupId: `${service.namespace}.audit`, topics: [topic] });
  await admin.disconnect();
  return Number(committed!.partitions[0]!.offset);
}

it('finishes the chunk under way when it is stopped, commits its offset and leaves the group', async () => {
  await service.createTopic();
  await publish(...service.orders('a', 'b', 'c'));
  const inHand = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const running = await service.start(
    consumerOf(async (event, { tx }) => {
      await effect(tx, event);
      inHand.resolve();
      await gate.promise;
    }),
    { chunkSize: 2 },
  );
  await inHand.promise;
  const stopped = running.stop();
  gate.resolve();
  await stopped;
  expect(await effects(service.database)).toEqual(['a', 'b']);
  expect(await committedOffset()).toBe(2);
  const admin = testKafka().admin();
  await admin.connect();
  const { groups } = await admin.describeGroups([`${service.namespace}.audit`]);
  await admin.disconnect();
  expect(groups[0]?.members).toEqual([]);
});

it('commits the offset of what is done while it runs', async () => {
  await service.createTopic();
  await service.start(consumerOf());
  await publish(...service.orders('a', 'b', 'c'));
  await eventually(async () => (await committedOffset()) === 3);
});

it('ends a pause at once when it is stopped', async () => {
  await service.createTopic();
  await publish(...service.orders('a'));
  const running = await service.start(
    consumerOf(() => {
      throw new Error('provider down');
    }),
    { backoff: { firstMs: 60_000, mostMs: 60_000 } },
  );
  await eventually(() => running.group.stats().failures === 1);
  await running.stop();
  expect(running.group.stats().state).toBe('left');
});

it('shares the partitions with a member that joins, and each event takes effect once, in the order of its key', async () => {
  await service.createTopic(4);
  const keys = Array.from({ length: 8 }, (_, index) => `ORD-K${index}`);
  const batch = (from: number) =>
    keys.flatMap((orderId) => Array.from({ length: 25 }, (_, index) => service.order({ orderId, id: `${orderId}/${from + index}` })));
  await publish(...batch(100));
  const first = await service.start(consumerOf(), { chunkSize: 20 });
  await publish(...batch(200));
  const second = await service.start(consumerOf(), { chunkSize: 20 });
  await publish(...batch(300));
  await eventually(async () => (await effects(service.database)).length === 600);
  const partitions = () => [first, second].map(({ group }) => group.stats().partitions.length);
  await eventually(() => partitions().every((count) => count === 2), { message: 'two partitions each' });
  await second.stop();
  await publish(...batch(400));
  await eventually(async () => (await effects(service.database)).length === 800);
  const done = await effects(service.database);
  for (const key of keys) {
    const ofKey = done.filter((id) => id.startsWith(`${key}/`));
    expect(ofKey).toEqual([...ofKey].sort());
    expect(new Set(ofKey).size).toBe(100);
  }
});
