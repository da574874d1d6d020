import { sql, TransactionAbortedError, TransactionEndedError } from '@shopflow/database';
import { headerNames } from '@shopflow/kafka';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseWentBackError, readConsumedOffset } from './consumed-offsets.js';
import { listDeadLetters } from './dead-letters/list-dead-letters.js';
import { PermanentError } from './failure.js';
import { runChunk } from './run-chunk.js';
import { inUnit } from './unit-of-work.js';
import { chunkOf, chunkOfRecords, consumed, groupOf } from './test-support/chunk-of.js';
import { claimed, effect, effectMigrations, effects, forgetEverything } from './test-support/effects.js';
import { ORDERS, orderRecord } from './test-support/publish.js';

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
beforeEach(() => forgetEverything(test.database));
afterAll(() => test.drop());

const events = (...ids: string[]) => chunkOf(...ids.map((id) => ({ id })));
const offset = async () => (await readConsumedOffset(test.database, 'audit', { topic: ORDERS, partition: 0 }))?.nextOffset;
const failOn =
  (bad: string, error: unknown) =>
  async (event: { id: string }, { tx }: { tx: Parameters<typeof effect>[0] }) => {
    await effect(tx, event);
    if (event.id === bad) throw error;
  };

describe('together', () => {
  it('takes the effects, the claims and the offset into one transaction', async () => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    const result = await runChunk(events('a', 'b', 'c'), group);
    expect(result).toMatchObject({ to: 3, duplicates: 0, buried: [], skipped: [] });
    expect(await effects(test.database)).toEqual(['a', 'b', 'c']);
    expect(await claimed(test.database)).toEqual(['a', 'b', 'c']);
    expect(await offset()).toBe(3);
  });

  it('handles an event once when it is delivered twice, one after the other', async () => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    await runChunk(events('a', 'b'), group);
    const again = await runChunk({ ...chunkOf({ id: 'b' }, { id: 'c' }), from: 0 }, group);
    expect(again.duplicates).toBe(1);
    expect(await effects(test.database)).toEqual(['a', 'b', 'c']);
  });

  it('handles an event once when it is twice in one chunk', async () => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    const result = await runChunk(events('a', 'b', 'a', 'a'), group);
    expect(result.duplicates).toBe(2);
    expect(await effects(test.database)).toEqual(['a', 'b']);
  });

  it('handles an event once when two processes get it at the same time', async () => {
    const gate = Promise.withResolvers<void>();
    const group = await groupOf(test.database, {
      each: async (event, { tx }) => {
        await effect(tx, event);
        await gate.promise;
      },
    });
    const both = [runChunk(events('a', 'b'), group), runChunk(events('b', 'a'), group)];
    gate.resolve();
    const results = await Promise.all(both);
    expect(results.map((result) => result.duplicates).sort()).toEqual([0, 2]);
    expect((await effects(test.database)).sort()).toEqual(['a', 'b']);
  });

  it('leaves nothing behind of a chunk whose handler fails halfway', async () => {
    const group = await groupOf(test.database, { each: failOn('b', new Error('mail provider timed out')) });
    await expect(runChunk(events('a', 'b', 'c'), group)).rejects.toThrow('mail provider timed out');
    expect([await effects(test.database), await claimed(test.database), await offset()]).toEqual([[], [], 0]);
  });

  it('does not count as done what a swallowed SQL error has undone', async () => {
    const swallow = async (event: { id: string }, { tx }: { tx: Parameters<typeof effect>[0] }) => {
      await effect(tx, event);
      await sql(tx, 'SELECT * FROM no_such_table').catch(() => 'never mind');
    };
    const group = await groupOf(test.database, { each: swallow });
    // Now and then the driver still takes the transaction for a good one when the handler returns: look often.
    for (let round = 0; round < 30; round++) await expect(runChunk(events('a'), group)).rejects.toThrow(/transaction/);
    expect([await effects(test.database), await claimed(test.database), await offset()]).toEqual([[], [], 0]);
  });

  it('does not count as done what comes after a handler that ended the transaction', async () => {
    const group = await groupOf(test.database, { each: (_event, { tx }) => sql(tx, 'ROLLBACK') });
    await expect(runChunk(events('a'), group)).rejects.toThrow(TransactionEndedError);
    expect([await claimed(test.database), await offset()]).toEqual([[], 0]);
  });

  it('commits what a handler did in a nested transaction that it forgot to close', async () => {
    const group = await groupOf(test.database, {
      each: async (event, { tx }) => {
        await tx.queryRunner!.startTransaction();
        await effect(tx, event);
      },
    });
    await runChunk(events('a'), group);
    expect([await effects(test.database), await claimed(test.database), await offset()]).toEqual([['a'], ['a'], 1]);
  });

  it('skips events of types that nobody subscribes to, and moves past them', async () => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    const result = await runChunk(chunkOf({ id: 'a' }, { type: 'order.reopened' }, { id: 'b' }, { type: 'order.reopened' }), group);
    expect(result).toMatchObject({ to: 4, skipped: ['order.reopened', 'order.reopened'] });
    expect(await claimed(test.database)).toEqual(['a', 'b']);
  });

  it('gives a batch handler every fresh event at once, with its records', async () => {
    const batches: string[][] = [];
    const group = await groupOf(test.database, {
      batch: (batch, { records, topic, partition }) => {
        expect([topic, partition, records.map((record) => record.offset)]).toEqual([ORDERS, 0, [0, 1, 3]]);
        batches.push(batch.map((event) => event.id));
      },
    });
    await runChunk(events('a', 'b', 'a', 'c'), group);
    expect(batches).toEqual([['a', 'b', 'c']]);
  });

  it('does not move the offset back when a member is late', async () => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    await runChunk(events('a', 'b', 'c'), group);
    await runChunk({ ...events('a', 'b'), to: 2 }, group);
    expect(await offset()).toBe(3);
  });

  it('refuses to go on in a database that was restored to an earlier state', async () => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    await expect(runChunk({ ...events('a'), from: 5, to: 6 }, group)).rejects.toThrow(DatabaseWentBackError);
    expect(await effects(test.database)).toEqual([]);
  });
});

