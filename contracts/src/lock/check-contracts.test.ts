import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import Type, { type TSchema } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineEvent, type EventContract } from '../contract.js';
import { emailFailed, events, orderCreated } from '../events.js';
import { SOURCES } from '../fixtures.js';
import { topics } from '../topics.js';
import { version } from '../version.js';
import { checkContracts, extendLock } from './check-contracts.js';
import { describeContracts, type Lock, readLock } from './lock.js';

// Everything happens on a copy of the sources; the released contracts are those of the repository.
let sources: string;
let lock: Lock;

beforeEach(() => {
  sources = mkdtempSync(`${tmpdir()}/contracts-`);
  cpSync(SOURCES, sources, { recursive: true });
  lock = describeContracts(events, sources);
});
afterEach(() => rmSync(sources, { recursive: true }));

const remove = (path: string) => rmSync(`${sources}/${path}`, { recursive: true });
const write = (path: string, text: string) => writeFileSync(`${sources}/${path}`, text);
const append = (path: string, text: string) => write(path, readFileSync(`${sources}/${path}`, 'utf8') + text);
const replace = (type: string, change: Partial<EventContract>): EventContract[] =>
  events.map((event) => (event.type === type ? { ...event, ...change } : event));

const [created1, created2, created3] = orderCreated.versions as [EventContract['latest'], EventContract['latest'], EventContract['latest']];
const moreFields = (base: EventContract['latest'], coupon: TSchema, number = base.number) =>
  version(number, Type.Object({ ...base.schema.properties, coupon }), 'Added `coupon`.');

/** Today's contracts as changed, or files changed on the way. */
type Change = () => readonly EventContract[] | void;

const check = (change: Change = () => {}) => checkContracts(change() ?? events, sources, lock);
const described = (change: Change) => check(change).map(({ path, rule, message }) => `${path}: ${rule}: ${message}`);

describe('the contracts of this repository', () => {
  it('are as they were released', () => {
    expect(checkContracts(events, SOURCES, readLock())).toEqual([]);
  });
});

describe('what was released and is changed', () => {
  it.each<[string, Change, string[]]>([
    [
      'an edited schema',
      () => replace('order.created', { versions: [created1, moreFields(created2, Type.Optional(Type.String())), created3] }),
      [
        'contracts/src/order-created/v2.ts: schema-edited: the schema of order.created v2 is released; restore it, or the shared field that it uses, and add a new version',
      ],
    ],
    [
      'a removed version',
      () => replace('order.created', { versions: [created1, created3] }),
      ['contracts/src/order-created/v2.ts: version-removed: order.created v2 is released and is gone; put it back'],
    ],
    [
      'a removed event',
      () => {
        remove('email-failed');
        return events.filter(({ type }) => type !== 'email.failed');
      },
      ['contracts/src/events.ts: event-removed: email.failed is released and is gone; put it back, stored events of it must stay readable'],
    ],
    [
      'an edited fixture, be it a line end',
      () => append('order-created/fixtures/v1.json', '\n'),
      [
        'contracts/src/order-created/fixtures/v1.json: fixture-edited: it records what was published; restore it; another example goes into a file of its own',
      ],
    ],
    [
      'a removed fixture',
      () => remove('order-created/fixtures/v2-empty-name.json'),
      [
        'contracts/src/order-created/fixtures/v2-empty-name.json: fixture-removed: it records what was published; restore it; another example goes into a file of its own',
      ],
    ],
    [
      'another topic',
      () => replace('email.failed', { topic: topics.orders }),
      [
        'contracts/src/email-failed/index.ts: wire-changed: the topic of email.failed is released as emails.events, not orders.events; consumers rely on it, restore it',
      ],
    ],
    [
      'another key',
      () => replace('email.failed', { key: 'deliveryId' }),
      [
        'contracts/src/email-failed/index.ts: wire-changed: the key of email.failed is released as orderId, not deliveryId; consumers rely on it, restore it',
      ],
    ],
    [
      'another owner and number of partitions',
      () =>
        events.map((event) =>
          event.topic === topics.emails ? { ...event, topic: { ...topics.emails, owner: 'mail', partitions: 24 } } : event,
        ),
      [
        'contracts/src/topics.ts: wire-changed: the owner of topic emails.events is released as email, not mail; consumers rely on it, restore it',
        'contracts/src/topics.ts: wire-changed: the partitions of topic emails.events is released as 12, not 24; consumers rely on it, restore it',
      ],
    ],
  ])('is refused: %s', (_what, change, faults) => {
    expect(described(change)).toEqual(faults);
  });

  it('may be explained in other words', () => {
    const reworded = version(1, Type.Object(emailFailed.latest.schema.properties, { description: 'New words.' }), 'New words.');
    expect(check(() => replace('email.failed', { versions: [reworded] }))).toEqual([]);
  });
});

