import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endRecorded, findJava, freePort, LOOPBACK, ServerProcess, ServersError, waitUntilReady } from '@shopflow/servers';
import { connectJars } from './connect-jars.js';

export interface ConnectWorkerOptions {
  /** Configuration, offsets and log. The offsets of an earlier start are kept. */
  readonly dir: string;
  /** host:port list. */
  readonly brokers: string;
  /** The connector's configuration; `name` and `tasks.max` have defaults. */
  readonly connector: Readonly<Record<string, string>>;
  /** Worker settings beside ours, e.g. `{ 'offset.flush.interval.ms': '1000' }`. */
  readonly worker?: Readonly<Record<string, string>>;
  /** Flags of the Java machine; those of Kafka's own connect-standalone.sh unless given. */
  readonly jvm?: readonly string[];
  /** Of the REST API; a free one when left out. */
  readonly port?: number;
  /** What `${env:NAME}` in the connector's configuration stands for, beside this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onProgress?: (message: string) => void;
}

/** What connect-standalone.sh of Kafka 4 starts Java with. */
export const STANDARD_JVM = [
  '-Xms256M',
  '-Xmx2G',
  '-server',
  '-XX:+UseG1GC',
  '-XX:MaxGCPauseMillis=20',
  '-XX:InitiatingHeapOccupancyPercent=35',
  '-XX:+ExplicitGCInvokesConcurrent',
  '-Djava.awt.headless=true',
];

/** Serves soonest, for what lives for a minute. */
export const QUICK_JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xms128M', '-Xmx512M'];

const CONVERTER = 'org.apache.kafka.connect.storage.StringConverter';
const READY_MS = 60_000;

/** Kafka Connect 4.3.1 in standalone mode with one connector of Debezium 3.6.1, as a process that ends with ours. */
export class ConnectWorker {
  private constructor(
    private readonly process: ServerProcess,
    private readonly connectorName: string,
    /** Of the REST API. */
    readonly port: number,
  ) {}

  /** Resolves when the connector's task runs. @throws ServersError with the task's own words when it fails */
  static async start(options: ConnectWorkerOptions): Promise<ConnectWorker> {
    const { dir, jvm = STANDARD_JVM, env = {}, onProgress = () => {} } = options;
    const java = findJava(process.env);
    const jars = await connectJars(onProgress);
    const port = options.port ?? (await freePort());
    const connector = { name: 'outbox', 'tasks.max': '1', ...options.connector };
    await mkdir(dir, { recursive: true });
    await endRecorded(join(dir, 'connect.pid'), 'SIGTERM');
    const files = await writeConfiguration(options, connector, port);
    const logFile = join(dir, 'connect.log');
    const server = await ServerProcess.start({
      command: java,
      args: [...jvm, '-Dorg.apache.logging.log4j.level=WARN', '-cp', join(jars, '*'), MAIN, ...files],
      cwd: dir,
      env: { ...process.env, ...env },
      logFile,
      pidFile: join(dir, 'connect.pid'),
      stopSignal: 'SIGTERM',
      patienceMs: 15_000,
    });
    const worker = new ConnectWorker(server, connector.name, port);
    await worker.untilRunning(logFile);
    return worker;
  }

  get pid(): number {
    return this.process.pid;
  }

  /** `RUNNING`, `FAILED`, `UNASSIGNED`, `PAUSED`, of the task: a connector says RUNNING while its task has failed. `STARTING` when there is none yet. */
  async taskState(): Promise<string> {
    return (await this.task())?.state ?? 'STARTING';
  }

  /** Writes its offsets and ends. */
  async stop(): Promise<void> {
    await this.process.stop();
  }

  async kill(): Promise<void> {
    await this.process.kill('SIGKILL');
  }

  private async task(): Promise<Task | undefined> {
    const response = await fetch(`http://${LOOPBACK}:${this.port}/connectors/${this.connectorName}/status`);
    if (!response.ok) return undefined;
    return ((await response.json()) as { tasks: Task[] }).tasks[0];
  }

  private async untilRunning(logFile: string): Promise<void> {
    let failure: string | undefined;
    const running = async () => {
      const task = await this.task();
      if (task?.state === 'FAILED') failure = task.trace ?? 'no reason given';
      else if (task?.state !== 'RUNNING') throw new Error(`the task is ${task?.state ?? 'not there yet'}`);
    };
    try {
      await waitUntilReady(this.process, running, { name: 'Kafka Connect', logFile, timeoutMs: READY_MS });
      if (failure !== undefined) throw new ServersError(`the connector's task failed: ${failure}`);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }
}

interface Task {
  readonly state: string;
  readonly trace?: string;
}

const MAIN = 'org.apache.kafka.connect.cli.ConnectStandalone';

async function writeConfiguration(
  { dir, brokers, worker = {} }: ConnectWorkerOptions,
  connector: Readonly<Record<string, string>>,
  port: number,
): Promise<readonly string[]> {
  const workerSettings = {
    'bootstrap.servers': brokers,
    'key.converter': CONVERTER,
    'value.converter': CONVERTER,
    'header.converter': CONVERTER,
    'offset.storage.file.filename': join(dir, 'offsets'),
    'plugin.discovery': 'SERVICE_LOAD',
    listeners: `http://${LOOPBACK}:${port}`,
    'config.providers': 'env',
    'config.providers.env.class': 'org.apache.kafka.common.config.provider.EnvVarConfigProvider',
    ...worker,
  };
  const files = [join(dir, 'worker.properties'), join(dir, 'connector.properties')] as const;
  await writeFile(files[0], propertiesOf(workerSettings));
  await writeFile(files[1], propertiesOf(connector));
  await Promise.all(files.map((file) => chmod(file, 0o600))); // a connector may be given a password
  return files;
}

/** In the format of Java, where a backslash escapes. */
const propertiesOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value.replaceAll('\\', '\\\\')}\n`)
    .join('');
