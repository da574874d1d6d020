import { headerNames } from '@shopflow/kafka';
import { expect, it } from 'vitest';
import { identifyEvent } from './identify-event.js';
import { consumed } from './test-support/chunk-of.js';
import { orderRecord } from './test-support/publish.js';

const recordWith = (headers: Record<string, string | undefined>) => {
  const record = consumed(orderRecord('', { id: 'evt-1' }), 7);
  return { ...record, headers: { ...record.headers, ...headers } };
};
const PLACE = 'orders.events/0/7/1764460800000';

it('knows an event by its source and id', () => {
  expect(identifyEvent(recordWith({}), 'orders')).toEqual({ source: 'orders', eventId: 'evt-1' });
});

it('knows a record without an id by its place', () => {
  expect(identifyEvent(recordWith({ [headerNames.id]: undefined }), 'orders')).toEqual({ source: 'orders', eventId: PLACE });
});

it('takes the owner of the topic for a source that is missing', () => {
  expect(identifyEvent(recordWith({ [headerNames.source]: undefined }), 'orders').source).toBe('orders');
});

it.each([
  ['an id of more than 200 bytes', { [headerNames.id]: 'é'.repeat(101) }, 'ce_id is longer than 200 bytes'],
  ['an id with NUL', { [headerNames.id]: 'evt-\u0000' }, 'ce_id contains NUL'],
  ['an id with half a surrogate pair', { [headerNames.id]: 'evt-\ud83d' }, 'ce_id contains half a surrogate pair'],
  ['a source with NUL', { [headerNames.source]: 'ord\u0000ers' }, 'ce_source contains NUL'],
])('keeps %s out of the tables', (_name, headers, fault) => {
  expect(identifyEvent(recordWith(headers), 'orders')).toEqual({ source: 'orders', eventId: PLACE, fault });
});

it('takes an id of exactly 200 bytes', () => {
  expect(identifyEvent(recordWith({ [headerNames.id]: 'é'.repeat(100) }), 'orders').fault).toBeUndefined();
});
