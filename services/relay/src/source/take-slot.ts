import { Client, type Pool } from 'pg';
import { ReplicationConnection, startCommand } from '../replication/replication-connection.js';
import { ReplicationStream, type StreamListener } from '../replication/replication-stream.js';
import { type Lsn, parseLsn } from '../replication/lsn.js';
import { endClient } from '../replication/end-client.js';
import { watchWhatDelays } from './what-delays-slot.js';
import { planSlot, PUBLICATION } from './slot.js';
import { SlotInUseError } from './source-errors.js';

/** What a new slot's stream does not bring: everything that was committed before it, in one open transaction. */
export interface Existing {
  /** In a transaction that sees exactly what the stream does not bring. End it when done. */
  readonly client: Client;
  readonly lsn: Lsn;
}

export interface TakenSlot {
  readonly stream: ReplicationStream;
  readonly systemIdentifier: string;
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
  if (plan.dropFirst) await replication.dropSlot(slot);
  const existing = plan.start === 'begin' ? await createSlot(replication, client, options) : undefined;
  const stream = await ReplicationStream.start(replication.socket, startCommand(slot, PUBLICATION), listener);
  await client.query('SELECT pg_advisory_unlock_all()');
  return { stream, systemIdentifier, existing };
}

async function lock(client: Client, slot: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(hashtext('relay'), hashtext($1)) AS locked`, [
    slot,
  ]);
  return rows[0]!.locked;
}

async function createSlot(replication: ReplicationConnection, client: Client, options: SlotOptions): Promise<Existing> {
  const stopWatching = watchWhatDelays(options);
  const { lsn, snapshot } = await replication.createSlot(options.slot).finally(stopWatching);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`); // our server's own name for it; takes no parameter
  return { client, lsn: parseLsn(lsn) };
}
