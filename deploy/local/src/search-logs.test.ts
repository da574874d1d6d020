import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { searchLogs } from './search-logs.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'shopflow-logs-'));
  mkdirSync(join(dir, 'logs'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const line = (second: number, service: string, correlationId: string, msg: string) =>
  `${JSON.stringify({ level: 'info', time: `2026-11-30T08:00:0${second}.000Z`, service, correlationId, msg })}\n`;

it('finds the lines of one correlation id in every log, in time order, and skips what is no whole line', () => {
  writeFileSync(join(dir, 'logs', 'email.log'), `${line(2, 'email', 'req-41', 'sent')}Error: of req-41\n{"correlationId":"req-41`);
  writeFileSync(
    join(dir, 'logs', 'invoices.log'),
    line(1, 'invoices', 'req-41', 'delivery requested') + line(1, 'invoices', 'req-42', 'not req-41'),
  );
  expect(searchLogs(dir, 'req-41')).toEqual(['08:00:01.000  invoices   delivery requested', '08:00:02.000  email      sent']);
});
