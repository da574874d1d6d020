import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { identify } from './process-identity.js';

const library = new URL('../../dist/index.js', import.meta.url).href;

interface Child {
  readonly name: string;
  readonly script: string;
  readonly endsLast?: boolean;
}

/** Starts other processes, says their ids on one line, and then lives on. */
const parentScript = `
  const { ServerProcess } = await import(process.env.LIBRARY);
  const dir = process.env.DIR;
  const pids = [];
  for (const { name, script, endsLast } of JSON.parse(process.env.CHILDREN)) {
    const options = { command: process.execPath, args: ['-e', script], cwd: dir, env: {}, stopSignal: 'SIGTERM', endsLast };
    pids.push((await ServerProcess.start({ ...options, logFile: dir + '/log', pidFile: dir + '/' + name })).pid);
  }
  console.log(pids.join(' '));
  setInterval(() => {}, 1000);
`;

const ready = 'console.log("ready"); setInterval(() => {}, 1000);';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-parent-'));
});
afterEach(() => rm(dir, { recursive: true }));

const log = () => readFile(join(dir, 'log'), 'utf8');

/** The process ids of the children, each up and running, of a parent that was killed with -9. */
async function childrenOfKilledParent(children: readonly Child[]): Promise<number[]> {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', parentScript], {
    env: { LIBRARY: library, DIR: dir, CHILDREN: JSON.stringify(children) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  await eventually(async () => (await log()).split('ready').length === children.length + 1, { message: 'all children ready' });
  parent.kill('SIGKILL');
  return line.split(' ').map(Number);
}

const areGone = (pids: readonly number[]) =>
  eventually(() => pids.every((pid) => identify(pid) === undefined), { timeoutMs: 12_000, message: 'the end of the children' });

it('ends what a process started when that process is killed with -9', async () => {
  await areGone(await childrenOfKilledParent([{ name: 'child', script: ready }]));
});

it('kills what does not obey', { timeout: 20_000 }, async () => {
  await areGone(await childrenOfKilledParent([{ name: 'child', script: `process.on("SIGTERM", () => {}); ${ready}` }]));
});

it('ends servers after those who work with them', async () => {
  const says = (word: string, afterMs: number) =>
    `process.on("SIGTERM", () => setTimeout(() => { console.log("${word}"); process.exit(); }, ${afterMs})); ${ready}`;
  const server = { name: 'server', script: says('server ended', 0), endsLast: true };
  await areGone(await childrenOfKilledParent([server, { name: 'service', script: says('service ended', 300) }]));
  expect((await log()).split('\n').slice(2, 4)).toEqual(['service ended', 'server ended']);
});
