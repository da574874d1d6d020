import { orderCreated, readPayload } from '@shopflow/contracts';
import { ConnectionLostError } from '@shopflow/database';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import {
  classifyFailure,
  concernsEvent,
  CrashedError,
  HandlerTimeoutError,
  PermanentError,
  reasonOf,
  RetryableError,
  retryAfterOf,
  UndecodableError,
} from './failure.js';

const withCode = (code: string) => Object.assign(new Error(code), { code });
const fromServer = (code: string) => Object.assign(new DatabaseError('x', 0, 'error'), { code });
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};
const timeout = new HandlerTimeoutError('AuditConsumer.record', 30_000, ['evt-1']);

describe('classifyFailure', () => {
  it.each([
    ['a lost connection', new ConnectionLostError(new Error('gone')), 'outage'],
    ['a database that refuses connections', new ConnectionLostError(withCode('ECONNREFUSED')), 'outage'],
    ['a connection that TypeORM lost', new QueryFailedError('SELECT 1', [], withCode('ECONNRESET')), 'outage'],
    ['a server that shuts down', withCode('57P01'), 'outage'],
    ['too many connections', withCode('53300'), 'outage'],
    ['a full disk', fromServer('53100'), 'outage'],
    ['a deadlock', withCode('40P01'), 'contention'],
    ['a deadlock below TypeORM', new QueryFailedError('SELECT 1', [], fromServer('40P01')), 'contention'],
    ['a serialization failure', withCode('40001'), 'contention'],
    ['a lock timeout', withCode('55P03'), 'contention'],
    ['a handler over its time limit', timeout, 'hangs'],
    ['a transaction that stood still', fromServer('25P03'), 'hangs'],
    ['one below TypeORM', new QueryFailedError('SELECT 1', [], fromServer('25P03')), 'hangs'],
    ['a connection lost by standing still', new ConnectionLostError(fromServer('25P03')), 'hangs'],
    ['a version newer than this code', thrownBy(() => readPayload(orderCreated, 4, {})), 'not readable yet'],
    ['a retryable error', new RetryableError('busy', { cause: withCode('57P01') }), 'may heal'],
    ['an error that nobody knows', new TypeError('x is undefined'), 'may heal'],
    ['an HTTP answer 503', Object.assign(new Error('Service Unavailable'), { status: 503 }), 'may heal'],
    ['a refused statement', fromServer('23505'), 'may heal'],
    ['a statement over its time limit', fromServer('57014'), 'may heal'],
    ['a refused connection of somebody else', withCode('ECONNREFUSED'), 'may heal'],
    ['several of them', new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]), 'may heal'],
    ['a fetch that failed', new TypeError('fetch failed', { cause: withCode('ECONNRESET') }), 'may heal'],
    ["somebody else's code of that kind", withCode('22021'), 'may heal'],
    ['no error at all', undefined, 'may heal'],
    ['nothing', null, 'may heal'],
    ['a text', 'boom', 'may heal'],
    ['an object without a prototype', Object.create(null), 'may heal'],
    ['what Nest makes of an unknown error', { status: 'error', message: 'Internal server error' }, 'may heal'],
    ['a permanent error', new PermanentError('no such customer'), 'never heals'],
    ['an error that says so of itself', Object.assign(new Error('refused'), { permanent: true }), 'never heals'],
    ['a record that is no event', new UndecodableError('not JSON'), 'never heals'],
    ['an event that ends processes', new CrashedError(3), 'never heals'],
    ['a payload that its contract refuses', thrownBy(() => readPayload(orderCreated, 3, {})), 'never heals'],
    ['a value that no statement can store', fromServer('22021'), 'never heals'],
  ])('calls %s what it is', (_name, error, kind) => {
    expect(classifyFailure(error)).toBe(kind);
    expect(concernsEvent(error)).toBe(['not readable yet', 'may heal', 'never heals'].includes(kind));
  });
});

describe('RetryableError', () => {
  it('says how long to wait, a day at most', () => {
    const waits = [0, 1_500, 1e12].map((retryAfterMs) => retryAfterOf(new RetryableError('busy', { retryAfterMs })));
    expect(waits).toEqual([0, 1_500, 86_400_000]);
    expect([new RetryableError('busy'), new Error('busy'), null].map(retryAfterOf)).toEqual([undefined, undefined, undefined]);
  });

  it.each([NaN, -1, Infinity])('refuses to wait for %d ms, and keeps the cause', (retryAfterMs) => {
    const cause = new Error('503');
    const refusal = thrownBy(() => new RetryableError('busy', { retryAfterMs, cause }));
    expect(refusal).toBeInstanceOf(RangeError);
    expect(refusal).toMatchObject({ cause, message: expect.stringContaining(`retryAfterMs of RetryableError is ${retryAfterMs}`) });
  });
});

it('gives a reason for whatever is thrown', () => {
  expect([new Error('a'), { message: 'b' }, 'c', undefined].map(reasonOf)).toEqual(['a', 'b', 'c', 'undefined']);
  expect(reasonOf(Object.create(null))).toMatch(/cannot be put in words/);
});

it('says of crashed workers and hanging handlers what a person needs', () => {
  expect(new CrashedError(3).message).toBe('crashed 3 workers');
  expect(timeout.message).toMatch(/^AuditConsumer.record was not done with event evt-1 after 30000 ms; make it quicker/);
});
