import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../home.js';
import { freePort, LOOPBACK } from '../port.js';
import { EmbeddedKafka, type EmbeddedKafkaOptions, newClusterId } from './embedded-kafka.js';
import { kafkaJars } from './kafka-jars.js';

export interface EmbeddedKafkaClusterOptions extends Pick<EmbeddedKafkaOptions, 'settings' | 'env' | 'onProgress' | 'signal'> {
  /** Data, configuration and logs, a folder for each node. Begun anew: unlike those of one node, they serve one start. */
  readonly dir: string;
  /** How many brokers; each is a controller too. */
  readonly nodes: number;
}

const HEAP_MB = 256;

/** Several nodes on this machine: every record is on all of them (at most three), and one of three may be away without anybody waiting. */
export class EmbeddedKafkaCluster {
  private constructor(
    private readonly dir: string,
    private readonly nodes: readonly EmbeddedKafka[],
  ) {}

  /** Resolves when every broker serves. @throws ServersError PortTakenError */
  static async start({ dir, nodes, settings = {}, ...options }: EmbeddedKafkaClusterOptions): Promise<EmbeddedKafkaCluster> {
    const controllerPorts = await Promise.all(Array.from({ length: nodes }, freePort));
    const voters = controllerPorts.map((port, index) => `${index + 1}@${LOOPBACK}:${port}`).join(',');
    const clusterId = newClusterId();
    await kafkaJars(cacheFolder(options.env), options.onProgress ?? (() => {})); // fetched once, not by every node
    const starting = controllerPorts.map((controllerPort, index) =>
      EmbeddedKafka.start({
        ...options,
        dir: join(dir, `node-${index + 1}`),
        controllerPort,
        member: { nodeId: index + 1, clusterId, voters },
        heapMb: HEAP_MB,
        settings: { ...replicated(nodes), ...QUICK_CHANGES, ...settings },
      }),
    );
    return new EmbeddedKafkaCluster(dir, await allOrNone(starting));
  }

  /** host:port list of every broker, as `KAFKA_BROKERS` wants it. */
  get brokers(): string {
    return this.nodes.map((node) => node.brokers).join(',');
  }

  get size(): number {
    return this.nodes.length;
  }

  /** One broker, to stop, kill and restart. @param number from 1, which is its node id too */
  node(number: number): EmbeddedKafka {
    const node = this.nodes[number - 1];
    if (node === undefined) throw new Error(`there is no node ${number}: they are 1 to ${this.nodes.length}`);
    return node;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  /** Ends every node and deletes all that they kept. */
  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill())); // the last ones could not stop properly: the others are needed for it
    await Promise.all(this.nodes.map((node) => node.remove()));
    await rm(this.dir, { recursive: true, force: true });
  }
}

/** Copies of what brokers keep for themselves and of topics that do not say, three of them, two of which must have a record. */
function replicated(nodes: number): Record<string, string> {
  const copies = String(Math.min(3, nodes));
  const insync = String(Math.max(1, Math.min(3, nodes) - 1));
  return {
    'default.replication.factor': copies,
    'min.insync.replicas': insync,
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': insync,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': insync,
  };
}

/** A killed broker counts as gone after a second instead of nine, and may come back then; what it led has another leader within two. */
const QUICK_CHANGES = {
  'broker.session.timeout.ms': '1000',
  'broker.heartbeat.interval.ms': '200',
  'controller.quorum.fetch.timeout.ms': '1000',
  'controller.quorum.election.timeout.ms': '500',
  'controller.quorum.election.backoff.max.ms': '300',
  'leader.imbalance.check.interval.seconds': '5',
};

/** They start at the same time, since none serves without the others; when one fails, the rest is stopped before that is told. */
async function allOrNone(starting: readonly Promise<EmbeddedKafka>[]): Promise<EmbeddedKafka[]> {
  const outcomes = await Promise.allSettled(starting);
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined) return started;
  await Promise.all(started.map((node) => node.stop()));
  throw failed.reason;
}
