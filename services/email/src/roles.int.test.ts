import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { KafkaGroup } from '@shopflow/consumer';
import { orderCreated } from '@shopflow/contracts';
import { type RunningService, signOrganizationToken, startService } from '@shopflow/http';
import { eventually, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EmailModule } from './email.module.js';
import { type Published, Surroundings } from './email-service.fixture.js';

// The API as a process of its own, which cannot even reach the broker, and a worker beside it.

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const KEY = 'a key of at least thirty-two characters';

let around: Surroundings;
let api: { readonly child: ChildProcess; readonly url: string };
let worker: RunningService;
beforeAll(async () => {
  around = await Surroundings.start();
  [api, worker] = await Promise.all([startApi(), startWorker()]);
});
afterAll(async () => {
  await worker.stop();
  const gone = once(api.child, 'exit');
  api.child.kill('SIGTERM');
  expect((await gone)[0]).toBe(0);
  await around.stop();
});

async function startApi() {
  const env = around.environment({ EMAIL_ROLE: 'api', KAFKA_BROKERS: '127.0.0.1:1', ORGANIZATION_KEY: KEY });
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const url = await eventually(() => /email is listening on ([^"]+)/.exec(out)?.[1], { message: 'the API listens', timeoutMs: 30_000 });
  return { child, url };
}

async function startWorker(): Promise<RunningService> {
  const logger = testLogger('email', 'silent');
  const module = EmailModule.forRoot(around.config({ EMAIL_ROLE: 'worker' }), logger);
  return startService({ name: 'email', module, logger, host: '127.0.0.1', port: 0, organizationKey: KEY, strategy: KafkaGroup });
}

async function ask(organization: string, path: string, method = 'GET'): Promise<unknown> {
  const authorization = `Bearer ${await signOrganizationToken(organization, KEY, 1)}`;
  const answer = await fetch(api.url + path, { method, headers: { authorization } });
  return answer.ok ? answer.json() : answer.status;
}
const becomes = (status: string) =>
  eventually(async () => ((await ask('mamaput', '/deliveries/evt-ORD-1')) as { status?: string }).status === status, { message: status });

const order: Published = {
  id: 'evt-ORD-1',
  contract: orderCreated,
  orderId: 'ORD-1',
  organizationId: 'mamaput',
  payload: { orderId: 'ORD-1', customer: { email: 'ada@shop.ng', name: null }, totalKobo: 1, currency: 'NGN', channel: 'web' },
};

it('sends in the worker what is asked for by events and, in the API, by people', async () => {
  around.provider.control({ failNext: 4 });
  await around.publish(order);
  await becomes('dead');
  expect(await ask('mamaput', '/deliveries/evt-ORD-1/replay', 'POST')).toEqual({ replayed: true });
  await becomes('sent');
  expect(around.provider.inbox()).toHaveLength(1);
  expect(await (await fetch(`${worker.url}/metrics`)).text()).toContain('deliveries_sent_total{kind="receipt"} 1');
});

it('is ready in either role, with what belongs to it alone', async () => {
  const statuses = (url: string) =>
    Promise.all(
      ['/health/ready', '/status/deliveries', '/deliveries', '/status/consumer'].map(async (path) => (await fetch(url + path)).status),
    );
  expect(await statuses(api.url)).toEqual([200, 200, 200, 404]);
  expect(await statuses(worker.url)).toEqual([200, 200, 404, 200]);
});

it('shows an organization nothing of another, and lets it change nothing', async () => {
  const seen = (organization: string) =>
    Promise.all([
      ask(organization, '/deliveries').then((list) => (list as unknown[]).length),
      ask(organization, '/deliveries/evt-ORD-1').then((found) => typeof found === 'object'),
      ask(organization, '/deliveries/evt-ORD-1/replay', 'POST'),
      ask(organization, '/dead-letters').then((list) => (list as unknown[]).length),
    ]);
  expect(await seen('mamaput')).toEqual([1, true, { replayed: false }, 1]);
  expect(await seen('gracehotel')).toEqual([0, false, 404, 0]);
  expect(await seen('shopflow')).toEqual([0, false, 404, 0]);
});
