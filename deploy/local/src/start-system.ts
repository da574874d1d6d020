import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { slotName } from '@shopflow/outbox';
import { assertPortFree, endRecorded, freePort, preflight, type Servers, ServersError } from '@shopflow/servers';
import { createDatabases } from './create-databases.js';
import { createTopics } from './create-topics.js';
import { eraseNamespace } from './erase-namespace.js';
import { inherited } from './inherited-environment.js';
import { runMigrations } from './run-migrations.js';
import {
  type FurtherInstance,
  furtherInstances,
  type InstanceName,
  outboxOwners,
  type Ports,
  portVariable,
  type ProcessName,
  processNames,
  readyPath,
  serviceOf,
  settingsOf,
  mainScript,
  urlOf,
} from './services.js';
import { type EnvironmentContext } from './services.js';
import { pidFileOf, SupervisedProcess } from './supervised-process.js';
import { System } from './system.js';

export interface SystemOptions {
  /** Prefix of databases, topics, groups and slots: two systems with different ones share servers without meeting. */
  readonly namespace: string;
  /** Logs and process ids. */
  readonly dir: string;
  readonly servers: Pick<Servers, 'kafkaBrokers' | 'databaseUrl'>;
  /** Free ones where left out or 0. */
  readonly ports?: Partial<Ports>;
  /** Further settings of a process, e.g. `{ email: { MAIL_RETRY_DELAYS_MS: '10,10,10' } }`. */
  readonly settings?: Partial<Record<InstanceName, Readonly<Record<string, string>>>>;
  readonly logLevel?: string;
  /** Instances of a service beside its first, with the settings of the first unless they have their own. */
  readonly further?: readonly FurtherInstance[];
  /** What is not started, for work that it must not see. */
  readonly without?: readonly InstanceName[];
  /** Deletes first what the namespace has on the servers. */
  readonly fresh?: boolean;
  readonly onProgress?: (message: string) => void;
  /** Runs when databases, schemas and topics are there, and before any service is: to set the scene. */
  readonly beforeServices?: (databases: System['databases']) => Promise<void>;
  /** Gives the start up: what runs already is stopped, and the reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * The whole of ShopFlow on given servers: databases, schemas, topics, and every service as a process of its own that ends with ours.
 *
 * @throws ServersError in one line that says what to do; then no process is left running
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { namespace, dir, servers, logLevel = 'info', fresh = false, onProgress = () => {}, signal } = options;
  await endFormerProcesses(dir);
  const ports = await choosePorts(options.ports ?? {}, options.further ?? []);
  const context: EnvironmentContext = { namespace, servers, ports, logLevel };
  await warnAndRefuse(options);
  signal?.throwIfAborted();
  onProgress('preparing databases and topics');
  if (fresh) await eraseNamespace(servers, namespace);
  await prepare(context, signal);
  const system = new System(context, await processesOf(options, context));
  try {
    await options.beforeServices?.(system.databases);
    onProgress('starting the services');
    await system.start(options.without);
  } catch (error) {
    await system.stop();
    throw error;
  }
  return system;
}

/** Processes of an earlier start that neither it nor its watchdog could end. Best while the servers that they use still run. */
export async function endFormerProcesses(dir: string): Promise<void> {
  await Promise.all([...processNames, ...furtherInstances].map((name) => endRecorded(pidFileOf(dir, name), 'SIGTERM')));
}

/** Looked at before anything is created, so that a taken port costs nobody a half-made namespace. @throws PortTakenError */
export async function assertPortsFree(ports: Partial<Ports>): Promise<void> {
  await Promise.all(processNames.map(async (name) => ports[name] && assertPortFree(ports[name], name, portVariable(name))));
}

async function choosePorts(chosen: Partial<Ports>, further: readonly FurtherInstance[]): Promise<Ports> {
  await assertPortsFree(chosen);
  const ports = await Promise.all([...processNames, ...further].map(async (name) => [name, chosen[name] || (await freePort())] as const));
  return Object.fromEntries(ports) as Record<ProcessName, number>;
}

async function warnAndRefuse({ namespace, servers, onProgress = () => {} }: SystemOptions): Promise<void> {
  const slots = outboxOwners.map((owner) => slotName(namespace, owner));
  for (const warning of await preflight({ ...servers, slots })) onProgress(`warning: ${warning}`);
}

async function prepare(context: EnvironmentContext, signal: AbortSignal | undefined): Promise<void> {
  const { namespace, servers } = context;
  const topics = createTopics(servers.kafkaBrokers, namespace).catch((cause: Error) => {
    throw new ServersError(`Kafka at ${servers.kafkaBrokers} answers, but topics cannot be created: ${cause.message}`, { cause });
  });
  const schemas = createDatabases(servers.databaseUrl, namespace).then(() => runMigrations(context, signal));
  const failed = (await Promise.allSettled([topics, schemas])).find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

async function processesOf(options: SystemOptions, context: EnvironmentContext): Promise<Map<InstanceName, SupervisedProcess>> {
  const { dir, settings = {}, further = [], onProgress = () => {}, signal } = options;
  for (const folder of ['logs', 'pids']) await mkdir(join(dir, folder), { recursive: true });
  const processes = [...processNames, ...further].map((name): [InstanceName, SupervisedProcess] => [
    name,
    new SupervisedProcess({
      name,
      script: mainScript(name),
      env: { ...inherited(), ...settingsOf(name, context), ...(settings[name] ?? settings[serviceOf(name)]) },
      readyUrl: urlOf(name, context.ports) + readyPath(name),
      dir,
      onProgress,
      signal,
    }),
  ]);
  return new Map(processes);
}
