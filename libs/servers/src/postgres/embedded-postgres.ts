import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { cacheFolder } from '../home.js';
import { assertPortFree, freePort, LOOPBACK } from '../port.js';
import { endRecorded } from '../process/end-process.js';
import { type Ending, ServerProcess } from '../process/server-process.js';
import { readyOrStopped } from '../process/wait-until-ready.js';
import { initialiseData, PASSWORD, SUPERUSER } from './initialise-data.js';
import { postgresBinaries } from './postgres-binaries.js';
import { reachableFolder, removeReachableFolder } from './reachable-folder.js';
import { serverSettings } from './settings.js';
import { removeStaleLock } from './stale-lock.js';
import { type Account, unprivilegedAccount } from './unprivileged-account.js';

export interface EmbeddedPostgresOptions {
  /** Data and log. What is in it from an earlier start is kept. Files that the server's account must reach may lie elsewhere: {@link remove}. */
  readonly dir: string;
  /** A free one when left out; kept over a restart. */
  readonly port?: number | undefined;
  /** Server settings beside ours, e.g. `{ wal_level: 'replica' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sessions outlive a killed server by moments, and hold its shared memory: a start that meets them is tried again. */
const STARTS = 40;
const PAUSE_MS = 250;

const pidFileIn = (dir: string) => join(dir, 'postgres.pid');

/** PostgreSQL 18 of the npm package of this platform, as a process that ends with ours. */
export class EmbeddedPostgres {
  private process: ServerProcess | undefined;

  private constructor(
    private readonly givenDir: string,
    private readonly dir: string,
    private readonly binaries: string,
    private readonly account: Account | undefined,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** Resolves when the server accepts connections. @throws ServersError PortTakenError */
  static async start({ dir, port, settings = {}, env = process.env, signal }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const account = unprivilegedAccount();
    const binaries = await postgresBinaries(await reachableFolder(cacheFolder(env), account));
    const folder = await reachableFolder(dir, account);
    await endRecorded(pidFileIn(folder), 'SIGINT');
    const postgres = new EmbeddedPostgres(dir, folder, binaries, account, port || (await freePort()), settings);
    await assertPortFree(postgres.port, 'PostgreSQL', 'POSTGRES_PORT');
    await initialiseData({ dataDir: postgres.dataDir, binaries, account });
    await removeStaleLock(postgres.dataDir);
    await postgres.restart(signal);
    return postgres;
  }

  /** URL of the maintenance database, with every right. */
  get url(): string {
    return `postgres://${SUPERUSER}:${PASSWORD}@${LOOPBACK}:${this.port}/postgres`;
  }

  /** How the present process ends, whoever ends it. */
  get ended(): Promise<Ending> {
    if (!this.process) throw new Error('it was never started');
    return this.process.ended;
  }

  /** Starts the server again after {@link stop} or {@link kill}: same port, same data. */
  async restart(signal?: AbortSignal): Promise<void> {
    if (this.process?.isRunning) await this.stop();
    for (let start = 1; ; start++) {
      try {
        return await this.launch(signal);
      } catch (error) {
        if (start === STARTS || !/shared memory block .* is still in use/.test(String(error))) throw error;
        await delay(PAUSE_MS);
      }
    }
  }

  private async launch(signal: AbortSignal | undefined): Promise<void> {
    const logFile = join(this.dir, 'postgres.log');
    this.process = await ServerProcess.start({
      command: join(this.binaries, 'bin', 'postgres'),
      args: ['-D', this.dataDir, ...serverSettings(this.port, this.settings)],
      cwd: this.dir,
      env: { LANG: 'C', LC_ALL: 'C' },
      logFile,
      pidFile: pidFileIn(this.dir),
      stopSignal: 'SIGINT', // "fast": ends sessions instead of waiting for them
      endsLast: true,
      ...(this.account ? { account: this.account } : {}),
    });
    await readyOrStopped(this.process, () => this.answers(), { name: 'PostgreSQL', logFile, signal });
  }

  async stop(): Promise<void> {
    await this.process?.stop();
  }

  /** As a crash of the machine would: no checkpoint, sessions cut off. */
  async kill(): Promise<void> {
    await this.process?.kill('SIGKILL');
  }

  /** Stops the server and deletes all that it kept. */
  async remove(): Promise<void> {
    await this.stop();
    await EmbeddedPostgres.removeData(this.givenDir);
  }

  /** Deletes what a server kept; one that an earlier start could not end is ended. */
  static async removeData(dir: string): Promise<void> {
    await endRecorded(pidFileIn(await reachableFolder(dir, unprivilegedAccount())), 'SIGINT');
    await removeReachableFolder(dir);
  }

  private get dataDir(): string {
    return join(this.dir, 'data');
  }

  private async answers(): Promise<void> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {}); // a server that still starts drops connections; the attempt below says so
    try {
      await client.connect();
      await client.query('SELECT 1');
    } finally {
      await client.end();
    }
  }
}