it('reads in the answer to COMMIT that nothing was committed', async () => {
  const swallowLast = () =>
    inUnit(test.database, 1_000, async ({ tx, client }) => {
      await effect(tx, { id: 'a' });
      await client.query('SELECT * FROM no_such_table').catch(() => 'never mind');
    });
  for (let round = 0; round < 30; round++) await expect(swallowLast()).rejects.toThrow(TransactionAbortedError);
  expect(await effects(test.database)).toEqual([]);
});

describe('what can never be handled', () => {
  const letters = () => listDeadLetters(test.database, 'audit');

  it('becomes a dead letter with its reason, and its neighbours are done in the same transaction', async () => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    const flat = { orderId: 'ORD-9', email: 'tunde@shop.ng', totalKobo: 900_000 };
    const chunk = chunkOf({ id: 'a' }, { id: 'bad', version: 2, orderId: 'ORD-9', payload: flat, correlationId: 'req-7f3a' }, { id: 'c' });
    const result = await runChunk(chunk, group);
    expect(result.buried).toMatchObject([{ eventId: 'bad', reason: 'order.created v3: invalid customer.email', attempts: 1 }]);
    expect(await effects(test.database)).toEqual(['a', 'c']);
    expect(await letters()).toMatchObject([
      {
        consumer: 'audit',
        source: 'orders',
        eventId: 'bad',
        subject: '',
        type: 'order.created',
        version: 2,
        orderId: 'ORD-9',
        correlationId: 'req-7f3a',
        attempts: 1,
        errorKind: 'contract',
        reason: 'order.created v3: invalid customer.email',
        state: 'open',
        publishedAt: null,
        record: chunk.records[1],
      },
    ]);
  });

  it('is claimed: delivered again, it is a duplicate', async () => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    const chunk = chunkOf({ id: 'bad', payload: {} });
    await runChunk(chunk, group);
    await test.database.query(`UPDATE dead_letters SET state = 'discarded'`);
    expect(await runChunk(chunk, group)).toMatchObject({ duplicates: 1, buried: [] });
    expect(await letters()).toMatchObject([{ state: 'discarded' }]);
  });

  it.each([
    ['bytes that are not JSON', { value: Buffer.from([0xff, 0x00, 0x7b]) }, /the value is not JSON/],
    ['a tombstone', { value: null }, /order.created v3: invalid orderId/],
    ['a record without a type', { headers: {} }, /without ce_type/],
    ['an id with NUL', { headers: { [headerNames.type]: 'order.created', [headerNames.id]: 'evt\u0000' } }, /ce_id contains NUL/],
    ['an id that is too long', { headers: { [headerNames.type]: 'order.created', [headerNames.id]: 'x'.repeat(201) } }, /ce_id is longer/],
    [
      'a correlation id with NUL',
      { headers: { [headerNames.type]: 'order.created', [headerNames.version]: '3', [headerNames.correlationId]: 'req-\0' } },
      /ce_correlationid contains NUL/,
    ],
    [
      'a time that no calendar has',
      { timestamp: 2 ** 60, headers: { [headerNames.type]: 'order.created', [headerNames.version]: '3' } },
      /timestamp is not a time/,
    ],
    [
      'header names and keys of any bytes',
      { key: Buffer.from([0, 255]), headers: { 'a\u0000b': Buffer.from([0, 255]) } },
      /without ce_type/,
    ],
  ])('%s: kept byte for byte, once', async (_name, change, reason) => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    const bad = { ...consumed(orderRecord('', { id: 'bad' }), 0), ...change };
    const chunk = chunkOfRecords(bad, consumed(orderRecord('', { id: 'b' }), 1));
    await runChunk(chunk, group);
    expect((await runChunk(chunk, group)).duplicates).toBe(2);
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ reason: expect.stringMatching(reason), record: { key: bad.key, value: bad.value } });
    expect(await effects(test.database)).toEqual(['b']);
  });
});

