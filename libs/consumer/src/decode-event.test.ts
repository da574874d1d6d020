import { orderCreated } from '@shopflow/contracts';
import { type ConsumedRecord, headerNames } from '@shopflow/kafka';
import { describe, expect, it } from 'vitest';
import { decodeEvent } from './decode-event.js';
import { UndecodableError } from './failure.js';
import { identifyEvent } from './identify-event.js';
import { consumed } from './test-support/chunk-of.js';
import { orderPayload, orderRecord, type TestEvent } from './test-support/publish.js';

const decode = (event: TestEvent, change: (record: ConsumedRecord) => ConsumedRecord = (record) => record) => {
  const record = change(consumed(orderRecord('', { orderId: 'ORD-1001', ...event }), 0));
  return decodeEvent(record, identifyEvent(record, 'orders'), orderCreated);
};
const withHeader = (name: string, value: string | undefined) => (record: ConsumedRecord) => ({
  ...record,
  headers: { ...record.headers, [name]: value },
});

it('gives handlers the envelope and the payload', () => {
  const event = decode({ id: 'evt-1', correlationId: 'req-7f3a' });
  expect(event).toEqual({
    id: 'evt-1',
    type: 'order.created',
    version: 3,
    source: 'orders',
    subject: 'ORD-1001',
    time: new Date('2026-11-30T10:00:00.000Z'),
    correlationId: 'req-7f3a',
    causationId: null,
    organizationId: 'shopflow',
    traceparent: null,
    tracestate: null,
    payload: orderPayload('ORD-1001'),
  });
});

it('upcasts an old payload and keeps the version that was written', () => {
  const event = decode({ version: 1, payload: { orderId: 'ORD-0999', email: 'tunde@shop.ng', totalKobo: 900_000 } });
  expect(event).toMatchObject({ version: 1, payload: { customer: { email: 'tunde@shop.ng', name: null }, channel: 'unknown' } });
});

describe('refuses', () => {
  it.each([
    [
      'a v1 payload that says v2',
      { version: 2, payload: { orderId: 'ORD-1', email: 'a@b.ng', totalKobo: 1 } },
      undefined,
      'order.created v3: invalid customer.email',
    ],
    ['a newer version', { version: 4 }, undefined, 'order.created v4 is newer than this code (v3)'],
    [
      'bytes that are not JSON',
      {},
      (record: ConsumedRecord) => ({ ...record, value: Buffer.from('{"orderId":') }),
      'order.created: the value is not JSON',
    ],
    ['a tombstone', {}, (record: ConsumedRecord) => ({ ...record, value: null }), 'order.created v3: invalid orderId'],
    ['a record without a version', {}, withHeader(headerNames.version, undefined), 'order.created: invalid version (none)'],
    ['a version that is no number', {}, withHeader(headerNames.version, 'abc'), 'order.created: invalid version abc'],
    ['a time that is none', {}, withHeader(headerNames.time, 'yesterday'), 'ce_time is not a time of the years 1 to 9999: yesterday'],
    ['a year 200000', {}, withHeader(headerNames.time, '+200000-01-01T00:00:00Z'), 'ce_time is not a time of the years 1 to 9999'],
    ['a year before the first', {}, withHeader(headerNames.time, '0000-12-31T23:59:59Z'), 'ce_time is not a time of the years 1 to 9999'],
    [
      'a timestamp that no calendar has',
      {},
      (record: ConsumedRecord) => ({ ...withHeader(headerNames.time, undefined)(record), timestamp: 2 ** 60 }),
      "the record's timestamp is not a time",
    ],
    [
      'a key of more than 1024 bytes',
      {},
      (record: ConsumedRecord) => ({ ...record, key: Buffer.alloc(1025, 'k') }),
      'the key is longer than',
    ],
    ['a key with NUL', {}, (record: ConsumedRecord) => ({ ...record, key: Buffer.from('a\0') }), 'order.created: the key contains NUL'],
    [
      'a tracestate of more than 512 bytes',
      {},
      withHeader(headerNames.tracestate, 't'.repeat(513)),
      'order.created: tracestate is longer than 512 bytes',
    ],
    [
      'an unknown field that nests 100,000 levels deep',
      {},
      (record: ConsumedRecord) => ({ ...record, value: Buffer.from(`{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) }),
      'order.created: the value nests deeper than 100 levels',
    ],
  ])('%s', (_name, event: TestEvent, change, reason) => {
    expect(() => decode(event, change)).toThrow(reason);
  });
});

it('takes the time of the record for one that is missing', () => {
  expect(decode({}, withHeader(headerNames.time, undefined)).time).toEqual(new Date(1_764_460_800_000));
});

describe('refuses what no database stores, and names the header:', () => {
  const { subject, correlationId, causationId, organizationId, traceparent, tracestate, version, time } = headerNames;
  it.each([subject, correlationId, causationId, organizationId, traceparent, tracestate, version, time])('%s', (name) => {
    expect(() => decode({}, withHeader(name, 'a\0b'))).toThrow(new UndecodableError(`order.created: ${name} contains NUL`));
    expect(() => decode({}, withHeader(name, 'a\ud83d'))).toThrow(`order.created: ${name} contains half a surrogate pair`);
    expect(() => decode({}, withHeader(name, 'x'.repeat(6_000)))).toThrow(`order.created: ${name} is longer than`);
  });
});

it('takes texts that are just as long as they may be', () => {
  const longest = { [headerNames.correlationId]: 'é'.repeat(100), [headerNames.tracestate]: 't'.repeat(512) };
  const event = decode({}, (record) => ({ ...record, key: Buffer.alloc(1024, 'k'), headers: { ...record.headers, ...longest } }));
  expect(event).toMatchObject({ correlationId: 'é'.repeat(100), tracestate: 't'.repeat(512) });
});
