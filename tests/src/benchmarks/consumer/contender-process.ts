import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ContenderReport, ContenderSettings } from './contender.js';

/** A contender as a process of its own, so that none profits from what another has warmed up, or pays for its garbage. */
export class ContenderProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** @param file a module of `contenders`, e.g. `nest` */
  static start(file: string, settings: ContenderSettings): ContenderProcess {
    const path = fileURLToPath(new URL(`./contenders/${file}.js`, import.meta.url));
    const child = fork(path, [JSON.stringify(settings)], {
      stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
      // What kafkajs always says, of which nothing concerns a measurement.
      execArgv: [...process.execArgv, '--disable-warning=TimeoutNegativeWarning'],
      env: { ...process.env, KAFKAJS_NO_PARTITIONER_WARNING: '1' },
    });
    return new ContenderProcess(child);
  }

  /** @throws Error when the process has ended by itself */
  async report(): Promise<ContenderReport> {
    if (!this.child.connected) throw new Error(`the contender ended by itself: ${this.child.signalCode ?? this.child.exitCode}`);
    const answer = once(this.child, 'message');
    this.child.send('report');
    const [report] = (await answer) as [ContenderReport];
    return report;
  }

  async stop(): Promise<void> {
    if (!this.child.connected) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}
