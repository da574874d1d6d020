import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { unlessAborted } from '@shopflow/kafka';
import { type Usage, usageOf } from '../process-usage.js';
import type { LimitReport, LimitSettings } from './limit.js';

/** A limit as a process of its own, like every contender. */
export class LimitProcess {
  private constructor(
    private readonly child: ReturnType<typeof fork>,
    private readonly file: string,
    private readonly signal: AbortSignal,
  ) {}

  /** @param file a module of this folder, e.g. `decode-only` */
  static start(file: string, settings: LimitSettings, signal: AbortSignal): LimitProcess {
    const path = fileURLToPath(new URL(`./${file}.js`, import.meta.url));
    const child = fork(path, [JSON.stringify(settings)], { stdio: ['ignore', process.stderr, process.stderr, 'ipc'] });
    return new LimitProcess(child, file, signal);
  }

  /** Has the first (0) or the second (1) backlog worked off. @throws Error when the process ends instead */
  async workOff(backlog: number): Promise<LimitReport> {
    const ended = once(this.child, 'exit').then(() => {
      throw new Error(`${this.file} ended by itself`);
    });
    const answer = once(this.child, 'message') as Promise<[LimitReport]>;
    this.child.send(backlog);
    const [report] = await unlessAborted(Promise.race([answer, ended]), this.signal);
    ended.catch(() => {}); // it ends when we ask for it
    return report;
  }

  usage(): Usage {
    return usageOf(this.child.pid!, this.file);
  }

  async stop(): Promise<void> {
    if (!this.child.connected) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}
