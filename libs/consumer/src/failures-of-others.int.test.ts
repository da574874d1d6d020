import { Controller } from '@nestjs/common';
import { defineEvent, orderCreated } from '@shopflow/contracts';
import { partitionOfKey } from '@shopflow/kafka';
import { eventually } from '@shopflow/testing';
import { describe, expect, it } from 'vitest';
import { listDeadLetters } from './dead-letters/list-dead-letters.js';
import { EventContext, Subscribe } from './index.js';
import { consumerOf, type OrderCreated } from './test-support/consumer-of.js';
import { consumingService } from './test-support/consuming-service.js';
import { effect, effects } from './test-support/effects.js';
import { publish } from './test-support/publish.js';

// What other consumers are known to do wrong.

const service = consumingService();
const QUICK = { retryDelaysMs: [100, 150, 200], sweepMs: 500, sweepGraceMs: 300 } as const;
const letters = () => listDeadLetters(service.database, 'audit');

/** Fails for `bad` whenever it is tried. */
const alwaysFailing = () =>
  consumerOf(async (event, { tx }) => {
    await effect(tx, event);
    if (event.id === 'bad') throw new Error('mail provider timed out');
  });

/** Order ids of two different partitions of two. */
function ordersOfTwoPartitions(): [string, string] {
  const ids = Array.from({ length: 20 }, (_, index) => `ORD-X${index}`);
  const partitionOf = (id: string) => partitionOfKey(Buffer.from(id), 2);
  return [ids[0]!, ids.find((id) => partitionOf(id) !== partitionOf(ids[0]!))!];
}

it('does not let the successes of one partition forgive the failures of another', async () => {
  await service.createTopic(2);
  const [failing, healthy] = ordersOfTwoPartitions();
  const { group } = await service.start(alwaysFailing(), QUICK);
  await publish(service.order({ id: 'bad', orderId: failing }));
  await eventually(async () => {
    await publish(service.order({ orderId: healthy }));
    return group.stats().deadLettered === 1;
  });
  expect(await letters()).toMatchObject([{ eventId: 'bad', attempts: 4, errorKind: 'exhausted' }]);
});

it('charges four tries over a change of members, no fewer and no more', async () => {
  await service.createTopic();
  const first = await service.start(alwaysFailing(), { ...QUICK, retryDelaysMs: [100, 1_500, 200] });
  await publish(service.order({ id: 'bad' }));
  await eventually(() => first.group.stats().failures === 2);
  const second = await service.start(alwaysFailing(), QUICK);
  await first.stop();
  await eventually(() => second.group.stats().deadLettered === 1);
  expect(second.group.stats()).toMatchObject({ failures: 1, deadLettered: 1 });
  expect(await letters()).toMatchObject([{ eventId: 'bad', attempts: 4 }]);
});

it('moves past the last record of a partition when it is a dead letter, also for Kafka', async () => {
  await service.createTopic();
  await publish(service.order({ id: 'a' }), service.order({ id: 'bad', payload: {} }));
  const first = await service.start(consumerOf(), QUICK);
  await eventually(() => first.group.stats().deadLettered === 1);
  await first.stop();
  const { group } = await service.start(consumerOf(), QUICK);
  await eventually(() => group.stats().partitions[0]?.position === 2);
  expect(group.stats()).toMatchObject({ handled: 0, duplicates: 0, deadLettered: 0, partitions: [{ lag: 0 }] });
});

it('gives an event to each of two groups that share a database', async () => {
  await service.createTopic();
  await publish(service.order({ id: 'a' }));
  const running = await Promise.all(['audit', 'points'].map((group) => service.start(consumerOf(), { ...QUICK, group })));
  await eventually(() => running.every(({ group }) => group.stats().handled === 1));
  expect(await effects(service.database)).toEqual(['a', 'a']);
});

describe('a version that is newer than the code', () => {
  const { topic, summary, versions, upcasters } = orderCreated;
  const older = defineEvent({
    type: 'order.created',
    topic,
    summary,
    versions: [versions[0]!, versions[1]!] as const,
    upcasters: upcasters.slice(0, 1),
  });

  @Controller()
  class OlderCode {
    @Subscribe(older)
    async onOrder(event: { id: string }, { tx }: EventContext) {
      await effect(tx, event, 'by older code');
    }
  }

  it('waits uncharged while other keys go on, and is handled as soon as newer code starts', async () => {
    await service.createTopic();
    const old = await service.start(OlderCode, QUICK);
    const v2 = { orderId: 'ORD-2', customer: { email: 'ada@shop.ng', name: null }, totalKobo: 1, currency: 'NGN' };
    await publish(service.order({ id: 'new', orderId: 'ORD-1' }), service.order({ id: 'old', version: 2, orderId: 'ORD-2', payload: v2 }));
    await eventually(() => old.group.stats().handled === 1);
    const { rows } = await service.database.query('SELECT event_id, attempts, reason FROM held_events');
    expect(rows).toEqual([{ event_id: 'new', attempts: 0, reason: 'order.created v3 is newer than this code (v2)' }]);
    await old.stop();
    const { group } = await service.start(consumerOf(), QUICK);
    await eventually(() => group.stats().healed === 1);
    expect(await effects(service.database)).toEqual(['old', 'new']);
    expect(await letters()).toEqual([]);
  });
});

it('opens the breaker when everything fails alike: nothing is dead, and all is done when it heals', async () => {
  await service.createTopic(2);
  const ids = Array.from({ length: 30 }, (_, index) => `evt-${index}`);
  let provider = 'down';
  const consumer = consumerOf(async (event, { tx }) => {
    await effect(tx, event);
    if (provider === 'down') throw new Error(`mail provider refuses ${event.id}`);
  });
  const breaker = { breakerThreshold: 5, breakerProbe: { firstMs: 100, mostMs: 200 } };
  const { group } = await service.start(consumer, { ...QUICK, ...breaker });
  await publish(...service.orders(...ids));
  await eventually(() => group.stats().breakers.some(({ open }) => open));
  await eventually(async () => (await heldAttempts()) < ids.length && group.stats().breakers[0]?.open);
  provider = 'up';
  await eventually(() => group.stats().handled === ids.length);
  expect((await effects(service.database)).sort()).toEqual([...ids].sort());
  expect([await letters(), group.stats().breakers.filter(({ open }) => open)]).toEqual([[], []]);
});

const heldAttempts = async () =>
  (await service.database.query<{ n: number }>('SELECT count(*)::int AS n FROM held_events WHERE attempts > 0')).rows[0]!.n;

it('keeps later events of a key waiting while their head is tried in a transaction that takes its time', async () => {
  await service.createTopic();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  let tries = 0;
  const consumer = consumerOf(async (event: OrderCreated, { tx }) => {
    if (event.id === 'a1' && tries++ < 2) throw new Error('not yet');
    if (event.id === 'a1') await gate.promise;
    order.push(event.id);
    await effect(tx, event);
  });
  const { group } = await service.start(consumer, QUICK);
  await publish(service.order({ id: 'a1', orderId: 'ORD-A' }));
  await eventually(() => tries >= 3);
  await publish(service.order({ id: 'a2', orderId: 'ORD-A' }));
  gate.resolve();
  await eventually(() => group.stats().handled === 2);
  expect(order).toEqual(['a1', 'a2']);
});
