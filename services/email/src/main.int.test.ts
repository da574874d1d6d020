import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { orderCreated } from '@shopflow/contracts';
import { eventually } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Published, Surroundings } from './email-service.fixture.js';
import type { Delivery } from './ledger/delivery.js';
import { FindDeliveries } from './ledger/find-deliveries.js';

// The service as it is deployed: a process of its own, from its build.

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

let around: Surroundings;
let service: Awaited<ReturnType<typeof startEmail>>;
beforeAll(async () => {
  around = await Surroundings.start();
  service = await startEmail();
});
afterAll(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) await kill(service.child, 'SIGKILL');
  await around.stop();
});

async function startEmail() {
  const child = spawn(process.execPath, [MAIN], { env: around.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  await eventually(() => output.out.includes('listening on'), { message: 'the service listens', timeoutMs: 30_000 });
  return { child, output };
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const gone = once(child, 'exit');
  child.kill(signal);
  return ((await gone) as [number | null])[0];
}

const find = (id: string) => new FindDeliveries(around.db.database).byId(id);
const becomes = (id: string, status: Delivery['status']) =>
  eventually(async () => (await find(id))?.status === status, { message: `${id} ${status}` });
const created = (orderId: string, email: string): Published => ({
  id: `evt-${orderId}`,
  contract: orderCreated,
  orderId,
  correlationId: `req-${orderId}`,
  payload: { orderId, customer: { email, name: 'Ada' }, totalKobo: 2_500_000, currency: 'NGN', channel: 'web' },
});
const linesWith = (text: string, { out }: { out: string }): string[] =>
  out.split('\n').flatMap((line) => (line.includes(text) ? [(JSON.parse(line) as { msg: string }).msg] : []));

it('writes a line with the correlation id at every step of an e-mail', async () => {
  around.provider.control({ failNext: 1 });
  await around.publish(created('ORD-told', 'ada@shop.ng'), created('ORD-refused', 'ada@shop.invalid'));
  await becomes('evt-ORD-told', 'sent');
  await becomes('evt-ORD-refused', 'dead');
  const { output } = service;
  await eventually(
    () => linesWith('req-ORD-told', output).includes('sent') && linesWith('req-ORD-refused', output).includes('dead: given up'),
  );
  const steps = ['receipt queued', 'sending', 'attempt failed', 'sending', 'sent'];
  expect(linesWith('req-ORD-told', output).filter((line) => steps.includes(line))).toEqual(steps);
  expect(linesWith('req-ORD-refused', output)).toEqual(expect.arrayContaining(['receipt queued', 'sending', 'dead: given up']));
});

it('sends one e-mail though it is killed after the provider accepted, and ends on SIGTERM only when it has written that down', async () => {
  around.provider.control({ reset: true, failNext: 1, failWith: 'hang-after-accepting' });
  await around.publish(created('ORD-killed', 'ada@shop.ng'));
  await eventually(() => around.provider.inbox().length === 1, { message: 'the provider has accepted' });
  await kill(service.child, 'SIGKILL');
  expect(await find('evt-ORD-killed')).toMatchObject({ status: 'running', claims: 1, providerId: null });

  await around.db.database.query(`UPDATE deliveries SET locked_until = now(), slot_until = now() WHERE status = 'running'`); // a minute passes
  around.provider.control({ delayMs: 500 });
  service = await startEmail();
  await eventually(() => around.provider.stats().handled === 2, { message: 'the call under the same key is under way' });
  expect(await kill(service.child, 'SIGTERM')).toBe(0);
  expect(service.output.err).toBe('');
  expect(await find('evt-ORD-killed')).toMatchObject({ status: 'sent', claims: 2, attempts: 1, providerId: 'msg_1' });
  expect(around.provider.inbox()).toHaveLength(1);
});
