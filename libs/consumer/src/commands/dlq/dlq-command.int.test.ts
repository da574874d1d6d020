import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, readTopic, type TestDatabase, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { effectMigrations } from '../../test-support/effects.js';
import { operator, opens } from '../../test-support/operator.js';
import { ORDERS, orderPayload, orderRecord, publish } from '../../test-support/publish.js';

const ASKER = ['--who', 'ngozi', '--why', 'the ledger is back'];
let test: TestDatabase;
let namespace: string;
let run: ReturnType<typeof operator>;
let dir: string;
beforeAll(async () => {
  test = await createTestDatabase(effectMigrations);
  dir = await mkdtemp(join(tmpdir(), 'shopflow-dlq-'));
});
beforeEach(async () => {
  const tables = 'dead_letters, dead_letter_actions, held_events, held_keys, processed_events, consumed_offsets';
  await test.database.query(`TRUNCATE ${tables}`);
  namespace = uniqueNamespace();
  run = operator(test, namespace);
});
afterAll(async () => {
  await rm(dir, { recursive: true });
  await test.drop();
});

const fileOf = async (content: string) => {
  const file = join(dir, 'payload.json');
  await writeFile(file, content);
  return file;
};
const query = async (text: string) => (await test.database.query(text)).rows;
const states = async () => (await query('SELECT state FROM dead_letters ORDER BY seq')).map(({ state }) => state);

describe('list', () => {
  it('makes one line of what died of the same thing', async () => {
    const at = (time: string) => ({ firstFailedAt: new Date(time), lastFailedAt: new Date(time) });
    await opens(test.database, { id: 'evt-1' }, { cause: 'Error: the ledger answered <n>', ...at('2026-11-30T08:00:00Z') });
    await opens(test.database, { id: 'evt-2' }, { cause: 'UpcastError in decode', reason: 'no upcaster from order.created v1' });
    await opens(test.database, { id: 'evt-3' }, { cause: 'Error: the ledger answered <n>', reason: 'the ledger answered 504' });
    const { lines } = await run('dlq', 'list');
    expect(lines).toEqual([
      'count  first seen                last seen                 example  cause                           reason of the example',
      '    2  2026-11-30T08:00:00.000Z  2026-11-30T10:00:00.000Z  evt-3    Error: the ledger answered <n>  the ledger answered 504',
      '    1  2026-11-30T10:00:00.000Z  2026-11-30T10:00:00.000Z  evt-2    UpcastError in decode           no upcaster from order.created v1',
    ]);
    const json = await run('dlq', 'list', '--json', '--limit', '1');
    expect(json.lines.map((line) => JSON.parse(line))).toMatchObject([{ count: 2, exampleEventId: 'evt-3' }]);
  });

  it.each([
    [['--reason', 'LEDGER'], ['evt-1']],
    [['--type', 'order.cancelled'], ['evt-2']],
    [['--key', 'ORD-1'], ['evt-1']],
    [['--correlation', 'req-2'], ['evt-2']],
    [['--since', '2026-12-01'], ['evt-2']],
    [['--until', '2026-12-01T00:00:00Z'], ['evt-1']],
    [['--cause', 'broken'], ['evt-2']],
    [['--state', 'discarded'], ['evt-3']],
    [
      ['--state', 'all'],
      ['evt-1', 'evt-2', 'evt-3'],
    ],
    [['--subject', 'delivery'], []],
  ])('finds by %j', async (filter, found) => {
    const later = new Date('2026-12-02T10:00:00Z');
    await opens(test.database, { id: 'evt-1', orderId: 'ORD-1', correlationId: 'req-1' });
    const other = { type: 'order.cancelled', reason: 'no such order', cause: 'broken', lastFailedAt: later };
    await opens(test.database, { id: 'evt-2', orderId: 'ORD-2', correlationId: 'req-2' }, other);
    await opens(test.database, { id: 'evt-3', orderId: 'ORD-3' });
    await run('dlq', 'discard', 'evt-3', ...ASKER);
    const { lines } = await run('dlq', 'list', '--all', '--json', ...filter);
    expect(lines.map((line) => (JSON.parse(line) as { eventId: string }).eventId)).toEqual(found);
  });

  it('says so when there is nothing', async () => {
    expect(await run('dlq', 'list')).toMatchObject({ ok: true, lines: ['no dead letters'] });
  });
});

