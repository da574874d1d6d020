import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@shopflow/testing';
import { expect, it } from 'vitest';
import { identify, isAlive } from './process-identity.js';

const library = new URL('../../dist/index.js', import.meta.url).href;

/** Starts a process that starts another one, and then lives on. */
const parentScript = `
  const { ServerProcess } = await import(process.env.LIBRARY);
  const dir = process.env.DIR;
  const started = await ServerProcess.start({
    command: process.execPath, args: ['-e', process.env.CHILD], cwd: dir, env: {},
    logFile: dir + '/log', pidFile: dir + '/pid', stopSignal: 'SIGTERM',
  });
  console.log(started.pid);
  setInterval(() => {}, 1000);
`;

async function childOfKilledParent(child: string): Promise<{ pid: number; dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'shopflow-parent-'));
  const parent = spawn(process.execPath, ['--input-type=module', '-e', parentScript], {
    env: { LIBRARY: library, DIR: dir, CHILD: child },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  expect(isAlive({ pid: Number(line), startedAt: identify(Number(line))?.startedAt ?? 'gone' })).toBe(true);
  parent.kill('SIGKILL');
  return { pid: Number(line), dir };
}

it('ends what a process started when that process is killed with -9', async () => {
  const { pid, dir } = await childOfKilledParent('setInterval(() => {}, 1000)');
  await eventually(() => identify(pid) === undefined, { timeoutMs: 5_000, message: 'the end of the child' });
  await rm(dir, { recursive: true });
});

it('kills what does not obey', { timeout: 20_000 }, async () => {
  const { pid, dir } = await childOfKilledParent('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)');
  await eventually(() => identify(pid) === undefined, { timeoutMs: 12_000, message: 'the end of the child' });
  await rm(dir, { recursive: true });
});
