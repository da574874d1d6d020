import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, type ProcessIdentity, writeIdentity } from '@shopflow/servers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLock } from './running-lock.js';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'shopflow-lock-'))));
afterEach(() => rmSync(dir, { recursive: true }));

it('lets one start at a time use a namespace', () => {
  const lock = takeLock(dir, 'demo');
  expect(() => takeLock(dir, 'demo')).toThrow(
    `ShopFlow runs already in namespace demo (process ${process.pid}): stop it first, or start another with SHOPFLOW_NAMESPACE=…`,
  );
  lock.release();
  takeLock(dir, 'demo').release();
});

it('does not mind a start that was killed', async () => {
  const other = spawn('sleep', ['60']);
  await new Promise((resolve) => other.once('spawn', resolve));
  writeIdentity(join(dir, 'running.pid'), identify(other.pid as number) as ProcessIdentity);
  expect(() => takeLock(dir, 'demo')).toThrow(`process ${other.pid}`);
  other.kill('SIGKILL');
  await new Promise((resolve) => other.once('exit', resolve));
  takeLock(dir, 'demo').release();
});

it('does not take a stranger with the same process number for the other start', () => {
  writeIdentity(join(dir, 'running.pid'), { pid: process.pid, startedAt: 'long ago' });
  takeLock(dir, 'demo').release();
});
