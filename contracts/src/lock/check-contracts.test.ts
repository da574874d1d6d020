import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import Type, { type TSchema } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineEvent, type EventContract } from '../contract.js';
import { events as releasedEvents } from '../events.js';
import { SOURCES } from '../fixtures.js';
import { topics } from '../topics.js';
import { upcast, version } from '../version.js';
import { checkContracts, extendLock } from './check-contracts.js';
import { describeContracts, type Lock, readLock } from './lock.js';

it('finds the contracts of this repository as they were released', () => {
  expect(checkContracts(releasedEvents, SOURCES, readLock())).toEqual([]);
});

// Two events in a folder of their own, released as they are; each case changes one thing about them.
const orderId = Type.String({ description: 'The order.' });
const packed1 = version(1, Type.Object({ orderId }), 'First release.');
const packed2 = version(2, Type.Object({ orderId, boxes: Type.Integer() }), 'Added `boxes`.');
const upcasters = [upcast(packed1, packed2, (v1) => ({ ...v1, boxes: 1 }))];
const packed = defineEvent({ type: 'parcel.packed', topic: topics.orders, summary: '', versions: [packed1, packed2], upcasters });
const sent = defineEvent({ type: 'parcel.sent', topic: topics.emails, summary: '', versions: [packed1] });
const events = [packed, sent];
const files = {
  'parcel-packed/v1.ts': '',
  'parcel-packed/fixtures/v1.json': '{"orderId":"ORD-1"}',
  'parcel-packed/fixtures/v2.json': '{"orderId":"ORD-2","boxes":3}',
  'parcel-packed/fixtures/v2-no-boxes.json': '{"orderId":"ORD-3","boxes":0}',
  'parcel-sent/v1.ts': '',
  'parcel-sent/fixtures/v1.json': '{"orderId":"ORD-1"}',
};

let sources: string;
let lock: Lock;
beforeEach(() => {
  sources = mkdtempSync(`${tmpdir()}/contracts-`);
  for (const [path, text] of Object.entries(files)) write(path, text);
  lock = describeContracts(events, sources);
});
afterEach(() => rmSync(sources, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(`${sources}/${path}`), { recursive: true });
  writeFileSync(`${sources}/${path}`, text);
}
const remove = (path: string) => rmSync(`${sources}/${path}`, { recursive: true });
const append = (path: string, text: string) => write(path, readFileSync(`${sources}/${path}`, 'utf8') + text);
const copy = (from: string, to: string) => cpSync(`${sources}/${from}`, `${sources}/${to}`, { recursive: true });
const withField = (number: number, field: TSchema) =>
  version(number, Type.Object({ ...packed2.schema.properties, field }), 'Added `field`.');

/** Changes files on the way, or answers the events as they are now. */
type Change = () => readonly EventContract[] | void;

const check = (change: Change) => {
  const now = change() ?? events;
  return checkContracts(now, sources, lock).map(({ path, rule, message }) => `${path}: ${rule}: ${message}`);
};

it('accepts what is as it was released', () => {
  expect(check(() => {})).toEqual([]);
});

describe('what was released and is changed', () => {
  it.each<[string, Change, string[]]>([
    [
      'an edited schema',
      () => [{ ...packed, versions: [packed1, withField(2, Type.Optional(Type.String()))] }, sent],
      [
        'contracts/src/parcel-packed/v2.ts: schema-edited: the schema of parcel.packed v2 is released; restore it, or the shared field that it uses, and add a new version',
      ],
    ],
    [
      'a removed version',
      () => [{ ...packed, versions: [packed2] }, sent],
      ['contracts/src/parcel-packed/v1.ts: version-removed: parcel.packed v1 is released and is gone; put it back'],
    ],
    [
      'a removed event',
      () => {
        remove('parcel-sent');
        return [packed];
      },
      ['contracts/src/events.ts: event-removed: parcel.sent is released and is gone; put it back, stored events of it must stay readable'],
    ],
    [
      'an edited fixture, be it a line end',
      () => append('parcel-packed/fixtures/v1.json', '\n'),
      [
        'contracts/src/parcel-packed/fixtures/v1.json: fixture-edited: it records what was published; restore it; another example goes into a file of its own',
      ],
    ],
    [
      'a removed fixture',
      () => remove('parcel-packed/fixtures/v2-no-boxes.json'),
      [
        'contracts/src/parcel-packed/fixtures/v2-no-boxes.json: fixture-removed: it records what was published; restore it; another example goes into a file of its own',
      ],
    ],
    [
      'another topic',
      () => [packed, { ...sent, topic: topics.orders }],
      [
        'contracts/src/parcel-sent/index.ts: wire-changed: the topic of parcel.sent is released as emails.events, not orders.events; consumers rely on it, restore it',
      ],
    ],
    [
      'another key',
      () => [{ ...packed, key: 'boxes' }, sent],
      [
        'contracts/src/parcel-packed/index.ts: wire-changed: the key of parcel.packed is released as orderId, not boxes; consumers rely on it, restore it',
      ],
    ],
    [
      'another owner and number of partitions',
      () => [packed, { ...sent, topic: { ...topics.emails, owner: 'mail', partitions: 24 } }],
      [
        'contracts/src/topics.ts: wire-changed: the owner of topic emails.events is released as email, not mail; consumers rely on it, restore it',
        'contracts/src/topics.ts: wire-changed: the partitions of topic emails.events is released as 12, not 24; consumers rely on it, restore it',
      ],
    ],
  ])('is refused: %s', (_what, change, faults) => {
    expect(check(change)).toEqual(faults);
  });

  it('may be explained in other words', () => {
    const reworded = version(1, Type.Object({ orderId: Type.String({ description: 'The order, in new words.' }) }), 'New words.');
    expect(check(() => [packed, { ...sent, versions: [reworded] }])).toEqual([]);
  });
});

