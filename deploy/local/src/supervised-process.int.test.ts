import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, identify } from '@shopflow/servers';
import { eventually } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SupervisedProcess } from './supervised-process.js';

const serves = `
  import { createServer } from 'node:http';
  createServer((request, response) => response.end(String(process.pid))).listen(Number(process.env.PORT), '127.0.0.1');
`;

let dir: string;
let said: string[];
let supervised: SupervisedProcess | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'shopflow-supervised-'));
  for (const folder of ['logs', 'pids']) mkdirSync(join(dir, folder));
  said = [];
});

afterEach(async () => {
  await supervised?.stop();
  rmSync(dir, { recursive: true });
});

async function supervise(script: string, signal?: AbortSignal): Promise<SupervisedProcess> {
  writeFileSync(join(dir, 'service.mjs'), script);
  const port = await freePort();
  supervised = new SupervisedProcess({
    name: 'orders',
    script: join(dir, 'service.mjs'),
    env: { PORT: String(port) },
    readyUrl: `http://127.0.0.1:${port}/`,
    dir,
    onProgress: (message) => said.push(message),
    signal,
  });
  return supervised;
}

it('starts again what ended by itself, and says so', async () => {
  const service = await supervise(serves);
  await service.start();
  const first = service.pid as number;
  await service.kill();
  await service.untilReady();
  expect(service.pid).not.toBe(first);
  await eventually(() => said.includes('orders serves again'));
  expect(said[0]).toBe(`orders ended (SIGKILL); started again in 0.5 s, see ${service.logFile}`);
});

it('leaves down what it stopped', async () => {
  const service = await supervise(serves);
  await service.start();
  const pid = service.pid as number;
  await service.stop();
  expect(identify(pid)).toBeUndefined();
  expect([service.pid, said]).toEqual([undefined, []]);
});

it('does not start again what is stopped while it waits for its next start', async () => {
  const service = await supervise(serves);
  await service.start();
  await service.kill();
  await service.stop();
  expect(service.pid).toBeUndefined();
  expect(said).toHaveLength(1);
});

it('says at the first start why a process ended, with its last words', async () => {
  const service = await supervise(`console.error('PORT is taken'); process.exit(1);`);
  await expect(service.start()).rejects.toThrow(`orders ended while it started: PORT is taken (all of it: ${service.logFile})`);
  expect(readFileSync(service.logFile, 'utf8')).toBe('PORT is taken\n');
});

it('gives a start up when it is asked to', async () => {
  const asked = new AbortController();
  const service = await supervise('setInterval(() => {}, 1000);', asked.signal);
  const starting = service.start();
  await eventually(() => service.pid);
  asked.abort(new Error('asked to stop'));
  await expect(starting).rejects.toThrow('asked to stop');
});
