import { eventually, readTopic } from '@shopflow/testing';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyRows } from './test-support/copy-rows.js';
import { RelayBed } from './test-support/relay-bed.js';
import { RelayProcess } from './test-support/relay-process.js';
import { TopicEnds } from './test-support/topic-ends.js';

const ROWS = 5_000;
const KEYS = 50;
/** Acknowledged before, so nobody gets them again. */
const BEFORE = ['before-1', 'before-2', 'before-3'];
const PATIENCE = { timeoutMs: 25_000 };
const PAYLOAD = `"${'x'.repeat(1_000)}"`;
const TABLE = 'outbox (id, aggregateid, type, version, topic, payload)';
const keyOf = (n: number) => `ORD-${n % KEYS}`;

let bed: RelayBed;
let topic: TopicEnds;
let client: Client;
let processes: RelayProcess[];

beforeEach(async () => {
  processes = [];
  bed = await RelayBed.create({ partitions: 3, maxMessageBytes: 20_000 }); // many small batches: so that there is time to be killed
  topic = await TopicEnds.of(bed.topic);
  client = new Client({ connectionString: bed.database.url });
  await client.connect();
});
afterEach(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await client.end();
  await topic.close();
  await bed.remove();
});

const startProcess = () => {
  const started = RelayProcess.start(bed);
  processes.push(started);
  return started;
};

it.each([
  [
    'one INSERT',
    () =>
      client.query(
        `INSERT INTO ${TABLE} SELECT n::text, 'ORD-' || n % ${KEYS}, 't', 1, 'orders.events', $1 FROM generate_series(0, ${ROWS - 1}) n`,
        [PAYLOAD],
      ),
  ],
  ['COPY', () => copyRows(client, `COPY ${TABLE} FROM STDIN`, copyLines())],
])(
  'loses none of 5,000 rows of %s when it is killed in the middle of them, and repeats only those',
  { timeout: 60_000 },
  async (_, write) => {
    const first = await bed.active();
    for (const id of BEFORE) await bed.insert(id);
    await bed.holds(...BEFORE);
    await first.stop();
    await write();
    const relay = startProcess();
    await topic.exceed(ROWS / 5); // what is accepted has had time to be acknowledged, if it were; much is left, also for a slow kill
    await relay.kill();
    const written = await topic.records();
    expect(written, 'killed in the middle').toBeLessThan(ROWS);
    startProcess();
    await eventually(async () => (await bed.query('SELECT waiting FROM outbox_backlog'))[0]?.['waiting'] === '0', PATIENCE);
    const ids = (await readTopic(bed.topic)).map(({ headers }) => String(headers['ce_id']));
    expect(new Set(ids).size).toBe(BEFORE.length + ROWS);
    expect(ids.length - new Set(ids).size, 'repeated').toBeLessThanOrEqual(written - BEFORE.length);
    expect(ids.filter((id) => BEFORE.includes(id))).toEqual(BEFORE);
    const numbers = [...new Set(ids)].filter((id) => !BEFORE.includes(id)).map(Number);
    for (const ofKey of Map.groupBy(numbers, keyOf).values()) expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
  },
);

const copyLines = () => Array.from({ length: ROWS }, (_, n) => `${[n, keyOf(n), 't', 1, 'orders.events', PAYLOAD].join('\t')}\n`).join('');

it('repeats of many small transactions only what was written in the last second before it was killed', { timeout: 60_000 }, async () => {
  await (await bed.active()).stop();
  const relay = startProcess();
  const writing = writeOneByOne(1_500);
  await topic.exceed(700);
  const killedAt = Date.now();
  await relay.kill();
  startProcess();
  const events = await writing;
  await eventually(async () => (await bed.query('SELECT waiting FROM outbox_backlog'))[0]?.['waiting'] === '0', PATIENCE);
  const records = await readTopic(bed.topic);
  const byId = Map.groupBy(records, ({ headers }) => String(headers['ce_id']));
  expect(byId.size).toBe(events);
  const repeated = [...byId.values()].filter(({ length }) => length > 1);
  for (const [first] of repeated) expect(killedAt - Number(first!.timestamp)).toBeLessThan(1_000);
});

/** @returns how many */
async function writeOneByOne(events: number): Promise<number> {
  for (let n = 0; n < events; n++)
    await client.query(`INSERT INTO ${TABLE} VALUES ($1, $2, 't', 1, 'orders.events', '{}')`, [`one-${n}`, keyOf(n)]);
  return events;
}