it('shows an event with headers, payload, decisions and what waits behind it', async () => {
  await opens(test.database, { id: 'evt-1', orderId: 'ORD-1' });
  await test.database.query(`INSERT INTO held_keys (consumer, topic, key, due_at) VALUES ('audit', '${ORDERS}', 'ORD-1', 'infinity')`);
  await run('dlq', 'discard', 'evt-1', ...ASKER);
  const { lines } = await run('dlq', 'show', 'evt-1', '--json');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      eventId: 'evt-1',
      state: 'discarded',
      attempts: 4,
      key: 'ORD-1',
      headers: { ce_id: 'evt-1', ce_type: 'order.created' },
      payload: JSON.stringify(orderPayload('ORD-1')),
      actions: [{ action: 'discard', who: 'ngozi', why: 'the ledger is back' }],
    },
  ]);
  const { lines: forPeople } = await run('dlq', 'show', 'evt-1');
  expect(forPeople.join('\n')).toMatch(/^discard +\S+Z by ngozi: the ledger is back$/m);
  expect(await run('dlq', 'show', 'evt-2')).toMatchObject({ ok: false, lines: ['group audit has no dead letter of event evt-2'] });
});

it('shows a payload that is no text as base64, and nothing that steers a terminal', async () => {
  const record = { topic: ORDERS, partition: 0, offset: 1, timestamp: 0, key: null, value: Buffer.from([0xff]), headers: {} };
  await opens(test.database, { id: 'evt-1' }, { record, reason: 'a\u001b[2Jb' });
  const text = (await run('dlq', 'show', 'evt-1')).lines.join('\n');
  expect(text).toMatch(/^payload +base64:\/w==$/m);
  expect(text).toMatch(/^reason +a \[2Jb$/m);
});

describe('replay', () => {
  it('puts the event back on the path of its group once, and keeps who did it and why', async () => {
    await uniqueTopic({ namespace, name: ORDERS });
    await opens(test.database, { id: 'evt-1', orderId: 'ORD-1' });
    expect(await run('dlq', 'replay', 'evt-1', ...ASKER)).toMatchObject({ ok: true, lines: ['evt-1  replayed'], notes: ['1 replayed'] });
    expect(await run('dlq', 'replay', 'evt-1', ...ASKER)).toMatchObject({ ok: true, lines: ['evt-1  already replayed'] });
    expect(await query('SELECT event_id, attempts FROM held_events')).toEqual([{ event_id: 'evt-1', attempts: 0 }]);
    expect(await query('SELECT action, who, why FROM dead_letter_actions')).toEqual([
      { action: 'replay', who: 'ngozi', why: 'the ledger is back' },
    ]);
    expect(await readTopic(`${namespace}.audit.retry.1`)).toHaveLength(1);
  });

  it('is no failure when Kafka cannot be told', async () => {
    await opens(test.database, { id: 'evt-1', orderId: 'ORD-1' });
    const { ok, lines, notes } = await run('dlq', 'replay', 'evt-1', ...ASKER); // there is no topic to make retry topics like
    expect([ok, lines, notes]).toEqual([true, ['evt-1  replayed'], [expect.stringContaining('within seconds'), '1 replayed']]);
  });

  it('leaves what somebody discarded as it is, also where its service could do it again', async () => {
    await opens(test.database, { id: 'evt-1' }, { subject: 'delivery' });
    const done: string[] = [];
    run = operator(test, namespace, { subjects: { delivery: { replay: async (_, { eventId }) => done.push(eventId) > 0 } } });
    await run('dlq', 'discard', 'evt-1', ...ASKER);
    expect((await run('dlq', 'replay', 'evt-1', ...ASKER)).lines).toEqual(['evt-1 (delivery)  already discarded']);
    expect(done).toEqual([]);
  });

  it.each([[['--dry-run']], [ASKER]])('says so when nothing fits, with %j', async (options) => {
    const outcome = await run('dlq', 'replay', '--key', 'ORD-9', ...options);
    expect(outcome).toEqual({ ok: true, lines: [], notes: ['no open dead letter fits'] });
  });

  it('takes the open letters that fit a filter, the oldest first, at most --limit at --rate', async () => {
    for (const id of ['evt-1', 'evt-2', 'evt-3']) await opens(test.database, { id }, { subject: 'line' });
    const done: string[] = [];
    run = operator(test, namespace, { subjects: { line: { replay: async (_, { eventId }) => done.push(eventId) > 0 } } });
    const before = Date.now();
    const { ok } = await run('dlq', 'replay', '--type', 'order.created', '--limit', '2', '--rate', '10', ...ASKER);
    expect([ok, done]).toEqual([true, ['evt-1', 'evt-2']]);
    expect(Date.now() - before).toBeGreaterThanOrEqual(95);
  });

  it('leaves alone what is closed already and fits the filter', async () => {
    for (const id of ['evt-1', 'evt-2']) await opens(test.database, { id, orderId: 'ORD-1' });
    await run('dlq', 'discard', 'evt-1', ...ASKER);
    expect((await run('dlq', 'discard', '--key', 'ORD-1', ...ASKER)).lines).toEqual(['evt-2  discarded']);
  });

  it('does again what died of an event by the function of its service alone, and fails for what no service knows', async () => {
    await opens(test.database, { id: 'evt-1' }, { subject: 'delivery' });
    run = operator(test, namespace, { subjects: { delivery: { replay: async () => false } } });
    const nothing = await run('dlq', 'replay', 'evt-1', '--json', ...ASKER);
    expect([nothing.ok, nothing.lines.map((line) => JSON.parse(line))]).toMatchObject([
      false,
      [{ subject: 'delivery', result: 'refused' }],
    ]);
    const unknown = await operator(test, namespace)('dlq', 'replay', 'evt-1', 'evt-2', ...ASKER);
    expect(unknown).toMatchObject({
      ok: false,
      lines: [
        'evt-1 (delivery)  refused: audit does not say how its delivery is done again',
        'evt-2  refused: group audit has no dead letter of it',
      ],
      notes: ['2 refused'],
    });
    expect(await states()).toEqual(['open']);
  });

  it('handles an edited payload in place of the original, which stays', async () => {
    await opens(test.database, { id: 'evt-1', orderId: 'ORD-1', payload: { orderId: 'ORD-1' } });
    const edited = JSON.stringify(orderPayload('ORD-1'));
    expect(await run('dlq', 'replay', 'evt-1', '--edit', await fileOf(edited), ...ASKER)).toMatchObject({ ok: true });
    expect(await query(`SELECT convert_from(value, 'UTF8') AS value FROM held_events`)).toEqual([{ value: edited }]);
    expect(await query(`SELECT convert_from(value, 'UTF8') AS value FROM dead_letters`)).toEqual([{ value: '{"orderId":"ORD-1"}' }]);
    expect(await query(`SELECT convert_from(edited_value, 'UTF8') AS value FROM dead_letter_actions WHERE action = 'edit'`)).toEqual([
      { value: edited },
    ]);
  });

  it.each([
    ['{"orderId": ', /is not valid JSON|Unexpected end of JSON/],
    ['{"orderId": "ORD-1"}', /order.created v3: invalid customer.email/],
  ])('refuses to put %j in place of a payload', async (content, reason) => {
    await opens(test.database, { id: 'evt-1', orderId: 'ORD-1' });
    await expect(run('dlq', 'replay', 'evt-1', '--edit', await fileOf(content), ...ASKER)).rejects.toThrow(reason);
    expect(await states()).toEqual(['open']);
  });

  it('looks at the file of an edit before it looks for the letter', async () => {
    await expect(run('dlq', 'replay', 'evt-9', '--edit', '/nowhere/at-all.json', '--dry-run')).rejects.toThrow(
      'at-all.json cannot replace',
    );
  });

  it('says with --dry-run how many newer events of each key were applied, and changes nothing', async () => {
    await uniqueTopic({ namespace, name: ORDERS });
    const ids = ['evt-1', 'evt-2', 'evt-3', 'evt-4', 'evt-5', 'evt-6'];
    await publish(...ids.map((id) => orderRecord(namespace, { id, orderId: id === 'evt-3' ? 'ORD-2' : 'ORD-1' })));
    await opens(test.database, { id: 'evt-1', orderId: 'ORD-1' }, { offset: 0 });
    await opens(test.database, { id: 'evt-5', orderId: 'ORD-1' }, { offset: 4 });
    await test.database.query(`INSERT INTO processed_events (consumer, source, event_id) SELECT 'audit', 'orders', unnest($1::text[])`, [
      ids,
    ]);
    await test.database.query(`INSERT INTO consumed_offsets (consumer, topic, partition, next_offset) VALUES ('audit', '${ORDERS}', 0, 6)`);
    // evt-2, evt-4 and evt-6 are newer than evt-1; evt-3 is of another key, evt-5 is dead.
    const preview = async (...args: string[]) =>
      (await run('dlq', 'replay', '--dry-run', '--json', '--type', 'order.created', ...args)).lines.map(
        (line) => JSON.parse(line) as object,
      );
    expect(await preview()).toMatchObject([
      { eventId: 'evt-1', newer: 3 },
      { eventId: 'evt-5', newer: 1 },
    ]);
    expect(await preview('--scan-limit', '2')).toMatchObject([
      { newer: 1, note: 'counted to offset 3 of 6: see --scan-limit' },
      { newer: 0 },
    ]);
    expect(await states()).toEqual(['open', 'open']);
  });
});

it('exports records byte for byte, one JSON object a line', async () => {
  await opens(test.database, { id: 'evt-1', orderId: 'ORD-1' });
  await opens(test.database, { id: 'evt-2', orderId: 'ORD-2' });
  const { lines } = await run('dlq', 'export', '--key', 'ORD-2');
  const [letter] = lines.map(
    (line) => JSON.parse(line) as { key: string; value: string; headers: Record<string, string>; eventId: string },
  );
  const text = (encoded = '') => Buffer.from(encoded, 'base64').toString();
  expect([lines.length, letter?.eventId, text(letter?.key), text(letter?.value), text(letter?.headers['ce_id'])]).toEqual([
    1,
    'evt-2',
    'ORD-2',
    JSON.stringify(orderPayload('ORD-2')),
    'evt-2',
  ]);
});

it.each([
  [['dlq', 'replay', ...ASKER], 'which letters? Name event ids'],
  [['dlq', 'replay', '--limit', '5', ...ASKER], 'which letters? Name event ids'],
  [['dlq', 'replay', 'evt-1', '--type', 'order.created', ...ASKER], 'event ids or a filter, not both'],
  [['dlq', 'discard', 'evt-1'], '--why is missing'],
  [['dlq', 'replay', 'evt-1', 'evt-2', '--edit', 'x.json', ...ASKER], '--edit is for the replay of exactly one event id'],
  [['dlq', 'replay', 'evt-1', '--rate', '0', ...ASKER], '--rate 0 is no number above 0'],
  [['dlq', 'list', '--since', 'yesterday'], '--since yesterday is no time'],
  [['dlq', 'list', '--since', '2026-13-01'], '--since 2026-13-01 is no time'],
  [['dlq', 'list', '--limit', '-1'], '--limit -1 is no whole number from 1 on'],
  [['dlq', 'list', '--state', 'closed'], '--state closed is unknown'],
  [['dlq', 'list', '--causes'], 'no option --causes; there are --reason, --cause, '],
  [['dlq', 'show'], 'show takes one event id'],
  [['dlq', 'purge'], 'dlq does not know "purge": one of list, show, replay, discard, export'],
  [['toString'], 'no command "toString": one of dlq, groups'],
])('does nothing for %j and says in a line what is wrong', async (args, message) => {
  await opens(test.database, { id: 'evt-1' });
  await expect(run(...args)).rejects.toThrow(expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }));
  expect(await states()).toEqual(['open']);
});
