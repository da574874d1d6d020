import { table } from '@shopflow/command-line';

// What `groups list` and `groups lag` say, as data and as tables. One group or all of them make one table.

/** A group at a glance. */
export interface GroupReport {
  readonly group: string;
  /** As the broker sees it: `Stable`, `Empty`, `Dead`, …; null when Kafka does not answer. */
  readonly state: string | null;
  readonly members: readonly { readonly clientId: string; readonly host: string }[];
  readonly paused: { readonly who: string; readonly why: string; readonly at: Date | string } | null;
  readonly heldKeys: number;
  readonly heldEvents: number;
  readonly openDeadLetters: number;
}

/** How far a group is behind in one partition. Offsets are whole numbers, null where none is known. */
export interface PartitionLag {
  readonly topic: string;
  readonly partition: number;
  /** What Kafka says. */
  readonly committed: number | null;
  /** What the group's database says. */
  readonly stored: number | null;
  readonly high: number;
  /** Records that are not done. */
  readonly records: number;
  /** Age of the oldest of them; 0 when there are none, null when it expired unread. */
  readonly seconds: number | null;
}

/** How far a group is behind: in its topics, and with its wake-ups in its retry topics. */
export interface LagReport {
  readonly group: string;
  readonly records: number;
  readonly seconds: number;
  readonly partitions: readonly PartitionLag[];
  readonly retry: { readonly records: number; readonly seconds: number; readonly partitions: readonly PartitionLag[] };
}

export const groupsTable = (groups: readonly GroupReport[]): string[] =>
  table(
    ['group', 'state', 'members', 'held keys', 'held events', 'open dead letters', 'paused'],
    groups.map(({ group, state, members, heldKeys, heldEvents, openDeadLetters, paused }) => [
      group,
      state ?? 'unknown: Kafka does not answer',
      members.length,
      heldKeys,
      heldEvents,
      openDeadLetters,
      paused === null ? 'no' : `since ${new Date(paused.at).toISOString()} by ${paused.who}: ${paused.why}`,
    ]),
  );

export const lagTable = (groups: readonly LagReport[]): string[] =>
  table(
    ['group', 'topic', 'partition', 'committed', 'stored', 'high', 'lag in records', 'lag in seconds'],
    groups.flatMap(({ group, records, seconds, partitions, retry }) => [
      ...partitions.map((partition) => rowOf(group, partition)),
      [group, 'all of its topics', null, null, null, null, records, seconds],
      ...retry.partitions.filter((partition) => partition.records > 0).map((partition) => rowOf(`${group}.retry`, partition)),
      [`${group}.retry`, 'all of its topics', null, null, null, null, retry.records, retry.seconds],
    ]),
  );

const rowOf = (group: string, { topic, partition, committed, stored, high, records, seconds }: PartitionLag) => [
  group,
  topic,
  partition,
  committed,
  stored,
  high,
  records,
  seconds,
];
