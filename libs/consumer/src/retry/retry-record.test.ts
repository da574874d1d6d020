import { type ConsumedRecord, FAILURE_HEADERS_BYTES, failureHeaderNames, type ProducerRecord, retryHeaderNames } from '@shopflow/kafka';
import { describe, expect, it } from 'vitest';
import { readRetryRecord, toRetryRecord } from './retry-record.js';
import type { WakeUp } from './wake-up.js';

const failedAt = new Date('2026-11-30T10:00:00.000Z');
const original: ConsumedRecord = {
  topic: 'orders.events',
  partition: 3,
  offset: 41,
  timestamp: Date.parse('2026-11-30T09:59:59.123Z'),
  key: Buffer.from([0, 255, 1]),
  value: Buffer.from([128, 0, 10]),
  headers: { ce_id: Buffer.from('evt-1'), empty: null, twice: [Buffer.from('a'), null, Buffer.from([255])], absent: undefined },
};

const wakeUp = (change: Partial<WakeUp> = {}): WakeUp => ({
  topic: 'orders.events',
  key: Buffer.from([0, 255, 1]),
  dueAt: new Date('2026-11-30T10:00:05.007Z'),
  attempts: 1,
  record: original,
  reason: 'mail provider answered 503',
  firstFailedAt: failedAt,
  lastFailedAt: failedAt,
  ...change,
});
const retryRecord = (change?: Partial<WakeUp>) => toRetryRecord(wakeUp(change), { group: 'email', namespace: 'shopflow' });

/** The record as a consumer of its topic gets it. */
function asConsumed({ topic, key, value, headers }: ProducerRecord): ConsumedRecord {
  const bytes = (content: unknown) => (typeof content === 'string' ? Buffer.from(content) : (content as Buffer | null));
  const raw = Object.entries(headers).map(([name, header]) => [name, Array.isArray(header) ? header.map(bytes) : bytes(header)]);
  return { topic, partition: 0, offset: 0, timestamp: 0, key: bytes(key), value: bytes(value), headers: Object.fromEntries(raw) };
}

const sizeOfHeaders = ({ headers }: ConsumedRecord) =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0);

describe('a retry record', () => {
  it('is a full copy of the head, byte for byte, with what is known beside it', () => {
    const record = retryRecord();
    expect(record).toMatchObject({ topic: 'shopflow.email.retry.1', key: original.key, value: original.value });
    expect(record.headers).toEqual({
      ce_id: Buffer.from('evt-1'),
      empty: null,
      twice: [Buffer.from('a'), null, Buffer.from([255])],
      'shopflow-original-topic': 'orders.events',
      'shopflow-original-partition': '3',
      'shopflow-original-offset': '41',
      'shopflow-original-timestamp': '2026-11-30T09:59:59.123Z',
      'shopflow-group': 'email',
      'shopflow-attempts': '1',
      'shopflow-first-failure': '2026-11-30T10:00:00.000Z',
      'shopflow-last-failure': '2026-11-30T10:00:00.000Z',
      'shopflow-error-message': 'mail provider answered 503',
      'shopflow-due': '2026-11-30T10:00:05.007Z',
      'shopflow-held-key': Buffer.from([0, 255, 1]),
    });
  });

  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 3],
    [9, 3],
  ])('after %i charged attempts lies in tier %i', (attempts, tier) => {
    expect(retryRecord({ attempts }).topic).toBe(`shopflow.email.retry.${tier}`);
  });

  it('says nothing of a failure that has not happened', () => {
    const names = Object.keys(retryRecord({ attempts: 0, reason: null, firstFailedAt: null, lastFailedAt: null }).headers);
    expect(names.filter((name) => /failure|message/.test(name))).toEqual([]);
  });

  it('neither doubles its headers nor grows from hop to hop', () => {
    const first = asConsumed(retryRecord({ reason: 'x'.repeat(100_000) }));
    let hop = first;
    for (let attempts = 2; attempts <= 4; attempts++) hop = asConsumed(retryRecord({ record: hop, attempts, reason: 'x'.repeat(100_000) }));
    expect(Object.keys(hop.headers)).toEqual(Object.keys(first.headers));
    expect(Object.values(hop.headers).filter(Array.isArray)).toHaveLength(1);
    expect(sizeOfHeaders(hop)).toBeLessThanOrEqual(sizeOfHeaders(first) + 32);
    expect(sizeOfHeaders(first)).toBeLessThan(FAILURE_HEADERS_BYTES);
  });

  it('keeps no header of ours that came with the original, not even where it has none to put in its place', () => {
    const forged = { ...original, headers: { [failureHeaderNames.message]: [Buffer.from('lie'), Buffer.from('lie')] } };
    expect(retryRecord({ record: forged }).headers[failureHeaderNames.message]).toBe('mail provider answered 503');
    expect(retryRecord({ record: forged, reason: null }).headers).not.toHaveProperty(failureHeaderNames.message);
  });

  it('has a time also where the original has an impossible one', () => {
    const record = { ...original, timestamp: 2 ** 62 };
    expect(retryRecord({ record }).headers[failureHeaderNames.timestamp]).toBe('9999-12-31T23:59:59.999Z');
  });
});

describe('reading a retry record', () => {
  const read = (change: Record<string, Buffer | null | Buffer[] | undefined>) => {
    const record = asConsumed(retryRecord());
    return readRetryRecord({ headers: { ...record.headers, ...change } });
  };

  it('gives which key is due when, to the millisecond', () => {
    expect(read({})).toEqual({ topic: 'orders.events', key: Buffer.from([0, 255, 1]), dueAt: new Date('2026-11-30T10:00:05.007Z') });
  });

  it('gives an empty key as it is', () => {
    expect(read({ [retryHeaderNames.heldKey]: Buffer.alloc(0) })).toMatchObject({ key: Buffer.alloc(0) });
  });

  it.each([
    ['a missing topic', { [failureHeaderNames.topic]: undefined }, 'shopflow-original-topic is missing'],
    ['an empty topic', { [failureHeaderNames.topic]: Buffer.alloc(0) }, 'shopflow-original-topic is missing'],
    ['a topic that no database takes', { [failureHeaderNames.topic]: Buffer.from('a\0') }, 'shopflow-original-topic contains NUL'],
    ['an endless topic', { [failureHeaderNames.topic]: Buffer.alloc(250, 'x') }, 'shopflow-original-topic is longer than 249 bytes'],
    ['a missing key', { [retryHeaderNames.heldKey]: undefined }, 'shopflow-held-key is missing'],
    ['a null key', { [retryHeaderNames.heldKey]: null }, 'shopflow-held-key is missing'],
    ['two keys', { [retryHeaderNames.heldKey]: [Buffer.from('a'), Buffer.from('b')] }, 'shopflow-held-key is there more than once'],
    ['a missing time', { [retryHeaderNames.due]: undefined }, 'shopflow-due is no time: missing'],
    ['no time', { [retryHeaderNames.due]: Buffer.from('soon') }, 'shopflow-due is no time: soon'],
    ['an inexact time', { [retryHeaderNames.due]: Buffer.from('2026-11-30') }, 'shopflow-due is no time: 2026-11-30'],
    ['an impossible time', { [retryHeaderNames.due]: Buffer.from('2026-13-30T10:00:05.007Z') }, 'is no time'],
  ])('says what is wrong with %s instead of throwing', (_name, change, fault) => {
    expect(read(change)).toEqual({ fault: expect.stringContaining(fault) });
  });
});
