import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '@shopflow/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENTS_PER_ORDER, insertStep, ORDERS, stepsOutOfOrder } from './many-events.js';
import { queryAt, RunningShop } from './running-shop.js';

const TOKEN = fileURLToPath(new URL('../../../libs/http/dist/token.js', import.meta.url));

let shop: RunningShop;
beforeAll(async () => {
  shop = await RunningShop.start();
}, 120_000);
afterAll(() => shop.remove());

const tokenOf = async (organization: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, [TOKEN, '--organization', organization])).stdout.trim();

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
    await eventually(async () => expect((await shop.logLines('email', 'req-7f3a')).join('\n')).toMatch(/queued[\s\S]*sen[dt]/));
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
    // Another group, at its own pace.
    const cancelled = 'order ORD-regret cancelled: changed her mind';
    await eventually(async () => expect(await shop.auditLines('ORD-regret')).toContain(cancelled));
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

describe('crashes', () => {
  it('loses no order whose service is killed between its commit and its publication', async () => {
    await shop.system.stopService('relay');
    await shop.place('ORD-killed', 'killed@shop.ng');
    await shop.system.kill('orders');
    await shop.system.startService('relay');
    await eventually(async () => expect(await shop.mailsTo('killed@shop.ng')).toHaveLength(1));
    await eventually(async () => expect(await shop.auditLines('ORD-killed')).toHaveLength(3));
    await shop.system.untilReady('orders');
  });

  it('takes 20,000 events through three kills of the relay: none lost, in order per key, each with its effect once', async () => {
    for (let step = 1; step <= EVENTS_PER_ORDER; step++) {
      await insertStep(shop, step);
      if ([10, 25, 40].includes(step)) await shop.system.kill('relay');
    }
    const audited = () =>
      shop.query<{ event_id: string }>(
        'audit',
        `SELECT event_id FROM audit_log WHERE order_id LIKE 'ORD-many-%' AND type LIKE 'order.%' ORDER BY seq`,
      );
    const inAudit = await eventually(
      async () => {
        const rows = await audited();
        return rows.length >= ORDERS * EVENTS_PER_ORDER && rows;
      },
      { timeoutMs: 60_000, message: '20,000 events in the audit log' },
    );

    expect(inAudit).toHaveLength(ORDERS * EVENTS_PER_ORDER);
    expect(stepsOutOfOrder(inAudit.map(({ event_id }) => event_id))).toEqual([]);
    const counted = () =>
      shop.query<{ n: number }>(
        'analytics',
        'SELECT count(*)::int AS n FROM counted_orders WHERE order_id LIKE $$ORD-many-%$$ AND day IS NOT NULL AND cancelled',
      );
    await eventually(async () => (await counted())[0]?.n === ORDERS, { timeoutMs: 60_000, message: '400 orders counted and taken back' });
    await eventually(async () => {
      const [row] = await shop.query<{ orders: string; total: string }>(
        'analytics',
        `SELECT sum(orders) AS orders, sum(total_kobo) AS total FROM revenue`,
      );
      expect(row).toEqual({ orders: '4', total: '400' }); // of the orders before; all of these are cancelled again
      return true;
    });
    await eventually(async () => expect(await shop.mailsTo('many@shop.ng')).toHaveLength(ORDERS), { timeoutMs: 60_000 });
  }, 120_000);

  it('loses nothing when a consumer database is restored to an earlier state', async () => {
    const audit = new URL(shop.system.databases.audit);
    const name = audit.pathname.slice(1);
    const server = new URL(audit);
    server.pathname = '/postgres';
    await shop.system.stopService('audit');
    await queryAt(server.href, `CREATE DATABASE "${name}_backup" TEMPLATE "${name}"`);
    await shop.system.startService('audit');
    for (const n of [1, 2, 3, 4, 5, 6]) await shop.place(`ORD-after-backup-${n}`, `backup${n}@shop.ng`);
    await eventually(async () => expect(await shop.auditLines('ORD-after-backup-6')).toHaveLength(3));

    await shop.system.stopService('audit');
    await queryAt(server.href, `DROP DATABASE "${name}"`);
    await queryAt(server.href, `ALTER DATABASE "${name}_backup" RENAME TO "${name}"`);
    await shop.system.startService('audit');
    for (const n of [1, 2, 3, 4, 5, 6]) {
      await eventually(async () => expect(await shop.auditLines(`ORD-after-backup-${n}`)).toHaveLength(3));
    }
    const twice = await shop.query('audit', 'SELECT event_id FROM audit_log GROUP BY event_id HAVING count(*) > 1');
    expect(twice).toEqual([]);
  }, 90_000);
});

describe('an organization', () => {
  it('sees what is its own alone, from the order to the e-mail with the invoice', async () => {
    const mamaput = { authorization: `Bearer ${await tokenOf('mamaput')}`, 'x-request-id': 'req-mamaput' };
    const see = <T>(service: 'orders' | 'invoices' | 'email' | 'audit', path: string, headers = {}) =>
      shop.send<T>(service, 'GET', path, undefined, headers);
    const order = { orderId: 'ORD-mamaput', customer: { email: 'buyer@mamaput.ng' }, totalKobo: 5, currency: 'NGN', channel: 'app' };
    await shop.send('orders', 'POST', '/orders', order, mamaput);
    const [{ invoiceId }] = await eventually(async () => {
      const invoices = await see<[{ invoiceId: number }]>('invoices', '/invoices', mamaput);
      return invoices.length > 0 && invoices;
    });
    const { deliveryId } = await shop.send<{ deliveryId: number }>('invoices', 'POST', `/invoices/${invoiceId}/send`, {}, mamaput);
    const linesFor = async (headers?: object) =>
      (await see<{ entries: unknown[] }>('audit', '/audit?orderId=ORD-mamaput', headers)).entries.length;
    await eventually(async () => (await linesFor(mamaput)) === 7);
    expect(await linesFor()).toBe(0);
    const paths = [
      ['orders', '/orders/ORD-mamaput'],
      ['invoices', `/invoices/${invoiceId}`],
      ['invoices', `/deliveries/${deliveryId}`],
      ['email', `/deliveries/delivery-${deliveryId}`],
    ] as const;
    for (const [service, path] of paths) {
      await expect(see(service, path)).rejects.toThrow('answered 404');
      await see(service, path, mamaput);
    }
    for (const service of ['orders', 'invoices', 'email'] as const) {
      expect(await shop.organizationsInLog(service, 'req-mamaput')).toEqual(['mamaput']);
    }
  });
});
