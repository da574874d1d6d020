import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Terminal } from '@shopflow/command-line';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { slotName } from '@shopflow/outbox';
import { RelayBed } from '../test-support/relay-bed.js';
import type { SourceStatusReport } from './read-source-status.js';
import { runRelayCommand } from './relay-command.js';

const NOBODY = 'http://127.0.0.1:2';
let bed: RelayBed;
let slot: string;
beforeAll(async () => {
  bed = await RelayBed.create({ topic: false });
  slot = slotName(bed.namespace, 'orders');
});
beforeEach(async () => {
  await bed.query('TRUNCATE outbox, outbox_set_aside, relay_progress');
  await dropSlot();
});
afterAll(async () => {
  await dropSlot();
  await bed.remove();
});

async function status(...args: string[]): Promise<{ ok: boolean; printed: string[] }> {
  const printed: string[] = [];
  const terminal: Terminal = { print: async (line) => void printed.push(line), note: () => {} };
  const sources = [
    { name: 'orders', databaseUrl: bed.database.url },
    { name: 'email', databaseUrl: 'postgres://nobody@127.0.0.1:1/nowhere' },
  ];
  const { ok } = await runRelayCommand(['status', ...args], terminal, () => ({ namespace: bed.namespace, sources, relayUrls: [NOBODY] }));
  return { ok, printed };
}
const orders = async (...args: string[]): Promise<SourceStatusReport> =>
  JSON.parse((await status('--source', 'orders', '--json', ...args)).printed[0]!) as SourceStatusReport;

/** A physical one: a logical one would wait for every transaction that other tests have open. */
const createSlot = () => bed.query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
const dropSlot = () => bed.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1', [slot]);
const published = (cluster = '(SELECT system_identifier::text FROM pg_control_system())') =>
  bed.query(
    `INSERT INTO relay_progress (slot, system_identifier, snapshot, lsn) VALUES ($1, ${cluster}, pg_current_snapshot(), '0/1')
     ON CONFLICT (only_row) DO UPDATE SET slot = EXCLUDED.slot, system_identifier = EXCLUDED.system_identifier`,
    [slot],
  );

it('says by SQL alone what waits, how much log the slot keeps and what is set aside, with no relay anywhere', async () => {
  await createSlot();
  await published();
  await bed.insert('a');
  await bed.query(`INSERT INTO outbox_set_aside (event_id, topic, key) VALUES ('x', 't', 'k'), ('y', 't', 'k')`);
  const report = await orders();
  expect(report).toMatchObject({
    source: 'orders',
    slot,
    state: 'no relay',
    database: { waiting: 1, slotActive: false, slotPid: null, walStatus: 'reserved', setAsideKeys: 1, setAsideEvents: 2 },
    relays: [{ url: NOBODY, state: null, reason: 'no answer: ECONNREFUSED' }],
  });
  expect(report.database?.oldestAgeSeconds).toBeGreaterThan(0);
  expect(report.database?.slotKeptBytes).toBeGreaterThan(0);
  expect(report.cluster).toBe(report.database?.progressCluster);
});

it('tells a source that was never published from one that a relay would refuse', async () => {
  expect(await orders()).toMatchObject({ state: 'new' });
  await published();
  expect(await orders()).toMatchObject({ state: 'refused', reason: expect.stringContaining(`slot ${slot} is gone`) });
  await createSlot();
  await published(`'7'`);
  expect(await orders()).toMatchObject({
    state: 'refused',
    reason: expect.stringContaining('published until now from cluster 7, this is '),
  });
});

it('shows what each instance says of itself, and which one has the slot', async () => {
  const told = {
    source: 'orders',
    state: 'standby',
    reason: 'another relay has the slot',
    since: '2026-11-30T10:00:00.000Z',
    published: 3,
  };
  const relay = await answering({ sources: [told] });
  const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const { printed } = await status('--source', 'orders', '--url', `${url}/, ${NOBODY}`);
  relay.close();
  expect(printed).toEqual(
    expect.arrayContaining([
      expect.stringMatching(new RegExp(`^${url} +orders +standby +3 +another relay has the slot$`)),
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:2 +orders +unknown +no answer: ECONNREFUSED$/),
    ]),
  );
});

it('shows the other sources when the database of one does not answer, and fails', async () => {
  const { ok, printed } = await status();
  expect(ok).toBe(false);
  expect(printed.slice(0, 3)).toEqual([
    expect.stringMatching(/^source +state +waiting/),
    expect.stringMatching(/^orders +new +0 +- +never/),
    expect.stringMatching(/^email +unknown$/),
  ]);
  expect(printed.at(-1)).toContain('email: unknown: connect ECONNREFUSED');
});

it.each([
  [['--source', 'mail'], 'no source "mail": one of orders, email'],
  [['now'], 'status takes no now'],
])('says in a line what is wrong with %j', async (args, message) => {
  await expect(status(...args)).rejects.toThrow(expect.objectContaining({ name: 'UsageError', message }));
});

it('answers --help and a wrong word without any settings', async () => {
  const terminal: Terminal = { print: async () => {}, note: () => {} };
  expect((await runRelayCommand(['status', '--help'], terminal)).lines[0]).toMatch(/^relay status /);
  await expect(runRelayCommand(['statsu'], terminal)).rejects.toThrow('no command "statsu": one of status, ');
});

function answering(body: object): Promise<Server> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
