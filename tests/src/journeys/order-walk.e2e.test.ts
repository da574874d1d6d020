import { eventually } from '@shopflow/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningShop } from './running-shop.js';

let shop: RunningShop;
beforeAll(async () => {
  shop = await RunningShop.start();
});
afterAll(() => shop.remove());

interface DeadLetter {
  readonly eventId: string;
  readonly reason: string;
  readonly state: string;
}
const openLetters = async (eventId: string) =>
  (await shop.send<DeadLetter[]>('email', 'GET', '/dead-letters?state=open')).filter((letter) => letter.eventId === eventId);

describe('the walk of an order', () => {
  it('reaches e-mail, audit and analytics, and one search for its correlation id finds it in every service', async () => {
    await shop.place('ORD-walk', 'walk@shop.ng', 'req-7f3a');
    await eventually(async () => expect(await shop.auditLines('ORD-walk')).toHaveLength(3));
    expect(await shop.mailsTo('walk@shop.ng')).toEqual(['Hi Ada, order ORD-walk is confirmed']);
    // Order holds within a topic; those of two topics arrive as they come.
    const [created, started, sent] = [
      'order ORD-walk created',
      'receipt e-mail for order ORD-walk started',
      'receipt e-mail for order ORD-walk sent',
    ];
    const lines = await shop.auditLines('ORD-walk');
    expect([...lines].sort()).toEqual([created, sent, started].sort());
    expect(lines.indexOf(started!)).toBeLessThan(lines.indexOf(sent!));
    for (const service of ['orders', 'relay', 'email', 'audit', 'analytics'] as const) {
      await eventually(async () => (await shop.logLines(service, 'req-7f3a')).length > 0, {
        message: `a line of ${service} with req-7f3a`,
      });
    }
    expect((await shop.logLines('email', 'req-7f3a')).join('\n')).toMatch(/queued[\s\S]*sen[dt]/);
  });

  it('sends the receipt once the contact is corrected, and closes the dead letter', async () => {
    await shop.place('ORD-typo', 'nobody@shop.invalid');
    await eventually(async () => expect(await openLetters('evt-ORD-typo')).toHaveLength(1));
    await shop.send('orders', 'PATCH', '/orders/ORD-typo/contact', { email: 'somebody@shop.ng', name: 'Obi' });
    await eventually(async () => expect(await shop.mailsTo('somebody@shop.ng')).toEqual(['Hi Obi, order ORD-typo is confirmed']));
    expect(await openLetters('evt-ORD-typo')).toEqual([]);
  });

  it('takes a cancelled order back from the revenue of its day', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const revenue = async () =>
      (await shop.send<{ totalKobo: string }>('analytics', 'GET', `/revenue?from=${today}&to=${today}`)).totalKobo;
    await eventually(async () => (await revenue()) === '200');
    await shop.place('ORD-regret');
    await eventually(async () => (await revenue()) === '300');
    await shop.send('orders', 'POST', '/orders/ORD-regret/cancel', { reason: 'changed her mind' });
    await eventually(async () => (await revenue()) === '200');
    expect(await shop.auditLines('ORD-regret')).toContain('order ORD-regret cancelled: changed her mind');
  });

  it('keeps a provider that is down from losing a receipt: dead letter, replay, one mail', async () => {
    await shop.send('mail-provider', 'POST', '/control', { failNext: 4 });
    await shop.place('ORD-outage', 'outage@shop.ng');
    const letters = await eventually(async () => {
      const found = await openLetters('evt-ORD-outage');
      return found.length > 0 && found;
    });
    expect(letters).toMatchObject([{ attempts: 4, state: 'open' }]);
    const replay = () => shop.send('email', 'POST', '/deliveries/evt-ORD-outage/replay', { who: 'support', why: 'the provider is back' });
    expect([await replay(), await replay()]).toEqual([{ replayed: true }, { replayed: false }]);
    await eventually(async () => expect(await shop.mailsTo('outage@shop.ng')).toHaveLength(1));
    expect(await openLetters('evt-ORD-outage')).toEqual([]);
  });
});
