import { KafkaGroup } from '@shopflow/consumer';
import { orderCancelled, orderContactUpdated, orderCreated } from '@shopflow/contracts';
import { type RunningService, startService } from '@shopflow/http';
import { eventually, readTopic, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmailModule } from './email.module.js';
import { type Published, Surroundings } from './email-service.fixture.js';
import type { Delivery } from './ledger/delivery.js';

// The service in this process, from Kafka to the mail provider and its own HTTP API.

let around: Surroundings;
let service: RunningService;
beforeAll(async () => {
  around = await Surroundings.start();
  const logger = testLogger('email', 'silent');
  const module = EmailModule.forRoot(around.config(), logger);
  service = await startService({ name: 'email', module, logger, host: '127.0.0.1', port: 0, strategy: KafkaGroup });
  await eventually(async () => (await call('GET', '/health/ready')).status === 200, { message: 'the service is ready' });
});
afterAll(async () => {
  await service.stop();
  await around.stop();
});
beforeEach(() => around.provider.control({ reset: true }));

async function call<T = unknown>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(service.url + path, { method, ...init });
  return { status: answer.status, body: (await answer.json()) as T };
}
const becomes = (id: string, status: Delivery['status']) =>
  eventually(
    async () => {
      const { body } = await call<Delivery>('GET', `/deliveries/${id}`);
      return body.status === status && body;
    },
    { message: `${id} ${status}` },
  );

const created = (orderId: string, email: string, name: string | null): Published => ({
  id: `evt-${orderId}`,
  contract: orderCreated,
  orderId,
  correlationId: `req-of-${orderId}`,
  payload: { orderId, customer: { email, name }, totalKobo: 2_500_000, currency: 'NGN', channel: 'web' },
});
const contactUpdated = (orderId: string, email: string): Published => ({
  id: `evt-${orderId}-contact`,
  contract: orderContactUpdated,
  orderId,
  payload: { orderId, customer: { email, name: null } },
});

describe('the email service', () => {
  it('sends one receipt for an order of any version, however often its event comes', async () => {
    const old: Published = {
      id: 'evt-ORD-0999',
      contract: orderCreated,
      version: 1,
      orderId: 'ORD-0999',
      payload: { orderId: 'ORD-0999', email: 'tunde@shop.ng', totalKobo: 900_000 },
    };
    const ada = created('ORD-1001', 'ada@shop.ng', 'Ada');
    await around.publish(old, ada, ada);
    await around.publish(ada, {
      ...created('ORD-1001', '', null),
      id: 'evt-other',
      contract: orderCancelled,
      payload: { orderId: 'ORD-1001', reason: null },
    });
    await becomes('evt-ORD-0999', 'sent');
    await becomes('evt-ORD-1001', 'sent');
    await eventually(async () => {
      const { body } = await call<{ duplicates: number; skippedByType: Record<string, number> }>('GET', '/status/consumer');
      return body.duplicates === 2 && body.skippedByType['order.cancelled'] === 1;
    });
    const mails = around.provider.inbox().map(({ to, text }) => `${to}: ${text}`);
    expect(mails.sort()).toEqual(['ada@shop.ng: Hi Ada, order ORD-1001 is confirmed', 'tunde@shop.ng: Hello, order ORD-0999 is confirmed']);
    expect(around.provider.stats().handled).toBe(2);
  });

  it('gives up a mailbox that does not exist: a dead letter with its record in email.dlq', async () => {
    const event = created('ORD-1002', 'bola@shop.invalid', 'Bola');
    await around.publish(event);
    await becomes('evt-ORD-1002', 'dead');
    const { body: letters } = await call('GET', '/dead-letters?state=open&orderId=ORD-1002');
    const reason = 'mailbox bola@shop.invalid does not exist';
    expect(letters).toMatchObject([
      { consumer: 'email', eventId: 'evt-ORD-1002', attempts: 1, reason, state: 'open', correlationId: 'req-of-ORD-1002' },
    ]);

    const [record] = await eventually(
      async () => {
        const records = await readTopic(around.dlqTopic());
        return records.length > 0 && records;
      },
      { message: 'the record is in email.dlq' },
    );
    expect([record?.key?.toString(), record?.value?.toString()]).toEqual(['ORD-1002', JSON.stringify(event.payload)]);
    const headers = Object.fromEntries(Object.entries(record?.headers ?? {}).map(([name, value]) => [name, String(value)]));
    expect(headers).toMatchObject({
      ce_id: 'evt-ORD-1002',
      ce_type: 'order.created',
      '__dlq.errors.message': reason,
      '__dlq.errors.delivery.count': '1',
    });
  });

  it('replays a dead delivery once, however often it is asked to', async () => {
    around.provider.control({ failNext: 4 });
    await around.publish(created('ORD-1003', 'chidi@shop.ng', 'Chidi'));
    expect(await becomes('evt-ORD-1003', 'dead')).toMatchObject({ attempts: 4, lastError: 'mail provider answered 503: try again later' });
    const replay = (body?: unknown) => call('POST', '/deliveries/evt-ORD-1003/replay', body);
    const both = await Promise.all([replay({ who: 'ngozi', why: 'the provider is back' }), replay()]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.map(({ body }) => JSON.stringify(body)).sort()).toEqual(['{"replayed":false}', '{"replayed":true}']);
    await becomes('evt-ORD-1003', 'sent');
    expect(await replay()).toEqual({ status: 200, body: { replayed: false } });
    expect(around.provider.inbox()).toHaveLength(1);
    expect((await call('GET', '/dead-letters?eventId=evt-ORD-1003')).body).toMatchObject([{ state: 'replayed' }]);
  });

  it('sends a dead receipt by itself when the contact is corrected', async () => {
    await around.publish(created('ORD-1004', 'emeka@shop.invalid', 'Emeka'));
    await becomes('evt-ORD-1004', 'dead');
    await around.publish(contactUpdated('ORD-1004', 'emeka@shop.ng'));
    await becomes('evt-ORD-1004', 'sent');
    expect(around.provider.inbox()).toMatchObject([{ key: 'evt-ORD-1004', to: 'emeka@shop.ng' }]);
  });

  it('finds deliveries by order and by status, the newest first', async () => {
    const list = async (query: string) => (await call<Delivery[]>('GET', `/deliveries?${query}`)).body.map(({ id }) => id);
    expect(await list('orderId=ORD-1002')).toEqual(['evt-ORD-1002']);
    expect(await list('status=dead')).toEqual(['evt-ORD-1002']);
    expect(await list('status=sent&limit=1')).toEqual(['evt-ORD-1004']);
  });

  it.each([
    ['GET', '/deliveries/evt-nothing', undefined, 404],
    ['GET', '/deliveries/evt%00', undefined, 404],
    ['POST', '/deliveries/evt-nothing/replay', {}, 404],
    ['POST', '/deliveries/evt-ORD-1002/replay', { who: '', what: 1 }, 400],
    ['GET', '/deliveries?status=lost&limit=0', undefined, 400],
    ['GET', '/dead-letters?state=lost', undefined, 400],
  ])('answers %s %s %j with %i and a problem', async (method, path, body, status) => {
    expect(await call(method, path, body)).toMatchObject({ status, body: { status } });
  });
});
