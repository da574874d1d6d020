import { expect, it } from 'vitest';
import { faultsOf, type PostgresFacts, warningsOf } from './judge-postgres.js';

const asked = { user: 'ada', host: 'db', port: 5432 };
const facts: PostgresFacts = {
  version: 18,
  wal_level: 'logical',
  free_slots: 2,
  free_senders: 2,
  existing_slots: [],
  may_create_databases: true,
  may_replicate: true,
  keep_size_mb: 20_480,
};
const slots = ['shopflow_orders', 'shopflow_email'];

it('has nothing against a server that can do everything', () => {
  expect(faultsOf(facts, slots, asked)).toEqual([]);
  expect(warningsOf(facts)).toEqual([]);
});

it('refuses a server without uuidv7()', () => {
  expect(faultsOf({ ...facts, version: 17 }, slots, asked)).toEqual([
    'PostgreSQL at db:5432 is version 17: ShopFlow needs 18 or newer, its tables use uuidv7(); upgrade it, or correct DATABASE_URL',
  ]);
});

it('needs no free place for a slot that exists already', () => {
  const one = { ...facts, free_slots: 1, free_senders: 2 };
  expect(faultsOf({ ...one, existing_slots: ['shopflow_orders'] }, slots, asked)).toEqual([]);
  expect(faultsOf(one, slots, asked)).toEqual([expect.stringContaining('1 free replication slots and 2 are needed')]);
});

it('warns of a log that a relay which stays away lets grow without limit', () => {
  expect(warningsOf({ ...facts, keep_size_mb: -1 })).toEqual([expect.stringMatching(/^max_slot_wal_keep_size is unlimited: .*set it/)]);
});
