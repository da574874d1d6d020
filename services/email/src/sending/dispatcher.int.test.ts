import { eventually } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LEASE_MS, Sending } from './sending.fixture.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());
beforeEach(() => sending.clear());

const types = async () => (await sending.announced()).map(({ type }) => type);
const owe = async (count: number) => {
  const ids = Array.from({ length: count }, (_none, n) => `evt-ORD-${n}`);
  for (const id of ids) await sending.created(id.slice(4));
  return ids;
};

describe('the dispatcher', () => {
  it('sends a receipt once and says so with what caused it', async () => {
    await sending.created('ORD-1001');
    sending.instance().dispatcher.wake();
    await sending.becomes('evt-ORD-1001', 'sent');
    expect(sending.provider.inbox()).toEqual([
      {
        id: 'msg_1',
        key: 'evt-ORD-1001',
        to: 'ada@shop.ng',
        subject: 'Order ORD-1001 is confirmed',
        text: 'Hi Ada, order ORD-1001 is confirmed',
      },
    ]);
    expect(await types()).toEqual(['email.started', 'email.sent']);
    expect((await sending.announced())[1]).toMatchObject({
      payload: { orderId: 'ORD-1001', deliveryId: 'evt-ORD-1001', providerId: 'msg_1', attempts: 1 },
      correlationId: 'req-7f3a',
      causationId: 'evt-ORD-1001',
    });
  });

  it('rides out a provider that fails twice', async () => {
    await sending.created('ORD-1001');
    sending.provider.control({ failNext: 2 });
    sending.instance().dispatcher.wake();
    expect(await sending.becomes('evt-ORD-1001', 'sent')).toMatchObject({ attempts: 3, claims: 1, lastError: null });
    expect(sending.provider.stats().handled).toBe(3);
    expect(sending.provider.inbox()).toHaveLength(1);
  });

  it('gives up after four attempts, and a replay sends the one e-mail', async () => {
    await sending.created('ORD-1001');
    sending.provider.control({ down: true });
    const { dispatcher } = sending.instance();
    dispatcher.wake();
    const dead = await sending.becomes('evt-ORD-1001', 'dead');
    expect(dead).toMatchObject({ attempts: 4, lastError: expect.stringContaining('mail provider cannot be reached') as string });
    expect(await sending.letters()).toMatchObject([{ eventId: 'evt-ORD-1001', attempts: 4, reason: dead.lastError, state: 'open' }]);

    sending.provider.control({ down: false });
    expect(await sending.revival.replay('evt-ORD-1001', { who: 'ngozi', why: 'the provider is back' })).toBe(true);
    dispatcher.wake();
    expect(await sending.becomes('evt-ORD-1001', 'sent')).toMatchObject({ attempts: 1 });
    expect(await sending.letters()).toMatchObject([{ state: 'replayed' }]);
    expect(sending.provider.inbox()).toHaveLength(1);
    expect(await types()).toEqual(['email.started', 'email.failed', 'email.started', 'email.sent']);
  });

  it('sends no second e-mail when every answer was lost and the delivery is replayed', async () => {
    await sending.created('ORD-1001');
    sending.provider.control({ failNext: 4, failWith: 'hang-after-accepting' });
    const { dispatcher } = sending.instance({ mailTimeoutMs: 50 });
    dispatcher.wake();
    expect(await sending.becomes('evt-ORD-1001', 'dead')).toMatchObject({ attempts: 4, lastError: 'mail provider timed out' });
    await sending.revival.replay('evt-ORD-1001', { who: 'ngozi', why: 'the provider is quick again' });
    dispatcher.wake();
    expect(await sending.becomes('evt-ORD-1001', 'sent')).toMatchObject({ providerId: 'msg_1' });
    expect(sending.provider.inbox()).toHaveLength(1);
  });

  it('gives up at once where the provider will refuse every time, and still sends the others', async () => {
    await sending.created('ORD-1002', { email: 'bola@shop.invalid', name: 'Bola' });
    await sending.created('ORD-1003', { email: 'not-an@address', name: null });
    await sending.created('ORD-1001');
    sending.instance().dispatcher.wake();
    await sending.becomes('evt-ORD-1001', 'sent');
    await sending.becomes('evt-ORD-1002', 'dead');
    await sending.becomes('evt-ORD-1003', 'dead');
    const letters = await sending.letters();
    expect(letters.map(({ eventId, attempts, reason }) => ({ eventId, attempts, reason }))).toEqual(
      expect.arrayContaining([
        { eventId: 'evt-ORD-1002', attempts: 1, reason: 'mailbox bola@shop.invalid does not exist' },
        { eventId: 'evt-ORD-1003', attempts: 1, reason: 'invalid recipient not-an@address' },
      ]),
    );
    expect(
      (await sending.announced()).find(({ type, payload }) => type === 'email.failed' && payload.orderId === 'ORD-1002')?.payload,
    ).toEqual({
      orderId: 'ORD-1002',
      number: null,
      deliveryId: 'evt-ORD-1002',
      kind: 'receipt',
      causeEventId: 'evt-ORD-1002',
      reason: 'mailbox bola@shop.invalid does not exist',
      attempts: 1,
    });
  });

  it('recovers from a worker that died after the provider accepted, without a second e-mail', async () => {
    await sending.created('ORD-1001');
    const doomed = sending.instance();
    await doomed.claims.execute({ worker: 'doomed', now: sending.clock(), free: 1, quiet: true });
    await doomed.provider.send('evt-ORD-1001', { to: 'ada@shop.ng', subject: 'Order ORD-1001 is confirmed', text: 'Hi Ada' });
    expect(await sending.find('evt-ORD-1001')).toMatchObject({ status: 'running', claims: 1 });

    sending.passTime(LEASE_MS + 1_000);
    sending.instance().dispatcher.wake();
    expect(await sending.becomes('evt-ORD-1001', 'sent')).toMatchObject({ claims: 2, attempts: 1, providerId: 'msg_1' });
    expect(sending.provider.stats().handled).toBe(2);
    expect(sending.provider.inbox()).toHaveLength(1);
  });

  it('calls the provider once though the database blinks twice while the result is written', async () => {
    await sending.db.database.query(`
      CREATE SEQUENCE blinks;
      CREATE FUNCTION blink() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('blinks') <= 2 THEN RAISE EXCEPTION 'terminating connection' USING ERRCODE = 'admin_shutdown'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER blink BEFORE UPDATE ON deliveries FOR EACH ROW WHEN (NEW.status = 'sent') EXECUTE FUNCTION blink()`);
    await sending.created('ORD-1001');
    sending.instance().dispatcher.wake();
    expect(await sending.becomes('evt-ORD-1001', 'sent')).toMatchObject({ claims: 1, attempts: 1 });
    await sending.db.database.query('DROP TRIGGER blink ON deliveries');
    expect(sending.provider.stats().handled).toBe(1);
  });

  it('does not try again before the provider wants to be called', async () => {
    await sending.created('ORD-1001');
    sending.provider.control({ failNext: 1, failWith: 429, retryAfterSeconds: 30 });
    const { dispatcher } = sending.instance();
    dispatcher.wake();
    const waiting = await eventually(async () => {
      const delivery = await sending.find('evt-ORD-1001');
      return delivery.attempts === 1 && delivery;
    });
    expect(waiting.dueAt.getTime() - sending.clock().getTime()).toBeGreaterThan(25_000);
    sending.passTime(30_000);
    dispatcher.wake();
    await sending.becomes('evt-ORD-1001', 'sent');
  });

  it('shares the work between two instances, with one call each and never more than five at the provider', async () => {
    const ids = await owe(24);
    sending.provider.control({ delayMs: 20 });
    const instances = [sending.instance(), sending.instance()];
    for (const { dispatcher } of instances) dispatcher.wake();
    const poll = setInterval(() => instances.forEach(({ dispatcher }) => dispatcher.wake()), 20);
    await Promise.all(ids.map((id) => sending.becomes(id, 'sent'))).finally(() => clearInterval(poll));
    expect(sending.provider.inbox()).toHaveLength(24);
    const { handled, mostAtOnce } = sending.provider.stats();
    expect(handled).toBe(24);
    expect(mostAtOnce).toBeGreaterThan(1);
    expect(mostAtOnce).toBeLessThanOrEqual(5);
  });

  it('finishes what is at the provider before it stops, and claims nothing after', async () => {
    const ids = await owe(4);
    sending.provider.control({ delayMs: 100 });
    const { dispatcher } = sending.instance({ mailConcurrency: 2 });
    dispatcher.wake();
    await eventually(() => sending.provider.stats().atOnce === 2);
    await dispatcher.stop();
    dispatcher.wake();
    const statuses = (await Promise.all(ids.map((id) => sending.find(id)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['queued', 'queued', 'sent', 'sent']);
  });

  it('hands back what it claimed while it was told to stop, uncharged', async () => {
    await owe(2);
    const { dispatcher } = sending.instance();
    dispatcher.wake();
    await dispatcher.stop();
    expect(await sending.find('evt-ORD-0')).toMatchObject({ status: 'queued', claims: 0, attempts: 0 });
    expect(sending.provider.stats().handled).toBe(0);
  });
});
