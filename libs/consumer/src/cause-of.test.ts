import { isStorable } from '@shopflow/database';
import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { causeOf, MAX_CAUSE_BYTES } from './cause-of.js';
import { PermanentError } from './failure.js';

const causes = (...messages: readonly string[]) => new Set(messages.map((message) => causeOf(new Error(message), 'Audit.record')));

describe('causeOf', () => {
  it.each([
    ['numbers', 'refused after 3 tries, 1,500.25 ms', 'refused after 12 tries, 9 ms'],
    ['ids', 'no order ORD-1001 of evt-ORD-1001', 'no order ORD-7 of evt-ORD-7'],
    ['UUIDs', 'delivery 0199f3a0-7e1c-7000-8000-0123456789ab', 'delivery 0199F3A0-7E1C-7000-8000-FFFFFFFFFFFF'],
    ['e-mail addresses', 'no mailbox ada@shop.ng', 'no mailbox chidi.o+x@mail.example.com'],
    ['quoted strings', `duplicate key "a b" in 'x'`, `duplicate key "c" in 'y z'`],
    ['hashes', 'payload deadbeef01234567 is broken', 'payload 00aabbccddee11 is broken'],
    ['times', 'due at 2026-11-30T10:00:00.000Z', 'due at 2027-01-02T23:59:59.123Z'],
    ['lines', 'a\n  b', 'a b'],
  ])('sees the same cause through different %s', (_what, one, other) => {
    expect(causes(one, other).size).toBe(1);
  });

  it('tells places, errors and codes apart', () => {
    const duplicate = new QueryFailedError('INSERT', [], Object.assign(new Error('x'), { code: '23505' }));
    const all = [
      causeOf(new Error('x'), 'Audit.record'),
      causeOf(new Error('x'), 'Email.send'),
      causeOf(new TypeError('x'), 'Audit.record'),
      causeOf(duplicate, 'Audit.record'),
      causeOf(Object.assign(new Error('x'), { status: 503 }), 'Audit.record'),
      causeOf(new Error('y'), 'Audit.record'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('can be read', () => {
    expect(causeOf(new PermanentError("no order ORD-1001: it's gone"), 'Audit.record')).toBe(
      "Audit.record: PermanentError: no order <id>: it's gone",
    );
    expect(causeOf(new Error('mailbox is full'), 'Email.send')).toBe('Email.send: mailbox is full');
  });

  it.each([undefined, null, 42, 'text', {}, { message: 'm' }, Object.create(null), Symbol('s')])('answers for %o', (thrown) => {
    expect(causeOf(thrown, 'decode')).toMatch(/^decode: ./);
  });

  it.each(['x'.repeat(5_000), '₦ '.repeat(900), `"${'y'.repeat(5_000)}"`, 'NUL \0', 'half \ud83d', `'`.repeat(5_000)])(
    'is short and can be stored',
    (message) => {
      const cause = causeOf(new Error(message), 'A'.repeat(500));
      expect([Buffer.byteLength(cause) <= MAX_CAUSE_BYTES, isStorable(cause)]).toEqual([true, true]);
    },
  );
});
