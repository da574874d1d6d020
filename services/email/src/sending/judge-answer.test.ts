import { describe, expect, it } from 'vitest';
import { judgeAnswer } from './judge-answer.js';

const now = new Date('2026-10-05T09:00:00Z');
const judge = (status: number, body?: unknown, retryAfter: string | null = null) => judgeAnswer({ status, body, retryAfter }, now);

describe('an answer of the mail provider', () => {
  it('is an acceptance when it names the message', () => {
    expect(judge(200, { id: 'msg_1', replayed: true })).toEqual({ kind: 'accepted', providerId: 'msg_1', replayed: true });
    expect(judge(201, { id: 'msg_2' })).toEqual({ kind: 'accepted', providerId: 'msg_2', replayed: false });
  });

  it.each([undefined, null, 'ok', {}, { id: '' }, { id: 7 }, { id: 'msg\u0000' }, { id: 'm'.repeat(201) }])(
    'is asked for again when it accepts without a usable id: %j',
    (body) => {
      expect(judge(200, body)).toEqual({
        kind: 'failed',
        reason: 'mail provider answered 200 without a usable message id',
        permanent: false,
      });
    },
  );

  it.each([400, 401, 404, 409, 422, 499])('is final for %i, in the words of the provider', (status) => {
    expect(judge(status, { error: 'mailbox bola@shop.invalid does not exist' })).toEqual({
      kind: 'failed',
      reason: 'mailbox bola@shop.invalid does not exist',
      permanent: true,
      provider: 'up',
    });
    expect(judge(status)).toMatchObject({ reason: `mail provider answered ${status}`, permanent: true });
  });

  it.each([302, 429, 500, 502, 503, 504])('may heal for %i', (status) => {
    expect(judge(status, { error: 'try again later' })).toEqual({
      kind: 'failed',
      reason: `mail provider answered ${status}: try again later`,
      permanent: false,
      ...(status === 302 ? {} : { provider: status === 429 ? 'up' : 'down' }),
    });
  });

  it.each([
    ['7', 7_000],
    ['Mon, 05 Oct 2026 09:00:30 GMT', 30_000],
    ['Mon, 05 Oct 2026 08:00:00 GMT', 0],
    ['86400', 3_600_000],
    ['soon', undefined],
  ])('is not asked for again before Retry-After: %s', (retryAfter, retryAfterMs) => {
    const outcome = judge(429, undefined, retryAfter);
    expect(outcome).toMatchObject({ permanent: false });
    expect('retryAfterMs' in outcome ? outcome.retryAfterMs : undefined).toBe(retryAfterMs);
  });

  it('becomes a reason that a row, a header and a log line can hold', () => {
    const outcome = judge(422, { error: `bad\u0000address\r\n${'x'.repeat(5_000)}\ud800` });
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/^bad address x+$/) as string });
    expect('reason' in outcome ? outcome.reason.length : 0).toBe(1_000);
    expect(judge(422, { error: `half \ud800 pair` })).toMatchObject({ reason: 'half \ufffd pair' });
  });
});
