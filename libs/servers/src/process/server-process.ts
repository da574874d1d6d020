import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { endWithUs, hasEnded } from './end-with-us.js';
import { identify, removeIdentity, writeIdentity } from './process-identity.js';
import { PATIENCE_MS } from './end-process.js';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output and error are appended to it. */
  readonly logFile: string;
  /** Says who runs here, for a later run that finds it still alive. */
  readonly pidFile: string;
  /** Asks for a proper end. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  /** Time that it has for it before it is killed. */
  readonly patienceMs?: number;
  /** Others work with it: should we be killed, it ends after those that are not `endsLast`. */
  readonly endsLast?: boolean;
  readonly account?: { readonly uid: number; readonly gid: number };
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of ours in a session of its own: Ctrl-C in the terminal does not reach it before we have decided the order. */
export class ServerProcess {
  readonly ended: Promise<Ending>;
  private ending: Ending | undefined;

  private constructor(
    private readonly child: ChildProcess,
    private readonly options: ProcessOptions,
  ) {
    this.ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(this.noteEnd({ code, signal }))));
  }

  /** @throws when the command cannot be run at all */
  static async start(options: ProcessOptions): Promise<ServerProcess> {
    keepSmall(options.logFile);
    const log = openSync(options.logFile, 'a');
    const { command, args, cwd, env, account } = options;
    const child = spawn(command, [...args], { cwd, env: { ...env }, ...account, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    const server = new ServerProcess(child, options);
    server.record();
    return server;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  get isRunning(): boolean {
    return this.ending === undefined;
  }

  /** Asks for a proper end; kills what does not obey. */
  async stop(): Promise<Ending> {
    if (this.isRunning) this.child.kill(this.options.stopSignal);
    const killer = setTimeout(() => this.child.kill('SIGKILL'), this.options.patienceMs ?? PATIENCE_MS);
    const ending = await this.ended;
    clearTimeout(killer);
    return ending;
  }

  /** No chance to tidy up, as a power cut would. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Ending> {
    this.child.kill(signal);
    return this.ended;
  }

  /** The last lines of the log, for an error that has to say why. */
  lastWords(lines = 3): string {
    return readFileSync(this.options.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join(' | ');
  }

  private record(): void {
    const identity = identify(this.pid);
    if (identity) writeIdentity(this.options.pidFile, identity);
    endWithUs(this.pid, this.options.stopSignal, this.options.endsLast ?? false);
  }

  private noteEnd(ending: Ending): Ending {
    this.ending = ending;
    hasEnded(this.pid);
    removeIdentity(this.options.pidFile);
    return ending;
  }
}

const LARGE_LOG_BYTES = 20 * 1024 * 1024;

/** Logs are appended to from start to start: a large one makes room for a new one, and takes the place of the one before. */
function keepSmall(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > LARGE_LOG_BYTES) renameSync(logFile, `${logFile}.old`);
}
