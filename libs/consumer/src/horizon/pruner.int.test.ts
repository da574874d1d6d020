import { createTestDatabase, eventually, type TestDatabase } from '@shopflow/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { consumerMigrations } from '../migrations.js';
import { recordingLogger } from '../test-support/recording-logger.js';
import { HorizonTooShortError } from './horizon-fault.js';
import { Pruner, type PrunerOptions } from './pruner.js';

const NOW = new Date('2027-03-01T12:00:00Z');
const OLD = '2027-01-15T11:59:59Z'; // 45 days and a second before
const RECENT = '2027-01-15T12:00:01Z';

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(consumerMigrations)));
afterAll(() => test.drop());
beforeEach(() => test.database.query('TRUNCATE processed_events, held_events, held_keys, dead_letters'));

const pruners: Pruner[] = [];
afterEach(() => Promise.all(pruners.splice(0).map((pruner) => pruner.stop())));

function start(options: Partial<PrunerOptions> = {}) {
  const { logger, lines } = recordingLogger();
  const pruner = new Pruner(test.database, { group: 'audit', horizonDays: 45, logger, clock: () => NOW, pauseMs: 0, ...options });
  pruners.push(pruner);
  pruner.start();
  return { pruner, lines, said: (text: string) => eventually(() => lines.some((line) => String(line['msg']).includes(text))) };
}

const take = (id: string, at = OLD, consumer = 'audit') =>
  test.database.query('INSERT INTO processed_events (consumer, source, event_id, processed_at) VALUES ($1, $2, $3, $4)', [
    consumer,
    'orders',
    id,
    at,
  ]);

async function hold(id: string): Promise<void> {
  const key = Buffer.from(id);
  await test.database.query(`INSERT INTO held_keys (consumer, topic, key, due_at) VALUES ('audit', 't', $1, now())`, [key]);
  await test.database.query(
    `INSERT INTO held_events (consumer, source, event_id, topic, key, partition, "offset", record_time, headers, attempts, due_at, waits_for)
     VALUES ('audit', 'orders', $1, 't', $2, 0, 0, now(), '{}', 1, now(), 'retry')`,
    [id, key],
  );
}

const letter = (id: string, state: string, subject = '', failedAt = OLD) =>
  test.database.query(
    `INSERT INTO dead_letters (consumer, source, event_id, subject, topic, partition, "offset", record_time, headers, attempts, error_kind,
                               reason, first_failed_at, last_failed_at, state)
     VALUES ('audit', 'orders', $1, $2, 't', 0, 0, now(), '{}', 1, 'permanent', 'x', $3, $3, $4)`,
    [id, subject, failedAt, state],
  );

const remembered = async () => {
  const { rows } = await test.database.query<{ event_id: string }>('SELECT event_id FROM processed_events ORDER BY event_id');
  return rows.map((row) => row.event_id);
};

it('forgets what is over the horizon, of its own group alone', async () => {
  await take('old');
  await take('recent', RECENT);
  await take('of another group', OLD, 'email');
  await start().said('1 events forgotten');
  expect(await remembered()).toEqual(['of another group', 'recent']);
});

it('spares what is held, and what is a dead letter that is open or failed within the horizon, whatever died', async () => {
  for (const id of ['closed', 'died late', 'held', 'open', 'open part']) await take(id);
  await hold('held');
  await letter('open', 'open');
  await letter('open part', 'open', 'delivery');
  await letter('died late', 'discarded', '', RECENT);
  await letter('closed', 'replayed');
  await start().said('1 events forgotten');
  expect(await remembered()).toEqual(['died late', 'held', 'open', 'open part']);
  expect((await test.database.query('SELECT 1 FROM dead_letters')).count).toBe(4);
});

it('forgets many in small transactions, and lets claims pass meanwhile', async () => {
  await test.database.query(
    `INSERT INTO processed_events SELECT 'audit', 'orders', 'old-' || number, $1 FROM generate_series(1, 30000) AS number`,
    [OLD],
  );
  const pruning = start();
  const claims = (async () => {
    let slowest = 0;
    for (let claim = 0; claim < 20; claim += 1) {
      const began = Date.now();
      await take(`new-${claim}`, RECENT);
      slowest = Math.max(slowest, Date.now() - began);
    }
    return slowest;
  })();
  await pruning.said('30000 events forgotten');
  expect(await claims).toBeLessThan(1_000);
  expect(await remembered()).toHaveLength(20);
});

it('leaves a pass to the member that is at it', async () => {
  await take('old');
  await test.database.inTransaction(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('pruning'), hashtext('audit'))`);
    let passes = 0;
    start({ everyMs: 1, check: async () => void (passes += 1) });
    await eventually(() => passes > 1);
    expect(await remembered()).toEqual(['old']);
  });
  await eventually(async () => (await remembered()).length === 0);
});

it.each([
  ['says so once and goes on later', new Error('Kafka is away'), 'warn'],
  ['says so as an error', new HorizonTooShortError('audit', 45, 60, []), 'error'],
])('forgets nothing when the horizon cannot be trusted, and %s', async (_what, error, level) => {
  await take('old');
  const pruning = start({ check: () => Promise.reject(error) });
  await pruning.said('forgets nothing now');
  await pruning.pruner.stop();
  expect(pruning.lines).toMatchObject([{ level, err: { message: error.message } }]);
  expect(await remembered()).toEqual(['old']);
});

it('tries again after an outage, and never forgets when the horizon is infinite', async () => {
  await take('old');
  start({ horizonDays: Infinity });
  let away = true;
  const pruning = start({ everyMs: 10, check: () => (away ? Promise.reject(new Error('away')) : Promise.resolve()) });
  await pruning.said('forgets nothing now');
  expect(await remembered()).toEqual(['old']);
  away = false;
  await pruning.said('1 events forgotten');
});
