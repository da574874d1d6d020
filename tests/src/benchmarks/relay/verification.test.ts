import { describe, expect, it } from 'vitest';
import { KEYS, type ReadEvent, toRecord } from './event.js';
import { Verification } from './verification.js';

const read = (n: number, timestamp = 0): ReadEvent & { timestamp: number } => {
  const { key, value, headers } = toRecord('any', n);
  return { key: key as Buffer, value: value as Buffer, headers: headers as ReadEvent['headers'], timestamp };
};

function judge(events: number, records: readonly ReturnType<typeof read>[]) {
  const verification = new Verification(events);
  for (const record of records) verification.add(record);
  return verification.faults(events);
}

const NONE = { lost: 0, repeated: 0, reordered: 0, malformed: 0 };

describe('what a contender wrote', () => {
  it('has no fault when every event is there once, in the order of its key', () => {
    expect(judge(3, [read(1), read(0), read(2)])).toEqual(NONE);
  });

  it('has lost an event that is in no record', () => {
    expect(judge(3, [read(0), read(2)])).toEqual({ ...NONE, lost: 1 });
  });

  it('has repeated an event whose id is there twice', () => {
    expect(judge(2, [read(0), read(1), read(0)])).toEqual({ ...NONE, repeated: 1 });
  });

  it('has reordered an event that came behind a later one of its key, and is not misled by its repetition', () => {
    const records = [read(KEYS), read(0), read(KEYS)];
    expect(judge(1, records)).toEqual({ ...NONE, reordered: 1, repeated: 1 });
  });

  it.each([
    ['another key', { key: Buffer.from('ORD-9') }],
    ['another payload', { value: Buffer.from('{"orderId": "ORD-9"}') }],
    ['no JSON', { value: Buffer.from('{') }],
    ['no headers', { headers: {} }],
    ['no trace', { headers: { ...read(0).headers, traceparent: null } }],
  ])('is malformed with %s, and the event is lost', (_, change) => {
    expect(judge(1, [{ ...read(0), ...change }])).toEqual({ ...NONE, lost: 1, malformed: 1 });
  });
});

describe('the rate of a backlog', () => {
  it('is that of its events between its first and its last record', () => {
    const verification = new Verification(2);
    for (const record of [read(0, 1_000), read(1, 1_010), read(2, 5_000), read(3, 5_100)]) verification.add(record);
    expect([verification.perSecond(0), verification.perSecond(1)]).toEqual([200, 20]);
  });

  it('is not known of records that all came at one moment', () => {
    const verification = new Verification(2);
    for (const record of [read(0, 1_000), read(1, 1_000)]) verification.add(record);
    expect(verification.perSecond(0)).toBeUndefined();
  });
});
