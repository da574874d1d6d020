import { beforeEach, expect, it } from 'vitest';
import { eventRow } from '../test-support/event-rows.js';
import type { Arrival, Decision, Replay } from './arrivals.js';
import type { Flight } from './flight.js';
import { Outgoing, type Stop } from './outgoing.js';

const FULL = 3;
const signal = new AbortController().signal;
const event = (id: string) => eventRow({ id });
const position = (lsn: bigint): Arrival => ({ kind: 'position', lsn });
const snapshot = (lsn: bigint): Arrival => ({ kind: 'snapshot', lsn, snapshot: String(lsn) });
const replay: Replay = { kind: 'replay', eventId: 'a', who: 'ada', why: 'test', xid: '7' };
const decision: Decision = { kind: 'decision', topic: 'orders.events', key: 'ORD-1' };

let known: boolean;
let held: boolean[];
let loaded: Map<Flight, string[]>;
let outgoing: Outgoing;

beforeEach(() => {
  known = true;
  held = [];
  loaded = new Map();
  outgoing = new Outgoing(
    (flight, row) => {
      const ids = loaded.get(flight) ?? [];
      if (ids.length === FULL) return 'full';
      if (!known) return { unknown: 'orders.events' };
      loaded.set(flight, [...ids, row.text('id')!]);
      flight.bytes += 1;
      return 'loaded';
    },
    (holds) => held.push(holds),
  );
});

const add = (...arrivals: Arrival[]) => arrivals.forEach((arrival) => outgoing.add(arrival));

/** The next flight in short. */
async function nextFlight() {
  const next = (await outgoing.next(signal)) as Flight;
  return { ids: loaded.get(next) ?? [], position: next.position, snapshot: next.snapshot?.lsn };
}
const stop = async () => (await outgoing.next(signal)) as Stop;

it('sends one event at once, and together what has come while that was away', async () => {
  add(event('a'));
  expect((await nextFlight()).ids).toEqual(['a']);
  add(event('b'), event('c'));
  expect((await nextFlight()).ids).toEqual(['b', 'c']);
});

it('waits for something to arrive', async () => {
  const next = nextFlight();
  add(event('a'));
  expect((await next).ids).toEqual(['a']);
});

it('holds back what does not go into the next flight, and lets go when it does', async () => {
  add(...['a', 'b', 'c', 'd', 'e'].map(event));
  expect(held).toEqual([true]);
  expect((await nextFlight()).ids).toEqual(['a', 'b', 'c']);
  expect(held).toEqual([true, false]);
  expect((await nextFlight()).ids).toEqual(['d', 'e']);
});

it('never gives a position before the events that came before it', async () => {
  add(event('a'), event('b'), event('c'), event('d'), position(5n), event('e'));
  expect(await nextFlight()).toEqual({ ids: ['a', 'b', 'c'], position: undefined, snapshot: undefined });
  expect(await nextFlight()).toEqual({ ids: ['d', 'e'], position: 5n, snapshot: undefined });
});

it('gives of several positions and snapshots the last ones', async () => {
  add(position(1n), snapshot(2n), event('a'), position(3n), snapshot(4n), position(5n), snapshot(6n));
  expect(await nextFlight()).toEqual({ ids: ['a'], position: 5n, snapshot: 6n });
});

it('keeps of positions and snapshots that wait one each between two events', async () => {
  known = false;
  add(event('a'));
  for (let lsn = 1n; lsn < 10_000n; lsn += 2n) add(position(lsn), snapshot(lsn + 1n));
  add(event('b'), position(20_000n));
  expect(outgoing['waiting']).toHaveLength(5);
  expect(await stop()).toEqual({ kind: 'unknown topic', topic: 'orders.events' });
  known = true;
  expect(await nextFlight()).toEqual({ ids: ['a', 'b'], position: 20_000n, snapshot: 10_000n });
});

it('stops at a replay and at a decision in their place, and goes on when they are done with', async () => {
  add(event('a'), replay, event('b'), decision, position(9n));
  expect((await nextFlight()).ids).toEqual(['a']);
  expect(await stop()).toBe(replay);
  outgoing.passed(event('a again'));
  expect((await nextFlight()).ids).toEqual(['a again', 'b']);
  expect(await stop()).toBe(decision);
  outgoing.passed();
  expect(await nextFlight()).toEqual({ ids: [], position: 9n, snapshot: undefined });
});

it('passes over a replay that has no event, and keeps the order of what comes in the same moment', async () => {
  add(replay);
  expect(await stop()).toBe(replay);
  outgoing.passed();
  add(event('a'), position(3n));
  expect(await nextFlight()).toEqual({ ids: ['a'], position: 3n, snapshot: undefined });
  expect(held).toEqual([true, false]);
});

it('has nothing loaded while it stands at a decision', async () => {
  add(event('a'), decision, event('b'));
  await nextFlight();
  await stop();
  add(event('c'));
  expect(outgoing.loaded.isEmpty).toBe(true);
});

it('keeps a row that waits as it was, whatever comes into the bytes that brought it', async () => {
  known = false;
  const row = event('a');
  add(row);
  row.chunk.fill(0);
  known = true;
  expect((await nextFlight()).ids).toEqual(['a']);
});

it('stops at an unknown topic only when everything before it has left', async () => {
  add(event('a'));
  known = false;
  add(event('b'));
  expect((await nextFlight()).ids).toEqual(['a']);
  expect(await stop()).toMatchObject({ kind: 'unknown topic' });
  known = true;
  expect((await nextFlight()).ids).toEqual(['b']);
});

it('ends with the reason of the signal, also while it waits', async () => {
  const stopping = new AbortController();
  const next = outgoing.next(stopping.signal);
  stopping.abort(new Error('stopped'));
  await expect(next).rejects.toThrow('stopped');
  await expect(outgoing.next(stopping.signal)).rejects.toThrow('stopped');
});
