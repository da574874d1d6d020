import { expect, it } from 'vitest';
import { type Arrival, Arrivals, BATCH_BYTES } from './arrivals.js';
import type { OutboxRow } from './outbox-row.js';

const event = (id: string): Arrival => ({ kind: 'event', row: { id } as OutboxRow });
const position = (lsn: bigint): Arrival => ({ kind: 'position', lsn });
const never = new AbortController().signal;

it('gives all that arrived since the last batch, with the last position and snapshot', async () => {
  const arrivals = new Arrivals(() => {});
  for (const arrival of [
    event('a'),
    position(1n),
    { kind: 'snapshot', lsn: 2n, snapshot: 's' } as const,
    event('b'),
    position(3n),
    position(4n),
  ]) {
    arrivals.add(arrival, 10);
  }
  const batch = await arrivals.take(never);
  expect(batch.publish).toEqual([event('a'), event('b')]);
  expect(batch).toMatchObject({ position: 4n, snapshot: { snapshot: 's' } });
});

it('never gives a position before what stands before it', async () => {
  const arrivals = new Arrivals(() => {});
  arrivals.add(event('a'), BATCH_BYTES);
  arrivals.add(event('b'), 1);
  arrivals.add(position(9n), 0);
  expect(await arrivals.take(never)).toEqual({ publish: [event('a')], position: undefined, snapshot: undefined });
  expect(await arrivals.take(never)).toEqual({ publish: [event('b')], position: 9n, snapshot: undefined });
});

it('does not grow by positions and snapshots while nothing is taken', async () => {
  let held = 0;
  const arrivals = new Arrivals((bytes) => (held = bytes));
  arrivals.add(event('a'), 10);
  for (let lsn = 1n; lsn <= 1_000n; lsn++) {
    arrivals.add({ kind: 'snapshot', lsn, snapshot: `s${lsn}` }, 30);
    arrivals.add(position(lsn), 20);
  }
  expect(held).toBe(10 + 30 + 20);
  expect(await arrivals.take(never)).toMatchObject({ publish: [event('a')], position: 1_000n, snapshot: { snapshot: 's1000' } });
});

it('keeps a position in front of an event that came later', async () => {
  const arrivals = new Arrivals(() => {});
  arrivals.add(position(1n), 0);
  arrivals.add(event('a'), BATCH_BYTES);
  arrivals.add(event('b'), 1);
  arrivals.add(position(9n), 0);
  expect(await arrivals.take(never)).toMatchObject({ publish: [event('a')], position: 1n });
  expect(await arrivals.take(never)).toMatchObject({ publish: [event('b')], position: 9n });
});

it('waits for the first arrival, and tells how much it holds', async () => {
  const held: number[] = [];
  const arrivals = new Arrivals((bytes) => held.push(bytes));
  const taking = arrivals.take(never);
  arrivals.add(event('a'), 10);
  expect((await taking).publish).toEqual([event('a')]);
  expect(held).toEqual([10, 0]);
});

it('stops waiting, and gives nothing any more, when it is told to', async () => {
  const stop = new AbortController();
  const arrivals = new Arrivals(() => {});
  const taking = arrivals.take(stop.signal);
  stop.abort(new Error('stopped'));
  await expect(taking).rejects.toThrow('stopped');
  arrivals.add(event('a'), 10);
  await expect(arrivals.take(stop.signal)).rejects.toThrow('stopped');
});
