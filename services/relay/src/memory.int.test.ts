import { eventually } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RelayBed } from './test-support/relay-bed.js';
import { RelayProcess } from './test-support/relay-process.js';
import { TopicEnds } from './test-support/topic-ends.js';

const ROWS = 200_000;
const MIB = 1024 * 1024;

let bed: RelayBed;
let topic: TopicEnds;
let relay: RelayProcess | undefined;

beforeEach(async () => {
  bed = await RelayBed.create({ partitions: 6 });
  topic = await TopicEnds.of(bed.topic);
});
afterEach(async () => {
  await relay?.kill();
  await topic.close();
  await bed.remove();
});

it('publishes a transaction of 200,000 rows in less than 200 MB', { timeout: 60_000 }, async () => {
  await (await bed.active()).stop(); // the slot is there: all of it comes out of the log
  await bed.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload)
     SELECT n::text, 'ORD-' || n % 5000, 'order.created', 1, 'orders.events', to_jsonb(repeat('x', 250)) FROM generate_series(1, $1::int) n`,
    [ROWS],
  );
  relay = RelayProcess.start(bed);
  await eventually(async () => (await topic.records()) >= ROWS, { timeoutMs: 40_000 });
  await eventually(async () => (await bed.query('SELECT waiting FROM outbox_backlog'))[0]?.['waiting'] === '0');
  expect(await topic.records()).toBe(ROWS);
  expect((await relay.peakBytes()) / MIB).toBeLessThan(200);
});
