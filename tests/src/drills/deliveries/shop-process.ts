import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ServerProcess, waitUntilReady } from '@shopflow/servers';

export interface ShopProcessOptions {
  readonly name: string;
  /** In the repository, e.g. `services/email/dist/main.js`. */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly readyUrl: string;
  /** Of its log. */
  readonly dir: string;
  /** Hears of every end that nobody asked for. */
  readonly onOddEnd: (text: string) => void;
}

const AGAIN_MS = 500;
const PATIENCE_MS = 15_000;
const READY_MS = 60_000;
const REPOSITORY = new URL('../../../../', import.meta.url);

/** One process of the shop. It is started again whenever it has ended. */
export class ShopProcess {
  state: 'down' | 'running' | 'stopping' = 'down';
  private process: ServerProcess | undefined;
  private wanted = true;

  constructor(private readonly options: ShopProcessOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** Does not wait until it is ready: it may have to wait for a server that is away. */
  async start(): Promise<void> {
    const { name, script, env, dir } = this.options;
    this.process = await ServerProcess.start({
      command: process.execPath,
      args: ['--disable-warning=TimeoutNegativeWarning', fileURLToPath(new URL(script, REPOSITORY))],
      cwd: dir,
      env: { PATH: process.env['PATH'] ?? '', KAFKAJS_NO_PARTITIONER_WARNING: '1', ...env },
      logFile: this.logFile,
      pidFile: join(dir, `${name}.pid`),
      stopSignal: 'SIGTERM',
      patienceMs: PATIENCE_MS,
    });
    this.state = 'running';
    void this.watch(this.process);
  }

  async untilReady(): Promise<void> {
    const { name, readyUrl } = this.options;
    const server = { isRunning: true, lastWords: () => this.process?.lastWords() ?? '' };
    await waitUntilReady(server, () => answers(readyUrl), { name, logFile: this.logFile, timeoutMs: READY_MS });
  }

  /** As a crash would; it comes back after so many milliseconds. */
  async crash(awayMs: number): Promise<void> {
    if (this.state !== 'running') return; // it is on its way to a start
    this.state = 'stopping';
    await this.process?.kill('SIGKILL');
    await delay(awayMs);
    if (this.wanted) await this.start();
  }

  /** For good. */
  async stop(): Promise<void> {
    this.wanted = false;
    this.state = 'stopping';
    await this.process?.stop();
    this.state = 'down';
  }

  private get logFile(): string {
    return join(this.options.dir, `${this.options.name}.log`);
  }

  private async watch(watched: ServerProcess): Promise<void> {
    const { code, signal } = await watched.ended;
    if (this.state !== 'running' || this.process !== watched) return;
    this.state = 'down';
    // A service that starts while its database is away ends, and is started again: that is its promise.
    if (!/did not start/.test(watched.lastWords()))
      this.options.onOddEnd(`${this.name} ended with ${signal ?? code}: ${watched.lastWords()}`);
    await delay(AGAIN_MS);
    if (this.wanted) await this.start();
  }
}

async function answers(url: string): Promise<void> {
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  if (!ok) throw new Error(`${url} answers ${status}`);
}