describe('one by one', () => {
  const carefully = (handlers: Parameters<typeof groupOf>[1]) => groupOf(test.database, handlers, { oneByOne: true });

  it('buries only the event that fails for good', async () => {
    const group = await carefully({ each: failOn('b', new PermanentError('mailbox does not exist')) });
    const result = await runChunk(events('a', 'b', 'c'), group);
    expect(result).toMatchObject({ to: 3, buried: [{ eventId: 'b', reason: 'mailbox does not exist' }] });
    expect(await effects(test.database)).toEqual(['a', 'c']);
    expect(await claimed(test.database)).toEqual(['a', 'b', 'c']);
  });

  it('holds an event that may heal, and does its neighbours', async () => {
    const group = await carefully({ each: failOn('b', new Error('mail provider timed out')) });
    const result = await runChunk(events('a', 'b', 'c'), group);
    expect(result).toMatchObject({ to: 3, held: [{ eventId: 'b', standing: { waitsFor: 'retry', attempts: 1 } }], followers: 0 });
    expect([await effects(test.database), await claimed(test.database), await offset()]).toEqual([['a', 'c'], ['a', 'b', 'c'], 3]);
  });

  it.each([['40P01'], ['57P01']])('charges nobody for %s: the whole chunk is void', async (code) => {
    const group = await carefully({ each: failOn('b', Object.assign(new Error('not its fault'), { code })) });
    await expect(runChunk(events('a', 'b', 'c'), group)).rejects.toThrow('not its fault');
    expect([await effects(test.database), await claimed(test.database), await offset()]).toEqual([[], [], 0]);
  });

  it('holds a version that this code cannot read yet, uncharged, and goes on behind it', async () => {
    const group = await groupOf(test.database, { each: (event, { tx }) => effect(tx, event) });
    const result = await runChunk(chunkOf({ id: 'a' }, { id: 'new', version: 4 }, { id: 'c' }), group);
    const failure = { reason: 'order.created v4 is newer than this code (v3)' };
    expect(result).toMatchObject({
      to: 3,
      buried: [],
      held: [{ eventId: 'new', standing: { waitsFor: 'newer code', attempts: 0, failure } }],
    });
    expect([await effects(test.database), await claimed(test.database), await offset()]).toEqual([['a', 'c'], ['a', 'c', 'new'], 3]);
    expect(await listDeadLetters(test.database, 'audit')).toEqual([]);
  });

  it('blames a swallowed SQL error on the event whose handler swallowed it', async () => {
    const group = await carefully({
      each: async (event, { tx }) => {
        await effect(tx, event);
        if (event.id === 'b') await sql(tx, 'SELECT * FROM no_such_table').catch(() => 'never mind');
      },
    });
    const reason = new TransactionAbortedError().message;
    expect(await runChunk(events('a', 'b', 'c'), group)).toMatchObject({ held: [{ eventId: 'b', standing: { failure: { reason } } }] });
    expect(await effects(test.database)).toEqual(['a', 'c']);
  });

  it('blames a deferred constraint on the event that breaks it', async () => {
    await test.database.query(`CREATE TABLE parents (id text PRIMARY KEY);
      CREATE TABLE children (parent text REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`);
    const group = await carefully({
      each: async (event, { tx }) => {
        await sql(tx, 'INSERT INTO children VALUES ($1)', [event.id]);
        if (event.id !== 'b') await sql(tx, 'INSERT INTO parents VALUES ($1)', [event.id]);
      },
    });
    expect(await runChunk(events('a', 'b', 'c'), group)).toMatchObject({ to: 3, held: [{ eventId: 'b' }] });
  });

  it('finds the failing event of a batch by halving, and does its neighbours', async () => {
    const sizes: number[] = [];
    const group = await carefully({
      batch: async (batch, { tx }) => {
        sizes.push(batch.length);
        for (const event of batch) await effect(tx, event);
        if (batch.some((event) => event.id === 'e')) throw new PermanentError('not this one');
      },
    });
    const result = await runChunk(events('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), group);
    expect(result).toMatchObject({ to: 8, buried: [{ eventId: 'e' }] });
    expect(await effects(test.database)).toEqual(['a', 'b', 'c', 'd', 'f', 'g', 'h']);
    expect(sizes).toEqual([8, 4, 4, 2, 1, 1, 2]);
  });

  it('buries the event of a batch whose values the database refuses, and does its neighbours', async () => {
    const group = await carefully({
      batch: async (batch, { tx }) => {
        for (const event of batch) await effect(tx, event, event.id === 'b' ? 'a note with \0' : '');
      },
    });
    const result = await runChunk(events('a', 'b', 'c'), group);
    expect(result).toMatchObject({ to: 3, buried: [{ eventId: 'b', reason: expect.stringContaining('invalid byte sequence') }] });
    expect(await effects(test.database)).toEqual(['a', 'c']);
  });
});

it('charges no event whose handler gives up because it was told to stop', async () => {
  const stopping = new AbortController();
  const options = { oneByOne: true, signal: stopping.signal };
  const each = (_event: object, { signal }: { signal: AbortSignal }) => {
    stopping.abort(new Error('the partition is lost'));
    signal.throwIfAborted();
  };
  await expect(runChunk(events('a'), await groupOf(test.database, { each }, options))).rejects.toThrow('the partition is lost');
  expect([await claimed(test.database), await offset()]).toEqual([[], 0]);
});
