import { eventually, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DispatchLoop } from './dispatch-loop.js';
import { DueSignal } from './due-signal.js';
import { Sending } from './sending.fixture.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());

it('claims nothing from the moment the service begins to stop, and ends when the call under way has', async () => {
  const { dispatcher } = sending.instance({ mailConcurrency: 1 });
  const signal = new DueSignal(sending.db.url, () => dispatcher.wake(), testLogger());
  const stop = new AbortController();
  const loop = new DispatchLoop(dispatcher, signal, 20, stop.signal, testLogger());
  sending.provider.control({ delayMs: 200 });
  await loop.onApplicationBootstrap();
  await sending.created('ORD-1');
  await eventually(() => sending.provider.stats().atOnce === 1);
  await sending.created('ORD-2');

  stop.abort(); // the consumer leaves its group now, which takes longer than the call
  await sending.becomes('evt-ORD-1', 'sent');
  await sending.created('ORD-3');
  await loop.beforeApplicationShutdown();
  expect((await sending.find('evt-ORD-2')).status).toBe('queued');
  expect(sending.provider.stats().handled).toBe(1);
});
