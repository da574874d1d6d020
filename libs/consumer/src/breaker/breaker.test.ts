import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BreakerNotice } from './breaker-notice.js';
import { Breaker } from './breaker.js';

const HANDLER = 'Audit.record';
let notices: BreakerNotice[];
let breaker: Breaker;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  notices = [];
  const onChange = (notice: BreakerNotice) => void notices.push(notice);
  breaker = new Breaker({ threshold: 3, firstProbeMs: 5_000, mostProbeMs: 60_000, clock: () => new Date(), onChange });
});
afterEach(() => vi.useRealTimers());

const fail = (key: string, cause = 'Audit.record: HTTP #') => breaker.failed(HANDLER, key, cause);
const openIt = () => ['a', 'b', 'c'].map((key) => fail(key)).at(-1);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a closed breaker', () => {
  it('opens when so many different events in a row have failed alike, and charges the last one no more', () => {
    expect(['a', 'b', 'c'].map((key) => fail(key))).toEqual([false, false, true]);
    expect(breaker.admit(HANDLER)).toBe('wait');
    expect(breaker.status).toMatchObject([{ handler: HANDLER, open: true, inARow: 3, nextProbeAt: new Date(5_000) }]);
  });

  it('counts an event that is tried again once', () => {
    expect(['a', 'a', 'b', 'b', 'a'].map((key) => fail(key))).not.toContain(true);
    expect(breaker.admit(HANDLER)).toBe('run');
  });

  it('counts anew after a success, and after another cause', () => {
    fail('a');
    fail('b');
    breaker.succeeded(HANDLER);
    expect([fail('c'), fail('d')]).toEqual([false, false]);
    expect([fail('e', 'other'), fail('f', 'other'), fail('g', 'other')]).toEqual([false, false, true]);
  });

  it('stops one handler and lets the others run', () => {
    openIt();
    expect([breaker.admit(HANDLER), breaker.admit('Audit.cancel')]).toEqual(['wait', 'run']);
  });
});

describe('an open breaker', () => {
  it('lets one event at a time probe, after 5 s doubling to 60 s', async () => {
    openIt();
    const pauses: number[] = [];
    for (let probe = 0; probe < 6; probe++) {
      const from = Date.now();
      await Promise.all([breaker.untilAllowed(new AbortController().signal, HANDLER), pass(60_000 - 1).then(() => pass(1))]);
      pauses.push(breaker.status[0]!.nextProbeAt.getTime() - from);
      expect([breaker.admit(HANDLER), breaker.admit(HANDLER)]).toEqual(['probe', 'wait']);
      expect(fail('c')).toBe(true);
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('charges nobody, not even events that began before it opened', async () => {
    openIt();
    expect([fail('late'), fail('later', 'other')]).toEqual([true, true]);
    expect(breaker.status[0]!.nextProbeAt).toEqual(new Date(5_000));
  });

  it('closes with the first success', async () => {
    openIt();
    await pass(5_000);
    expect(breaker.admit(HANDLER)).toBe('probe');
    breaker.succeeded(HANDLER);
    expect([breaker.admit(HANDLER), breaker.status]).toEqual(['run', []]);
  });

  it('closes when its probe fails in another way, for that event would block it for ever', async () => {
    openIt();
    await pass(5_000);
    breaker.admit(HANDLER);
    expect(fail('poison', 'other')).toBe(false);
    expect([breaker.admit(HANDLER), notices.at(-1)?.level]).toEqual(['run', 'info']);
  });

  it('lets the next one probe at once when a probe ended without an answer', async () => {
    openIt();
    await pass(5_000);
    breaker.admit(HANDLER);
    breaker.released(HANDLER);
    expect(breaker.admit(HANDLER)).toBe('probe');
  });

  it('gives up a probe that is never answered', async () => {
    openIt();
    await pass(5_000);
    breaker.admit(HANDLER);
    await pass(60_000);
    expect(breaker.admit(HANDLER)).toBe('probe');
  });

  it('says so once, with the cause and what to do, and says when it is over', async () => {
    openIt();
    fail('d');
    await pass(5_000);
    breaker.succeeded(HANDLER);
    expect(notices.map(({ level, text }) => [level, text])).toEqual([
      ['error', expect.stringMatching(/^3 events in a row failed alike, so Audit.record pauses .*HTTP #; no event is charged.*mend/)],
      ['info', expect.stringContaining('Audit.record goes on after 5 s')],
    ]);
  });
});

describe('waiting for an open breaker', () => {
  const settled = (wait: Promise<void>) => {
    let done = false;
    void wait.then(() => (done = true));
    return async (ms: number) => {
      await pass(ms);
      return done;
    };
  };
  const waiting = (handler?: string, signal = new AbortController().signal) => settled(breaker.untilAllowed(signal, handler));

  it('takes no time when nothing is open', async () => {
    expect(await waiting()(0)).toBe(true);
    openIt();
    expect(await waiting('Audit.cancel')(0)).toBe(true);
  });

  it('ends when the next probe is due', async () => {
    openIt();
    const [one, any] = [waiting(HANDLER), waiting()];
    expect([await one(4_999), await any(0)]).toEqual([false, false]);
    expect([await one(1), await any(0)]).toEqual([true, true]);
  });

  it('ends as soon as somebody else has succeeded', async () => {
    openIt();
    const done = waiting(HANDLER);
    expect(await done(100)).toBe(false);
    breaker.succeeded(HANDLER);
    expect(await done(0)).toBe(true);
  });

  it('goes on while somebody else probes, until the answer is there', async () => {
    openIt();
    await pass(5_000);
    breaker.admit(HANDLER);
    const done = waiting(HANDLER);
    expect(await done(59_999)).toBe(false);
    fail('c');
    expect([await done(9_999), await done(1)]).toEqual([false, true]);
  });

  it('ends with its signal', async () => {
    openIt();
    const stop = new AbortController();
    const done = waiting(HANDLER, stop.signal);
    stop.abort();
    expect(await done(0)).toBe(true);
  });
});
