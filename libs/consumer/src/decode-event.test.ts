import { orderCreated } from '@shopflow/contracts';
import { type ConsumedRecord, headerNames } from '@shopflow/kafka';
import { describe, expect, it } from 'vitest';
import { decodeEvent } from './decode-event.js';
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
    ['a record without a version', {}, withHeader(headerNames.version, undefined), 'order.created: invalid version NaN'],
    ['a version that is no number', {}, withHeader(headerNames.version, '2; DROP'), 'order.created: invalid version NaN'],
    ['a time that is none', {}, withHeader(headerNames.time, 'yesterday'), 'order.created: ce_time is not a time: yesterday'],
  ])('%s', (_name, event: TestEvent, change, reason) => {
    expect(() => decode(event, change)).toThrow(reason);
  });
});

it('takes the time of the record for one that is missing', () => {
  expect(decode({}, withHeader(headerNames.time, undefined)).time).toEqual(new Date(1_764_460_800_000));
});
