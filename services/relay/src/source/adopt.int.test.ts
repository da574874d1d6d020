import { requestReplay } from '@shopflow/outbox';
import { eventually, uniqueTopic } from '@shopflow/testing';
import { Pool } from 'pg';
import { afterEach, expect, it } from 'vitest';
import { runAdoptCommand } from '../commands/adopt.js';
import { reaches, RelayBed } from '../test-support/relay-bed.js';
import { AdoptionOvertakenError, beginAdoption, finishAdoption, requestAdoption } from './adoption.js';
import type { SourceRelay } from './source-relay.js';

let bed: RelayBed;
afterEach(() => bed.remove());

const backlogIsEmpty = () => eventually(async () => (await bed.query('SELECT waiting FROM outbox_backlog'))[0]?.['waiting'] === '0');
const dropSlot = (slot: string) => bed.query('SELECT pg_drop_replication_slot($1)', [slot]);
const age = (id: string, interval: string) =>
  bed.query('UPDATE outbox SET created_at = now() - $2::interval WHERE id = $1', [id, interval]);

/** These events are published and reported; no relay is left. */
async function published(...ids: string[]): Promise<SourceRelay> {
  bed = await RelayBed.create();
  for (const id of ids) await bed.insert(id);
  const relay = await bed.active();
  await backlogIsEmpty();
  await relay.stop();
  return relay;
}

async function adopt(...args: string[]) {
  const terminal = { note() {}, print: async () => {}, ask: async () => '' } as never;
  const sources = [{ name: 'orders', databaseUrl: bed.database.url }];
  const context = { namespace: bed.namespace, sources, relayUrls: [], terminal, clock: () => new Date() };
  const { lines, ok } = await runAdoptCommand(context, ['orders', '--json', '--who', 'ada', '--why', 'test', ...args]);
  return { ok, ...(JSON.parse(lines[0]!) as Record<string, unknown>) };
}

it('publishes first what a lost slot would have brought, then goes on by the log, and records who decided so', async () => {
  const { slot } = await published('a');
  await dropSlot(slot);
  await bed.insert('b');
  expect(await adopt('--dry-run')).toMatchObject({
    ok: true,
    result: 'would be requested',
    reason: `slot ${slot} is gone`,
    publish: 1,
    skip: 0,
  });
  expect(await adopt()).toMatchObject({ ok: true, result: 'requested', publish: 1 });
  expect(await adopt()).toMatchObject({ ok: false, result: 'under way', reason: expect.stringContaining('ada asked for it at') });
  await bed.active();
  await bed.insert('c');
  await bed.holds('a', 'b', 'c');
  expect(await bed.query('SELECT who, why, rows_at_request, attempts, published, skipped FROM relay_adoptions ORDER BY id DESC')).toEqual([
    { who: 'ada', why: 'test', rows_at_request: '1', attempts: 1, published: '1', skipped: '0' },
    { who: 'relay', why: 'first start of the source', rows_at_request: null, attempts: 1, published: '1', skipped: '0' },
  ]);
  expect(await adopt()).toMatchObject({ ok: false, result: 'nothing to adopt' });
});

it('is found by a relay that has refused the source already', async () => {
  const { slot } = await published('a');
  await dropSlot(slot);
  await bed.insert('b');
  const relay = bed.relay();
  await reaches(relay, 'refused');
  await adopt();
  await eventually(async () => (await bed.eventIds()).length === 2, { timeoutMs: 25_000 });
});

it('publishes again what was written since a time, but nothing that consumers have forgotten, which it counts', async () => {
  const { slot } = await published('forgotten', 'old', 'recent');
  await age('forgotten', '46 days');
  await age('old', '2 hours');
  await dropSlot(slot);
  await bed.insert('new');
  expect(await adopt('--since', '1h')).toMatchObject({ publish: 2, skip: 0 });
  await bed.query('DELETE FROM relay_adoptions WHERE finished_at IS NULL');
  expect(await adopt('--since', '50d')).toMatchObject({ publish: 3, skip: 1 });
  await bed.active();
  await bed.holds('forgotten', 'old', 'recent', 'old', 'recent', 'new');
  await eventually(
    async () => (await bed.query('SELECT published, skipped FROM relay_adoptions ORDER BY id DESC'))[0]?.['skipped'] === '1',
  );
});

it('publishes again what somebody asked for and the lost slot would have brought', async () => {
  const { slot } = await published('a', 'b');
  await dropSlot(slot);
  await requestReplay(bed.database.database, { eventId: 'a', who: 'ada', why: 'test' });
  await adopt();
  await bed.active();
  await bed.holds('a', 'b', 'a');
});

