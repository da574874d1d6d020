import type { Socket } from 'node:net';
import { Client, type Pool } from 'pg';
import { endClient, socketOf } from './end-client.js';
import { LogSocket } from './log-socket.js';
import { formatLsn } from './lsn.js';

/** Without a sign of life for this long the server frees the slot, and we give the connection up. */
export const SILENCE_MS = 10_000;

export interface CreatedSlot {
  /** Where the slot's stream begins. */
  readonly lsn: string;
  /** Exactly what was committed before that, for `SET TRANSACTION SNAPSHOT` until the stream starts. */
  readonly snapshot: string;
}

/** A connection that speaks PostgreSQL's streaming replication protocol, before the stream starts. */
export class ReplicationConnection {
  private constructor(
    private readonly client: Client,
    /** The socket below, for whoever takes over once commands are done. */
    readonly socket: Socket,
    readonly logSocket: LogSocket,
  ) {}

  static async open(databaseUrl: string, applicationName: string): Promise<ReplicationConnection> {
    const logSocket = new LogSocket();
    const client = new Client({
      stream: () => logSocket.socket,
      connectionString: databaseUrl,
      application_name: applicationName,
      keepAlive: true,
      connectionTimeoutMillis: SILENCE_MS,
      options: `-c wal_sender_timeout=${SILENCE_MS} -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c TimeZone=UTC -c DateStyle=ISO`,
      replication: 'database',
    } as ConstructorParameters<typeof Client>[0]);
    // Lost connections reject the command in progress or end the stream; pg tells of them here a second time.
    client.on('error', () => {});
    await client.connect();
    return new ReplicationConnection(client, socketOf(client), logSocket);
  }

  /** Server process of the connection; pg keeps it to itself. */
  get pid(): number {
    return (this.client as unknown as { processID: number }).processID;
  }

  /** What tells one PostgreSQL cluster from every other. */
  async systemIdentifier(): Promise<string> {
    const { rows } = await this.client.query<{ systemid: string }>('IDENTIFY_SYSTEM');
    return rows[0]!.systemid;
  }

  /**
   * Waits for the transactions that run in the whole cluster. Standbys keep a copy of the slot. `name` holds only letters,
   * digits and underscores.
   */
  async createSlot(name: string): Promise<CreatedSlot> {
    const { rows } = await this.client.query<{ consistent_point: string; snapshot_name: string }>(
      `CREATE_REPLICATION_SLOT ${name} LOGICAL pgoutput (SNAPSHOT 'export', FAILOVER true)`,
    );
    return { lsn: rows[0]!.consistent_point, snapshot: rows[0]!.snapshot_name };
  }

  /** Lets standbys keep a copy of a slot that nobody uses at the moment. */
  async setFailover(name: string): Promise<void> {
    await this.client.query(`ALTER_REPLICATION_SLOT ${name} (FAILOVER true)`);
  }

  async dropSlot(name: string): Promise<void> {
    await this.client.query(`DROP_REPLICATION_SLOT ${name}`);
  }

  async close(): Promise<void> {
    await endClient(this.client);
  }

  /** Ends a command that waits: the server would not notice by itself that nobody listens any more. */
  async interrupt(pool: Pool): Promise<void> {
    await pool.query('SELECT pg_terminate_backend($1)', [this.pid]);
  }
}

/** The command that starts the stream where the server knows that we are. */
export const startCommand = (slot: string, publication: string): string =>
  `START_REPLICATION SLOT ${slot} LOGICAL ${formatLsn(0n)} (proto_version '1', publication_names '${publication}', messages 'true')`;
