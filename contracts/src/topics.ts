/** A topic of the manifest. Names are logical; `libs/kafka` puts the namespace in front (`shopflow.orders.events`). */
export interface Topic {
  readonly name: string;
  /** The only service that publishes to it. */
  readonly owner: string;
  readonly partitions: number;
  readonly retentionMs: number;
}

const DAY_MS = 86_400_000;

/** Every event topic. Partitions are those of production; a local broker uses {@link LOCAL_PARTITIONS}. */
export const topics = {
  orders: { name: 'orders.events', owner: 'orders', partitions: 12, retentionMs: 7 * DAY_MS },
  invoices: { name: 'invoices.events', owner: 'invoices', partitions: 12, retentionMs: 7 * DAY_MS },
  emails: { name: 'emails.events', owner: 'email', partitions: 12, retentionMs: 7 * DAY_MS },
  reminders: { name: 'reminders.events', owner: 'reminder', partitions: 12, retentionMs: 7 * DAY_MS },
} as const satisfies Record<string, Topic>;

/** Dead letters are kept this long in `<group>.dlq`. */
export const DLQ_RETENTION_MS = 30 * DAY_MS;

/**
 * A consumer group remembers for this long which events it took charge of; an older one would take effect a second time.
 * Longer than an event can still arrive: topic (7 days, deleted up to 7 days late), retries, dead letters (30 days).
 */
export const DEDUP_HORIZON_DAYS = 45;

/**
 * An older event is not published again: its copy stays in the topic for up to 14 days (7, deleted up to 7 days late), and
 * whoever reads it then must still remember the first one.
 */
export const REPLAY_LIMIT_DAYS = DEDUP_HORIZON_DAYS - 14;

export const LOCAL_PARTITIONS = 6;

/** The dead-letter topic of a consumer group, e.g. `email.dlq`. */
export const dlqTopic = (group: string): string => `${group}.dlq`;

/** How many retry topics a group has: one for each pause between two attempts. */
export const RETRY_TIERS = 3;

/** Wake-ups are kept this long in `<group>.retry.N`; losing one costs time, not events. */
export const RETRY_RETENTION_MS = 7 * DAY_MS;

/** The topic that wakes what a consumer group holds for its `tier`th pause (from 1), e.g. `email.retry.1`. */
export const retryTopic = (group: string, tier: number): string => `${group}.retry.${tier}`;
