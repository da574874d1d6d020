import { createTestDatabase, eventually, type TestDatabase, testKafka, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPause } from '../../pauses/read-pause.js';
import { consumerOf } from '../../test-support/consumer-of.js';
import { effectMigrations, effects } from '../../test-support/effects.js';
import { operator, opens } from '../../test-support/operator.js';
import { ORDERS, orderRecord, publish } from '../../test-support/publish.js';
import { startGroup } from '../../test-support/start-group.js';
import type { LagReport } from './group-reports.js';

const ASKER = ['--who', 'ngozi', '--why', 'the ledger is down'];
let test: TestDatabase;
let namespace: string;
let run: ReturnType<typeof operator>;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations, { poolSize: 20 })));
beforeEach(async () => {
  await test.database.query(
    `TRUNCATE effects, dead_letters, dead_letter_actions, held_events, held_keys, processed_events, consumed_offsets, group_pauses, group_actions`,
  );
  namespace = uniqueNamespace();
  run = operator(test, namespace);
});
afterAll(() => test.drop());

const json = ({ lines }: { lines: readonly string[] }): unknown => JSON.parse(lines[0]!);
const start = () => startGroup({ namespace, database: test.database, controllers: [consumerOf()] });

describe('pause', () => {
  it('holds until somebody resumes it, and a second one is told of the first', async () => {
    expect(await run('groups', 'pause', ...ASKER)).toMatchObject({ ok: true, lines: ['audit is paused: its members stop within seconds'] });
    const pause = await readPause(test.database, 'audit');
    expect(pause).toMatchObject({ who: 'ngozi', why: 'the ledger is down' });
    const second = await run('groups', 'pause', '--who', 'bola', '--why', 'me too');
    expect(second.lines).toEqual([`audit is paused already, since ${pause?.at.toISOString()} by ngozi: the ledger is down`]);
    expect(await run('groups', 'resume', '--why', 'it is back')).toMatchObject({
      lines: ['audit is resumed: its members go on within seconds'],
    });
    expect(await run('groups', 'resume', '--why', 'it is back')).toMatchObject({ lines: ['audit is not paused: nothing to resume'] });
    expect(await readPause(test.database, 'audit')).toBeNull();
    const { rows } = await test.database.query('SELECT action, why FROM group_actions ORDER BY seq');
    expect(rows).toEqual([
      { action: 'pause', why: 'the ledger is down' },
      { action: 'resume', why: 'it is back' },
    ]);
  });
});

describe('list', () => {
  it('shows a group that nobody runs, and who paused it', async () => {
    await opens(test.database, { id: 'evt-1' });
    await run('groups', 'pause', ...ASKER);
    const { lines } = await run('groups', 'list');
    expect(lines).toEqual([
      'group  state  members  held keys  held events  open dead letters  paused',
      expect.stringMatching(/^audit {2}Dead {9}0 {10}0 {12}0 {18}1 {2}since \S+Z by ngozi: the ledger is down$/),
    ]);
  });

  it('shows what the database knows while Kafka is away', async () => {
    const config = () => ({ databaseUrl: test.url, kafkaBrokers: '127.0.0.1:1', shopflowNamespace: namespace });
    const { lines, notes } = await operator(test, namespace, { config })('groups', 'list', '--json');
    expect(JSON.parse(lines[0]!)).toMatchObject({ group: 'audit', state: null, heldKeys: 0, paused: null });
    expect(notes).toEqual([expect.stringContaining('Kafka does not say')]);
  });
});

describe('lag', () => {
  it('counts what the database does not have, and says how old the oldest of it is', async () => {
    await uniqueTopic({ namespace, name: ORDERS, partitions: 2 });
    await publish(...['ORD-1', 'ORD-1', 'ORD-1'].map((orderId) => orderRecord(namespace, { orderId })));
    const [partition = -1] = await partitionsWithRecords();
    await test.database.query(`INSERT INTO consumed_offsets (consumer, topic, partition, next_offset) VALUES ('audit', $1, $2, 1)`, [
      ORDERS,
      partition,
    ]);
    const report = json(await run('groups', 'lag', '--json')) as LagReport;
    expect(report).toMatchObject({ group: 'audit', records: 2, retry: { records: 0, seconds: 0, partitions: [] } });
    expect(report.partitions).toContainEqual(
      expect.objectContaining({ topic: ORDERS, partition, committed: null, stored: 1, high: 3, records: 2, seconds: report.seconds }),
    );
    expect(report.seconds).toBeLessThan(60);
    const { lines } = await run('groups', 'lag');
    expect(lines.at(-2)).toMatch(/^audit +all of its topics +2 +\d+$/);
  });
});

async function partitionsWithRecords(): Promise<number[]> {
  const admin = testKafka().admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(`${namespace}.${ORDERS}`);
  await admin.disconnect();
  return offsets.filter(({ high }) => high !== '0').map(({ partition }) => partition);
}

