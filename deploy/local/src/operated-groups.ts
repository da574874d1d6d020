import { UsageError } from '@shopflow/command-line';
import { inherited } from './inherited-environment.js';
import { databaseUrlOf } from './names.js';
import type { RunningServers } from './running-system.js';
import { groups } from './services.js';

export type Group = (typeof groups)[number];

/** What an operator asks of which groups. */
export interface Operation {
  readonly groups: readonly Group[];
  /** For the service's own command: `groups lag --json`, say. */
  readonly args: readonly string[];
}

/** Commands that are asked of every group when none is named. */
const OF_ALL = new Set(['groups list', 'groups lag']);

/** Takes `--group` out of the command line. @throws UsageError when it is missing, or names no group */
export function readOperation([tool = '', ...args]: readonly string[]): Operation {
  const place = args.findIndex((arg) => arg === '--group' || arg.startsWith('--group='));
  if (place < 0) {
    if (OF_ALL.has(`${tool} ${args[0]}`)) return { groups, args: [tool, ...args] };
    throw new UsageError(`which group? --group ${groups.join(' | ')} (what there is to do: libs/consumer/OPERATING.md)`);
  }
  const [option, ...behind] = args.slice(place);
  const name = option === '--group' ? behind.shift() : option!.slice('--group='.length);
  if (!name || name.startsWith('--')) throw new UsageError(`--group has no value: one of ${groups.join(', ')}`);
  const group = groups.find((known) => known === name);
  if (group === undefined) throw new UsageError(`no group ${JSON.stringify(name)}: one of ${groups.join(', ')}`);
  return { groups: [group], args: [tool, ...args.slice(0, place), ...behind] };
}

/** Where a service's own command finds its database and Kafka. */
export interface Whereabouts {
  readonly namespace: string;
  /** The system that serves in this clone, if one does. */
  readonly running: RunningServers | undefined;
  /** Namespaces in which one serves in this clone. */
  readonly serving: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The environment of a group's own command: what is given wins over what runs here. @throws UsageError when neither says where to look */
export function environmentOf(group: Group, { namespace, running, serving, env }: Whereabouts): Record<string, string> {
  const brokers = env['KAFKA_BROKERS'] || running?.kafkaBrokers;
  const databaseUrl = env['DATABASE_URL'] || (running && databaseUrlOf(running.databaseUrl, namespace, group));
  if (brokers && databaseUrl)
    return { ...inherited(env), KAFKA_BROKERS: brokers, DATABASE_URL: databaseUrl, SHOPFLOW_NAMESPACE: namespace };
  throw new UsageError(
    `ShopFlow does not run here in namespace ${namespace} (${elsewhere(serving)}): ` +
      `run npm start, or set KAFKA_BROKERS and DATABASE_URL (${group}'s own database)`,
  );
}

const elsewhere = (serving: readonly string[]) =>
  serving.length === 0 ? 'nor in any other' : `but in ${serving.join(', ')}: SHOPFLOW_NAMESPACE chooses`;
