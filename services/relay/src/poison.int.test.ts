import { eventually } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SourceRelay } from './source/source-relay.js';
import { INSERT, RelayBed } from './test-support/relay-bed.js';
import { TopicEnds } from './test-support/topic-ends.js';

const LIMIT = 20_000;
const LARGE = { payload: JSON.stringify('x'.repeat(30_000)) };

let bed: RelayBed;
let topic: TopicEnds;
let relay: SourceRelay;

beforeEach(async () => {
  bed = await RelayBed.create({ maxMessageBytes: LIMIT, partitions: 1 });
  topic = await TopicEnds.of(bed.topic);
  relay = await bed.active();
});
afterEach(async () => {
  await bed.remove();
  await topic.close();
});

/** What waits, in its order: each event, and whether Kafka has refused it. */
const waiting = async () => {
  const rows = await bed.query(`SELECT event_id AS id, reason FROM outbox_set_aside WHERE state = 'waiting' ORDER BY seq`);
  return rows.map(({ id, reason }) => (reason === null ? id : `${String(id)}!`));
};
const waits = (...ids: string[]) => eventually(async () => expect(await waiting()).toEqual(ids));

/** Events of one transaction, each `[id, key]`; those whose id begins with `large` are too large. */
async function commit(...events: [id: string, key: string][]): Promise<void> {
  await bed.database.database.inTransaction(async (tx) => {
    for (const [id, key] of events) await tx.query(INSERT, [id, key, id.startsWith('large') ? LARGE.payload : '{}']);
  });
}

it('lets none of its key overtake a first one of three that is too large, whatever they came with, and publishes them in order later', async () => {
  await commit(['large', 'K'], ['k2', 'K'], ['l1', 'L'], ['k3', 'K']);
  await bed.holds('l1');
  await waits('large!', 'k2', 'k3');
  await topic.limitBatches(100_000);
  await bed.decide('retry', 'large');
  await bed.holds('l1', 'large', 'k2', 'k3');
  await commit(['k4', 'K']);
  await bed.holds('l1', 'large', 'k2', 'k3', 'k4');
  expect([relay.status.state, relay.status.published]).toEqual(['active', 5]);
});

it('publishes what waits behind a discarded event, and that one never, not after a restart either', async () => {
  await commit(['large', 'K'], ['k2', 'K'], ['k3', 'K']);
  await waits('large!', 'k2', 'k3');
  await bed.decide('discard', 'large');
  await bed.holds('k2', 'k3');
  await topic.limitBatches(100_000); // from now on Kafka would take it
  await relay.stop();
  await bed.active();
  await commit(['k4', 'K']);
  await bed.holds('k2', 'k3', 'k4');
});

it('makes one that waits behind another, and is refused itself, the head of its key', async () => {
  await commit(['large-1', 'K'], ['k2', 'K'], ['large-3', 'K'], ['k4', 'K']);
  await waits('large-1!', 'k2', 'large-3', 'k4');
  await bed.decide('discard', 'large-1');
  await waits('large-3!', 'k4');
  await bed.holds('k2');
  await bed.decide('discard', 'large-3');
  await bed.holds('k2', 'k4');
});

it('sets three aside of one transaction, with what follows of their keys, and publishes the rest of it', async () => {
  await commit(
    ['a', 'A'],
    ['large-k', 'K'],
    ['b', 'A'],
    ['large-l', 'L'],
    ['k2', 'K'],
    ['c', 'C'],
    ['large-m', 'M'],
    ['l2', 'L'],
    ['d', 'A'],
  );
  await bed.holds('a', 'b', 'c', 'd');
  const ofKeys = () => bed.query(`SELECT key, array_agg(event_id ORDER BY seq) AS ids FROM outbox_set_aside GROUP BY key ORDER BY key`);
  await eventually(async () =>
    expect(await ofKeys()).toEqual([
      { key: 'K', ids: ['large-k', 'k2'] },
      { key: 'L', ids: ['large-l', 'l2'] },
      { key: 'M', ids: ['large-m'] },
    ]),
  );
});

it('sets an event aside that can be no record, and says why', async () => {
  await commit(['k1', 'K']);
  await bed.query(INSERT.replace('payload)', 'payload, created_at)').replace('$3)', `$3, 'infinity')`), ['never', 'K', '{}']);
  await commit(['k3', 'K'], ['l1', 'L']);
  await bed.holds('k1', 'l1');
  await waits('never!', 'k3');
  expect(await bed.query(`SELECT reason FROM outbox_set_aside WHERE event_id = 'never'`)).toEqual([
    { reason: 'created_at infinity is no time of the years 0001 to 9999 in UTC' },
  ]);
  await bed.decide('retry', 'never');
  await commit(['l2', 'L']);
  await bed.holds('k1', 'l1', 'l2');
  await bed.decide('discard', 'never');
  await bed.holds('k1', 'l1', 'l2', 'k3');
});

it('keeps the order of a key of which one event is too large and a later one can be no record', async () => {
  await bed.database.database.inTransaction(async (tx) => {
    await tx.query(INSERT, ['large', 'K', LARGE.payload]);
    await tx.query(INSERT.replace('payload)', 'payload, created_at)').replace('$3)', `$3, 'infinity')`), ['never', 'K', '{}']);
    await tx.query(INSERT, ['k3', 'K', '{}']);
  });
  await waits('large!', 'never!', 'k3');
});

it('does not act on a decision before others can see what was decided: it comes out of the log that early', async () => {
  await commit(['large', 'K'], ['k2', 'K']);
  await waits('large!', 'k2');
  await bed.database.database.inTransaction(async (tx) => {
    await tx.query(`UPDATE outbox_set_aside SET state = 'discarded', decided_at = clock_timestamp() WHERE event_id = 'large'`);
    await tx.query(`SELECT pg_logical_emit_message(false, 'relay-aside', '{"topic":"orders.events","key":"K"}', true)`);
    const locked = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await bed.query(locked)).length > 0);
  });
  await bed.holds('k2');
});

it('does not try what is set aside again by itself: it is as idle as with nothing', async () => {
  await commit(['large', 'K'], ['k2', 'K']);
  await waits('large!', 'k2');
  const refusedAt = () => bed.query(`SELECT refused_at FROM outbox_set_aside WHERE event_id = 'large'`);
  const before = await refusedAt();
  await commit(['k3', 'K'], ['l1', 'L']);
  await bed.holds('l1');
  const { user, system } = await cpuOf(async () => {
    const [slot] = await bed.query('SELECT updated_at FROM relay_progress');
    const told = async () =>
      (await bed.query(`SELECT 1 FROM relay_progress WHERE updated_at > $1::timestamptz + '2 s'`, [slot?.['updated_at']]))[0];
    await eventually(told); // two seconds of doing nothing
  });
  expect((user + system) / 1e6, 'CPU seconds').toBeLessThan(0.5);
  expect(await refusedAt()).toEqual(before);
  expect(await waiting()).toEqual(['large!', 'k2', 'k3']);
  expect(relay.status.state).toBe('active');
});

async function cpuOf(work: () => Promise<void>): Promise<NodeJS.CpuUsage> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before);
}
