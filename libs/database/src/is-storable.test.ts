import { expect, it } from 'vitest';
import { isStorable } from './is-storable.js';

it.each(['', 'ORD-1001', 'Adé 🛒'])('takes %j', (text) => {
  expect(isStorable(text)).toBe(true);
});

it.each(['ORD-\0', '\ud83d', 'a\udedc', '\udedc\ud83d'])('refuses %j', (text) => {
  expect(isStorable(text)).toBe(false);
});
