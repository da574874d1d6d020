import { eventually } from '@shopflow/testing';
import { expect, it } from 'vitest';
import { listDeadLetters } from './dead-letters/list-dead-letters.js';
import { consumerOf } from './test-support/consumer-of.js';
import { consumingService } from './test-support/consuming-service.js';
import { effect, effects } from './test-support/effects.js';
import { publish } from './test-support/publish.js';
import { recordingLogger } from './test-support/recording-logger.js';

const service = consumingService();
const THRESHOLD = 20;
/** Retries are over long before the provider is back: only the breaker keeps the events from dying. */
const QUICK = { retryDelaysMs: [20, 20, 20], sweepMs: 100, sweepGraceMs: 1, breakerProbe: { firstMs: 200, mostMs: 400 } } as const;

it('stops a handler whose provider fails for every event: none dies, and all are handled when it is back', async () => {
  await service.createTopic(2);
  const ids = Array.from({ length: 300 }, (_, n) => `evt-${n}`);
  await publish(...ids.map((id, n) => service.order({ id, orderId: `ORD-${n % 100}` })));
  let down = true;
  let probes = 0;
  const { logger, lines } = recordingLogger();
  const said = (text: RegExp) => lines.some(({ msg }) => text.test(String(msg)));
  const consumer = consumerOf(async (event, { tx }) => {
    await effect(tx, event);
    if (!down) return;
    if (said(/failed alike/)) probes += 1;
    throw new Error('connect ECONNREFUSED mail.example.com:443');
  });
  const { group } = await service.start(consumer, { ...QUICK, logger, breakerThreshold: THRESHOLD });
  await eventually(() => probes >= 3, { message: 'probes of the open breaker' });
  expect(await listDeadLetters(service.database, 'audit')).toEqual([]);
  expect(await effects(service.database)).toEqual([]);
  expect(group.stats().failures).toBeLessThan(THRESHOLD);
  down = false;
  await eventually(() => group.stats().handled === ids.length, { timeoutMs: 30_000 });
  expect((await effects(service.database)).sort()).toEqual([...ids].sort());
  expect(group.stats().deadLettered).toBe(0);
});
