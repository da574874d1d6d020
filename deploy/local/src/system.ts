import { eraseNamespace } from './erase-namespace.js';
import { databaseUrlOf } from './names.js';
import {
  type DatabaseOwner,
  databaseOwners,
  type EnvironmentContext,
  type FurtherInstance,
  type InstanceName,
  type ProcessName,
  processNames,
  urlOf,
} from './services.js';
import type { SupervisedProcess } from './supervised-process.js';

/** A running ShopFlow. */
export class System {
  readonly namespace: string;
  readonly kafkaBrokers: string;
  /** `http://127.0.0.1:3001` of every process. */
  readonly urls: Readonly<Record<ProcessName, string> & Partial<Record<FurtherInstance, string>>>;
  /** The URL of every service's own database. */
  readonly databases: Readonly<Record<DatabaseOwner, string>>;

  constructor(
    private readonly context: EnvironmentContext,
    private readonly processes: ReadonlyMap<InstanceName, SupervisedProcess>,
  ) {
    const { namespace, servers, ports } = context;
    this.namespace = namespace;
    this.kafkaBrokers = servers.kafkaBrokers;
    this.urls = fromNames([...processNames, ...processes.keys()], (name) => urlOf(name, ports));
    this.databases = fromNames(databaseOwners, (owner) => databaseUrlOf(servers.databaseUrl, namespace, owner));
  }

  /** Starts every process but those named; resolves when all are ready. @throws ServersError of the first that cannot */
  async start(without: readonly InstanceName[] = []): Promise<void> {
    const wanted = [...this.processes].filter(([name]) => !without.includes(name));
    await Promise.all(wanted.map(([, process]) => process.start()));
  }

  /** The services first, and when they are done what they talk to. */
  async stop(): Promise<void> {
    const services = [...this.processes].filter(([name]) => name !== 'mail-provider');
    await Promise.all(services.map(([, process]) => process.stop()));
    await this.of('mail-provider').stop();
  }

  /** Stops everything and deletes what the namespace has on the servers. */
  async remove(): Promise<void> {
    await this.stop();
    await eraseNamespace(this.context.servers, this.namespace);
  }

  startService = (name: InstanceName): Promise<void> => this.of(name).start();
  /** It stays down until {@link startService}. */
  stopService = (name: InstanceName): Promise<void> => this.of(name).stop();
  /** A proper end, then a start; resolves when it is ready. */
  restart = (name: InstanceName): Promise<void> => this.of(name).restart();
  /** Ends it as a crash would; the supervisor then starts it again. */
  kill = (name: InstanceName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => this.of(name).kill(signal);
  /** Resolves when it is ready, e.g. after {@link kill}. */
  untilReady = (name: InstanceName): Promise<void> => this.of(name).untilReady();
  /** Undefined while it is down. */
  pidOf = (name: InstanceName): number | undefined => this.of(name).pid;
  logFileOf = (name: InstanceName): string => this.of(name).logFile;

  private of(name: InstanceName): SupervisedProcess {
    return this.processes.get(name) as SupervisedProcess;
  }
}

const fromNames = <N extends string, V>(names: readonly N[], valueOf: (name: N) => V) =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<N, V>;
