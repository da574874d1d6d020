import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outboxMigrations, slotName } from '@shopflow/outbox';
import { LOOPBACK, ServerProcess } from '@shopflow/servers';
import {
  createTestDatabase,
  eventually,
  kafkaBrokers,
  type ReadRecord,
  type TestDatabase,
  testKafka,
  uniqueNamespace,
  uniqueTopic,
} from '@shopflow/testing';
import { ConnectWorker, QUICK_JVM } from '../connect-worker.js';
import { connectorEnvironment, outboxConnector } from '../outbox-connector.js';

const RELAY = fileURLToPath(new URL('../../../../services/relay/dist/main.js', import.meta.url));
const PATIENCE = { timeoutMs: 30_000 };
/** Published at least by each before the next one has its turn. */
const RECORDS = 150;

/** Whoever publishes at the moment. */
interface Publisher {
  /** Tells PostgreSQL soon what Kafka has accepted. */
  readonly acknowledges: boolean;
  readonly process: { stop(): Promise<unknown>; kill(): Promise<unknown> };
}

/** An outbox, its topic, and the two that can publish it. */
export class SwapBed {
  private readonly publishers: Publisher[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly namespace: string,
    readonly topic: string,
    private readonly dir: string,
    private readonly admin: ReturnType<ReturnType<typeof testKafka>['admin']>,
  ) {}

  static async create(): Promise<SwapBed> {
    if (!existsSync(RELAY)) throw new Error('build the relay first: npx tsc -b services/relay');
    const namespace = uniqueNamespace();
    const dir = await mkdtemp(join(tmpdir(), 'shopflow-debezium-'));
    const [database, topic] = await Promise.all([
      createTestDatabase(outboxMigrations),
      uniqueTopic({ namespace, name: 'orders.events', partitions: 3 }),
    ]);
    const admin = testKafka().admin();
    await admin.connect();
    return new SwapBed(database, namespace, topic, dir, admin);
  }

  /** Theirs alike. */
  get slot(): string {
    return slotName(this.namespace, 'orders');
  }

  /** Resolves when it reads the log, which of a new slot it only can when every transaction that is writing has ended. */
  async startRelay(): Promise<Publisher> {
    const process = await ServerProcess.start({
      command: globalThis.process.execPath,
      args: [RELAY],
      cwd: this.dir,
      env: {
        ...globalThis.process.env,
        KAFKA_BROKERS: kafkaBrokers(),
        SHOPFLOW_NAMESPACE: this.namespace,
        RELAY_SOURCES: JSON.stringify([{ name: 'orders', databaseUrl: this.database.url }]),
        HOST: LOOPBACK,
        PORT: '0',
      },
      logFile: join(this.dir, 'relay.log'),
      pidFile: join(this.dir, 'relay.pid'),
      stopSignal: 'SIGTERM',
    });
    const publisher = this.add({ process, acknowledges: true });
    await eventually(() => this.logIsRead(), { ...PATIENCE, message: 'the relay reads the log' });
    return publisher;
  }

  /** @param flushMs how often the worker stores what Kafka has accepted, and tells PostgreSQL */
  async startDebezium({ flushMs }: { flushMs: number }): Promise<Publisher> {
    const { namespace, slot } = this;
    const process = await ConnectWorker.start({
      dir: join(this.dir, 'connect'),
      brokers: kafkaBrokers(),
      connector: await outboxConnector(),
      env: connectorEnvironment({ databaseUrl: this.database.url, namespace, source: 'orders', slot }),
      worker: { 'offset.flush.interval.ms': String(flushMs) },
      jvm: QUICK_JVM,
      onProgress: (message) => globalThis.process.stderr.write(`${message}\n`),
    });
    return this.add({ process, acknowledges: flushMs < 5_000 });
  }

  /**
   * Lets it publish some events, and the slot move if it moves it, then ends it.
   *
   * @returns whether a record is one of those that it wrote
   */
  async during(publisher: Publisher, end: 'stop' | 'kill' | 'go on'): Promise<(record: ReadRecord) => boolean> {
    const from = await this.ends();
    const position = await this.slotPosition();
    await eventually(async () => sum(await this.ends()) >= sum(from) + RECORDS, { ...PATIENCE, message: `more records in ${this.topic}` });
    if (publisher.acknowledges)
      await eventually(async () => (await this.slotPosition()) !== position, { ...PATIENCE, message: 'the slot moves' });
    if (end !== 'go on') await publisher.process[end]();
    const to = await this.ends();
    return ({ partition, offset }) => Number(offset) >= from[partition]! && Number(offset) < to[partition]!;
  }

  async remove(): Promise<void> {
    await Promise.all(this.publishers.map(({ process }) => process.stop()));
    await this.admin.disconnect();
    await this.database.drop();
    await rm(this.dir, { recursive: true, force: true });
  }

  private add(publisher: Publisher): Publisher {
    this.publishers.push(publisher);
    return publisher;
  }

  /** The end of each partition. */
  private async ends(): Promise<number[]> {
    const offsets = await this.admin.fetchTopicOffsets(this.topic);
    return offsets.toSorted((a, b) => a.partition - b.partition).map(({ high }) => Number(high));
  }

  /** A slot is active from the moment in which its making begins; what is committed until it is made is published by `seq`. */
  private async logIsRead(): Promise<boolean> {
    const { count } = await this.database.database.query(
      `SELECT 1 FROM pg_stat_replication sender JOIN pg_replication_slots slot ON slot.active_pid = sender.pid
       WHERE slot.slot_name = $1 AND sender.state IN ('catchup', 'streaming')`,
      [this.slot],
    );
    return count === 1;
  }

  private async slotPosition(): Promise<string | undefined> {
    const { rows } = await this.database.database.query<{ position: string }>(
      'SELECT confirmed_flush_lsn::text AS position FROM pg_replication_slots WHERE slot_name = $1',
      [this.slot],
    );
    return rows[0]?.position;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