describe('what is new and not complete', () => {
  const v4 = moreFields(created3, Type.String(), 4);
  const withV4 = () => replace('order.created', { versions: [...orderCreated.versions, v4], latest: v4 });

  it.each<[string, Change, string]>([
    [
      'a version without a fixture',
      withV4,
      'contracts/src/order-created/fixtures/v4.json: fixture-missing: order.created v4 has no fixture; write a realistic payload of it',
    ],
    [
      'a step without an upcaster',
      withV4,
      'contracts/src/order-created/index.ts: upcaster-missing: no upcaster from order.created v3; write one in v4.ts and list it',
    ],
    [
      'a version that the lock lacks',
      withV4,
      'contracts/contracts.lock.json: not-locked: order.created v4 is not in the lock; run npm run contracts:lock and commit the file',
    ],
    [
      'an event that the manifest lacks',
      () => cpSync(`${sources}/email-sent`, `${sources}/email-opened`, { recursive: true }),
      'contracts/src/events.ts: event-not-registered: contracts/src/email-opened is not in the list of events; add it, or name the folder as the event',
    ],
    [
      'a fixture whose name says no version',
      () => write('email-sent/fixtures/example.json', '{}'),
      'contracts/src/email-sent/fixtures/example.json: fixture-misnamed: a fixture is named v<version>.json or v<version>-<what is special>.json',
    ],
    [
      'a fixture of a version that does not exist',
      () => cpSync(`${sources}/email-sent/fixtures/v1.json`, `${sources}/email-sent/fixtures/v2.json`),
      'contracts/src/email-sent/fixtures/v2.json: fixture-unreadable: email.sent v2 is newer than this code (v1)',
    ],
    [
      'a fixture that does not match its version',
      () => write('order-created/fixtures/v1-new.json', '{"orderId":"ORD-1","totalKobo":0}'),
      'contracts/src/order-created/fixtures/v1-new.json: fixture-unreadable: it does not match the schema of order.created v1: email, totalKobo',
    ],
    [
      'a fixture that the lock lacks',
      () => cpSync(`${sources}/email-sent/fixtures/v1.json`, `${sources}/email-sent/fixtures/v1-again.json`),
      'contracts/contracts.lock.json: not-locked: fixture contracts/src/email-sent/fixtures/v1-again.json is not in the lock; run npm run contracts:lock and commit the file',
    ],
  ])('is refused: %s', (_what, change, fault) => {
    expect(described(change)).toContain(fault);
  });
});

describe('adding to the lock', () => {
  const added = defineEvent({
    type: 'order.packed',
    topic: topics.orders,
    summary: 'An order was packed.',
    versions: [version(1, Type.Object({ orderId: Type.String() }), 'First release.')],
  });

  it('takes a new event and leaves every other entry as it was', () => {
    cpSync(`${sources}/order-cancelled`, `${sources}/order-packed`, { recursive: true });
    const extended = extendLock([...events, added], sources, lock);
    expect(extended.faults).toEqual([]);
    expect(extended.lock.events).toMatchObject(lock.events);
    expect(checkContracts([...events, added], sources, extended.lock)).toEqual([]);
  });

  it('fills an empty lock', () => {
    expect(extendLock(events, sources, { topics: {}, events: {} })).toEqual({ lock, faults: [] });
  });

  it('changes nothing while a released entry is edited', () => {
    append('order-created/fixtures/v1.json', '\n');
    const extended = extendLock(events, sources, lock);
    expect(extended.lock).toBe(lock);
    expect(extended.faults).toMatchObject([{ rule: 'fixture-edited' }]);
  });
});
