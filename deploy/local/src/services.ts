import { fileURLToPath } from 'node:url';
import type { Servers } from '@shopflow/servers';
import { LOOPBACK } from '@shopflow/servers';
import { databaseUrlOf } from './names.js';

/** In the order of an event's walk. */
export const serviceNames = ['orders', 'invoices', 'reminder', 'relay', 'email', 'audit', 'analytics'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Everything that runs as a process of its own. The mail provider is another company's; here it is played. */
export const processNames = ['mail-provider', ...serviceNames] as const;
export type ProcessName = (typeof processNames)[number];

/** Further instances of a service, beside the process of its own name; a system starts those that it is asked for. */
export const furtherInstances = ['email-2', 'email-3'] as const;
export type FurtherInstance = (typeof furtherInstances)[number];
export type InstanceName = ProcessName | FurtherInstance;

/** Whose instance it is. */
export const serviceOf = (name: InstanceName): ProcessName => (name === 'email-2' || name === 'email-3' ? 'email' : name);

/** Services with a database of their own; the relay reads those of others. */
export const databaseOwners = ['orders', 'invoices', 'reminder', 'email', 'audit', 'analytics'] as const satisfies readonly ServiceName[];
export type DatabaseOwner = (typeof databaseOwners)[number];

/** Services whose outbox the relay publishes. */
export const outboxOwners = ['orders', 'invoices', 'reminder', 'email'] as const satisfies readonly DatabaseOwner[];

/** Services that consume; the name of a service is that of its consumer group. */
export const groups = ['email', 'audit', 'analytics', 'invoices', 'reminder'] as const satisfies readonly ServiceName[];

/** Ports of the namespace `shopflow`; those of another are free ones, so that it runs beside. */
export const defaultPorts: Readonly<Record<ProcessName, number>> = {
  orders: 3001,
  email: 3002,
  audit: 3003,
  analytics: 3004,
  relay: 3005,
  invoices: 3006,
  reminder: 3007,
  'mail-provider': 3025,
};

/** The variable of `npm start` that chooses another port, e.g. `MAIL_PROVIDER_PORT`. */
export const portVariable = (name: ProcessName): string => `${name.toUpperCase().replace('-', '_')}_PORT`;

/** Answers 200 once the process can do its work. */
export const readyPath = (name: InstanceName): string => (name === 'mail-provider' ? '/stats' : '/health/ready');

export type Ports = Readonly<Record<ProcessName, number> & Partial<Record<FurtherInstance, number>>>;

/** `http://127.0.0.1:3001` */
export const urlOf = (name: InstanceName, ports: Ports): string => `http://${LOOPBACK}:${ports[name]}`;

export const mainScript = (name: InstanceName): string =>
  name === 'mail-provider'
    ? inRepository('deploy/local/dist/mail-provider/main.js')
    : inRepository(`services/${serviceOf(name)}/dist/main.js`);

export const migrateScript = (name: DatabaseOwner): string => inRepository(`services/${name}/dist/migrate.js`);

/** A service's own commands for its operators. */
export const operateScript = (name: (typeof groups)[number] | 'relay'): string => inRepository(`services/${name}/dist/operate.js`);

const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export interface EnvironmentContext {
  readonly namespace: string;
  readonly servers: Pick<Servers, 'kafkaBrokers' | 'databaseUrl'>;
  readonly ports: Ports;
  readonly logLevel: string;
}

/** The settings of one process, as environment variables. Only what it needs: a service never sees another's database. */
export function settingsOf(instance: InstanceName, { namespace, servers, ports, logLevel }: EnvironmentContext): Record<string, string> {
  const databaseOf = (owner: DatabaseOwner) => databaseUrlOf(servers.databaseUrl, namespace, owner);
  const listening = { HOST: LOOPBACK, PORT: String(ports[instance]), LOG_LEVEL: logLevel };
  const kafka = { KAFKA_BROKERS: servers.kafkaBrokers, SHOPFLOW_NAMESPACE: namespace };
  const name = serviceOf(instance);
  switch (name) {
    case 'mail-provider':
      return listening;
    case 'relay':
      return {
        ...listening,
        ...kafka,
        NODE_OPTIONS: RELAY_NODE_OPTIONS,
        RELAY_SOURCES: relaySources(servers.databaseUrl, namespace),
      };
    case 'email':
      return {
        ...listening,
        ...kafka,
        DATABASE_URL: databaseOf(name),
        MAIL_PROVIDER_URL: urlOf('mail-provider', ports),
        MAIL_RETRY_DELAYS_MS,
      };
    default:
      return { ...listening, ...kafka, DATABASE_URL: databaseOf(name) };
  }
}

/** The outboxes of a namespace on the server that `serverUrl` names, as the relay wants them. */
export const relaySources = (serverUrl: string, namespace: string): string =>
  JSON.stringify(outboxOwners.map((owner) => ({ name: owner, databaseUrl: databaseUrlOf(serverUrl, namespace, owner) })));

/** Megabytes go through a relay each second and leave little behind: with Node's own room for young objects it takes 100 MB more. */
export const RELAY_NODE_OPTIONS = '--max-semi-space-size=2';

/** Shorter than in production: whoever plays with the platform wants to see a retry, not to wait for it. */
const MAIL_RETRY_DELAYS_MS = '500,1000,2000';
