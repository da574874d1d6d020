import { eventually, readTopic } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RelayBed } from './test-support/relay-bed.js';
import { RelayProcess } from './test-support/relay-process.js';
import { TopicEnds } from './test-support/topic-ends.js';

const LIMIT = 20_000;
const KEYS = ['K', 'L', 'M'];
const EVENTS_OF_KEY = 40;
const PATIENCE = { timeoutMs: 25_000 };

let bed: RelayBed;
let topic: TopicEnds;
let processes: RelayProcess[];

beforeEach(async () => {
  processes = [];
  bed = await RelayBed.create({ maxMessageBytes: LIMIT, partitions: 2 });
  topic = await TopicEnds.of(bed.topic);
  await (await bed.active()).stop(); // the slot is there
});
afterEach(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await topic.close();
  await bed.remove();
});

/** One that publishes, and one that takes its place. */
const startTwo = () => processes.push(RelayProcess.start(bed), RelayProcess.start(bed));

/** Whoever has the slot dies at once. */
async function killPublishing(): Promise<void> {
  const [publishing] = processes;
  await publishing!.kill();
  processes.shift();
  processes.push(RelayProcess.start(bed));
}

const rowsOf = (text: string) => bed.query(text);
const soon = async (text: string) => {
  while ((await rowsOf(text)).length === 0); // no pause: what follows shall come as early as it can
};

it(
  'loses nothing, keeps the order of every key and sets nothing aside twice when it is killed at each step of it',
  { timeout: 60_000 },
  async () => {
    startTwo();
    await eventually(
      async () => (await rowsOf('SELECT 1 FROM pg_replication_slots WHERE database = current_database() AND active')).length > 0,
      PATIENCE,
    );
    await writeEvents();
    await soon(`SELECT 1 FROM outbox_set_aside`); // the first one is stored: not acknowledged yet
    await killPublishing();
    await eventually(async () => expect(await heads()).toEqual(['K-1', 'L-1', 'M-1']), PATIENCE);
    await eventually(async () => expect(await firstTimes('N')).toEqual(inOrder('N')), PATIENCE);

    await topic.limitBatches(100_000);
    await bed.decide('retry', 'K-1');
    await soon(`SELECT 1 FROM outbox_set_aside_decisions`);
    await killPublishing(); // before, while or after it does so
    await bed.decide('discard', 'L-1');
    await bed.decide('retry', 'M-1');
    await soon(`SELECT 1 FROM outbox_set_aside WHERE state = 'published' AND key = 'M'`); // in the middle of those that wait behind it
    await killPublishing();
    await eventually(
      async () => expect(await rowsOf(`SELECT event_id FROM outbox_set_aside WHERE state = 'waiting'`)).toEqual([]),
      PATIENCE,
    );
    for (const key of ['K', 'M', 'N']) expect(await firstTimes(key), key).toEqual(inOrder(key));
    expect(await firstTimes('L')).toEqual(inOrder('L').filter((id) => id !== 'L-1'));
    expect(await rowsOf(`SELECT event_id FROM outbox_set_aside WHERE event_id LIKE '%-1' GROUP BY event_id HAVING count(*) > 1`)).toEqual(
      [],
    );
  },
);

/** Of each key the second event is too large; the key N has none that is. */
async function writeEvents(): Promise<void> {
  await bed.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload)
     SELECT key || '-' || n, key, 'order.created', 1, 'orders.events', to_jsonb(repeat('x', CASE WHEN n = 1 AND key <> 'N' THEN 30000 ELSE 300 END))
     FROM generate_series(0, $1::int - 1) n, unnest($2::text[]) key ORDER BY n, key`,
    [EVENTS_OF_KEY, [...KEYS, 'N']],
  );
}

const inOrder = (key: string) => Array.from({ length: EVENTS_OF_KEY }, (_, n) => `${key}-${n}`);

const heads = async () => {
  const rows = await rowsOf(`SELECT event_id FROM outbox_set_aside WHERE state = 'waiting' AND reason IS NOT NULL ORDER BY event_id`);
  return rows.map((row) => row['event_id']);
};

async function firstTimes(key: string): Promise<string[]> {
  const records = (await readTopic(bed.topic)).filter((record) => String(record.key) === key);
  return [...new Set(records.map(({ headers }) => String(headers['ce_id'])))];
}
