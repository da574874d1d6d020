import { DEVELOPMENT_KEY } from '@shopflow/config';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually, kafkaBrokers, testLogger } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Relay } from './relay.js';
import type { SourceRelay } from './source/source-relay.js';
import { reaches, RelayBed } from './test-support/relay-bed.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

let bed: RelayBed;
beforeEach(async () => {
  bed = await RelayBed.create();
});
afterEach(() => bed.remove());

it('is published by exactly one of three instances: another one takes over when it is killed, and when it stops', async () => {
  const killed = startProcess();
  await bed.insert('a');
  await eventually(async () => (await bed.eventIds()).length === 1, { timeoutMs: 30_000 }); // a process has to start
  const standbys = [bed.relay(), bed.relay()];
  for (const standby of standbys) await reaches(standby, 'standby');

  const next = await takenOver(standbys, () => killed.kill('SIGKILL'));
  await bed.insert('b');
  await bed.holds('a', 'b');
  const [last] = standbys.filter((standby) => standby !== next);
  expect(last!.status.state).toBe('standby');

  await takenOver([last!], () => next.stop());
  await bed.insert('c');
  await bed.holds('a', 'b', 'c');
}, 60_000);

/** @returns the one that publishes after the others' end; how soon is measured by the drill */
async function takenOver(standbys: SourceRelay[], end: () => unknown): Promise<SourceRelay> {
  const ended = end();
  const next = await eventually(() => standbys.find(({ status }) => status.state === 'active'));
  await ended;
  return next;
}

it('publishes one source beside others whose databases accept connections and never answer', async () => {
  const silent = await listenSilently();
  const hung = ['email', 'invoices'].map((name) => ({ name, databaseUrl: `postgres://nobody@127.0.0.1:${silent.port}/${name}` }));
  const relay = new Relay(config([...hung, { name: 'orders', databaseUrl: bed.database.url }]), testLogger('relay'));
  relay.onApplicationBootstrap();
  await bed.insert('a');
  await bed.holds('a');
  await eventually(() => silent.sockets.size >= hung.length);
  for (let n = 0; n < 20; n++) await bed.insert(`b-${n}`);
  await eventually(async () => (await bed.eventIds()).length === 21);
  const stopping = performance.now();
  await relay.onModuleDestroy();
  expect(performance.now() - stopping).toBeLessThan(5_000);
  silent.close();
});

const config = (sources: { name: string; databaseUrl: string }[]) => ({
  host: '127.0.0.1',
  port: 0,
  logLevel: 'error' as const,
  organizationKey: DEVELOPMENT_KEY,
  kafkaBrokers: kafkaBrokers(),
  shopflowNamespace: bed.namespace,
  relaySources: '',
  outboxRetentionDays: 35,
  sources,
});

interface Silent {
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
  close(): void;
}

/** A server that takes what it is sent and says nothing. */
async function listenSilently(): Promise<Silent> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => void sockets.add(socket.on('error', () => {}).resume()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as { port: number }).port, sockets, close };
}

let child: ChildProcess | undefined;
afterEach(async () => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
});

function startProcess(): ChildProcess {
  const env = {
    ...process.env,
    KAFKA_BROKERS: kafkaBrokers(),
    SHOPFLOW_NAMESPACE: bed.namespace,
    RELAY_SOURCES: JSON.stringify([{ name: 'orders', databaseUrl: bed.database.url }]),
    HOST: '127.0.0.1',
    PORT: '0',
  };
  child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return child;
}