it('takes nothing that was written after a restore for published, and tells the truth about old and new events afterwards', async () => {
  await published('old-published', 'old-waiting');
  await age('old-published', '2 hours');
  await age('old-waiting', '2 hours');
  // What a restored dump holds: numbers and positions of a cluster that was far ahead of this one.
  await bed.query(`UPDATE outbox SET xid = CASE id WHEN 'old-waiting' THEN '900000005' ELSE '899999999' END::xid8`);
  await bed.query(
    `UPDATE relay_progress SET system_identifier = '1', snapshot = '900000000:900000000:', lsn = 'FFFF/0', updated_at = now() - interval '1 hour'`,
  );
  await bed.insert('after-restore');
  expect(await adopt()).toMatchObject({ publish: 2, reason: expect.stringContaining('a restored or copied database') });
  await bed.active();
  await bed.insert('new');
  await bed.holds('old-published', 'old-waiting', 'old-waiting', 'after-restore', 'new');
  await backlogIsEmpty();
  expect(await bed.query('SELECT DISTINCT state FROM outbox_state')).toEqual([{ state: 'published' }]);
  const [progress] = await bed.query(`SELECT system_identifier <> '1' AS ours, lsn < 'FFFF/0' AS here FROM relay_progress`);
  expect(progress).toEqual({ ours: true, here: true });
});

it('begins an adoption again that was interrupted, and skips nothing of what was committed meanwhile', async () => {
  const { slot } = await published('a');
  await dropSlot(slot);
  await bed.query(`INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ('b', 'ORD-1', 't', 1, 'late', '{}')`);
  await adopt();
  const interrupted = bed.relay();
  await eventually(() => interrupted.status.reason?.includes('Unknown topic'));
  await bed.insert('c');
  await interrupted.stop();
  await bed.insert('d');
  await uniqueTopic({ namespace: bed.namespace, name: 'late' });
  await bed.active();
  await bed.holds('a', 'c', 'd');
  await backlogIsEmpty();
  const [adoption] = await bed.query(
    'SELECT attempts, published, finished_at IS NOT NULL AS finished FROM relay_adoptions ORDER BY id DESC',
  );
  expect(adoption).toEqual({ attempts: 2, published: '3', finished: true });
});

it('lets only the last attempt finish an adoption: a relay that was cut off would let what came since be skipped', async () => {
  await published('a');
  const pool = new Pool({ connectionString: bed.database.url });
  const client = await pool.connect();
  const adoption = (await requestAdoption(pool, { who: 'ada', why: 'test', since: null, rows: 0 }))!;
  const first = await beginAdoption(pool, adoption);
  const second = await beginAdoption(pool, adoption);
  const done = { published: 0, skipped: 0 };
  await expect(finishAdoption(client as never, first, done)).rejects.toThrow(AdoptionOvertakenError);
  await finishAdoption(client as never, second, done);
  await expect(beginAdoption(pool, adoption)).rejects.toThrow(AdoptionOvertakenError);
  client.release();
  await pool.end();
});

it('takes the place of the slot of its former name, but not while somebody reads it', async () => {
  const { slot } = await published('a');
  const former = await bed.active();
  await bed.query(`INSERT INTO relay_adoptions (who, why) VALUES ('ada', 'the source has another name now')`);
  const renamed = bed.relay({ name: 'renamed' });
  await reaches(renamed, 'refused');
  expect(renamed.status.reason).toBe(`slot ${slot} is in use by another relay of this outbox: stop it first`);
  await Promise.all([former.stop(), renamed.stop()]);
  await bed.insert('b');
  const again = await bed.active({ name: 'renamed' });
  await bed.holds('a', 'b');
  const slots = await bed.query('SELECT slot_name FROM pg_replication_slots WHERE database = current_database()');
  expect(slots).toEqual([{ slot_name: again.slot }]);
});

it('does not drop a slot of its name that reads another database', async () => {
  const relay = await published('a');
  const others = (await RelayBed.create()) as RelayBed;
  await dropSlot(relay.slot);
  await others.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [relay.slot]);
  await adopt();
  const refused = bed.relay();
  await reaches(refused, 'refused');
  expect(refused.status.reason).toContain('it is not dropped for being of somebody else');
  await refused.stop();
  await others.remove();
});

it('makes slots that fail over with a standby, and turns an older one into such a slot', async () => {
  const { slot } = await published('a');
  const failover = () => bed.query('SELECT failover FROM pg_replication_slots WHERE slot_name = $1', [slot]);
  expect(await failover()).toEqual([{ failover: true }]);
  await dropSlot(slot);
  await bed.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slot]);
  expect(await failover()).toEqual([{ failover: false }]);
  await bed.active();
  expect(await failover()).toEqual([{ failover: true }]);
});
