import { describe, expect, it } from 'vitest';
import type { DrillEvent, Evidence, Fate, PublishedRecord, TakeOver } from './evidence.js';
import { judge, judgeTimes } from './judge.js';

const event = (place: number, { key = 'A', fate = 'committed' as Fate, source = 'orders' } = {}): DrillEvent => ({
  source,
  id: `${source}/${key}/${place}/${fate}`,
  key,
  place,
  fate,
});
const record = ({ source, id, key, place }: DrillEvent): PublishedRecord => ({ source, id, key, place });

/** What a relay leaves that does everything right: each committed event once, in order. */
function evidence({ events = [event(1), event(2), event(1, { key: 'B' })], ...changes }: Partial<Evidence> = {}): Evidence {
  const committed = events.filter(({ fate }) => fate === 'committed');
  const stored = new Set(committed.map(({ id }) => id));
  const nothing = { waiting: { orders: 0 }, setAside: [], alarms: [], oddEnds: [], takeOvers: [] };
  return { events, stored, published: committed.map(record), ...nothing, ...changes };
}

const takeOver = (changes: Partial<TakeOver>): TakeOver => ({ after: 'crash', source: 'orders', ms: 900, undisturbed: true, ...changes });
const violations = (found: Evidence): string[] => [...judge(found), ...judgeTimes(found)].flatMap((verdict) => verdict.violations);

const [A1, A2, A3] = [event(1), event(2), event(3)];
const GONE = event(2, { fate: 'rolled back' });
const UNKNOWN = event(2, { fate: 'unknown' });

describe('nothing is said against', () => {
  it.each<[string, Partial<Evidence>]>([
    ['every event once, in order', {}],
    ['a part of the stream again, from anywhere', { events: [A1, A2, A3], published: [A1, A2, A1, A2, A3, A2, A3].map(record) }],
    ['a rolled-back event whose place another one took', { events: [A1, GONE, A2] }],
    [
      'an unknown commit that the table has',
      { events: [A1, UNKNOWN], stored: new Set([A1.id, UNKNOWN.id]), published: [A1, UNKNOWN].map(record) },
    ],
    ['an unknown commit that the table has not', { events: [A1, UNKNOWN, A2] }],
    ['the same key of two sources', { events: [A1, A2, event(1, { source: 'invoices' })] }],
    ['a slow take-over while a server was away', { takeOvers: [takeOver({ ms: 9_000, undisturbed: false })] }],
    ['take-overs in time', { takeOvers: [takeOver({ ms: 4_900 }), takeOver({ after: 'stop' })] }],
  ])('%s', (_what, found) => {
    expect(violations(evidence(found))).toEqual([]);
  });
});

describe('it is seen when', () => {
  it.each<[string, string, Partial<Evidence>]>([
    ['an event is lost', `${A2.id} is lost`, { events: [A1, A2], published: [record(A1)] }],
    [
      'an unknown commit that took place is lost',
      `${UNKNOWN.id} is lost`,
      { events: [A1, UNKNOWN], stored: new Set([A1.id, UNKNOWN.id]), published: [record(A1)] },
    ],
    ['a rolled-back event is published', `${GONE.id} was rolled back`, { events: [A1, GONE], published: [A1, GONE].map(record) }],
    ['a key is out of order', `${A1.id} comes after ${A2.id}`, { events: [A1, A2], published: [A2, A1].map(record) }],
    ['a later repetition hides nothing', `${A1.id} comes after ${A2.id}`, { events: [A1, A2], published: [A2, A1, A2].map(record) }],
    ['a record has another key', 'is published as C/1', { events: [A1], published: [{ ...record(A1), key: 'C' }] }],
    ['a record has another payload', 'is published as A/7', { events: [A1], published: [{ ...record(A1), place: 7 }] }],
    ['a record is in the topic of another source', 'of invoices', { events: [A1], published: [{ ...record(A1), source: 'invoices' }] }],
    ['something was never written', `${A2.id} was never written`, { events: [A1], published: [A1, A2].map(record) }],
    ['the database loses a commit', 'the table says otherwise', { events: [A1, A2], stored: new Set([A1.id]), published: [record(A1)] }],
    ['the database keeps what was rolled back', 'the table says otherwise', { events: [GONE], stored: new Set([GONE.id]), published: [] }],
    ['the places of a key do not tell its order', 'orders A has a gap', { events: [A1, A3] }],
    ['events wait at the end', '3 events of orders wait', { waiting: { orders: 3, invoices: 0 } }],
    ['an outage sets an event aside', `${A1.id} is set aside`, { setAside: [A1.id] }],
    ['a source asks for a person', 'orders was blocked', { alarms: ['orders was blocked'] }],
    ['a relay ends by itself', 'relay-1 ended', { oddEnds: ['relay-1 ended with 1'] }],
    ['a take-over after a crash is late', 'orders after 5100 ms', { takeOvers: [takeOver({ ms: 5_100 })] }],
    ['a take-over after a stop is late', 'orders after 1200 ms', { takeOvers: [takeOver({ after: 'stop', ms: 1_200 })] }],
  ])('%s', (_what, said, found) => {
    expect(violations(evidence(found)).join('\n')).toContain(said);
  });
});
