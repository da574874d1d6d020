import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ContenderSpec, Work } from './contender.js';
import type { Order } from './contender-main.js';

/** A contender as a process of its own, so that none profits from what another has warmed up, or pays for its garbage. */
export class ContenderProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly name: string,
  ) {}

  static start({ name, file, variant }: ContenderSpec, work: Work): ContenderProcess {
    const path = fileURLToPath(new URL('./contender-main.js', import.meta.url));
    const given = JSON.stringify([file, variant ?? null, work]);
    return new ContenderProcess(fork(path, [given], { stdio: ['ignore', process.stderr, process.stderr, 'ipc'] }), name);
  }

  /** Resolves when it is done. @throws Error when the process has ended by itself */
  async order(order: Order): Promise<void> {
    this.assertAlive();
    const answer = Promise.race([once(this.child, 'message'), once(this.child, 'exit')]);
    this.child.send(order);
    await answer;
    this.assertAlive();
  }

  assertAlive(): void {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) throw new Error(`${this.name} ended by itself: ${signalCode ?? exitCode}`);
  }

  async end(): Promise<void> {
    if (!this.child.connected) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}
