import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { kafkaBrokers } from '@shopflow/testing';
import { expect } from 'vitest';
import type { RelayBed } from './relay-bed.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A relay in a process of its own, which can be killed. */
export class RelayProcess {
  private constructor(private readonly child: ChildProcess) {}

  static start({ namespace, database }: RelayBed): RelayProcess {
    expect(existsSync(MAIN), 'build the relay first: npx tsc -b services/relay').toBe(true);
    const env = {
      ...process.env,
      KAFKA_BROKERS: kafkaBrokers(),
      SHOPFLOW_NAMESPACE: namespace,
      RELAY_SOURCES: JSON.stringify([{ name: 'orders', databaseUrl: database.url }]),
      HOST: '127.0.0.1',
      PORT: '0',
    };
    const args = ['--max-semi-space-size=2', MAIN]; // as the local platform starts it
    return new RelayProcess(spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] }));
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** The most memory that it has ever had, in bytes. */
  async peakBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }
}