describe('what is new and not complete', () => {
  const packed3 = withField(3, Type.String());
  const withV3: Change = () => [defineEvent({ ...packed, key: 'orderId', versions: [packed1, packed2, packed3] }), sent];

  it.each<[string, Change, string]>([
    [
      'a version without a fixture',
      withV3,
      'contracts/src/parcel-packed/fixtures/v3.json: fixture-missing: parcel.packed v3 has no fixture; write a realistic payload of it',
    ],
    [
      'a step without an upcaster',
      withV3,
      'contracts/src/parcel-packed/index.ts: upcaster-missing: no upcaster from parcel.packed v2; write one in v3.ts and list it',
    ],
    [
      'a version that the lock lacks',
      withV3,
      'contracts/contracts.lock.json: not-locked: parcel.packed v3 is not in the lock; run npm run contracts:lock and commit the file',
    ],
    [
      'an event that the manifest lacks',
      () => copy('parcel-sent', 'parcel-lost'),
      'contracts/src/events.ts: event-not-registered: contracts/src/parcel-lost is not in the list of events; add it, or name the folder as the event',
    ],
    [
      'a fixture whose name says no version',
      () => write('parcel-sent/fixtures/example.json', '{}'),
      'contracts/src/parcel-sent/fixtures/example.json: fixture-misnamed: a fixture is named v<version>.json or v<version>-<what is special>.json',
    ],
    [
      'a fixture of a version that does not exist',
      () => copy('parcel-sent/fixtures/v1.json', 'parcel-sent/fixtures/v2.json'),
      'contracts/src/parcel-sent/fixtures/v2.json: fixture-unreadable: parcel.sent v2 is newer than this code (v1)',
    ],
    [
      'a fixture that does not match its version',
      () => write('parcel-packed/fixtures/v2-new.json', '{"boxes":"3"}'),
      'contracts/src/parcel-packed/fixtures/v2-new.json: fixture-unreadable: it does not match the schema of parcel.packed v2: orderId, boxes',
    ],
    [
      'a fixture that the lock lacks',
      () => copy('parcel-sent/fixtures/v1.json', 'parcel-sent/fixtures/v1-again.json'),
      'contracts/contracts.lock.json: not-locked: fixture contracts/src/parcel-sent/fixtures/v1-again.json is not in the lock; run npm run contracts:lock and commit the file',
    ],
  ])('is refused: %s', (_what, change, fault) => {
    expect(check(change)).toContain(fault);
  });
});

describe('adding to the lock', () => {
  it('takes a new event and leaves every other entry as it was', () => {
    copy('parcel-sent', 'parcel-lost');
    const more = [...events, defineEvent({ type: 'parcel.lost', topic: topics.orders, summary: '', versions: [packed1] })];
    const extended = extendLock(more, sources, lock);
    expect(extended.faults).toEqual([]);
    expect(extended.lock.events).toMatchObject(lock.events);
    expect(checkContracts(more, sources, extended.lock)).toEqual([]);
  });

  it('fills an empty lock', () => {
    expect(extendLock(events, sources, { topics: {}, events: {} })).toEqual({ lock, faults: [] });
  });

  it('changes nothing while a released entry is edited', () => {
    append('parcel-packed/fixtures/v1.json', '\n');
    const extended = extendLock(events, sources, lock);
    expect(extended.lock).toBe(lock);
    expect(extended.faults).toMatchObject([{ rule: 'fixture-edited' }]);
  });
});
