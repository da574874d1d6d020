import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLock } from './running-lock.js';
import { noteRunning, readRunning, servingNamespaces } from './running-system.js';

const servers = { kafkaBrokers: 'kafka:9092', databaseUrl: 'postgres://u:p@db:5432/postgres' };
let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'shopflow-running-'))));
afterEach(() => rmSync(dir, { recursive: true }));

it('tells other terminals where the servers are, for as long as the system serves', () => {
  const lock = takeLock(dir, 'demo');
  expect(readRunning(dir)).toBeUndefined();
  const note = noteRunning(dir, servers);
  expect(readRunning(dir)).toEqual(servers);
  note.forget();
  expect(readRunning(dir)).toBeUndefined();
  lock.release();
});

it('does not believe what a system left that was killed', () => {
  noteRunning(dir, servers);
  expect(readRunning(dir)).toBeUndefined();
});

it('lets nobody else read the password', () => {
  noteRunning(dir, servers);
  expect(statSync(join(dir, 'running.json')).mode & 0o777).toBe(0o600);
});

it('knows in which namespaces of this clone something serves', () => {
  expect(servingNamespaces(join(dir, 'never-started'))).toEqual([]);
  for (const namespace of ['cache', 'killed', 'demo']) mkdirSync(join(dir, namespace));
  noteRunning(join(dir, 'killed'), servers);
  const lock = takeLock(join(dir, 'demo'), 'demo');
  noteRunning(join(dir, 'demo'), servers);
  expect(servingNamespaces(dir)).toEqual(['demo']);
  lock.release();
});
