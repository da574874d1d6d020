import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LEASE_MS, Sending } from '../sending/sending.fixture.js';
import { neverHeals, mayHeal, type Outcome } from '../sending/outcome.js';
import type { ClaimedDelivery } from './delivery.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());
beforeEach(() => sending.clear());

const accepted = { kind: 'accepted', providerId: 'msg_late', replayed: false } as const;
const refused = neverHeals('mailbox ada@shop.ng does not exist');

async function claim(worker = 'worker-a'): Promise<ClaimedDelivery> {
  const request = { worker, now: sending.clock(), free: 1, quiet: true };
  const delivery = (await sending.instance().claims.execute(request)).deliveries.at(0);
  if (delivery === undefined) throw new Error('nothing was claimed');
  return delivery;
}
const record = (delivery: ClaimedDelivery, outcome: Outcome) => sending.instance().record(delivery, outcome, sending.clock());
const eventTypes = async () => (await sending.announced()).map(({ type }) => type);

describe('the result of an attempt', () => {
  it.each([
    ['an acceptance', accepted],
    ['a refusal', refused],
    ['a failure', mayHeal('mail provider timed out')],
  ])('changes nothing when the lease was taken over: %s', async (_what, outcome) => {
    await sending.created('ORD-1');
    const late = await claim('worker-a');
    sending.passTime(LEASE_MS);
    const taken = await claim('worker-a'); // even by the same worker: a lease names one claim
    expect(await record(late, outcome)).toEqual({ kind: 'lost' });
    expect(await sending.find('evt-ORD-1')).toMatchObject({ status: 'running', claims: 2, attempts: 0 });
    expect(await eventTypes()).toEqual(['email.started']);
    expect(await sending.letters()).toEqual([]);
    expect(await record(taken, accepted)).toEqual({ kind: 'sent' });
  });

  it('is written with its event or not at all', async () => {
    await sending.created('ORD-1');
    const delivery = await claim();
    await sending.db.database.query(`ALTER TABLE outbox ADD CONSTRAINT no_sent CHECK (type <> 'email.sent')`);
    await expect(record(delivery, accepted)).rejects.toThrow(/no_sent/);
    expect((await sending.find('evt-ORD-1')).status).toBe('running');
    await sending.db.database.query('ALTER TABLE outbox DROP CONSTRAINT no_sent');
    expect(await record(delivery, accepted)).toEqual({ kind: 'sent' });
  });

  it('counts a crash for ever, and a start that finished never', async () => {
    await sending.created('ORD-1');
    await claim(); // crashes
    sending.passTime(LEASE_MS);
    expect(await record(await claim(), mayHeal('mail provider timed out'))).toMatchObject({ kind: 'retry' });
    expect(await sending.find('evt-ORD-1')).toMatchObject({
      status: 'queued',
      claims: 1,
      attempts: 1,
      lastError: 'mail provider timed out',
    });
  });

  it('is not the end when the contact was corrected while the e-mail went to the old address', async () => {
    await sending.created('ORD-1', { email: 'ada@shop.invalid', name: 'Ada' });
    const delivery = await claim();
    await sending.contactUpdated('ORD-1', { email: 'ada@shop.ng', name: 'Ada' });
    expect(await record(delivery, refused)).toEqual({ kind: 'corrected' });
    expect(await sending.find('evt-ORD-1')).toMatchObject({ status: 'queued', attempts: 0, claims: 0 });
    expect(await sending.letters()).toEqual([]);
    expect((await claim()).contact).toMatchObject({ email: 'ada@shop.ng' });
  });

  it('and a correction at the same moment never leave the delivery dead with the address corrected', async () => {
    for (let round = 0; round < 8; round++) {
      await sending.clear();
      await sending.created('ORD-1', { email: 'ada@shop.invalid', name: 'Ada' });
      const delivery = await claim();
      await Promise.all([record(delivery, refused), sending.contactUpdated('ORD-1', { email: 'ada@shop.ng', name: 'Ada' })]);
      expect((await sending.find('evt-ORD-1')).status).toBe('queued');
      expect((await sending.letters()).filter(({ state }) => state === 'open')).toEqual([]);
    }
  });
});
