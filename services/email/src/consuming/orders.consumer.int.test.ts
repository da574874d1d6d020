import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sending } from '../sending/sending.fixture.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());
beforeEach(() => sending.clear());

const at = (second: number, offset: number, partition = 0) => ({ time: new Date(`2026-10-05T09:00:0${second}Z`), offset, partition });
const address = async () => (await sending.db.database.query<{ email: string }>('SELECT email FROM contacts')).rows[0]?.email;
const rows = async () => (await sending.deliveries.list({ limit: 10 })).length;
const person = (email: string) => ({ email, name: null });

async function killReceipt(orderId: string): Promise<void> {
  sending.instance().dispatcher.wake();
  await sending.becomes(`evt-${orderId}`, 'dead');
}

describe('an order that was placed', () => {
  it('is owed one receipt, however often the event comes', async () => {
    await sending.created('ORD-1');
    await sending.created('ORD-1');
    expect(await rows()).toBe(1);
    const { rows: keys } = await sending.db.database.query('SELECT id, dedupe_key, correlation_id FROM deliveries');
    expect(keys).toEqual([{ id: 'evt-ORD-1', dedupe_key: 'receipt:evt-ORD-1', correlation_id: 'req-7f3a' }]);
  });

  it('keeps the record of its event byte for byte, for the dead letter', async () => {
    await sending.created('ORD-1', { email: 'ada@shop.invalid', name: 'Ada' }, at(1, 42, 3));
    await killReceipt('ORD-1');
    const { rows: letters } = await sending.db.database.query(
      `SELECT source, event_id, subject, type, version, topic, partition, "offset", key, value, headers FROM dead_letters`,
    );
    expect(letters).toEqual([
      {
        source: 'orders',
        event_id: 'evt-ORD-1',
        subject: 'delivery',
        type: 'order.created',
        version: 3,
        topic: 'orders.events',
        partition: 3,
        offset: '42',
        key: Buffer.from('ORD-1001'),
        value: Buffer.from('{"raw":"bytes"}'),
        headers: { ce_id: base64('evt-ORD-1001'), odd: [Buffer.from([0, 255]).toString('base64'), base64('two')] },
      },
    ]);
  });

  it('leaves nothing behind when its transaction fails', async () => {
    await sending.db.database.query('ALTER TABLE deliveries ADD CONSTRAINT no_rows CHECK (false) NOT VALID');
    await expect(sending.created('ORD-1')).rejects.toThrow(/no_rows/);
    await sending.db.database.query('ALTER TABLE deliveries DROP CONSTRAINT no_rows');
    expect([await rows(), await address()]).toEqual([0, undefined]);
  });
});

describe('a corrected contact', () => {
  it('wins over the one that the order was placed with', async () => {
    await sending.created('ORD-1', person('old@shop.ng'));
    await sending.contactUpdated('ORD-1', person('new@shop.ng'));
    sending.instance().dispatcher.wake();
    await sending.becomes('evt-ORD-1', 'sent');
    expect(sending.provider.inbox()).toMatchObject([{ to: 'new@shop.ng', text: 'Hello, order ORD-1 is confirmed' }]);
  });

  it('brings a dead receipt back in the same row, under the same key, and closes its letter with it', async () => {
    await sending.created('ORD-1', person('bola@shop.invalid'));
    await killReceipt('ORD-1');
    await sending.contactUpdated('ORD-1', person('bola@shop.ng'), { eventId: 'evt-fix' });
    expect(await sending.find('evt-ORD-1')).toMatchObject({ status: 'queued', attempts: 0, claims: 0, lastError: null });
    expect(await sending.letters()).toMatchObject([{ subject: 'delivery', state: 'replayed' }]);
    const { rows: actions } = await sending.db.database.query('SELECT event_id, action, who, why FROM dead_letter_actions');
    expect(actions).toEqual([{ event_id: 'evt-ORD-1', action: 'replay', who: 'event evt-fix', why: 'the contact was corrected' }]);

    sending.instance().dispatcher.wake();
    await sending.becomes('evt-ORD-1', 'sent');
    expect(sending.provider.inbox()).toMatchObject([{ key: 'evt-ORD-1', to: 'bola@shop.ng' }]);
    expect(await rows()).toBe(1);
  });

  it('revives delivery and letter together or neither', async () => {
    await sending.created('ORD-1', person('bola@shop.invalid'));
    await killReceipt('ORD-1');
    await sending.db.database.query('ALTER TABLE dead_letter_actions ADD CONSTRAINT closed CHECK (false) NOT VALID');
    await expect(sending.contactUpdated('ORD-1', person('bola@shop.ng'))).rejects.toThrow(/closed/);
    await sending.db.database.query('ALTER TABLE dead_letter_actions DROP CONSTRAINT closed');
    expect([(await sending.find('evt-ORD-1')).status, await address()]).toEqual(['dead', 'bola@shop.invalid']);
    expect(await sending.letters()).toMatchObject([{ state: 'open' }]);
  });

  it('sends nothing again when the receipt went out before', async () => {
    await sending.created('ORD-1');
    const { dispatcher } = sending.instance();
    dispatcher.wake();
    await sending.becomes('evt-ORD-1', 'sent');
    await sending.contactUpdated('ORD-1', person('new@shop.ng'));
    expect((await sending.find('evt-ORD-1')).status).toBe('sent');
  });

  it('is not undone by the placing when that comes late', async () => {
    await sending.contactUpdated('ORD-1', person('new@shop.ng'), at(2, 2));
    await sending.created('ORD-1', person('old@shop.ng'), at(1, 1));
    expect([await address(), await rows()]).toEqual(['new@shop.ng', 1]);
  });

  it.each([
    ['a later one', at(3, 3), 'second@shop.ng'],
    ['one that committed later though it began earlier', at(1, 3), 'second@shop.ng'],
    ['one from a topic that was made again, where offsets begin anew', at(3, 0), 'second@shop.ng'],
    ['one that comes late, out of a dead letter', at(1, 1), 'first@shop.ng'],
    ['one that comes late, from before the partitions changed', at(1, 9, 1), 'first@shop.ng'],
  ])('gives way to the right one: %s', async (_what, place, expected) => {
    await sending.created('ORD-1', person('old@shop.ng'), at(0, 0));
    await sending.contactUpdated('ORD-1', person('first@shop.ng'), at(2, 2));
    await sending.contactUpdated('ORD-1', person('second@shop.ng'), place);
    expect(await address()).toBe(expected);
  });
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
