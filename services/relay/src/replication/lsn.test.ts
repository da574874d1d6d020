import { expect, it } from 'vitest';
import { formatLsn, parseLsn } from './lsn.js';

it('writes and reads positions as SQL does', () => {
  for (const text of ['0/0', '0/15D68C50', '16/B374D848', 'FFFFFFFF/FFFFFFFF']) expect(formatLsn(parseLsn(text))).toBe(text);
});
