import { sql } from '@shopflow/database';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listDeadLetters } from '../dead-letters/list-dead-letters.js';
import { Limiter } from '../limiter.js';
import { runChunk } from '../run-chunk.js';
import { chunkOf, chunkOfRecords, consumed, groupOf } from '../test-support/chunk-of.js';
import { effect, effectMigrations, effects, forgetEverything } from '../test-support/effects.js';
import { ORDERS, orderRecord } from '../test-support/publish.js';
import { advance } from './advance.js';
import { HeldStarts } from './held-starts.js';
import { replayDeadLetter } from './replay-dead-letter.js';

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations, { poolSize: 20 })));
beforeEach(() => forgetEverything(test.database));
afterAll(() => test.drop());

type Handlers = Parameters<typeof groupOf>[1];
const decision = { who: 'sre', why: 'mended', now: new Date() };

/** A group and the means of several of its members, all in this process. */
async function membersOf(handlers: Handlers, options: Parameters<typeof groupOf>[2] = {}) {
  const group = await groupOf(test.database, handlers, { delaysMs: [0, 0, 0], oneByOne: true, ...options });
  const member = () => ({
    ...group,
    heldStarts: new HeldStarts(test.database, group.group),
    limiter: new Limiter(3),
    blockAfterDeaths: 5,
    isPaused: () => false,
    onCommitted: () => undefined,
  });
  const look = (orderId: string, parts = member()) =>
    advance(parts, { topic: ORDERS, key: Buffer.from(orderId) }, { skipLocked: false, signal: group.signal });
  return { group, member, look };
}

it('charges nobody for the starts of others who look at the same key at the same moment', async () => {
  let down = true;
  const { group, look } = await membersOf({
    each: async (event, { tx }) => {
      if (down) throw new Error('down');
      await effect(tx, event);
    },
  });
  const ids = Array.from({ length: 15 }, (_, index) => `evt-${index}`);
  await runChunk(chunkOf(...ids.map((id) => ({ id, orderId: `ORD-${id}` }))), group);
  down = false;
  for (const id of ids) await Promise.all(Array.from({ length: 6 }, () => look(`ORD-${id}`)));
  expect(await listDeadLetters(test.database, 'audit')).toEqual([]);
  expect((await effects(test.database)).sort()).toEqual([...ids].sort());
});

it('counts the pause from the failure, not from the beginning of the try', async () => {
  let now = new Date('2026-11-30T10:00:00Z');
  const each = () => {
    now = new Date(now.getTime() + 60_000);
    throw new Error('after a minute');
  };
  const { group, look } = await membersOf({ each }, { clock: () => now, delaysMs: [5_000, 7_000, 9_000] });
  const dueAt = async () => (await test.database.query<{ due_at: Date }>('SELECT due_at FROM held_keys')).rows[0]!.due_at;
  await runChunk(chunkOf({ id: 'a', orderId: 'ORD-1' }), group);
  expect(await dueAt()).toEqual(new Date('2026-11-30T10:01:05Z'));
  now = new Date('2026-11-30T10:01:05Z');
  await look('ORD-1');
  expect(await dueAt()).toEqual(new Date('2026-11-30T10:02:12Z'));
});

it('lets go of a key after a moment, so that whoever reads it gets in between', async () => {
  let down = true;
  const transactions = new Set<string>();
  const { group, look } = await membersOf({
    each: async (event, { tx }) => {
      if (down) throw new Error('down');
      await new Promise((resolve) => setTimeout(resolve, 60)); // what the handler takes
      const { rows } = await sql<{ id: string }>(tx, 'SELECT pg_current_xact_id()::text AS id');
      transactions.add(rows[0]!.id);
      await effect(tx, event);
    },
  });
  await runChunk(chunkOf(...Array.from({ length: 12 }, (_, n) => ({ id: `evt-${n}`, orderId: 'ORD-1' }))), group);
  down = false;
  await look('ORD-1');
  expect(await effects(test.database)).toHaveLength(12);
  expect(transactions.size).toBeGreaterThanOrEqual(3);
});

it('charges a head whose transaction fails as a whole', async () => {
  const { group, look } = await membersOf({ each: async (_event, { tx }) => void (await tx.query('ROLLBACK')) }, { oneByOne: false });
  const down = await membersOf({ each: () => Promise.reject(new Error('down')) });
  await runChunk(chunkOf({ id: 'a', orderId: 'ORD-1' }), down.group);
  await look('ORD-1');
  await look('ORD-1');
  await look('ORD-1');
  expect(await listDeadLetters(test.database, group.group)).toMatchObject([{ eventId: 'a', attempts: 4 }]);
});

it('refuses again on replay what was refused for its identity', async () => {
  const { group, look } = await membersOf({ each: (event, { tx }) => effect(tx, event) });
  const record = consumed(orderRecord('', { id: 'a', orderId: 'ORD-1' }), 0);
  const foreign = { ...record, headers: { ...record.headers, ce_source: Buffer.from('somebody-else') } };
  await runChunk(chunkOfRecords(foreign), group);
  const [letter] = await listDeadLetters(test.database, 'audit');
  await replayDeadLetter(test.database, letter!, decision);
  await look('ORD-1');
  expect(await effects(test.database)).toEqual([]);
  expect(await listDeadLetters(test.database, 'audit')).toMatchObject([{ state: 'open', errorKind: 'undecodable' }]);
});
