import { BatchProducer } from '@shopflow/kafka';
import { eventually, readTopic } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RelayBed } from './test-support/relay-bed.js';
import { TopicEnds } from './test-support/topic-ends.js';

const EVENTS = 3_000;
const PARTITIONS = 2;
const LIMIT = 20_000;

let bed: RelayBed;
let topic: TopicEnds;
beforeEach(async () => {
  bed = await RelayBed.create({ maxMessageBytes: LIMIT, partitions: PARTITIONS });
  topic = await TopicEnds.of(bed.topic);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await topic.close();
  await bed.remove();
});

it('finds out how much a topic takes at once when that is far below the usual, sets nothing aside and goes on in order', async () => {
  const relay = await bed.active();
  const send = vi.spyOn(BatchProducer.prototype, 'send');
  await write(1);
  await eventually(async () => (await topic.records()) === EVENTS);
  send.mockClear();
  await write(EVENTS + 1);
  await eventually(async () => (await topic.records()) === 2 * EVENTS);
  await eventually(() => relay.status.published === 2 * EVENTS);
  const failed = await Promise.all(send.mock.results.map(({ value }) => value as ReturnType<BatchProducer['send']>));
  expect(failed.flat().length, 'refused once the limit was found').toBeLessThan(5);
  expect(send.mock.calls.length, 'sends').toBeLessThan(EVENTS / 10);
  expect(await bed.query('SELECT event_id FROM outbox_set_aside')).toEqual([]);
  for (const ofKey of Map.groupBy(await readTopic(bed.topic), ({ key }) => String(key)).values()) {
    const numbers = ofKey.map(({ headers }) => Number(headers['ce_id']));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
});

async function write(from: number): Promise<void> {
  await bed.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload)
     SELECT n::text, 'ORD-' || n % 100, 'order.created', 1, 'orders.events', to_jsonb(repeat('x', 250)) FROM generate_series($1::int, $2::int) n`,
    [from, from + EVENTS - 1],
  );
}
