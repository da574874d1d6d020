import { orderCreated, readPayload } from '@shopflow/contracts';
import { ConnectionLostError } from '@shopflow/database';
import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { classifyFailure, PermanentError, reasonOf, RetryableError, UndecodableError } from './failure.js';

const withCode = (code: string) => Object.assign(new Error(code), { code });
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('classifyFailure', () => {
  it.each([
    ['a permanent error', new PermanentError('no such customer'), 'never heals'],
    ['a record that is no event', new UndecodableError('not JSON'), 'never heals'],
    ['a payload that its contract refuses', thrownBy(() => readPayload(orderCreated, 3, {})), 'never heals'],
    ['a version newer than this code', thrownBy(() => readPayload(orderCreated, 4, {})), 'not readable yet'],
    ['a retryable error', new RetryableError('busy'), 'may heal'],
    ['an error that nobody knows', new TypeError('x is undefined'), 'may heal'],
    ['a refused statement', withCode('23505'), 'may heal'],
    ['a value that no statement can store', Object.assign(new DatabaseError('x', 0, 'error'), { code: '22021' }), 'never heals'],
    ["somebody else's code of that kind", withCode('22021'), 'may heal'],
    ['a lost connection', new ConnectionLostError(new Error('gone')), 'outage'],
    ['a server that shuts down', withCode('57P01'), 'outage'],
    ['too many connections', withCode('53300'), 'outage'],
    ['a refused connection', withCode('ECONNREFUSED'), 'outage'],
    ['a deadlock', withCode('40P01'), 'contention'],
    ['a lock timeout', withCode('55P03'), 'contention'],
    ['no error at all', undefined, 'may heal'],
    ['what Nest makes of an unknown error', { status: 'error', message: 'Internal server error' }, 'may heal'],
  ])('calls %s what it is', (_name, error, kind) => {
    expect(classifyFailure(error)).toBe(kind);
  });
});

it('gives a reason for whatever is thrown', () => {
  expect([new Error('a'), { message: 'b' }, 'c', undefined].map(reasonOf)).toEqual(['a', 'b', 'c', 'undefined']);
});
