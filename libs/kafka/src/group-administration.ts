import type { Logger } from '@shopflow/telemetry';
import type { Admin } from 'kafkajs';
import { connectKafka } from './connect.js';
import { fetchGroupOffsets, type PartitionOffsets } from './group-offsets.js';
import { logicalTopic, physicalGroup, physicalTopic } from './names.js';

/** A consumer group as the broker sees it. */
export interface GroupDescription {
  /** `Stable` while its members read, `Empty` or `Dead` when it has none. */
  readonly state: string;
  readonly members: readonly { readonly clientId: string; readonly host: string }[];
}

export interface GroupAdministrationOptions {
  /** Comma-separated host:port. */
  readonly brokers: string;
  readonly namespace: string;
  readonly clientId: string;
  readonly logger: Logger;
}

/** For some 2 s: a person waits for the answer. */
const RETRIES = 3;

/** Looks at consumer groups from outside, and forgets their offsets. All names are logical. */
export class GroupAdministration {
  private constructor(
    private readonly admin: Admin,
    private readonly namespace: string,
  ) {}

  /** @throws when no broker answers */
  static async connect({ namespace, ...options }: GroupAdministrationOptions): Promise<GroupAdministration> {
    const admin = connectKafka({ ...options, retries: RETRIES }).admin();
    await admin.connect();
    return new GroupAdministration(admin, namespace);
  }

  async describe(group: string): Promise<GroupDescription> {
    const { groups } = await this.admin.describeGroups([physicalGroup(this.namespace, group)]);
    const { state, members } = groups[0]!;
    return { state, members: members.map(({ clientId, clientHost }) => ({ clientId, host: clientHost.replace(/^\//, '') })) };
  }

  /** Every partition of those of the topics that exist. */
  async offsets(group: string, topics: readonly string[]): Promise<PartitionOffsets[]> {
    const existing = new Set(await this.admin.listTopics());
    const known = topics.filter((topic) => existing.has(physicalTopic(this.namespace, topic)));
    return known.length === 0 ? [] : fetchGroupOffsets(this.admin, { namespace: this.namespace, group, topics: known });
  }

  /** Topics of this namespace in which the group has committed offsets. */
  async committedTopics(group: string): Promise<string[]> {
    const committed = await this.admin.fetchOffsets({ groupId: physicalGroup(this.namespace, group) });
    return committed.map(({ topic }) => logicalTopic(this.namespace, topic)).filter((topic) => topic !== undefined);
  }

  /** Forgets what the group has committed. @throws when it has members; nothing happens when there is no such group */
  async forget(group: string): Promise<void> {
    const groupId = physicalGroup(this.namespace, group);
    const { groups } = await this.admin.listGroups();
    if (groups.some((known) => known.groupId === groupId)) await this.admin.deleteGroups([groupId]);
  }

  async close(): Promise<void> {
    await this.admin.disconnect();
  }
}
