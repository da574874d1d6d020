import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { type Ending, ServerProcess } from '@shopflow/servers';
import type { DrillSettings } from './settings.js';

export type MemberState = 'down' | 'running' | 'frozen' | 'stopping';

/** As it was built, also for a test, which runs from the sources. */
const MAIN = fileURLToPath(new URL('../../../dist/drills/consumer/member/main.js', import.meta.url));
/** An orderly stop is limited to 5.5 s by the service itself. */
const PATIENCE_MS = 8_000;
const RESTART_MS = 500;

/** A member's place: a process that is started again whenever it ends while it is wanted. */
export class Member {
  state: MemberState = 'down';
  private process: ServerProcess | undefined;
  private wanted = false;

  /** @param onEnd hears of every end that nobody asked for */
  constructor(
    readonly name: string,
    private readonly dir: string,
    private readonly settings: Omit<DrillSettings, 'name'>,
    private readonly onEnd: (member: Member, ending: Ending) => void,
  ) {}

  async start(): Promise<void> {
    this.wanted = true;
    this.process = await ServerProcess.start({
      command: process.execPath,
      args: ['--disable-warning=TimeoutNegativeWarning', MAIN, JSON.stringify({ ...this.settings, name: this.name })],
      cwd: this.dir,
      env: { KAFKAJS_NO_PARTITIONER_WARNING: '1' },
      logFile: this.logFile,
      pidFile: join(this.dir, `${this.name}.pid`),
      stopSignal: 'SIGTERM',
      patienceMs: PATIENCE_MS,
    });
    this.state = 'running';
    void this.watch(this.process);
  }

  /** As a crash would, or the kernel when memory is short. */
  async kill(): Promise<void> {
    this.wanted = false;
    await this.process?.kill('SIGKILL');
  }

  /** Stands still until {@link thaw}, as a suspended virtual machine does. */
  freeze(): void {
    if (this.state !== 'running') return;
    process.kill(this.process!.pid, 'SIGSTOP');
    this.state = 'frozen';
  }

  thaw(): void {
    if (this.state !== 'frozen') return;
    process.kill(this.process!.pid, 'SIGCONT');
    this.state = 'running';
  }

  /** Leaves the group in an orderly way, or is killed when it takes too long. @returns its exit code, null after a kill */
  async leave(): Promise<number | null> {
    this.thaw();
    this.wanted = false;
    if (this.state === 'down') return 0;
    this.state = 'stopping';
    return (await this.process!.stop()).code;
  }

  get logFile(): string {
    return join(this.dir, `${this.name}.log`);
  }

  lastWords(): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  }

  private async watch(watched: ServerProcess): Promise<void> {
    const ending = await watched.ended;
    if (this.process === watched) this.state = 'down';
    if (!this.wanted) return;
    this.onEnd(this, ending);
    await delay(RESTART_MS);
    if (this.wanted && this.process === watched) await this.start();
  }
}
