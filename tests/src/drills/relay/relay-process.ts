import { RELAY_NODE_OPTIONS } from '@shopflow/local';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ending, freePort, LOOPBACK, ServerProcess, waitUntilReady } from '@shopflow/servers';
import type { DrillSource } from './drill-source.js';

/** The service as it is deployed. */
const MAIN = fileURLToPath(new URL('../../../../services/relay/dist/main.js', import.meta.url));
const PATIENCE_MS = 8_000;
const ANSWER_MS = 2_000;

export interface RelaySettings {
  readonly dir: string;
  readonly brokers: string;
  readonly namespace: string;
  readonly sources: readonly DrillSource[];
}

/** Of one source, as `GET /status` gives it. */
export interface SourceState {
  readonly source: string;
  readonly state: string;
  readonly reason: string | null;
  readonly published: number;
}

/** A relay that runs, or does not at the moment. */
export class RelayProcess {
  state: 'down' | 'starting' | 'running' | 'frozen' | 'stopping' = 'down';
  /** On the clock of `performance.now()`. */
  runningSince = Infinity;
  private process: ServerProcess | undefined;

  private constructor(
    readonly name: string,
    private readonly port: number,
    private readonly settings: RelaySettings,
    private readonly onOddEnd: (text: string) => void,
  ) {}

  /** @param onOddEnd hears of every end that nobody asked for, and of stops that were none */
  static async create(name: string, settings: RelaySettings, onOddEnd: (text: string) => void): Promise<RelayProcess> {
    return new RelayProcess(name, await freePort(), settings, onOddEnd);
  }

  /** Resolves when it answers: asked to stop before, Node would end it at once. */
  async start(): Promise<void> {
    const { dir } = this.settings;
    this.state = 'starting';
    const files = { logFile: join(dir, `${this.name}.log`), pidFile: join(dir, `${this.name}.pid`) };
    const how = {
      command: process.execPath,
      args: ['--disable-warning=TimeoutNegativeWarning', RELAY_NODE_OPTIONS, MAIN],
      cwd: dir,
      env: this.env,
    };
    this.process = await ServerProcess.start({ ...how, ...files, stopSignal: 'SIGTERM', patienceMs: PATIENCE_MS });
    void this.watch(this.process);
    await waitUntilReady(this.process, () => this.sources(), { name: this.name, logFile: files.logFile });
    this.state = 'running';
    this.runningSince = performance.now();
  }

  /** As a crash would. */
  async kill(): Promise<void> {
    this.state = 'stopping';
    await this.process?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    if (this.state === 'down') return;
    this.thaw();
    this.state = 'stopping';
    const { code, signal } = await this.process!.stop();
    if (code !== 0) this.onOddEnd(`${this.name} was asked to stop and ended with ${signal ?? code}`);
  }

  /** Stands still until {@link thaw}, as a suspended virtual machine does. */
  freeze(): void {
    process.kill(this.process!.pid, 'SIGSTOP');
    this.state = 'frozen';
  }

  thaw(): void {
    if (this.state !== 'frozen') return;
    process.kill(this.process!.pid, 'SIGCONT');
    this.state = 'running';
  }

  /** @throws when it does not answer soon */
  async sources(): Promise<SourceState[]> {
    const answer = await fetch(`http://${LOOPBACK}:${this.port}/status`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return ((await answer.json()) as { sources: SourceState[] }).sources;
  }

  private get env(): Record<string, string> {
    const { brokers, namespace, sources } = this.settings;
    return {
      KAFKA_BROKERS: brokers,
      SHOPFLOW_NAMESPACE: namespace,
      RELAY_SOURCES: JSON.stringify(sources.map(({ name, databaseUrl }) => ({ name, databaseUrl }))),
      HOST: LOOPBACK,
      PORT: String(this.port),
      KAFKAJS_NO_PARTITIONER_WARNING: '1',
    };
  }

  private async watch(watched: ServerProcess): Promise<void> {
    const ending = await watched.ended;
    if (this.state !== 'stopping') this.onOddEnd(`${this.name} ended by itself with ${textOf(ending)}: ${this.lastWords()}`);
    if (this.process === watched) this.state = 'down';
  }

  private lastWords(): string {
    return (
      readFileSync(join(this.settings.dir, `${this.name}.log`), 'utf8')
        .trimEnd()
        .split('\n')
        .at(-1) ?? ''
    );
  }
}

const textOf = ({ code, signal }: Ending): string => String(signal ?? code);
