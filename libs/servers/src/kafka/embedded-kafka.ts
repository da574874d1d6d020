import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../home.js';
import { assertPortFree, freePort, LOOPBACK } from '../port.js';
import { endRecorded } from '../process/end-process.js';
import { type Ending, ServerProcess } from '../process/server-process.js';
import { readyOrStopped } from '../process/wait-until-ready.js';
import { answersAsKafka } from './answers-as-kafka.js';
import { findJava } from './java.js';
import { kafkaJars } from './kafka-jars.js';
import { type ClusterMember, serverProperties } from './server-properties.js';

export interface EmbeddedKafkaOptions {
  /** Data, configuration and log. What is in it from an earlier start is kept. */
  readonly dir: string;
  /** A free one when left out; kept over a restart. */
  readonly port?: number | undefined;
  readonly controllerPort?: number | undefined;
  /** One of several nodes: {@link EmbeddedKafkaCluster}. */
  readonly member?: ClusterMember | undefined;
  /** Java's heap at most, in megabytes: 768 unless given. */
  readonly heapMb?: number | undefined;
  /** Broker settings beside ours, e.g. `{ 'broker.session.timeout.ms': '1000' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Flags of the Java machine in place of those for a quick start: none for a benchmark, where the second compiler pays. */
  readonly jvm?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onProgress?: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

interface Installation {
  readonly java: string;
  readonly jars: string;
}

/** Serves after 3 s of processor time instead of 5: it lives for a test or a day, not long enough for the second compiler to pay. */
const QUICK_START = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const HEAP_MB = 768;

/** May not begin with a dash. */
export const newClusterId = (): string => `S${randomBytes(16).toString('base64url').slice(1)}`;

const pidFileIn = (dir: string) => join(dir, 'kafka.pid');

/** Kafka 4.4 on the local Java: one node in KRaft mode, as a process that ends with ours. */
export class EmbeddedKafka {
  private process: ServerProcess | undefined;

  private constructor(
    private readonly dir: string,
    private readonly installation: Installation,
    private readonly env: Readonly<Record<string, string | undefined>>,
    readonly port: number,
    private readonly controllerPort: number,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly member: ClusterMember | undefined,
    private readonly heapMb: number,
    private readonly jvm: readonly string[],
  ) {}

  /** Resolves when the broker serves. @throws ServersError PortTakenError */
  static async start({
    dir,
    settings = {},
    jvm = QUICK_START,
    env = process.env,
    onProgress = () => {},
    signal,
    member,
    heapMb = HEAP_MB,
    ...ports
  }: EmbeddedKafkaOptions): Promise<EmbeddedKafka> {
    const java = findJava(env);
    const jars = await kafkaJars(cacheFolder(env), onProgress);
    await mkdir(dir, { recursive: true });
    await endRecorded(pidFileIn(dir), 'SIGTERM');
    const [port, controllerPort] = [ports.port || (await freePort()), ports.controllerPort || (await freePort())];
    const kafka = new EmbeddedKafka(dir, { java, jars }, env, port, controllerPort, settings, member, heapMb, jvm);
    await assertPortFree(kafka.port, 'Kafka', 'KAFKA_PORT');
    await assertPortFree(kafka.controllerPort, "Kafka's controller", 'KAFKA_CONTROLLER_PORT');
    await kafka.format();
    await kafka.restart(signal);
    return kafka;
  }

  /** host:port list, as `KAFKA_BROKERS` wants it. */
  get brokers(): string {
    return `${LOOPBACK}:${this.port}`;
  }

  /** How the present process ends, whoever ends it. */
  get ended(): Promise<Ending> {
    if (!this.process) throw new Error('it was never started');
    return this.process.ended;
  }

  /** Starts the node again after {@link stop} or {@link kill}: same port, same data. */
  async restart(signal?: AbortSignal): Promise<void> {
    if (this.process?.isRunning) await this.stop();
    const logFile = join(this.dir, 'kafka.log');
    this.process = await ServerProcess.start({
      command: this.installation.java,
      args: [
        ...this.jvm,
        `-Xms${Math.min(256, this.heapMb)}m`,
        `-Xmx${this.heapMb}m`,
        '-Dorg.apache.logging.log4j.level=WARN',
        ...this.classPath,
        'kafka.Kafka',
        this.propertiesFile,
      ],
      cwd: this.dir,
      env: this.env,
      logFile,
      pidFile: pidFileIn(this.dir),
      stopSignal: 'SIGTERM',
      endsLast: true,
    });
    await readyOrStopped(this.process, () => answersAsKafka(LOOPBACK, this.port), { name: 'Kafka', logFile, signal });
  }

  async stop(): Promise<void> {
    await this.process?.stop();
  }

  /** As a crash of the machine would: no controlled shutdown. */
  async kill(): Promise<void> {
    await this.process?.kill('SIGKILL');
  }

  /** Stops the node and deletes all that it kept. */
  async remove(): Promise<void> {
    await this.stop();
    await EmbeddedKafka.removeData(this.dir);
  }

  /** Deletes what a node kept; one that an earlier start could not end is ended. */
  static async removeData(dir: string): Promise<void> {
    await endRecorded(pidFileIn(dir), 'SIGTERM');
    await rm(dir, { recursive: true, force: true });
  }

  /** Runs one of Kafka's own command line tools to its end, e.g. `org.apache.kafka.tools.ConfigCommand`. */
  async runTool(mainClass: string, ...args: readonly string[]): Promise<void> {
    const command = [...QUICK_START, ...this.classPath, mainClass, ...args];
    await promisify(execFile)(this.installation.java, command, { env: { ...this.env } });
  }

  private get classPath(): string[] {
    return ['-cp', join(this.installation.jars, '*')];
  }

  private get propertiesFile(): string {
    return join(this.dir, 'server.properties');
  }

  private get dataDir(): string {
    return join(this.dir, 'data');
  }

  /** Gives the storage its cluster id, the first time. In another folder until it is whole: half a format would never start. */
  private async format(): Promise<void> {
    if (!existsSync(this.dataDir)) {
      const unfinished = `${this.dataDir}.new`;
      await rm(unfinished, { recursive: true, force: true });
      await this.writeProperties(unfinished);
      const clusterId = this.member?.clusterId ?? newClusterId();
      await this.runTool('kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', this.propertiesFile);
      await rename(unfinished, this.dataDir);
    }
    await this.writeProperties(this.dataDir);
  }

  private async writeProperties(dataDir: string): Promise<void> {
    const { port, controllerPort, member, settings } = this;
    await writeFile(this.propertiesFile, serverProperties({ port, controllerPort, dataDir, member, settings }));
  }
}
