import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '@shopflow/testing';
import { Sending } from './sending.fixture.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());

const DELIVERIES = 30;
const MINUTE_MS = 60_000;
const STEP_MS = 2_000;

const counts = async () => {
  const text = 'SELECT status, count(*)::int AS n, max(attempts) AS attempts FROM deliveries GROUP BY status';
  const { rows } = await sending.db.database.query<{ status: string; n: number; attempts: number }>(text);
  return Object.fromEntries(rows.map(({ status, n, attempts }) => [status, { n, attempts }]));
};

it('lets no delivery die of 20 minutes without the provider, and sends each once when it is back', async () => {
  for (let n = 0; n < DELIVERIES; n++) await sending.created(`ORD-${n}`);
  sending.provider.control({ down: true });
  const instances = [1, 2, 3].map(() => sending.instance({ mailRetryDelaysMs: '2000,15000,60000' }));
  /** Time goes on in steps: what is due is done, then the clock is put forward. */
  const step = async () => {
    for (const { dispatcher } of instances) dispatcher.wake();
    await eventually(async () => (await counts())['running'] === undefined);
    sending.passTime(STEP_MS);
  };
  for (let passed = 0; passed < 20 * MINUTE_MS; passed += STEP_MS) await step();
  // A probe may be on its way at any moment.
  await eventually(async () => expect(await counts()).toEqual({ queued: { n: DELIVERIES, attempts: expect.any(Number) as number } }));
  const { rows } = await sending.db.database.query('SELECT 1 FROM dispatching WHERE open_since IS NOT NULL');
  expect(rows).toHaveLength(1);

  sending.provider.control({ down: false });
  await eventually(
    async () => {
      await step();
      return (await counts())['sent']?.n === DELIVERIES;
    },
    { timeoutMs: 20_000, message: 'all sent' },
  );
  expect(sending.provider.inbox()).toHaveLength(DELIVERIES);
  expect(await sending.letters()).toEqual([]);
}, 60_000);
