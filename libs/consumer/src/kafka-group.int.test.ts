import { Controller } from '@nestjs/common';
import { orderCreated } from '@shopflow/contracts';
import { failureHeaderNames, headerNames, headerText, kafkaDlqHeaderNames, physicalTopic, type ProducerRecord } from '@shopflow/kafka';
import { currentContext } from '@shopflow/telemetry';
import { eventually, readTopic } from '@shopflow/testing';
import { describe, expect, it } from 'vitest';
import { listDeadLetters } from './dead-letters/list-dead-letters.js';
import { type BatchContext, PermanentError, SubscribeBatch } from './index.js';
import { consumerOf, type OrderCreated } from './test-support/consumer-of.js';
import { consumingService } from './test-support/consuming-service.js';
import { effect, effects } from './test-support/effects.js';
import { ORDERS, publish } from './test-support/publish.js';
import { recordingLogger } from './test-support/recording-logger.js';

const service = consumingService();

it('handles what is published before and after its start, each event once', async () => {
  await service.createTopic(3);
  const first = service.order({ id: 'a' });
  await publish(first, service.order({ id: 'b' }), first);
  const { group } = await service.start(consumerOf());
  await publish(first, service.order({ id: 'c' }));
  await eventually(() => group.stats().handled === 3 && group.stats().duplicates === 2);
  expect((await effects(service.database)).sort()).toEqual(['a', 'b', 'c']);
});

it('skips events of types that nobody subscribes to, and counts them', async () => {
  await service.createTopic();
  await publish(service.order({ id: 'a' }), service.order({ type: 'order.reopened' }), service.order({ id: 'b' }));
  const { group } = await service.start(consumerOf());
  await eventually(() => group.stats().handled === 2);
  expect(group.stats()).toMatchObject({ skipped: 1, skippedByType: { 'order.reopened': 1 }, partitions: [{ position: 3 }] });
});

it('hands the request from the event on to every log line, and says which event it handled', async () => {
  await service.createTopic();
  const { logger, lines } = recordingLogger();
  const contexts: unknown[] = [];
  const consumer = consumerOf(() => {
    contexts.push(currentContext());
    logger.info('from the handler');
  });
  const { group } = await service.start(consumer, { logger });
  await publish(service.order({ id: 'evt-ORD-1001', orderId: 'ORD-1001', correlationId: 'req-7f3a' }));
  await eventually(() => group.stats().handled === 1);
  const context = { group: 'audit', organizationId: 'shopflow', correlationId: 'req-7f3a', eventId: 'evt-ORD-1001', orderId: 'ORD-1001' };
  expect(contexts).toEqual([context]);
  const found = lines.filter((line) => line['correlationId'] === 'req-7f3a');
  expect(found).toMatchObject([
    { msg: 'from the handler', ...context },
    { msg: 'order.created handled', level: 'info', ...context },
  ]);
});

it('calls a batch handler with everything that is there', async () => {
  await service.createTopic();
  await publish(...service.orders('a', 'b', 'c'));
  const batches: string[][] = [];
  @Controller()
  class Consumer {
    @SubscribeBatch(orderCreated)
    async onOrders(events: readonly OrderCreated[], { tx, records }: BatchContext) {
      batches.push(events.map((event) => event.id));
      for (const event of events) await effect(tx, event, `${records.length} records`);
      if (events.some((event) => event.id === 'b')) throw new PermanentError('not b');
    }
  }
  const { group } = await service.start(Consumer);
  await eventually(() => group.stats().handled === 2);
  expect(batches[0]).toEqual(['a', 'b', 'c']);
  expect(group.stats()).toMatchObject({ handled: 2, deadLettered: 1, failures: 0 });
  expect(await effects(service.database)).toEqual(['a', 'c']);
});

describe('a dead letter', () => {
  it('has its record in the DLQ topic: the original byte for byte, and what happened beside it', async () => {
    await service.createTopic(2);
    const flat = { orderId: 'ORD-9', email: 'tunde@shop.ng', totalKobo: 900_000 };
    const bad = service.order({ id: 'bad', version: 2, orderId: 'ORD-9', payload: flat });
    await publish(bad, service.order({ id: 'good' }));
    const { group } = await service.start(consumerOf());
    const [letter] = await eventually(async () => {
      const letters = await listDeadLetters(service.database, 'audit');
      return letters[0]?.publishedAt ? letters : undefined;
    });
    await eventually(() => group.stats().handled === 1);
    expect(letter).toMatchObject({ attempts: 1, reason: 'order.created v3: invalid customer.email' });
    const [dead, ...others] = await readTopic(physicalTopic(service.namespace, 'audit.dlq'));
    expect(others).toEqual([]);
    expect([dead?.key?.toString(), dead?.value?.toString()]).toEqual([bad.key, bad.value]);
    const header = (name: string) => headerText(dead?.headers, name);
    for (const [name, value] of Object.entries(bad.headers)) expect(header(name)).toBe(value);
    const { partition, offset, timestamp } = letter!.record;
    expect(Object.values(failureHeaderNames).map(header)).toEqual([
      ORDERS,
      String(partition),
      String(offset),
      new Date(timestamp).toISOString(),
      'audit',
      '1',
      letter!.firstFailedAt.toISOString(),
      letter!.lastFailedAt.toISOString(),
      'contract',
      'order.created v3: invalid customer.email',
    ]);
    expect(Object.values(kafkaDlqHeaderNames).map(header)).toEqual([
      physicalTopic(service.namespace, ORDERS),
      String(partition),
      String(offset),
      `${service.namespace}.audit`,
      '1',
      'order.created v3: invalid customer.email',
    ]);
  });

  // Kafka allows null for a header's value, and any name: kafkajs mistakes those of Object.prototype.
  it.each<[string, ProducerRecord['headers']]>([
    ['a null for its type', { [headerNames.type]: null }],
    ['a null for its id', { [headerNames.id]: null }],
    ['a null in a header that nobody reads', { junk: null }],
    ['a header like a property of every object', { toString: 'x', constructor: 'y', ['__proto__']: 'z' }],
    ['another service for its source', { [headerNames.source]: 'other' }],
  ])('takes with its bytes a record that has %s, and goes on behind it', async (_what, strange) => {
    await service.createTopic();
    const plain = service.order({ id: 'strange', payload: 'no order' });
    const bad = { ...plain, headers: Object.fromEntries([...Object.entries(plain.headers), ...Object.entries(strange)]) };
    await publish(bad, service.order({ id: 'good' }));
    const { group } = await service.start(consumerOf());
    await eventually(() => group.stats().handled === 1 && group.stats().deadLettered === 1);
    const [dead] = await eventually(async () => {
      const records = await readTopic(physicalTopic(service.namespace, 'audit.dlq'));
      return records.length > 0 && records;
    });
    for (const [name, value] of Object.entries(strange)) {
      expect(dead?.headers[name]?.toString() ?? null).toBe(value);
    }
  });

  it('does not stop its neighbours when a handler gives up on it', async () => {
    await service.createTopic();
    await publish(...service.orders('a', 'b', 'c'));
    const { group } = await service.start(
      consumerOf(async (event, { tx }) => {
        await effect(tx, event);
        if (event.id === 'b') throw new PermanentError('mailbox bola@shop.invalid does not exist');
      }),
    );
    await eventually(() => group.stats().handled === 2);
    expect(await effects(service.database)).toEqual(['a', 'c']);
    expect(await listDeadLetters(service.database, 'audit')).toMatchObject([
      { eventId: 'b', reason: 'mailbox bola@shop.invalid does not exist' },
    ]);
  });
});
