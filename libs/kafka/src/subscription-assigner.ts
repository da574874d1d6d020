import type { Assigner, Cluster, GroupMember, GroupMemberAssignment, PartitionAssigner } from 'kafkajs';
import { AssignerProtocol } from './kafkajs.js';

/** The wishes of one member of a group. */
export interface MemberTopics {
  readonly memberId: string;
  readonly topics: readonly string[];
}

/**
 * Gives every partition to one of the members that subscribe to its topic, evenly and always in the same way.
 * kafkajs's own assigner hands the leader's topics to everyone, so during a deploy that adds a subscription the new
 * topic is given to members that do not know it, and nobody reads it.
 *
 * @param partitionsOf the partition numbers of a topic
 * @returns per member, per topic, its partitions
 */
export function assignBySubscription(
  members: readonly MemberTopics[],
  partitionsOf: (topic: string) => readonly number[],
): Map<string, Record<string, number[]>> {
  const sorted = [...members].sort((a, b) => (a.memberId < b.memberId ? -1 : 1));
  const assignment = new Map<string, Record<string, number[]>>(sorted.map(({ memberId }) => [memberId, {}]));
  const load = new Map(sorted.map(({ memberId }) => [memberId, 0]));
  for (const { topic, candidates } of fewestCandidatesFirst(sorted)) {
    for (const partition of partitionsOf(topic)) {
      const member = candidates.reduce((least, other) => (load.get(other)! < load.get(least)! ? other : least));
      load.set(member, load.get(member)! + 1);
      (assignment.get(member)![topic] ??= []).push(partition);
    }
  }
  return assignment;
}

/** A topic that few can read loads those few: the others then take more of what everyone can read. */
function fewestCandidatesFirst(members: readonly MemberTopics[]): { topic: string; candidates: string[] }[] {
  const topics = [...new Set(members.flatMap((member) => member.topics))].sort();
  const candidatesOf = (topic: string) => members.filter((member) => member.topics.includes(topic)).map(({ memberId }) => memberId);
  return topics.map((topic) => ({ topic, candidates: candidatesOf(topic) })).sort((a, b) => a.candidates.length - b.candidates.length);
}

const VERSION = 0;

/** {@link assignBySubscription} as kafkajs wants it. */
export const subscriptionAssigner: PartitionAssigner = ({ cluster }): Assigner => ({
  name: 'shopflow-by-subscription',
  version: VERSION,
  protocol: ({ topics }) => ({
    name: 'shopflow-by-subscription',
    metadata: AssignerProtocol.MemberMetadata.encode({ version: VERSION, topics, userData: Buffer.alloc(0) }),
  }),
  async assign({ members }): Promise<GroupMemberAssignment[]> {
    const wishes = members.map(topicsOf);
    // The leader must look up topics that only other members subscribe to.
    for (const topic of new Set(wishes.flatMap(({ topics }) => topics))) await addIfItExists(cluster, topic);
    const partitionsOf = (topic: string) => cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
    return [...assignBySubscription(wishes, partitionsOf)].map(([memberId, assignment]) => ({
      memberId,
      memberAssignment: AssignerProtocol.MemberAssignment.encode({ version: VERSION, assignment, userData: Buffer.alloc(0) }),
    }));
  },
});

/** Without what another member wishes for and nobody has: its mistake must not stop the whole group. It says so itself. */
async function addIfItExists(cluster: Cluster, topic: string): Promise<void> {
  try {
    await cluster.addMultipleTargetTopics([topic]);
  } catch (error) {
    if ((error as { type?: unknown }).type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
  }
}

function topicsOf({ memberId, memberMetadata }: GroupMember): { memberId: string; topics: string[] } {
  return { memberId, topics: AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? [] };
}
