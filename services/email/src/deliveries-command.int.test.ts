import { closeDeadLetter } from '@shopflow/consumer';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runCommand } from './deliveries-command.js';
import { replayDeliveryLetter } from './ledger/replay-delivery-letter.js';
import { Sending } from './sending/sending.fixture.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());
beforeEach(async () => {
  await sending.clear();
  await sending.created('ORD-1', { email: 'bola@shop.invalid', name: 'Bola' });
  sending.instance().dispatcher.wake();
  await sending.becomes('evt-ORD-1', 'dead');
});

const command = (...args: string[]) => runCommand(sending.db.database, args);

it('replays a dead delivery once and keeps who did it and why', async () => {
  expect(await command('replay', 'evt-ORD-1', '--who', 'ngozi', '--why', 'mailbox opened')).toEqual({
    lines: ['evt-ORD-1: queued again'],
    ok: true,
  });
  expect(await command('replay', 'evt-ORD-1')).toEqual({ lines: ['evt-ORD-1: not dead, nothing to replay'], ok: false });
  const { rows } = await sending.db.database.query('SELECT event_id, subject, action, who, why FROM dead_letter_actions');
  expect(rows).toEqual([{ event_id: 'evt-ORD-1', subject: 'delivery', action: 'replay', who: 'ngozi', why: 'mailbox opened' }]);
});

it('can still bring back what somebody discarded; the letter stays discarded', async () => {
  const letter = { consumer: 'email', source: 'orders', eventId: 'evt-ORD-1', subject: 'delivery' };
  await sending.db.database.inTransaction((tx) => closeDeadLetter(tx, letter, { action: 'discard', who: 'ngozi', why: 'a test order' }));
  expect((await sending.find('evt-ORD-1')).status).toBe('dead');
  expect(await command('replay', 'evt-ORD-1')).toMatchObject({ ok: true });
  expect([(await sending.find('evt-ORD-1')).status, (await sending.letters())[0]?.state]).toEqual(['queued', 'discarded']);
});

it('shows a delivery with what stopped it', async () => {
  const line = 'evt-ORD-1  dead  ORD-1  attempts=1  claims=1  mailbox bola@shop.invalid does not exist';
  expect(await command('show', 'evt-ORD-1')).toEqual({ lines: [line], ok: true });
  expect(await command('list', 'dead')).toEqual({ lines: [line], ok: true });
  expect(await command('list', 'sent')).toEqual({ lines: [], ok: true });
  expect(await command('list', '--organization', 'shopflow')).toEqual({ lines: [line], ok: true });
});

it('leaves what is not of the organization that is named alone', async () => {
  const none = { lines: ['no delivery evt-ORD-1'], ok: false };
  expect(await command('list', '--organization', 'mamaput')).toEqual({ lines: [], ok: true });
  expect(await command('show', 'evt-ORD-1', '--organization', 'mamaput')).toEqual(none);
  expect(await command('replay', 'evt-ORD-1', '--organization', 'mamaput')).toEqual(none);
  expect(await command('replay', 'evt-ORD-1', '--organization', 'shopflow')).toMatchObject({ ok: true });
});

it.each([
  [['list', 'lost'], /no deliveries are lost/],
  [['sing'], /wanted: list/],
  [[], /wanted: list/],
  [['replay', 'evt-ORD-1', '--force'], /--force/],
])('does nothing for %j and says what is wrong', async (args, said) => {
  await expect(command(...args)).rejects.toThrow(expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(said) }));
  expect((await sending.find('evt-ORD-1')).status).toBe('dead');
});

it.each(['show', 'replay'])('has nothing to %s of a delivery that there is not', async (verb) => {
  expect(await command(verb, 'evt-nothing')).toEqual({ lines: ['no delivery evt-nothing'], ok: false });
});

it('replays a delivery from its dead letter by the same function', async () => {
  const asker = { who: 'ngozi', why: 'mailbox opened', now: new Date() };
  const replay = () => replayDeliveryLetter(sending.db.database, { source: 'orders', eventId: 'evt-ORD-1' }, asker);
  expect([await replay(), await replay()]).toEqual([true, false]);
  expect([(await sending.find('evt-ORD-1')).status, (await sending.letters())[0]?.state]).toEqual(['queued', 'replayed']);
});
