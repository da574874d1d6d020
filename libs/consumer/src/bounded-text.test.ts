import { expect, it } from 'vitest';
import { boundedText } from './bounded-text.js';

it('keeps what fits', () => {
  expect(boundedText('mailbox does not exist')).toBe('mailbox does not exist');
});

it('cuts at a whole character', () => {
  expect(boundedText('₦₦₦', 7)).toBe('₦₦');
});

it('holds nothing that PostgreSQL cannot store', () => {
  expect(boundedText('a\u0000b')).toBe('a\uFFFDb');
});
