import { Client, type Pool } from 'pg';
import { ReplicationConnection, startCommand } from '../replication/replication-connection.js';
import { ReplicationStream, type StreamListener } from '../replication/replication-stream.js';
import { parseLsn } from '../replication/lsn.js';
import { endClient } from '../replication/end-client.js';
import { watchWhatDelays } from './what-delays-slot.js';
import { planSlot, PUBLICATION, type SlotPlan } from './slot.js';
import { beginAdoption, beginFirstStart } from './adoption.js';
import type { Existing } from './adopt-existing.js';
import { SlotInUseError } from './source-errors.js';

export interface TakenSlot {
  readonly stream: ReplicationStream;
  readonly systemIdentifier: string;
  /** Server process of the stream. */
  readonly pid: number;
  /** Publish it first, and end its client when done. Undefined when the stream goes on where it stopped. */
  readonly existing: Existing | undefined;
}

export interface SlotOptions {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly slot: string;
  /** Told what a new slot waits for, every second. */
  readonly onWaiting: (reason: string) => void;
}

/**
 * Starts the slot's stream, with a new slot when there was none. The slot is the lock between relays; a database lock only
 * covers the moment between a slot's creation and its start, in which nobody holds it.
 *
 * @throws SlotInUseError RefusedSourceError; an error of the connection when the signal aborts first
 */
export async function takeSlot(options: SlotOptions, listener: StreamListener, signal: AbortSignal): Promise<TakenSlot> {
  const replication = await ReplicationConnection.open(options.databaseUrl, `relay ${options.slot}`);
  const interrupt = () => void replication.interrupt(options.pool).catch(() => replication.socket.destroy());
  signal.addEventListener('abort', interrupt);
  const client = new Client({ connectionString: options.databaseUrl, application_name: `relay ${options.slot} start`, options: SESSION });
  client.on('error', () => {}); // a lost connection rejects the query in progress
  let taken: TakenSlot | undefined;
  try {
    signal.throwIfAborted();
    await client.connect();
    taken = await takeLocked(options, replication, client, listener);
    return taken;
  } catch (error) {
    await replication.close();
    throw (error as { code?: string }).code === SLOT_IN_USE ? new SlotInUseError(options.slot) : error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    if (taken?.existing === undefined) await endClient(client);
  }
}

const SESSION = '-c TimeZone=UTC -c DateStyle=ISO -c idle_in_transaction_session_timeout=0';
const SLOT_IN_USE = '55006';

async function takeLocked(
  options: SlotOptions,
  replication: ReplicationConnection,
  client: Client,
  listener: StreamListener,
): Promise<TakenSlot> {
  const { pool, slot } = options;
  if (!(await lock(client, slot))) throw new SlotInUseError(slot);
  const systemIdentifier = await replication.systemIdentifier();
  const plan = await planSlot(pool, slot, systemIdentifier);
  if (plan.start === 'continue' && !plan.failover) await replication.setFailover(slot);
  const existing = plan.start === 'begin' ? await begin(plan, { replication, client, options, systemIdentifier }) : undefined;
  const stream = await ReplicationStream.start(replication, startCommand(slot, PUBLICATION), listener);
  await client.query('SELECT pg_advisory_unlock_all()');
  return { stream, systemIdentifier, pid: replication.pid, existing };
}

async function lock(client: Client, slot: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(hashtext('relay'), hashtext($1)) AS locked`, [
    slot,
  ]);
  return rows[0]!.locked;
}

interface Taking {
  readonly replication: ReplicationConnection;
  readonly client: Client;
  readonly options: SlotOptions;
  readonly systemIdentifier: string;
}

async function begin({ adoption, drop }: Extract<SlotPlan, { start: 'begin' }>, taking: Taking): Promise<Existing> {
  const { replication, client, options, systemIdentifier } = taking;
  const { pool, slot } = options;
  const attempt = await (adoption === undefined ? beginFirstStart(pool) : beginAdoption(pool, adoption));
  for (const name of drop) await replication.dropSlot(name);
  const stopWatching = watchWhatDelays(options);
  const { lsn, snapshot } = await replication.createSlot(slot).finally(stopWatching);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`); // our server's own name for it; takes no parameter
  return { client, lsn: parseLsn(lsn), progress: { slot, systemIdentifier }, attempt };
}
