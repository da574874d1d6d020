import { join } from 'node:path';
import { type Ending, ServerProcess, waitUntilReady } from '@shopflow/servers';
import type { InstanceName } from './services.js';

export interface SupervisedOptions {
  readonly name: InstanceName;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Answers 200 when the process can do its work. */
  readonly readyUrl: string;
  /** Of log and process id. */
  readonly dir: string;
  readonly onProgress: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that lived this long was well: the next pause is a short one again. */
const WELL_AFTER_MS = 30_000;
/** All together have 6 s of the 10 s in which everything has to be gone, the servers 3 s; a service gives up by itself before (libs/http/src/serve.ts). */
const PATIENCE_MS = 6_000;

/** Says to a later start who ran here. */
export const pidFileOf = (dir: string, name: InstanceName): string => join(dir, 'pids', `${name}.pid`);

/** One service as a process: when it ends and nobody asked for it, it is started again, and that is said. */
export class SupervisedProcess {
  private process: ServerProcess | undefined;
  private wanted = false;
  private pauseMs = FIRST_PAUSE_MS;
  private nextStart: NodeJS.Timeout | undefined;
  private startingAgain: Promise<void> | undefined;
  private launching: Promise<ServerProcess> | undefined;

  constructor(private readonly options: SupervisedOptions) {}

  get logFile(): string {
    return join(this.options.dir, 'logs', `${this.options.name}.log`);
  }

  get pid(): number | undefined {
    return this.process?.isRunning ? this.process.pid : undefined;
  }

  /** Resolves when the process is ready. @throws ServersError when it ends before, or takes too long */
  async start(): Promise<void> {
    const started = await this.launch();
    await this.waitUntilReady(started);
    this.wanted = true;
    // It may have ended between its answer and now.
    if (!started.isRunning) this.startAgainLater(await started.ended, 0);
  }

  /** Asks it to end, and kills it when it does not within 6 s. It stays down. */
  async stop(): Promise<void> {
    this.wanted = false;
    clearTimeout(this.nextStart);
    await Promise.allSettled([this.launching]); // a process that is only just coming into being has to end too
    await this.process?.stop();
    await this.startingAgain;
  }

  /** Ends it as a crash would. It is then started again, like after any crash: {@link untilReady}. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.process?.kill(signal);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Waits until it answers that it is ready, through restarts. */
  untilReady(): Promise<void> {
    return this.waitUntilReady({ isRunning: true, lastWords: () => 'it did not come back' });
  }

  private async launch(): Promise<ServerProcess> {
    const { script, env, dir, name } = this.options;
    const launchedAt = Date.now();
    this.launching = ServerProcess.start({
      command: process.execPath,
      args: [script],
      cwd: dir,
      env,
      logFile: this.logFile,
      pidFile: pidFileOf(dir, name),
      stopSignal: 'SIGTERM',
      patienceMs: PATIENCE_MS,
    });
    const launched = await this.launching;
    this.process = launched;
    void launched.ended.then((ending) => this.startAgainLater(ending, Date.now() - launchedAt));
    return launched;
  }

  private startAgainLater(ending: Ending, livedMs: number): void {
    if (!this.wanted || this.process?.isRunning) return;
    if (livedMs > WELL_AFTER_MS) this.pauseMs = FIRST_PAUSE_MS;
    this.scheduleStart(`ended (${ending.signal ?? `exit code ${ending.code}`})`);
  }

  private scheduleStart(reason: string): void {
    const { name, onProgress } = this.options;
    onProgress(`${name} ${reason}; started again in ${this.pauseMs / 1000} s, see ${this.logFile}`);
    clearTimeout(this.nextStart);
    this.nextStart = setTimeout(() => {
      this.startingAgain = this.startAgain();
    }, this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  private async startAgain(): Promise<void> {
    const { name, onProgress } = this.options;
    try {
      const launched = await this.launch();
      if (!this.wanted) return void (await launched.stop());
      await this.waitUntilReady(launched);
      onProgress(`${name} serves again`);
    } catch (error) {
      if (!this.wanted) return;
      const { message } = error as Error;
      if (this.process?.isRunning) onProgress(message);
      else this.scheduleStart(message);
    }
  }

  private async waitUntilReady(process: Pick<ServerProcess, 'isRunning' | 'lastWords'>): Promise<void> {
    const { name, readyUrl, signal } = this.options;
    await waitUntilReady(process, () => isReady(readyUrl), { name, logFile: this.logFile, signal });
  }
}

async function isReady(url: string): Promise<void> {
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  if (!ok) throw new Error(`${url} answers ${status}`);
}
