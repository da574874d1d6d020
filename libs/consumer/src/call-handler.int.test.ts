import { classifyDatabaseError, sql } from '@shopflow/database';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BatchContext, EventContext } from './event-context.js';
import { classifyFailure, HandlerTimeoutError } from './failure.js';
import { runChunk } from './run-chunk.js';
import { chunkOf, groupOf } from './test-support/chunk-of.js';
import { effect, effectMigrations, effects, forgetEverything } from './test-support/effects.js';
import { recordingLogger } from './test-support/recording-logger.js';

const CHUNK = chunkOf({ id: 'a', orderId: 'ORD-1' }, { id: 'b', orderId: 'ORD-2' }, { id: 'c', orderId: 'ORD-3' });
const LIMIT = { timeLimitMs: 100 };
let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
beforeEach(() => forgetEverything(test.database));
afterAll(() => test.drop());

const thrownBy = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

it.each([[false], [true]])(
  'ends a call that is over its limit, with all that its transaction has done (one by one: %s)',
  async (oneByOne) => {
    const { logger, lines } = recordingLogger();
    const each = async (event: { id: string }, { tx }: EventContext) => {
      await effect(tx, event);
      if (event.id === 'b') await new Promise(() => {});
    };
    const error = await thrownBy(runChunk(CHUNK, await groupOf(test.database, { each }, { ...LIMIT, oneByOne, logger })));
    expect(error).toBeInstanceOf(HandlerTimeoutError);
    expect(error).toMatchObject({ handler: 'Test.handler', limitMs: 100, eventIds: ['b'] });
    expect([classifyFailure(error), await effects(test.database)]).toEqual(['hangs', []]);
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', eventId: 'b', orderId: 'ORD-2', type: 'order.created' })]);
  },
);

it('does not wait for a statement, and nothing that the handler still does counts', async () => {
  const late = Promise.withResolvers<unknown>();
  const each = async (event: { id: string }, { tx, signal }: EventContext) => {
    await sql(tx, 'SELECT pg_sleep(60)').catch(() => signal.aborted || late.reject(new Error('not told')));
    await effect(tx, event).then(late.resolve, late.resolve);
  };
  const error = await thrownBy(runChunk(CHUNK, await groupOf(test.database, { each }, LIMIT)));
  expect(error).toBeInstanceOf(HandlerTimeoutError);
  expect(classifyDatabaseError(await late.promise)).toBe('outage');
  expect(await effects(test.database)).toEqual([]);
});

it('tells the handler by its signal, and lets its locks go to the next try', async () => {
  const reasons: unknown[] = [];
  let calls = 0;
  const batch = async (events: readonly { id: string }[], { tx, signal }: BatchContext) => {
    for (const event of events) await effect(tx, event);
    if (++calls > 1) return;
    signal.addEventListener('abort', () => reasons.push(signal.reason));
    await new Promise(() => {});
  };
  const group = await groupOf(test.database, { batch }, LIMIT);
  const error = await thrownBy(runChunk(CHUNK, group));
  expect(error).toMatchObject({ eventIds: ['a', 'b', 'c'] });
  expect(reasons).toEqual([error]);
  await runChunk(CHUNK, group);
  expect(await effects(test.database)).toEqual(['a', 'b', 'c']);
});

it('has a limit for each call, not for the chunk', async () => {
  const each = async (event: { id: string }, { tx }: EventContext) => {
    await sql(tx, 'SELECT pg_sleep(0.25)');
    await effect(tx, event);
  };
  await runChunk(CHUNK, await groupOf(test.database, { each }, { timeLimitMs: 600 }));
  expect(await effects(test.database)).toEqual(['a', 'b', 'c']);
});
