import { BatchBuffers, headerNames, RecordBatch, writeHeaders } from '@shopflow/kafka';
import { expect, it } from 'vitest';
import { eventRow, outboxRow } from '../test-support/event-rows.js';
import { EventContent } from './event-content.js';
import { EventRow } from './event-row.js';
import { TimeError } from './iso-time.js';
import type { OutboxRow } from './outbox-row.js';

const LONG = 'ü'.repeat(100);
const NULLABLE = { correlation_id: 'req-7f3a', causation_id: 'evt-0', traceparent: '00-aa-bb-01', tracestate: 'x=y' };

/** The record of a row, through a batch and back. */
function recordOf(row: OutboxRow) {
  const content = new EventContent('orders');
  content.load(EventRow.fromColumns(row));
  const target = Buffer.alloc(content.bytes + 2, 0xee);
  content.write(target, 1);
  expect([target[0], target.at(-1)], 'writes what it says, not a byte more').toEqual([0xee, 0xee]);
  const batch = new RecordBatch('orders.events', 0, new BatchBuffers());
  batch.append(content);
  const [record] = batch.records();
  return { ...record!.read(), bytes: target.subarray(1, -1) };
}

const subsets = (names: readonly string[]): string[][] =>
  names.reduce<string[][]>((all, name) => [...all, ...all.map((some) => [...some, name])], [[]]);

it.each(subsets(Object.keys(NULLABLE)).map((names) => [names]))('has exactly the headers of an event with %j', (names) => {
  const row = outboxRow(Object.fromEntries(names.map((name) => [name, NULLABLE[name as keyof typeof NULLABLE]])));
  const { key, headers } = recordOf(row);
  expect(key).toBe('ORD-1001');
  expect(Object.fromEntries(headers)).toEqual(headersOf(row, '2026-01-31T12:00:00.500Z'));
});

it.each([
  ['ids of 200 bytes that are not ASCII', { id: LONG, aggregateid: LONG, type: 'été', organization_id: '会社' }],
  ['empty texts', { payload: '', correlation_id: '', organization_id: '' }],
  ['a large payload', { payload: JSON.stringify('é'.repeat(300_000)) }],
])('passes %s on byte by byte', (_, columns) => {
  const row = outboxRow(columns);
  const { key, headers, bytes } = recordOf(row);
  expect(key).toBe(row.aggregateid);
  expect(Object.fromEntries(headers)).toEqual(headersOf(row, '2026-01-31T12:00:00.500Z'));
  expect(bytes.includes(Buffer.from(String(row.payload)))).toBe(true);
});

it('can be loaded with one row after the other', () => {
  const content = new EventContent('orders');
  const batch = new RecordBatch('orders.events', 0, new BatchBuffers());
  for (const columns of [{ id: 'a', ...NULLABLE }, { id: 'b' }]) {
    content.load(eventRow(columns));
    batch.append(content);
  }
  const [first, second] = batch.records().map((record) => record.read().headers);
  expect([first?.get(headerNames.id), first?.get(headerNames.traceparent)]).toEqual(['a', '00-aa-bb-01']);
  expect([second?.get(headerNames.id), second?.get(headerNames.traceparent)]).toEqual(['b', undefined]);
});

it('refuses a row whose time no record can have', () => {
  expect(() => new EventContent('orders').load(eventRow({ created_at: 'infinity' }))).toThrow(TimeError);
});

/** What every other producer of ours writes for the same event. */
const headersOf = (row: OutboxRow, time: string) => {
  const text = (value: OutboxRow[keyof OutboxRow]) => (value === null ? null : String(value));
  return writeHeaders({
    id: String(row.id),
    type: String(row.type),
    source: 'orders',
    subject: String(row.aggregateid),
    time,
    version: Number(row.version),
    correlationId: text(row.correlation_id),
    causationId: text(row.causation_id),
    organizationId: String(row.organization_id),
    traceparent: text(row.traceparent),
    tracestate: text(row.tracestate),
  });
};
