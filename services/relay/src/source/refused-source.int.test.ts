import { eventually, testKafka, uniqueTopic } from '@shopflow/testing';
import { afterEach, expect, it } from 'vitest';
import { reaches, RelayBed } from '../test-support/relay-bed.js';

let bed: RelayBed;
afterEach(() => bed.remove());

/** An outbox whose one event is published and reported, with no relay left. */
async function publishedOnce(): Promise<string> {
  bed = await RelayBed.create();
  await bed.insert('a');
  const relay = await bed.active();
  await eventually(async () => (await bed.query('SELECT * FROM outbox_backlog'))[0]?.['waiting'] === '0');
  await relay.stop();
  return relay.slot;
}

it('refuses a database that came from another cluster', async () => {
  await publishedOnce();
  await bed.query(`UPDATE relay_progress SET system_identifier = '1'`);
  await bed.insert('b');
  const relay = bed.relay();
  await reaches(relay, 'refused');
  expect(relay.status.reason).toMatch(/^relay_progress is of PostgreSQL cluster 1, this is \d+: a restored or copied database: going on/);
  expect(relay.status.reason).toMatch(/2 events may not be published, those since \S+ \S+ among them, since another cluster's/);
  expect(await bed.eventIds()).toEqual(['a']);
});

it('refuses when its slot is gone, and says how many events it would skip and what to do', async () => {
  const slot = await publishedOnce();
  await bed.query('SELECT pg_drop_replication_slot($1)', [slot]);
  for (const id of ['b', 'c']) await bed.insert(id);
  const relay = bed.relay();
  await reaches(relay, 'refused');
  expect(relay.status.reason).toBe(
    `slot ${slot} is gone: going on would skip what was committed meanwhile; 2 events may not be published; ` +
      `decide with npm run relay -- adopt <source> --who <name> --why '<reason>'`,
  );
  expect(await bed.eventIds()).toEqual(['a']);
});

it('refuses to go on under another name, which would publish everything twice', async () => {
  await publishedOnce();
  const relay = bed.relay({ name: 'renamed' });
  await reaches(relay, 'refused');
  expect(relay.status.reason).toContain('another namespace or source name');
});

it('begins again with a slot whose beginning was never finished', async () => {
  bed = await RelayBed.create();
  await bed.insert('a');
  const slot = `${bed.namespace}_orders`.replace(/[^a-z0-9]/g, '_');
  await bed.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slot]);
  await bed.insert('b');
  await bed.active();
  await bed.insert('c');
  await bed.holds('a', 'b', 'c');
});

it('waits for the migrations of the service', async () => {
  bed = await RelayBed.create();
  await bed.query('DROP PUBLICATION shopflow_outbox');
  const relay = bed.relay();
  await reaches(relay, 'waiting for database');
  expect(relay.status.reason).toContain('run the migrations');
  await bed.query(`CREATE PUBLICATION shopflow_outbox FOR TABLE outbox, outbox_replays WITH (publish = 'insert')`);
  await bed.insert('a');
  await bed.holds('a');
});

it('waits for a topic that is missing, and says which', async () => {
  bed = await RelayBed.create({ topic: false });
  await bed.insert('a');
  const relay = bed.relay();
  // A new slot may wait for somebody's transaction first.
  await eventually(() => relay.status.state === 'waiting for broker' && relay.status.reason?.includes(`Unknown topic ${bed.topic}.`));
  expect(relay.status.reason).toContain(`Unknown topic ${bed.topic}.; this does not pass by itself: create the topic`);
  await bed.insert('b');
  await uniqueTopic({ namespace: bed.namespace, name: 'orders.events' });
  await bed.holds('a', 'b');
  await reaches(relay, 'active');
});

it('sets the one event that Kafka refuses aside with what follows of its key, and publishes them in order once it is taken', async () => {
  bed = await RelayBed.create({ maxMessageBytes: 20_000, partitions: 1 });
  const relay = await bed.active();
  await bed.insert('a');
  await bed.insert('too-large', { payload: JSON.stringify({ text: 'x'.repeat(30_000) }) });
  for (const id of ['b', 'c']) await bed.insert(id);
  await bed.insert('other', { key: 'ORD-2' });
  await eventually(async () => (await bed.eventIds()).includes('other'));
  expect(await bed.eventIds()).toEqual(['a', 'other']);
  expect(await setAside()).toMatchObject([
    { event_id: 'too-large', key: 'ORD-1', reason: expect.stringContaining('MESSAGE_TOO_LARGE') },
    { event_id: 'b', reason: null },
    { event_id: 'c', reason: null },
  ]);
  await setMaxMessageBytes(bed.topic, 50_000);
  await bed.decide('retry', 'too-large');
  await bed.insert('d');
  await bed.holds('a', 'other', 'too-large', 'b', 'c', 'd');
  expect(await setAside()).toEqual([]);
  expect(relay.status.state).toBe('active');
});

const setAside = () => bed.query(`SELECT event_id, key, reason FROM outbox_set_aside WHERE state = 'waiting' ORDER BY seq`);

async function setMaxMessageBytes(topic: string, bytes: number): Promise<void> {
  const admin = testKafka().admin();
  await admin.connect();
  const configEntries = [{ name: 'max.message.bytes', value: String(bytes) }];
  await admin.alterConfigs({ validateOnly: false, resources: [{ type: 2, name: topic, configEntries }] });
  await admin.disconnect();
}
