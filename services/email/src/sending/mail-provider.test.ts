import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MailProvider as Simulator, startMailProvider } from '@shopflow/local/mail-provider';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MailProvider } from './mail-provider.js';

const mail = { to: 'ada@shop.ng', subject: 'Order ORD-1001 is confirmed', text: 'Hi Ada, order ORD-1001 is confirmed' };

describe('a call to the mail provider', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startMailProvider();
  });
  afterAll(() => simulator.stop());
  beforeEach(() => simulator.control({ reset: true }));

  const send = (key: string, to = mail.to) => new MailProvider(simulator.url, 200).send(key, { ...mail, to });

  it('is accepted once per key', async () => {
    expect(await send('evt-1')).toEqual({ kind: 'accepted', providerId: 'msg_1', replayed: false });
    expect(await send('evt-1')).toEqual({ kind: 'accepted', providerId: 'msg_1', replayed: true });
    expect(simulator.inbox()).toEqual([{ id: 'msg_1', key: 'evt-1', ...mail }]);
  });

  it('ends for good where there is no such mailbox, with the reason of the provider and nothing added', async () => {
    expect(await send('evt-1', 'bola@shop.invalid')).toEqual({
      kind: 'failed',
      reason: 'mailbox bola@shop.invalid does not exist',
      permanent: true,
      provider: 'up',
    });
  });

  it('gives up a provider that does not answer in time', async () => {
    simulator.control({ failNext: 1, failWith: 'hang' });
    expect(await send('evt-1')).toEqual({ kind: 'failed', reason: 'mail provider timed out', permanent: false, provider: 'down' });
  });

  it('may heal while the provider is down', async () => {
    simulator.control({ down: true });
    expect(await send('evt-1')).toMatchObject({
      permanent: false,
      reason: expect.stringContaining('mail provider cannot be reached') as string,
    });
  });

  it('waits as long as the provider asks', async () => {
    simulator.control({ failNext: 1, failWith: 429, retryAfterSeconds: 7 });
    expect(await send('evt-1')).toMatchObject({ permanent: false, retryAfterMs: 7_000 });
  });

  it('gives every id a key of its own that a header can hold', async () => {
    const ids = ['evt-é', 'evt-%C3%A9', 'evt 1', 'evt%201', 'evt\n1', 'evt-😀', 'x'.repeat(200)];
    for (const id of ids) await send(id);
    expect(simulator.inbox()).toHaveLength(ids.length);
    expect(new Set(simulator.inbox().map(({ key }) => key)).size).toBe(ids.length);
  });
});

describe('a provider that answers nonsense', () => {
  let server: Server;
  afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

  async function answering(listener: RequestListener) {
    server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new MailProvider(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, 500).send('evt-1', mail);
  }
  const unusable = { kind: 'failed', permanent: false, reason: 'mail provider answered 200 without a usable message id' };

  it('is not believed an id with NUL', async () => {
    expect(await answering((_request, response) => void response.end('{"id":"msg\\u0000"}'))).toEqual(unusable);
  });

  it('is not read beyond 64 kB', async () => {
    const huge = JSON.stringify({ id: 'msg_1', padding: 'x'.repeat(70_000) });
    expect(await answering((_request, response) => void response.end(huge))).toEqual(unusable);
  });

  it('does not hold a slot with an answer that never ends', async () => {
    const outcome = await answering((_request, response) => void response.write('{"id":'));
    expect(outcome).toMatchObject({ permanent: false, reason: 'mail provider timed out' });
  });

  it('does not lead elsewhere', async () => {
    const outcome = await answering((_request, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end());
    expect(outcome).toMatchObject({ permanent: false, reason: 'mail provider answered 307' });
  });

  it('is called below its base URL', async () => {
    const outcome = await answering(({ url }, response) => void response.end(JSON.stringify({ id: url?.replaceAll('/', '_') })));
    expect(outcome).toMatchObject({ providerId: '_v1_messages' });
  });
});
