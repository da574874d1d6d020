import { LOOPBACK } from '../port.js';

/** A node's place among others. */
export interface ClusterMember {
  readonly nodeId: number;
  readonly clusterId: string;
  /** Every node's controller, as `controller.quorum.voters` lists them. */
  readonly voters: string;
}

interface PropertiesOptions {
  readonly port: number;
  readonly controllerPort: number;
  readonly dataDir: string;
  readonly member?: Pick<ClusterMember, 'nodeId' | 'voters'> | undefined;
  readonly settings?: Readonly<Record<string, string>>;
}

/** One node that is broker and controller, on the loopback interface alone, by itself unless it is a member. Durability stays at Kafka's defaults. */
export function serverProperties({ port, controllerPort, dataDir, member, settings = {} }: PropertiesOptions): string {
  const properties = {
    'process.roles': 'broker,controller',
    'node.id': member?.nodeId ?? 1,
    // The quorum is named here and not in the stored metadata, so the node may come back on another port.
    'controller.quorum.voters': member?.voters ?? `1@${LOOPBACK}:${controllerPort}`,
    listeners: `PLAINTEXT://${LOOPBACK}:${port},CONTROLLER://${LOOPBACK}:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://${LOOPBACK}:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': dataDir,
    // After kill -9 a node is let in again only when its former self counts as gone: 9 s by default, too long for a test.
    'broker.session.timeout.ms': 4000,
    'broker.heartbeat.interval.ms': 500,
    // A misspelt topic is an error here as in production, not a new topic.
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    ...settings,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
