import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CallSignal } from './call-signal.js';
import { withinLimit } from './within-limit.js';

const OVER = new Error('over');
const never = () => new Promise<never>(() => {});
afterEach(() => vi.useRealTimers());

describe('withinLimit', () => {
  it('gives what the work gives, and throws what it throws', async () => {
    expect(
      await withinLimit(
        async () => 7,
        1_000,
        () => OVER,
      ),
    ).toBe(7);
    const error = new Error('of the work');
    await expect(
      withinLimit(
        () => Promise.reject(error),
        1_000,
        () => OVER,
      ),
    ).rejects.toBe(error);
  });

  it('rejects when the limit is over, once, whatever comes of the work', async () => {
    vi.useFakeTimers();
    const onLimit = vi.fn<() => Error>(() => OVER);
    const work = Promise.withResolvers<number>();
    const result = withinLimit(() => work.promise, 1_000, onLimit).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(999);
    expect(onLimit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    work.reject(new Error('late'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect([await result, onLimit.mock.calls.length, vi.getTimerCount()]).toEqual([OVER, 1, 0]);
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers();
    await withinLimit(
      async () => 7,
      1_000,
      () => OVER,
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not charge the work for time in which the process stood still', async () => {
    const work = async () => {
      const until = performance.now() + 300;
      while (performance.now() < until);
      await delay(10);
      return 'done';
    };
    expect(await withinLimit(work, 200, () => OVER)).toBe('done');
    await expect(withinLimit(never, 50, () => OVER)).rejects.toBe(OVER);
  });
});

describe('CallSignal', () => {
  it('is aborted with the outer signal or by itself, with the reason, also when it is asked for later', () => {
    const outer = new AbortController();
    const [early, late, alone] = [new CallSignal(outer.signal), new CallSignal(outer.signal), new CallSignal(new AbortController().signal)];
    expect(early.signal.aborted).toBe(false);
    outer.abort('lost');
    alone.abort(OVER);
    expect([early, late, alone].map(({ signal }) => signal.reason as unknown)).toEqual(['lost', 'lost', OVER]);
  });

  it('does not follow the outer signal when the call is over', () => {
    const outer = new AbortController();
    const call = new CallSignal(outer.signal);
    const { signal } = call;
    call.end();
    outer.abort();
    expect(signal.aborted).toBe(false);
  });
});
