import { events, topics } from '@shopflow/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LEASE_MS, Sending } from './sending/sending.fixture.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());

it('writes nothing to its outbox but what the current contracts promise, and every event that it owns', async () => {
  const id = 'x'.repeat(200);
  const orderId = `ORD-${'Z'.repeat(60)}`;
  await sending.created(orderId, { email: `${'x'.repeat(300)}@shop.invalid`, name: null }, { eventId: id });
  await sending.created('ORD-sent', { email: 'ọlá@shop.ng', name: '👩‍🌾 "Ọlá"' });
  await sending.created('ORD-crashing');
  const { claims, dispatcher } = sending.instance({ mailConcurrency: 1 });
  for (let start = 1; start <= 2; start++) await crashWith(claims);
  dispatcher.wake();
  await sending.becomes(id, 'dead');
  await sending.becomes('evt-ORD-sent', 'sent');

  const { rows } = await sending.db.database.query<OutboxRow>('SELECT * FROM outbox');
  const owned = events.filter(({ owner }) => owner === 'email').map(({ type }) => type);
  expect([...new Set(rows.map(({ type }) => type))].sort()).toEqual(owned.sort());
  expect(rows.flatMap(faultsOf)).toEqual([]);
});

/** A worker that claims and is never heard of again. */
async function crashWith(claims: ReturnType<Sending['instance']>['claims']): Promise<void> {
  await claims.execute({ worker: 'doomed', now: sending.clock(), free: 1, quiet: true });
  sending.passTime(LEASE_MS);
}

interface OutboxRow {
  readonly type: string;
  readonly version: number;
  readonly topic: string;
  readonly aggregateid: string;
  readonly payload: Record<string, unknown>;
}

function faultsOf({ type, version, topic, aggregateid, payload }: OutboxRow): string[] {
  const contract = events.find((candidate) => candidate.type === type);
  if (contract === undefined) return [`${type} is no contract`];
  return [
    ...contract.payload.invalidFields(payload).map((field) => `${type}: invalid ${field}`),
    ...contract.payload.unknownFields(payload).map((field) => `${type}: unknown ${field}`),
    ...(version === contract.latest.number ? [] : [`${type}: v${version} is not the current version`]),
    ...(topic === topics.emails.name ? [] : [`${type}: not ours on ${topic}`]),
    ...(aggregateid === payload['orderId'] ? [] : [`${type}: key ${aggregateid}`]),
  ];
}
