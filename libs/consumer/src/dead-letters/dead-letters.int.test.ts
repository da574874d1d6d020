import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { physicalTopic } from '@shopflow/kafka';
import {
  createTestDatabase,
  eventually,
  kafkaBrokers,
  readTopic,
  type TestDatabase,
  testLogger,
  uniqueNamespace,
  uniqueTopic,
} from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consumed } from '../test-support/chunk-of.js';
import { effectMigrations, forgetEverything } from '../test-support/effects.js';
import { ORDERS, orderRecord } from '../test-support/publish.js';
import { closeDeadLetter } from './close-dead-letter.js';
import type { Death } from './dead-letter.js';
import { DeadLetterPublisher } from './dead-letter-publisher.js';
import { listDeadLetters } from './list-dead-letters.js';
import { openDeadLetter } from './open-dead-letter.js';

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
beforeEach(() => forgetEverything(test.database));
afterAll(() => test.drop());

const failedAt = new Date('2026-11-30T10:00:00Z');
const death = (eventId: string, change: Partial<Death> = {}): Death => ({
  consumer: 'email',
  source: 'orders',
  eventId,
  subject: 'delivery',
  type: 'order.created',
  version: 3,
  orderId: 'ORD-1002',
  correlationId: 'req-81c2',
  record: consumed(orderRecord('', { id: eventId, orderId: 'ORD-1002' }), 7),
  attempts: 4,
  errorKind: 'exhausted',
  reason: 'mail provider answered 503',
  firstFailedAt: failedAt,
  lastFailedAt: failedAt,
  ...change,
});
const open = (...deaths: Death[]) =>
  test.database.inTransaction(async (tx) => {
    for (const one of deaths) await openDeadLetter(tx, one);
  });
const close = (eventId: string, action: 'replay' | 'discard' = 'replay') =>
  test.database.inTransaction((tx) =>
    closeDeadLetter(
      tx,
      { consumer: 'email', source: 'orders', eventId, subject: 'delivery' },
      { action, who: 'bola', why: 'provider is back' },
    ),
  );
const letters = (filter = {}) => listDeadLetters(test.database, 'email', filter);

describe('a letter', () => {
  it('keeps everything that is known of the death', async () => {
    await open(death('evt-1'));
    expect(await letters()).toEqual([
      { ...death('evt-1'), cause: death('evt-1').reason, state: 'open', publishedAt: null, seq: expect.any(Number) },
    ]);
  });

  it('is closed once: the second click does nothing', async () => {
    await open(death('evt-1'));
    expect([await close('evt-1'), await close('evt-1'), await close('evt-1', 'discard')]).toEqual([true, false, false]);
    expect(await letters()).toMatchObject([{ state: 'replayed' }]);
    const { rows } = await test.database.query('SELECT event_id, subject, action, who, why FROM dead_letter_actions');
    expect(rows).toEqual([{ event_id: 'evt-1', subject: 'delivery', action: 'replay', who: 'bola', why: 'provider is back' }]);
  });

  it('is closed by one of two people who click at once', async () => {
    await open(death('evt-1'));
    expect((await Promise.all([close('evt-1'), close('evt-1')])).sort()).toEqual([false, true]);
  });

  it('opens again when the replay fails too, and remembers the first failure', async () => {
    await open(death('evt-1'));
    await close('evt-1');
    const later = new Date('2026-12-01T10:00:00Z');
    await open(death('evt-1', { attempts: 8, firstFailedAt: later, lastFailedAt: later }));
    expect(await letters()).toMatchObject([{ state: 'open', attempts: 8, firstFailedAt: failedAt, lastFailedAt: later }]);
  });

  it('of a part of the work stands beside the letter of the event itself', async () => {
    await open(death('evt-1'), death('evt-1', { subject: '' }));
    await close('evt-1');
    expect(await letters({ state: 'open' })).toMatchObject([{ subject: '' }]);
  });

  it('is found by state, order and event, a page at a time', async () => {
    await open(death('evt-1'), death('evt-2', { orderId: 'ORD-2' }), death('evt-3'));
    const ids = async (filter: object) => (await letters(filter)).map((letter) => letter.eventId);
    expect(await ids({ orderId: 'ORD-2' })).toEqual(['evt-2']);
    expect(await ids({ eventId: 'evt-3' })).toEqual(['evt-3']);
    const [first] = await letters({ limit: 1 });
    expect(await ids({ after: first!.seq })).toEqual(['evt-2', 'evt-3']);
    expect(await listDeadLetters(test.database, 'audit')).toEqual([]);
  });
});

describe('the publisher', () => {
  /** The ids in `email.dlq`, once every letter that can be published is. */
  async function published(expected: number, sources = [ORDERS], publishers = 1): Promise<string[]> {
    const namespace = uniqueNamespace();
    await uniqueTopic({ namespace, name: ORDERS, partitions: 2 });
    const options = { group: 'email', brokers: kafkaBrokers(), namespace, logger: testLogger(), sweepMs: 100, sources };
    const running = Array.from({ length: publishers }, () => new DeadLetterPublisher(test.database, options));
    running.forEach((publisher) => publisher.start());
    try {
      await eventually(async () => (await letters({ limit: 500 })).filter((letter) => letter.publishedAt !== null).length === expected);
    } finally {
      await Promise.all(running.map((publisher) => publisher.stop()));
    }
    return (await readTopic(physicalTopic(namespace, 'email.dlq'))).map((record) => String(record.headers?.['ce_id'])).sort();
  }

  it('catches up with letters that a crash left unpublished', async () => {
    await open(death('evt-1'), death('evt-2'));
    expect(await published(2)).toEqual(['evt-1', 'evt-2']);
  });

  it('does not let a record that Kafka refuses hold up the rest', async () => {
    const huge = { ...death('huge').record, value: Buffer.alloc(2_000_000, 'x') };
    await open(death('evt-1'), death('huge', { record: huge }), death('evt-2'));
    expect(await published(2)).toContain('evt-2');
    expect((await letters()).filter((letter) => letter.publishedAt === null)).toMatchObject([{ eventId: 'huge', state: 'open' }]);
  });

  it('publishes each letter once with several members of the group', async () => {
    await open(...Array.from({ length: 250 }, (_, index) => death(`evt-${index}`)));
    const ids = await published(250, [ORDERS], 3);
    expect(ids).toHaveLength(250);
  });

  it('stops within 2 s when the broker does not answer, and its letters are published after the next start', async () => {
    const broker = await silentBroker();
    const options = { group: 'email', namespace: uniqueNamespace(), logger: testLogger(), sweepMs: 100, sources: [ORDERS] };
    await open(death('evt-1'));
    const publisher = new DeadLetterPublisher(test.database, { ...options, brokers: broker.address });
    publisher.start();
    await broker.called;
    const before = Date.now();
    await publisher.stop();
    expect(Date.now() - before).toBeLessThan(3_500);
    broker.hangUp();
    expect(await letters()).toMatchObject([{ publishedAt: null }]);
    expect(await published(1)).toEqual(['evt-1']);
  });
});

/** A broker that hangs: it takes connections and says nothing. */
async function silentBroker(): Promise<{ address: string; called: Promise<unknown>; hangUp(): void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => socket.destroy())));
  const called = once(server, 'connection');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const hangUp = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, called, hangUp };
}
