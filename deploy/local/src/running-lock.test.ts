import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, type ProcessIdentity, readIdentity, writeIdentity } from '@shopflow/servers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLock } from './running-lock.js';

const BUILT_LOCK = new URL('../dist/running-lock.js', import.meta.url).href;

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

it('lets one of several starts at the same moment win, after one that was killed, and tells the others which', async () => {
  writeIdentity(join(dir, 'running.pid'), { pid: process.pid, startedAt: 'long ago' });
  const starts = await Promise.all(Array.from({ length: 4 }, startWaiting));
  for (const start of starts) start.stdin.write('go');
  const answers = await Promise.all(starts.map(nextLine));
  const winner = starts[answers.indexOf('taken')];
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
  expect(answers.filter((answer) => answer.includes(`runs already in namespace demo (process ${winner?.pid})`))).toHaveLength(3);
  expect(readIdentity(join(dir, 'running.pid'))?.pid).toBe(winner?.pid);
  await Promise.all(starts.map((start) => end(start)));
});

/** A process that takes the lock as soon as it is told to, and says what came of it. */
async function startWaiting(): Promise<ChildProcessWithoutNullStreams> {
  const script = `
    const { takeLock } = await import(${JSON.stringify(BUILT_LOCK)});
    process.stdin.once('data', () => {
      try { takeLock(${JSON.stringify(dir)}, 'demo'); console.log('taken'); } catch (error) { console.log(error.message); }
    });
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  expect(await nextLine(child)).toBe('ready');
  return child;
}

const nextLine = async ({ stdout }: ChildProcessWithoutNullStreams) => String((await once(stdout, 'data'))[0]).trim();

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  const exited = once(child, 'exit');
  child.stdin.end();
  await exited;
}
