import { userInfo } from 'node:os';
import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import type { Database } from '@shopflow/database';
import type { Delivery } from './ledger/delivery.js';
import { FindDeliveries } from './ledger/find-deliveries.js';
import { ReviveDelivery } from './ledger/revive-delivery.js';

const USAGE =
  'list [queued|running|sent|dead], show <id>, or replay <id> [--who <name>] [--why <what was fixed>], each with [--organization <id>]';

const STATUSES = ['queued', 'running', 'sent', 'dead'] as const;

/**
 * What an operator can do from a terminal, with the deliveries of all organizations unless one is named.
 * `args` is the command line after the program. @throws UsageError
 */
export async function runCommand(database: Database, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, { who: 'text', why: 'text', organization: 'text' });
  const [command, argument] = words;
  if (command === 'list') return list(database, argument, options.organization);
  if (command === 'show' && argument !== undefined) return show(database, argument, options.organization);
  if (command === 'replay' && argument !== undefined) return replay(database, argument, options);
  throw new UsageError(`wanted: ${USAGE}`);
}

async function list(database: Database, argument: string | undefined, organizationId: string | undefined): Promise<CommandResult> {
  const status = STATUSES.find((known) => known === argument);
  if (argument !== undefined && status === undefined) throw new UsageError(`no deliveries are ${argument}; wanted: ${USAGE}`);
  const deliveries = await new FindDeliveries(database).list({ status, organizationId, limit: 100 });
  return { lines: deliveries.map(describe), ok: true };
}

async function show(database: Database, id: string, organizationId: string | undefined): Promise<CommandResult> {
  const delivery = await new FindDeliveries(database).byId(id, organizationId);
  return delivery ? { lines: [describe(delivery)], ok: true } : noSuchDelivery(id);
}

async function replay(database: Database, id: string, { who, why, organization }: ReplayOptions): Promise<CommandResult> {
  const asker = { who: who ?? userInfo().username, why: why ?? 'not given', ...(organization && { organizationId: organization }) };
  const replayed = await new ReviveDelivery(database).replay(id, asker);
  if (replayed === undefined) return noSuchDelivery(id);
  return replayed ? { lines: [`${id}: queued again`], ok: true } : { lines: [`${id}: not dead, nothing to replay`], ok: false };
}

interface ReplayOptions {
  readonly who?: string;
  readonly why?: string;
  readonly organization?: string;
}

const noSuchDelivery = (id: string): CommandResult => ({ lines: [`no delivery ${id}`], ok: false });

const describe = ({ id, status, number, orderId, attempts, claims, lastError, providerId }: Delivery) =>
  [id, status, number ?? orderId, `attempts=${attempts}`, `claims=${claims}`, providerId ?? lastError ?? ''].join('  ').trimEnd();
