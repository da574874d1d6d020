import { expect, it } from 'vitest';
import { admits, afterAttempt, type Breaker, CLOSED, isOpen, type Sign } from './breaker.js';

const START = Date.parse('2026-10-05T09:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1_000);
const down = (id: string): Sign => ({ id, provider: 'down' });
/** The breaker after failures of these deliveries, one each second. */
const after = (...ids: string[]): Breaker => ids.reduce((breaker, id, n) => afterAttempt(breaker, down(id), at(n)), CLOSED);
const open = after('1', '2', '3', '4', '5');

it('opens after five different deliveries in a row, and not for one that fails five times', () => {
  expect(isOpen(after('1', '2', '3', '4'))).toBe(false);
  expect(isOpen(open)).toBe(true);
  expect(isOpen(after('1', '1', '1', '1', '1', '1'))).toBe(false);
});

it('opens after 30 seconds of nothing but failures', () => {
  const failing = afterAttempt(CLOSED, down('1'), at(0));
  expect(isOpen(afterAttempt(failing, down('1'), at(29.9)))).toBe(false);
  expect(isOpen(afterAttempt(failing, down('1'), at(30)))).toBe(true);
});

it.each(['accepted, or refused for its address', 'up'])('begins to count anew once the provider answered for one: %s', () => {
  const answered = afterAttempt(after('1', '2', '3', '4'), { id: '9', provider: 'up' }, at(5));
  expect(answered).toEqual(CLOSED);
});

it('is not moved by what was no fault of the provider', () => {
  const failing = after('1', '2');
  expect(afterAttempt(failing, { id: '9', provider: undefined }, at(3))).toEqual(failing);
});

it('admits nothing while it is open, then one delivery to probe, later each time: 5 s, 10, 20, 40, 60, 60', () => {
  let breaker = open;
  let now = at(4);
  const waits = [];
  for (let probe = 1; probe <= 6; probe++) {
    const due = breaker.probeAt!;
    waits.push((due.getTime() - now.getTime()) / 1_000);
    expect(admits(breaker, 5, new Date(due.getTime() - 1))).toBe(0);
    expect(admits(breaker, 5, due)).toBe(1);
    breaker = { ...breaker, probe: { id: `p${probe}`, until: new Date(due.getTime() + 10_000) } };
    expect(admits(breaker, 5, due)).toBe(0); // it is on its way
    expect(admits(breaker, 5, breaker.probe!.until)).toBe(1); // its worker is gone
    now = due;
    breaker = afterAttempt(breaker, down(`p${probe}`), now);
  }
  expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  expect(isOpen(breaker)).toBe(true);
});

it('closes with one answer, also one that was on its way when it opened', () => {
  expect(afterAttempt(open, { id: 'late', provider: 'up' }, at(5))).toEqual(CLOSED);
  expect(admits(CLOSED, 5, at(5))).toBe(5);
});

it('waits no longer for late failures of deliveries that were on their way when it opened', () => {
  expect(afterAttempt(open, down('late'), at(6))).toEqual(open);
});