describe('rebuild', () => {
  const consume = async (count: number) => {
    const { stop } = await start();
    await eventually(async () => (await effects(test.database)).length === count);
    await stop();
    // A member that the coordinator was just told of may still stand in its list.
    await eventually(async () => (await run('groups', 'rebuild')).ok, { message: 'the group has no members' });
  };

  it('makes a projection anew, each event once, from what Kafka still has', async () => {
    await uniqueTopic({ namespace, name: ORDERS });
    await publish(...['evt-1', 'evt-2'].map((id) => orderRecord(namespace, { id })));
    await consume(2);
    await opens(test.database, { id: 'evt-dead' });
    const before = await run('groups', 'rebuild');
    expect(before.lines[0]).toMatch(/^would be cleared /);
    expect(before.lines.at(-1)).toBe(`nothing was changed; add --yes --why '…' to do it`);
    expect(before.lines.join('\n')).toMatch(/^effects +2$/m);
    expect(before.lines.join('\n')).toMatch(/^orders.events comes again from its first event, of \S+Z$/m);
    expect(await effects(test.database)).toEqual(['evt-1', 'evt-2']);

    expect(await run('groups', 'rebuild', '--yes', ...ASKER)).toMatchObject({ ok: true, notes: [] });
    expect(await effects(test.database)).toEqual([]);
    const { rows } = await test.database.query('SELECT state, action, why FROM dead_letters JOIN dead_letter_actions USING (event_id)');
    expect(rows).toEqual([{ state: 'discarded', action: 'discard', why: 'rebuild: the ledger is down' }]);
    expect(json(await run('groups', 'lag', '--json'))).toMatchObject({ records: 2 });
    await consume(2);
    expect(await effects(test.database)).toEqual(['evt-1', 'evt-2']);
  });

  it('reads everything again also when the process ended before Kafka forgot the offsets', async () => {
    await uniqueTopic({ namespace, name: ORDERS });
    await publish(orderRecord(namespace, { id: 'evt-1' }));
    await consume(1);
    const { clearGroup } = await import('./clear-group.js');
    await clearGroup(test.database, 'audit', ['effects'], { who: 'ngozi', why: 'crash', now: new Date() });
    await consume(1);
    expect(await effects(test.database)).toEqual(['evt-1']);
  });

  it('warns of events that Kafka has no more', async () => {
    const topic = await uniqueTopic({ namespace, name: ORDERS });
    await publish(orderRecord(namespace), orderRecord(namespace));
    await test.database.query(`INSERT INTO consumed_offsets (consumer, topic, partition, next_offset) VALUES ('audit', $1, 0, 2)`, [
      ORDERS,
    ]);
    const admin = testKafka().admin();
    await admin.connect();
    await admin.fetchTopicOffsets(topic); // the client asks nobody where the topic is before it deletes
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '1' }] });
    await admin.disconnect();
    expect((await run('groups', 'rebuild')).lines.at(-2)).toMatch(/^WARNING: orders.events has all its events from \S+Z on only/);
  });

  it('is refused while the group has members, and for effects outside the database', async () => {
    await uniqueTopic({ namespace, name: ORDERS });
    const { stop } = await start();
    const refusal = await run('groups', 'rebuild', '--yes', ...ASKER);
    expect(refusal).toMatchObject({ ok: false, lines: [expect.stringContaining('group audit has members (')] });
    await stop();
    const email = operator(test, namespace, { rebuild: { refused: 'e-mails cannot be unsent' } });
    expect(await email('groups', 'rebuild')).toMatchObject({
      ok: false,
      lines: ['group audit cannot be rebuilt: e-mails cannot be unsent'],
    });
  });

  it('empties a projection that refuses every change', async () => {
    await test.database.query(`CREATE TABLE log (line text); INSERT INTO log VALUES ('a')`);
    await test.database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'append-only'; END $$`,
    );
    await test.database.query('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log EXECUTE FUNCTION refuse()');
    const log = operator(test, namespace, { rebuild: { tables: ['log'] } });
    expect(await log('groups', 'rebuild', '--yes', ...ASKER)).toMatchObject({ ok: true });
    expect((await test.database.query('SELECT 1 FROM log')).count).toBe(0);
    await expect(test.database.query('TRUNCATE log')).rejects.toThrow('append-only');
  });
});

it.each([
  [['groups', 'pause'], '--why is missing: say what the group has to wait for'],
  [['groups', 'resume'], '--why is missing: say why the group may go on'],
  [['groups', 'rebuild', '--yes'], '--why is missing'],
  [['groups', 'lag', 'audit'], 'lag takes no audit'],
  [['groups', 'stop'], 'groups does not know "stop": one of list, lag, pause, resume, rebuild'],
])('does nothing for %j and says in a line what is wrong', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }));
});

it.each([[['dlq', '--help']], [['groups', 'pause', '--help']]])('says for %j what there is to do', async (args) => {
  const { ok, lines } = await run(...args);
  expect(ok).toBe(true);
  expect(lines[0]).toMatch(new RegExp(`^${args[0]} list `));
});
