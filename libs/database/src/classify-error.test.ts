import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { classifyDatabaseError, isDataError, isNetworkError } from './classify-error.js';
import { ConnectionLostError } from './transaction-errors.js';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('classifyDatabaseError', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', '08006', '57P01', '57P03', '53300', '58030'])('takes %s as an outage', (code) => {
    expect(classifyDatabaseError(withCode(code))).toBe('outage');
  });

  it.each(['40P01', '40001', '55P03'])('takes %s as contention', (code) => {
    expect(classifyDatabaseError(withCode(code))).toBe('contention');
  });

  it.each([withCode('25P03'), new QueryFailedError('SELECT 1', [], withCode('25P03')), new ConnectionLostError(withCode('25P03'))])(
    'does not take %o for an outage: the transaction stood still until the server ended it',
    (error) => {
      expect(classifyDatabaseError(error)).toBe('stood still');
    },
  );

  it.each([null, 'text', withCode('57P01')])('takes a lost connection as an outage, whatever its cause is: %o', (cause) => {
    expect(classifyDatabaseError(new ConnectionLostError(cause))).toBe('outage');
  });

  it.each(['23505', '22P05', '42601', '57014'])('takes %s as a fault of the statement', (code) => {
    expect(classifyDatabaseError(withCode(code))).toBe('other');
  });

  it('takes a connection that ended without a code as an outage', () => {
    expect(classifyDatabaseError(new Error('Connection terminated unexpectedly'))).toBe('outage');
  });

  it("takes the loss of a transaction's connection as an outage, whatever the work made of it", () => {
    expect(classifyDatabaseError(new ConnectionLostError(new Error('Query runner already released')))).toBe('outage');
  });

  it('looks through the error that TypeORM wraps around the driver', () => {
    expect(classifyDatabaseError(new QueryFailedError('SELECT 1', [], withCode('40P01')))).toBe('contention');
  });

  it('looks into the several refusals of a host with several addresses', () => {
    expect(classifyDatabaseError(new AggregateError([withCode('ECONNREFUSED')]))).toBe('outage');
  });

  it.each([undefined, null, 'text', 42, {}])('answers for %j, which is no error at all', (value) => {
    expect(classifyDatabaseError(value)).toBe('other');
  });
});

describe('isDataError', () => {
  const fromServer = (code: string) => Object.assign(new DatabaseError(code, 0, 'error'), { code });

  it.each(['22008', '22021', '22P05', '54000', '54001'])('knows by %s that the same values are refused every time', (code) => {
    expect([fromServer(code), new QueryFailedError('INSERT', [], fromServer(code))].map(isDataError)).toEqual([true, true]);
  });

  it.each(['23505', '42P01', '40P01', '57P01'])('does not say so of %s', (code) => {
    expect(isDataError(fromServer(code))).toBe(false);
  });

  it.each([withCode('22021'), undefined, 'text', {}])('does not take %o for an answer of the database', (value) => {
    expect(isDataError(value)).toBe(false);
  });
});

describe('isNetworkError', () => {
  it.each([withCode('ECONNREFUSED'), withCode('ENOTFOUND'), new AggregateError([withCode('ETIMEDOUT')])])('takes %o as one', (error) => {
    expect(isNetworkError(error)).toBe(true);
  });

  it.each([
    new ConnectionLostError(withCode('ECONNREFUSED')),
    new QueryFailedError('SELECT 1', [], withCode('ECONNRESET')),
    withCode('57P01'),
    new Error('Connection terminated unexpectedly'),
    new AggregateError([]),
    undefined,
  ])('does not take %o as one: it is known whose it is, or nothing is', (error) => {
    expect(isNetworkError(error)).toBe(false);
  });
});
