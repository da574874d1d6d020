import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MailProvider, type Orders, startMailProvider } from './index.js';

let provider: MailProvider;
beforeAll(async () => {
  provider = await startMailProvider();
});
afterAll(() => provider.stop());
beforeEach(() => provider.control({ reset: true }));

const mail = { to: 'ada@shop.ng', subject: 'Order ORD-1001 is confirmed', text: 'Hi Ada, order ORD-1001 is confirmed' };

const post = (path: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${provider.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
const send = (key: string, to = mail.to) => post('/messages', { ...mail, to }, { 'idempotency-key': key });
const control = (orders: Orders) => post('/control', orders);
const read = async (path: string) => (await fetch(`${provider.url}${path}`)).json();

describe('the mail provider', () => {
  it('answers a repeated key with its first acceptance and delivers one e-mail', async () => {
    expect(await (await send('evt-1')).json()).toEqual({ id: 'msg_1', replayed: false });
    expect(await (await send('evt-1')).json()).toEqual({ id: 'msg_1', replayed: true });
    expect(await read('/inbox')).toEqual([{ id: 'msg_1', key: 'evt-1', ...mail }]);
  });

  it('wants an Idempotency-Key and the three texts', async () => {
    expect((await post('/messages', mail)).status).toBe(400);
    expect((await post('/messages', { to: 'ada@shop.ng' }, { 'idempotency-key': 'k' })).status).toBe(400);
    expect((await post('/messages', 'not json', { 'idempotency-key': 'k' })).status).toBe(400);
    expect(provider.inbox()).toEqual([]);
  });

  it('refuses an impossible address and a mailbox that does not exist', async () => {
    const impossible = await send('k1', 'not-an-email');
    expect([impossible.status, await impossible.json()]).toEqual([422, { error: 'invalid recipient not-an-email' }]);
    const missing = await send('k2', 'bola@shop.invalid');
    expect([missing.status, await missing.json()]).toEqual([422, { error: 'mailbox bola@shop.invalid does not exist' }]);
  });

  it('lets a corrected address through under the key of a refusal', async () => {
    await send('evt-2', 'bola@shop.invalid');
    expect(await (await send('evt-2', 'bola@shop.ng')).json()).toEqual({ id: 'msg_1', replayed: false });
  });

  it('fails only calls that it would have accepted', async () => {
    await control({ failNext: 1 });
    expect((await send('k1', 'bola@shop.invalid')).status).toBe(422);
    expect((await send('k2')).status).toBe(503);
    expect((await send('k2')).status).toBe(200);
  });

  it('says with a 429 when to come back', async () => {
    await control({ failNext: 1, failWith: 429, retryAfterSeconds: 7 });
    const answer = await send('k1');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it.each([
    ['hang', 0],
    ['hang-after-accepting', 1],
  ] as const)('leaves a caller without an answer: %s', async (failWith, mails) => {
    await control({ failNext: 1, failWith });
    const impatient = AbortSignal.timeout(100);
    await expect(post('/messages', mail, { 'idempotency-key': 'k1' }, impatient)).rejects.toThrow(/timeout/);
    expect(provider.inbox()).toHaveLength(mails);
    expect((await send('k1')).status).toBe(200);
    expect(provider.inbox()).toHaveLength(1);
  });

  it('cuts every connection while it is down', async () => {
    await control({ down: true });
    await expect(send('k1')).rejects.toThrow(/fetch failed/);
    await control({ down: false });
    expect((await send('k1')).status).toBe(200);
  });

  it('counts its calls and how many were open at once', async () => {
    await control({ delayMs: 30 });
    await Promise.all(['a', 'b', 'c'].map((key) => send(key)));
    expect(await read('/stats')).toMatchObject({ handled: 3, mostAtOnce: 3 });
  });

  it('names orders that it does not understand', async () => {
    const answer = await post('/control', { failNext: -1, failWith: 'explode', delayMs: 5, sing: true });
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'not understood: failNext, failWith, sing' }]);
  });
});

it('remembers after a restart what it accepted, so that no repeat becomes a second e-mail', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shopflow-mailbox-'));
  const file = join(folder, 'mailbox.jsonl');
  const sendTo = (url: string, key: string) =>
    fetch(`${url}/messages`, { method: 'POST', headers: { 'idempotency-key': key }, body: JSON.stringify(mail) }).then((answer) =>
      answer.json(),
    );
  const before = await startMailProvider({ file });
  await sendTo(before.url, 'evt-1');
  await before.stop();
  const after = await startMailProvider({ file });
  expect(await sendTo(after.url, 'evt-1')).toEqual({ id: 'msg_1', replayed: true });
  expect(await sendTo(after.url, 'evt-2')).toEqual({ id: 'msg_2', replayed: false });
  expect(after.inbox().map(({ key }) => key)).toEqual(['evt-1', 'evt-2']);
  await after.stop();
  await rm(folder, { recursive: true });
});
